"""Reads the sample pages of a launch: where each rank is, or was when it was killed (docs/files.md)."""

from __future__ import annotations

import struct
from pathlib import Path

from tenken.base.regular import no_link
from tenken.model.run import STATES, RankState

_HEADER = struct.Struct("<8sii64siiiiiiqdii")
_LAUNCH_BYTES = 32  # after the header, where the names begin behind it
_STEPS = struct.Struct("<q")  # after that, likewise
_MAGIC = b"TKNPAGE1"
_NAME_BYTES = 96


def read_page(path: Path, launch: str = "") -> RankState | None:
    """The state of a rank; None where the page is not (yet) whole, or of another launch than that with this id."""
    try:
        with open(path, "rb", opener=no_link) as file:
            header = file.read(_HEADER.size)
            if len(header) < _HEADER.size:
                return None
            (magic, rank, pid, host, state, section, completed, planned, sections, _rows, _cells, _ns_per_tick,
             names, _cell_bytes) = _HEADER.unpack(header)
            if magic != _MAGIC or not 0 <= state < len(STATES):
                return None
            more = file.read(max(0, min(names - _HEADER.size, _LAUNCH_BYTES + _STEPS.size)))
            if launch and len(more) >= _LAUNCH_BYTES and _text(more[:_LAUNCH_BYTES]) != launch:
                return None
            (steps,) = _STEPS.unpack_from(more, _LAUNCH_BYTES) if len(more) >= _LAUNCH_BYTES + _STEPS.size else (0,)
            name = None
            if 0 <= section < sections and names >= _HEADER.size:
                file.seek(names + section * _NAME_BYTES)
                name = _text(file.read(_NAME_BYTES)) or None
    except OSError:
        return None
    return RankState(rank, _text(host), pid, STATES[state], name, completed, planned, steps)


def read_pages(folder: Path, launch: str = "") -> tuple[RankState, ...]:
    """The states of all ranks of a launch in rank order; empty where no page was written."""
    states = (read_page(path, launch) for path in folder.glob("rank-*.page"))
    return tuple(sorted((state for state in states if state), key=lambda state: state.rank))


def _text(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode(errors="replace")
