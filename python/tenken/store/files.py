"""JSON files that are whole or not there, also when the disk is full or the process is killed."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

from tenken.base.regular import no_link, read_regular_text, replace_file
from tenken.model.errors import RecordError, TenkenError
from tenken.store.schema import load_schema

RESERVE = ".reserve"  # ballast of a run folder, given up when the disk is full
RESERVE_BYTES = 256 * 1024
_FULL = (errno.ENOSPC, errno.EDQUOT)


def write_json(path: Path, value: Any) -> None:
    """Write plain `value` to `path` at once: temporary file, fsync, rename.

    On a full disk the ballast of the run folder around `path` is deleted and the write repeated once.
    TenkenError where it cannot be written; then an older `path` is still whole.
    """
    text = (json.dumps(value, indent=1, allow_nan=False) + "\n").encode()
    try:
        try:
            replace_file(path, text)
        except OSError as error:
            if error.errno not in _FULL or not _drop_reserve(path):
                raise
            replace_file(path, text)
    except OSError as error:
        raise TenkenError(f"cannot write {path}: {error.strerror}; {_advice(error)}") from error


def read_json(path: Path, schema: str | None = None) -> Any:
    """The value in `path`, fitted to `schema/SCHEMA.schema.json`; RecordError where it cannot be believed."""
    try:
        text = read_regular_text(path)
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: byte {error.start} is not UTF-8: not a file of Tenken, or damaged") from error
    value = parse_json(text, str(path))
    if schema is not None:
        load_schema(schema)(value, str(path))
    return value


def parse_json(text: str, where: str) -> Any:
    """The JSON value `text`; RecordError, starting with `where`, for anything else, NaN literals included."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise RecordError(
            f"{where}: not JSON ({error.msg} at character {error.pos + 1}): damaged or cut off"
        ) from error
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: not JSON that can be believed ({error}): damaged") from error


def write_reserve(folder: Path) -> None:
    """Really allocate the ballast file of run folder `folder`."""
    try:
        with open(folder / RESERVE, "wb", opener=no_link) as file:
            file.write(b"\xa5" * RESERVE_BYTES)  # written, not seeked: a hole would reserve nothing
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise TenkenError(f"cannot write into {folder}: {error.strerror}; {_advice(error)}") from error


def _drop_reserve(path: Path) -> bool:
    for folder in list(path.parents)[:3]:  # run.json, launches/, launches/NNNN-case/
        if (folder / RESERVE).exists():
            (folder / RESERVE).unlink(missing_ok=True)
            return True
    return False


def _advice(error: OSError) -> str:
    if error.errno in _FULL:
        return "free some space, or put runs elsewhere with --runs DIR"
    return "choose a folder that you can write to with --runs DIR"


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")
