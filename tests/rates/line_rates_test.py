"""200 runs of every line of noise, made again: what the judge says of them is what it said when the table was written."""

from __future__ import annotations

import ast
import json
import os
from pathlib import Path

import numpy as np
import pytest
from rates import line_rates, line_table, lines, noise
from rates.lines import LINES, OF_CASE, TYPICAL, Line

KEPT = json.loads(line_rates.FILE.read_text(encoding="utf-8"))
NORMAL = Line("normal", "", TYPICAL)


def drawn(line: Line, launches: int = 3, runs: int = 60) -> np.ndarray:
    return lines.sittings(line, runs, 4, launches, np.random.default_rng(1))


SOME = [("t4", 5), ("two states", 10), ("shared", 5)]  # the rest is made again by ./tenken test --ci


@pytest.mark.parametrize(("name", "sittings"), line_rates.names() if os.environ.get("TENKEN_RATES") else SOME)
def test_counts_are_those_committed(name: str, sittings: int) -> None:
    assert line_rates.counts_of(name, sittings, line_rates.FEW) == KEPT[f"{name}/{sittings}"]


def test_the_page_has_a_row_for_every_line() -> None:
    page = Path(__file__).resolve().parents[2].joinpath("docs", "judge-rates.md").read_text(encoding="utf-8")
    mine = page.partition(line_table.HEAD)[2]
    assert all(f"\n| {line.name} | {count} | " in mine for line in LINES for count in line_rates.SITTINGS)
    assert all(f"- {line.name}: {line.words}\n" in mine for line in LINES)


def test_goals_are_missed_by_a_judge_that_fails_clean_runs() -> None:
    one = {"runs": 1000, "failed": 3, "judged": 40_000, "0.2 found": 950}
    counts = {f"{line.name}/{count}": dict(one) for line in LINES for count in line_rates.SITTINGS}
    assert [reached for _, reached in line_table.goals(counts)] == [True] * 3
    counts["t4/30"]["failed"], counts["t4/5"]["0.2 found"], counts["turbo/5"]["judged"] = 12, 700, 30_000
    assert [reached for _, reached in line_table.goals(counts)] == [False] * 3


def test_the_noise_is_made_without_the_judge() -> None:
    for module in (lines, noise):
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        used = {one.module or "" for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)}
        assert not [one for one in used if one.startswith(("tenken.judge", "tenken.stats"))]


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
