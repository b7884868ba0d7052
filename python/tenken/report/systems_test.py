"""Systems and runs side by side: text, page and drawing of one made-up comparison."""

from __future__ import annotations

from tenken.model.machine import Block, Cell, Line, Systems
from tenken.report.compared import systems_text
from tenken.report.draw.systems import lines_drawn
from tenken.report.pages import systems_page

LINES = (
    Line("kernel", (Cell("1.5", "3.0", 3.01, (1,)), Cell("2 GFLOP/s", None, 7.5)), (None, None)),
    Line("printed", (Cell("1", "4.0"), Cell("2", None, 8.0)), (None, 2.0)),
    Line("alone", (Cell("1", None, 5.0), None), (None, None)),
    Line("nothing", (Cell("1", "0.00", 0.0), Cell("2", None, 5.0)), (None, None)),
)
MADE = Systems(
    ("x", "<last>"), ("System X", "run \x1b[31m of quick"), (Line("nodes", (Cell("8"), Cell("1")), (None, 0.125)),),
    (Block("App", "n=4", "s", "ranks: 2", ("not divided: they differ in size",), ("x: mean",), LINES),), ("x: a slip",),
)


def test_what_two_of_them_have_is_drawn() -> None:
    assert lines_drawn(MADE) == [("App   kernel", (3.01, 7.5)), ("App   printed", (4.0, 8.0))]


def test_the_page_has_all_that_the_text_has_and_one_drawing() -> None:
    text, made = systems_text(MADE), systems_page(MADE)
    assert made.count("<svg") == 1 and "<script" not in made and "<last>" not in made and "\x1b" not in made
    assert "\x1b" not in text.splitlines()[1]
    for said in ("not divided: they differ in size", "x: mean", "[1] x: a slip", "ranks: 2", "2 GFLOP/s", "7.50", "0.125"):
        assert said in text and said in made, said


def test_nothing_to_draw_is_no_drawing() -> None:
    import dataclasses

    assert "<svg" not in systems_page(dataclasses.replace(MADE, blocks=()))
