from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tenken.report.plain import LABEL, phrases, clip, clip_middle, plain


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
    names = [f"stream:environments/size{size}-{compiler}" for size in ("4KiB", "1MiB") for compiler in ("gcc", "clang")]
    short = {clip_middle(name, 28) for name in names}
    assert len(short) == 4 and max(map(len, short)) == 28
    assert clip_middle("abc", 3) == "abc" and clip_middle("abcdef", 2) == ".."


def test_phrases_are_cut_after_four_lines_and_commands_are_not() -> None:
    words = ["word"] * 80
    note, command = phrases("note", [" ".join(words)], 60), phrases("next", [" ".join(words)], 60, 1)
    assert len(note) == 4 and note[0].startswith("note     word") and note[-1].endswith(" ...")
    assert len(command) > 4 and " ".join(command).split() == ["next", *words]
    assert all(len(line) <= 60 and line.startswith(" " * LABEL) for line in note[1:])
    assert phrases("", ["a", "", "b"], 60) == [" " * LABEL + "a   b"] and phrases("note", [""], 60) == []
    assert phrases("longer label", ["a"], 60) == ["longer label  a"] and len(phrases("", ["x " * 30], 9)) == 2, "40 at least"
