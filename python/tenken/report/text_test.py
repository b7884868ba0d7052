from __future__ import annotations

import re
from dataclasses import replace

import pytest

import assessments
import golden_files
from tenken.model.record import Value
from tenken.report import text
from tenken.report.plain import table

FIRST = {"machine": assessments.ok().machine, "plan": ["8 cases", "16 launches", "about 1 min 12 s"],
         "trust": ["clock ok", "frequency UNKNOWN (not readable)"], "compare": ["ceilings of this run", "no baseline"]}


@pytest.mark.parametrize("name", assessments.ALL)
@pytest.mark.parametrize("width", [80, 100, 160])
def test_a_verdict_keeps_its_lines_and_starts_with_its_word(name: str, width: int) -> None:
    assessment = assessments.ALL[name]()
    lines = text.verdict(assessment, width=width).splitlines()
    assert len(lines) <= (text.OK_LINES if name == "ok" else text.OTHER_LINES)
    assert lines[0].startswith(("DRILL  " if assessment.drill else "") + assessment.verdict.value)
    assert lines[-1].endswith(f"exit code {assessment.exit_code}")
    assert all(len(line) <= width for line in lines[1:-1])


@pytest.mark.parametrize("name", assessments.ALL)
def test_text_is_golden(name: str) -> None:
    golden_files.check(f"verdict-{name}.txt", text.verdict(assessments.ALL[name]()))


def test_everything_is_golden_and_names_every_case_and_note() -> None:
    shown = text.verdict(assessments.bad(), everything=True)
    golden_files.check("verdict-bad-all.txt", shown)
    assert all(case.id in shown for case in assessments.bad().cases)
    assert all(note in shown for note in assessments.bad().notes)


def test_the_first_screen_is_golden() -> None:
    golden_files.check("first-screen.txt", text.first_screen(**FIRST))


def test_no_control_character_reaches_a_terminal_but_the_colours() -> None:
    shown = text.verdict(assessments.hostile(), everything=True) + text.verdict(assessments.hostile())
    shown += text.first_screen(assessments.hostile().machine, [], [])
    assert "\\x1b[31m" in shown
    assert all(char == "\n" or char.isprintable() for char in shown)


def test_colour_adds_nothing_but_colour() -> None:
    plain, coloured = (text.verdict(assessments.bad(), colour=colour) for colour in (False, True))
    assert "\x1b[1;31mFAIL\x1b[0m" in coloured and "\x1b" not in plain
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


def test_an_ok_run_shows_figures_with_their_share_of_the_ceiling() -> None:
    assert "lqcd 12 GFLOP/s 57 %" in text.verdict(assessments.ok()).splitlines()[1]
    assert "lqcd 12 GFLOP/s (57 %)" in text.verdict(assessments.ok(), width=160).splitlines()[1]


def test_no_rate_is_shown_where_the_answer_was_wrong() -> None:
    shown = text.verdict(assessments.drill(), everything=True)
    assert not re.search(r"\d (G|T)?(FLOP|B)/s", shown)


def test_without_a_page_the_results_are_named() -> None:
    last = text.verdict(assessments.ok(), page=False).splitlines()[-1]
    assert last.startswith("results  runs/") and "report.html" not in last


def test_an_interrupted_run_says_how_to_go_on() -> None:
    assert f"next     ./tenken run --resume {assessments.interrupted().run}" in text.verdict(assessments.interrupted())


def test_a_progress_line_is_one_line_of_the_width() -> None:
    line = text.progress_line(
        3, 8, "lqcd:small", 2, 3, section="cg/operator", tally={"done": 3, "crashed": 1}, eta_s=71
    )
    assert line == "[3/8] lqcd:small   launch 2/3   cg/operator   3 done  1 crashed   ETA 1 min 11 s"
    assert text.progress_line(1, 8, "c:c", 1, 1) == "[1/8] c:c   launch 1/1"
    assert len(text.progress_line(1, 8, "x" * 200, 1, 1, width=60)) == 60


def test_nodes_that_differ_are_mentioned() -> None:
    machine = assessments.bad().machine
    assert "nodes differ (tenken machine)" not in text.describe(machine)
    other = replace(machine.nodes[0], host="n99", memory_bytes=1 << 30)
    assert "nodes differ (tenken machine)" in text.describe(replace(machine, nodes=(*machine.nodes, other)))


def test_tables_leave_out_empty_columns_and_give_up_expendable_ones() -> None:
    rows = [("a", "1", "-", "22"), ("bb", "10", "-", "3")]
    assert table(("name", "x", "none", "long"), rows) == ["name   x  long", "a      1    22", "bb    10     3"]
    assert table(("name", "x", "none", "long"), rows, width=10, expendable=("long",))[0] == "name   x"


def test_everything_gives_recorded_values_with_all_digits() -> None:
    quick = assessments.ok()
    held = replace(quick.cases[0], values=(Value("pion_000", "1", 15.735089241509359),))
    shown = text.verdict(replace(quick, cases=(held, *quick.cases[1:])), everything=True)
    assert re.search(rf"^ *{held.id} +pion_000 +15\.735089241509359 +1$", shown, re.MULTILINE)
    assert "pion_000" not in text.verdict(replace(quick, cases=(held, *quick.cases[1:])))
