"""The simulations of error rates: a part is made again, the page is of the counts, and a bad judge misses the goals."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from rates import disturbed, lines, page, quick, simulator
from rates import place_data as data
from rates.bounds import rate, table, wilson
from rates.lines import LINES, OF_CASE, TYPICAL, Line
from tenken.model.verdict import Verdict

COUNTS = simulator.read()
NORMAL = Line("normal", "", TYPICAL)


@pytest.mark.parametrize("name", simulator.SHORT)
def test_counts_are_those_committed(name: str) -> None:
    assert simulator.chunk(name, 0) == COUNTS["short"][name]


def test_the_page_shows_the_counts_the_sittings_and_the_quick_runs() -> None:
    assert page.PAGE.read_text(encoding="utf-8") == page.page(COUNTS["all"])


def test_committed_counts_reach_the_goals() -> None:
    assert [goal for goal, reached in page.goals(COUNTS["all"]) if not reached] == []
    assert all(COUNTS["all"][name]["runs"] >= least for name, least in simulator.LEAST.items())


def test_a_bad_judge_reaches_no_goal() -> None:
    def worst(key: str, one: dict[str, int]) -> int:
        bad = {"named": "innocents", "failed": "runs", "clean lasting": "runs", "wrong": "runs", "runs": "runs", "innocents": "innocents",
               "slow": "slow", "printed": "printed"}
        return one[bad[key]] if key in bad else one["runs"] // 2 if key in ("hits", "not judged") else 0

    counts = {name: {key: worst(key, one) for key in one} for name, one in COUNTS["all"].items()}
    assert [goal for goal, reached in page.goals(counts) if reached] == []


def test_bounds_of_the_literature() -> None:
    """Newcombe, Stat. Med. 17 (1998) 857, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29, without continuity correction."""
    for hits, of, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)):
        assert wilson(hits, of) == pytest.approx((low, high), abs=1e-4)
    assert rate(1, 29) == "3.4 % (0.6 to 17.2)" and wilson(7, 7)[1] <= 1.0
    assert table(("a", "b"), [("1", "2")]) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n"


@pytest.mark.parametrize("module", [lines, data])
def test_noise_is_made_without_the_judge(module) -> None:  # type: ignore[no-untyped-def]
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    used = {each.module or "" for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)}
    used |= {name.name for each in ast.walk(tree) if isinstance(each, ast.Import) for name in each.names}
    assert used <= {"__future__", "collections.abc", "dataclasses", "math", "numpy", "numpy.typing", "tenken.model.baseline"}


def drawn(line: Line, launches: int = 3, runs: int = 60) -> np.ndarray:
    return lines.sittings(line, runs, 4, launches, np.random.default_rng(1))


def test_effects_have_the_same_variance_and_heavier_tails() -> None:
    middles = [np.median(drawn(Line("", "", TYPICAL, tails=tails), runs=400)[:, :40], axis=-1) for tails in (np.inf, 4.0)]
    normal, heavy = (one[np.broadcast_to(np.abs(np.median(one, axis=1, keepdims=True)) < 0.04, one.shape)] for one in middles)
    assert heavy.std() == pytest.approx(normal.std(), rel=0.2)
    far = 5 * normal.std()  # slow sittings, which both have, are left out
    assert (np.abs(heavy) > far).mean() > 5 * (np.abs(normal) > far).mean()


def test_states_are_of_launches_and_steps_of_compute_sections() -> None:
    base = drawn(NORMAL)
    often = drawn(Line("", "", TYPICAL, states=(1.0, 0.5)))
    assert (often[:, :40] - base[:, :40]).mean() == pytest.approx(np.log(1.5), abs=0.01)
    stepped = drawn(Line("", "", TYPICAL, turbo=True), runs=400)
    compute, others = (stepped[:, one] for one in (slice(0, 40, 4), slice(1, 40, 4)))
    wanted = np.log1p(lines.STEP) * (lines.STEPS[1] + 2 * lines.STEPS[2] + lines.LATER)
    assert compute.mean() - others.mean() == pytest.approx(wanted, abs=0.003)


def test_pareto_repetitions_are_lost_and_others_load_drops_launches_of_a_case() -> None:
    heavy = drawn(next(one for one in LINES if one.pareto))
    assert np.exp(heavy[:, 40:80]).max() > 10 * np.exp(drawn(NORMAL)[:, 40:80]).max()
    disturbed = drawn(next(one for one in LINES if one.neighbours), runs=200)
    gone = np.isnan(disturbed)
    chance = (lines.BUSY * np.exp(-lines.COUNTED / lines.LONGER)) ** 2
    assert gone.mean() == pytest.approx(chance, rel=0.2)
    assert all((gone[:, OF_CASE == case] == gone[:, OF_CASE == case][:, :1]).all() for case in range(lines.CASES))


def test_a_stopped_rank_loses_a_quarter_of_what_it_ran() -> None:
    chance = np.random.default_rng(1)
    ms = data.steady(chance, 7)
    plain = data.steady(np.random.default_rng(1), None)
    more = (ms - plain).sum(axis=(1, 3))
    assert np.allclose(np.delete(more, 7, axis=1), 0)
    assert np.all(np.abs(more[:, 7] / plain[:, :, 7].sum(axis=(1, 2)) - 0.25) < 0.03)


def test_in_a_ring_that_begins_together_only_two_wait_for_the_late_one() -> None:
    of = data.ring(np.random.default_rng(2), 20, 0.5, True)
    wait = np.median(of.wait, axis=0)
    assert set(np.argsort(-wait)[:2]) == {19, 21} and wait[20] < 2 * data.MOVED_US
    travelling = np.median(data.ring(np.random.default_rng(2), 20, 0.5, False).wait, axis=0)
    assert np.delete(travelling, 20).min() > 0.3 * data.WORK_US > 3 * travelling[20]


def test_the_generator_loses_what_it_says_and_only_lengthens() -> None:
    chance = np.random.default_rng(1)
    spans = np.full(40, 10.0)
    for length in disturbed.LENGTHS:
        added = disturbed.bursts(chance, spans, 20.0, length, None)
        assert added.sum() == 20.0 or abs(added.sum() - 20.0) < 1e-9
        assert (added >= 0).all()
    inside = disturbed.bursts(chance, spans, 20.0, 1.0, np.arange(40) % 2 == 0)
    assert inside[1::2].sum() == 0


def test_a_judge_that_always_says_ok_would_be_caught() -> None:
    chance = np.random.default_rng(2)
    drawn = [disturbed.draw(chance, 0.05) for _ in range(100)]
    assert sum(not disturbed.right(one, Verdict.OK) for one in drawn) > 20
    assert sum(not disturbed.right(one, Verdict.WARN) for one in drawn) > 20


def made(verdict: str, judged: int) -> dict:
    case = {"id": "a:b", "verdict": verdict, "trust": {"steal": 0.012, "run_queue_wait": None, "shared": 0.5}}
    unjudged = [{"cases": ["a:b"]}] if judged == 0 else []
    return {"started": "t", "verdict": verdict, "exit_code": 0, "seconds": 1.0, "cases": [case], "unjudged": unjudged}


def test_a_case_that_is_ok_once_and_a_finding_another_time_is_named() -> None:
    rows = [quick.kept(made(verdict, 1)) for verdict in ("OK", "NOT JUDGED", "OK")]
    assert quick.contradicted(rows) == []
    assert quick.contradicted([*rows, quick.kept(made("WARN", 0))]) == ["a:b"]


def test_a_row_tells_the_worst_counters_and_what_was_not_judged() -> None:
    assert quick.row(made("OK", 0)) == ("t", "OK", "0", "0 of 1", "1", "1.2", "untold", "50.0", "-", "most")
    assert quick.row(made("WARN", 1))[3:] == ("1 of 1", "1", "1.2", "untold", "50.0", "a:b WARN", "-")
