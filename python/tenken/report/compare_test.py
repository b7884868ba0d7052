"""What is printed of a release decision, on the terminal and as a page."""

from __future__ import annotations

import pytest

from comparisons import case, comparison, finding, quantity
from tenken.model.comparison import Decision
from tenken.model.verdict import Verdict
from tenken.report import compared, pages
from tenken.report.compared import decision
from tenken.report.results import comparison as plain_results

SLOW = case(
    "dgemm", Decision.RESTRICT, quantity("metric:rate/1", 1.002), quantity("metric:rate/2", 1.13, "slower"),
    findings=(finding("dgemm:all_cores", "rate/2: 40 GFLOP/s instead of 45.2 GFLOP/s, 13 % (11 to 15) slower"),),
)


def test_a_release_says_what_differs_and_what_would_have_been_found() -> None:
    lines = decision(comparison()).splitlines()
    assert lines[0].startswith("RELEASE   quick: gcc13 (B) instead of gcc12 (A) on toy") and lines[0].endswith("2 min 05 s")
    assert lines[1] == "why      answers right and no time worse in 2 cases"
    assert lines[2] == "differ   flags -ffp-contract=off instead of none"
    figures = ["45.2", "GFLOP/s", "45.2", "GFLOP/s", "1.00", "0.98", "to", "1.02", "6.4", "%"]
    assert lines[5].split() == ["stream:all_cores", "release", "rate", *figures]
    assert lines[-1] == f"report   {comparison().plan.folder}/report.html   exit code 0" and len(lines) <= 24


def test_restrictions_come_with_their_place_and_the_next_command() -> None:
    text = decision(comparison(Decision.RESTRICT, SLOW, case("lqcd"), exit_code=1))
    assert text.startswith("RELEASE WITH RESTRICTIONS   quick")
    assert "restrict dgemm:all_cores   rate/2: 40 GFLOP/s instead of 45.2 GFLOP/s, 13 % (11 to 15) slower\n" in text
    assert "next     ./tenken compare-env gcc12 gcc13 dgemm:all_cores --launches 12\n" in text
    row = next(line for line in text.splitlines() if line.startswith("dgemm:all_cores"))
    assert "rate/2" in row and "1.13" in row and row.split()[1] == "restrict"


def test_many_findings_and_cases_stay_on_one_screen_and_all_shows_them() -> None:
    wrong = [
        case(f"check{i}", Decision.HOLD, quantities=(), answers=("right", "wrong"),
             findings=(finding(f"check{i}:all_cores", "wrong answer: " + 40 * "very ", Verdict.INVALID),))
        for i in range(30)
    ]
    found = comparison(Decision.HOLD, *wrong, exit_code=2)
    text = decision(found)
    assert len(text.splitlines()) <= 24 and "... and 25 more (--all)" in text and max(map(len, text.splitlines())) <= 200
    everything = decision(found, everything=True)
    assert all(f"check{i}:all_cores" in everything for i in range(30)) and "evidence shift over 6 pairs" in everything


def test_an_interrupted_one_says_how_to_go_on() -> None:
    text = decision(comparison(state="interrupted", exit_code=3))
    assert "interrupted" in text and "next     ./tenken compare-env --resume 20261121T080000Z-compare-quick-1a2b\n" in text


def test_pairs_that_show_nothing_have_no_figure() -> None:
    text = decision(comparison(Decision.UNDECIDED, case("lqcd", Decision.UNDECIDED, quantity(detectable=1e20))))
    assert " too noisy\n" in text and "000000" not in text


def test_nearest_to_a_limit_is_a_time_that_could_be_judged() -> None:
    blind = quantity("time:noise", 1.3, compared.UNJUDGED, detectable=3.0)
    near = quantity("time:near", 1.05)
    assert compared.nearest((quantity(), blind, near, quantity("jitter:x", 1.06))) is near
    assert compared.nearest((near, quantity("jitter:x", 1.2, "slower"))).quantity == "jitter:x"
    assert compared.nearest(()) is None


def test_colour_marks_the_decision_once() -> None:
    assert decision(comparison(), colour=True).startswith("\x1b[1;32mRELEASE\x1b[0m   quick")


@pytest.mark.parametrize("of", list(Decision))
def test_the_page_shows_the_decision_the_differences_and_every_figure(of: Decision) -> None:
    page = pages.comparison_page(comparison(of, SLOW, case("lqcd")))
    assert f">{of.value}</span>gcc13 instead of gcc12</h1>" in page and "<script" not in page and "http" not in page
    for words in ("-ffp-contract=off", "rate/2", "1.130", "dgemm:all_cores (essential)", "loss of multiply", "<svg"):
        assert words in page


def test_hostile_names_are_harmless() -> None:
    hostile = case("<b>&\x1b[31m", reason="<script>alert(1)</script>")
    found = comparison(Decision.RELEASE, hostile, reason="<i>\x1b]0;x")
    assert "<b>" not in pages.comparison_page(found) and "<script>" not in pages.comparison_page(found)
    assert "\x1b" not in decision(found, everything=True)


def test_results_hold_everything() -> None:
    found = plain_results(comparison(Decision.RESTRICT, SLOW))
    assert (found["schema"], found["decision"]) == ("tenken.compared/1", "release with restrictions")
    assert found["cases"][0]["quantities"][1]["ratio"] == 1.13 and found["cases"][0]["quantities"][1]["class"] == "compute"
