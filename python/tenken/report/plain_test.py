from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tenken.report.plain import clip, clip_middle, plain


def test_escape_sequences_and_direction_marks_become_visible() -> None:
    assert plain("\x1b[31mred\x07 \u202eb\x9b") == "\\x1b[31mred\\x07 \\u202eb\\x9b"
    assert plain("two\nlines\tand a tab") == "two lines and a tab"
    assert plain("knoten-ä") == "knoten-ä"
    assert plain("\ud800") == "\\ud800"


@given(st.text(), st.integers(0, 40))
def test_nothing_unprintable_is_left_and_the_length_holds(text: str, limit: int) -> None:
    assert plain(text, limit).isprintable()
    assert len(plain(text, limit)) <= limit
    assert plain(plain(text)) == plain(text)


def test_cut_text_ends_in_dots() -> None:
    assert clip("abcdefgh", 6) == "abc..." and clip("abc", 3) == "abc" and clip("abcdef", 2) == ".."


def test_names_that_differ_at_their_end_stay_apart_when_cut() -> None:
    short = {clip_middle(f"stream:environments/size{size}-{compiler}", 28) for size in ("4KiB", "1MiB") for compiler in ("gcc", "clang")}
    assert len(short) == 4 and max(map(len, short)) == 28
    assert clip_middle("abc", 3) == "abc" and clip_middle("abcdef", 2) == ".."
