"""Accepting and dropping sittings: files are only ever created (whole, or not at all) or renamed, never rewritten."""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
from pathlib import Path
from typing import Any

from tenken import VERSION
from tenken.base.errors import TenkenError
from tenken.model.baseline import Quantity
from tenken.store.baseline import DROPPED, SCHEMA, TEMPORARY, Accepted, case_folder, checksum
from tenken.store.files import parse_json, to_plain
from tenken.store.schema import load_schema

_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)


def write(root: Path, accepted: Accepted) -> Path | None:
    """Add a sitting; its path, or None where this run was accepted for this case before. Never overwrites.

    TenkenError where the folder cannot be written, RecordError where nobody could read the file.
    """
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", accepted.sitting.id):
        raise TenkenError(f"run '{accepted.sitting.id}': its folder was renamed; give it back a name as ./tenken run makes them")
    folder = case_folder(root, accepted.node_class, accepted.case_id, accepted.case_hash)
    final = folder / f"{accepted.sitting.id}.json"
    temporary = folder / f".{accepted.sitting.id}.{os.getpid()}.{secrets.token_hex(4)}{TEMPORARY}"
    text = _text(accepted)
    load_schema("baseline")(parse_json(text, str(final)), str(final))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with open(temporary, "x", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            return final if _publish(temporary, final) else None
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise TenkenError(
            f"cannot write {final}: {error.strerror}; free some space or choose another folder with --baselines DIR"
        ) from error


def _publish(temporary: Path, final: Path) -> bool:
    """Give the whole file its name, unless that is taken: False."""
    try:
        os.link(temporary, final)
        return True
    except FileExistsError:
        if final.stat().st_size:
            return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        try:  # storage without hard links: the name is claimed by an empty file, which nobody believes
            os.close(os.open(final, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
        except FileExistsError:
            if final.stat().st_size:
                return False
    os.rename(temporary, final)
    return True


def drop(path: Path) -> Path:
    """Keep a sitting's file under a name that readers skip; returns the new path."""
    number = 1
    while True:
        dropped = path.with_name(f"{path.name}{DROPPED}{'' if number == 1 else number}")
        if not dropped.exists():
            break
        number += 1
    try:
        os.rename(path, dropped)
    except OSError as error:
        raise TenkenError(f"cannot rename {path}: {error.strerror}; is the folder writable?") from error
    return dropped


def _text(accepted: Accepted) -> str:
    """Sorted keys, a launch and a quantity on each line: a difference of two files reads well."""
    sitting = accepted.sitting
    whole: dict[str, Any] = {
        "schema": SCHEMA, "tenken": VERSION, "node_class": accepted.node_class, "case_id": accepted.case_id,
        "case_hash": accepted.case_hash, "case": accepted.case, "sitting": sitting.id, "started": sitting.started,
        "accepted": accepted.accepted, "note": accepted.note, "hosts": list(sitting.hosts), "environment": sitting.environment,
        "quantities": [_quantity(quantity) for quantity in accepted.quantities],
        "launches": [
            {"launch": each.launch, "values": each.values} | ({"best": each.best} if each.best else {})
            for each in sitting.launches
        ],
        "occasion": to_plain(sitting.occasion),
    }
    whole["sha256"] = checksum(whole)
    return "{\n" + ",\n".join(f" {json.dumps(key)}: {_member(key, whole[key])}" for key in sorted(whole)) + "\n}\n"


def _member(key: str, value: Any) -> str:
    if key in ("quantities", "launches"):
        rows = ",\n".join("  " + json.dumps(row, sort_keys=True, allow_nan=False) for row in value)
        return f"[\n{rows}\n ]"
    return json.dumps(value, sort_keys=True, indent=1, allow_nan=False).replace("\n", "\n ")


def _quantity(quantity: Quantity) -> dict[str, str]:
    return {"name": quantity.name, "unit": quantity.unit, "better": quantity.better, "class": quantity.klass}
