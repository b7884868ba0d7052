"""A fixed part of the runs of place_lines.py gives the counts that are committed, and these reach their floors."""

from __future__ import annotations

import ast
import json
import os
from pathlib import Path

import numpy as np
import pytest
from rates import place_data as data
from rates import place_lines as lines

COUNTS = json.loads(lines.COUNTS.read_text(encoding="utf-8"))
RUNS = int(os.environ.get("TENKEN_RATES", str(min(lines.RUNS))))


@pytest.mark.parametrize("line", lines.LINES, ids=lambda line: line.name)
def test_counts_are_those_committed(line: lines.Line) -> None:
    """TENKEN_RATES=200 makes all of them, as ./tenken test --ci does."""
    assert lines.count(line, RUNS) == COUNTS[line.name][str(RUNS)]


def test_committed_counts_reach_their_floors() -> None:
    most = max(lines.RUNS)
    told = lines.goals([(line, COUNTS[line.name][str(most)], lines.runs_of(line, most)) for line in lines.LINES])
    assert len(told) > 10 and not [goal for goal, reached in told if not reached]
    worse = lines.goals([(line, most // 2, most) for line in lines.LINES])
    assert not any(reached for _, reached in worse)


def test_what_makes_the_data_shares_nothing_with_the_judge() -> None:
    tree = ast.parse(Path(data.__file__).read_text(encoding="utf-8"))
    modules = [each.module or "" for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)]
    modules += [name.name for each in ast.walk(tree) if isinstance(each, ast.Import) for name in each.names]
    assert {name.split(".")[0] for name in modules} == {"__future__", "dataclasses", "numpy"}


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
