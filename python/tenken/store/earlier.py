"""Sittings that a run was compared with: `earlier.json` in its folder, so that judging again reads the same of earlier runs."""

from __future__ import annotations

from pathlib import Path

from tenken.model.earlier import EarlierSitting
from tenken.model.errors import TenkenError
from tenken.store.files import read_json, write_json
from tenken.store.plain import from_plain, to_plain

FILE = "earlier.json"
SCHEMA = "tenken.earlier/1"


def write_earlier(folder: Path, sittings: tuple[EarlierSitting, ...]) -> None:
    """Into a run folder, once: the first reading stays."""
    if not (folder / FILE).exists():
        write_json(folder / FILE, {"schema": SCHEMA, "sittings": [to_plain(earlier) for earlier in sittings]})


def read_earlier(folder: Path) -> tuple[EarlierSitting, ...] | None:
    """None where nothing was written, or it cannot be read: then it is as good as not there."""
    path = folder / FILE
    if not path.exists():
        return None
    try:
        content = read_json(path)
        if not isinstance(content, dict) or content.get("schema") != SCHEMA:
            return None
        return from_plain(tuple[EarlierSitting, ...], content.get("sittings"), str(path))
    except TenkenError:
        return None
