from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tenken.launch.pages import read_page, read_pages
from tenken.model.run import RankState


def page(rank: int = 1, state: int = 1, section: int = 1, sections: int = 2, magic: bytes = b"TKNPAGE1") -> bytes:
    """Written field by field at the documented offsets, not by the reader's own format."""
    raw = bytearray(128 + 96 * 2)
    raw[0:8] = magic
    fields = {8: rank, 12: 4711, 80: state, 84: section, 88: 37, 92: 100, 96: sections, 100: 102, 120: 128, 124: 48}
    for offset, value in fields.items():
        struct.pack_into("<i", raw, offset, value)
    raw[16:22] = b"node-7"
    struct.pack_into("<q", raw, 104, 4096)
    struct.pack_into("<d", raw, 112, 0.5)
    raw[128:133], raw[224:238] = b"solve", b"solve/operator"
    return bytes(raw)


def test_reads_every_field(tmp_path: Path) -> None:
    (tmp_path / "rank-00001.page").write_bytes(page())
    assert read_page(tmp_path / "rank-00001.page") == RankState(1, "node-7", 4711, "timing", "solve/operator", 37, 100)


def test_launch_and_steps_are_read_where_they_are(tmp_path: Path) -> None:
    """Between the header and the names, which began right behind it once, then behind the launch."""
    for extra, launch, steps in ((b"", "id", 0), (b"other".ljust(32, b"\0"), None, 0), (b"id".ljust(32, b"\0"), "id", 0),
                                 (b"id".ljust(32, b"\0") + struct.pack("<q", 2**40), "id", 2**40)):
        raw = page()[:120] + struct.pack("<i", 128 + len(extra)) + page()[124:128] + extra + page()[128:]
        (tmp_path / "rank-00001.page").write_bytes(raw)
        state = read_page(tmp_path / "rank-00001.page", "id")
        assert (state is not None) == (launch == "id")
        assert state is None or (state.steps, state.section) == (steps, "solve/operator")


@pytest.mark.parametrize("section", [-1, 2, 10**6])
def test_no_section_is_open(tmp_path: Path, section: int) -> None:
    (tmp_path / "rank-00001.page").write_bytes(page(section=section))
    state = read_page(tmp_path / "rank-00001.page")
    assert state is not None and state.section is None


@pytest.mark.parametrize("raw", [b"", page()[:100], page(magic=b"OTHERMAG"), page(state=5), page(state=-1)])
def test_what_is_no_page_is_left_out(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "rank-00000.page").write_bytes(raw)
    (tmp_path / "rank-00001.page").write_bytes(page())
    assert [state.rank for state in read_pages(tmp_path)] == [1]


def test_rank_order(tmp_path: Path) -> None:
    for rank in (100000, 2, 99999):
        (tmp_path / f"rank-{rank:05d}.page").write_bytes(page(rank))
    assert [state.rank for state in read_pages(tmp_path)] == [2, 99999, 100000]
    assert read_pages(tmp_path / "absent") == ()
