"""The statistics of change on real launches, against plain loops."""

from __future__ import annotations

from itertools import combinations
from statistics import median

import numpy as np
import pytest
from rates import frozen, held_out
from tenken.judge.change import Answer
from tenken.judge.common import kind_of
from tenken.stats import nested

REAL = frozen.read(frozen.KEPT / "loud-2c.json")
ROWS = range(len(REAL.names))
ACCEPTED = REAL.accepted()


def known(row: int) -> list[list[float]]:
    """The launches of each sitting that has any."""
    return [some for sitting in ACCEPTED[row] if (some := [float(x) for x in sitting if not np.isnan(x)])]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "/".join(REAL.names[row]))
def test_sittings_and_launches_of_real_runs(row: int) -> None:
    middles = nested.middle(ACCEPTED[row])
    np.testing.assert_allclose(middles[~np.isnan(middles)], [median(some) for some in known(row)])
    apart = [abs(x - y) for some in known(row) for x, y in combinations(some, 2)]
    expected = median(apart) * 1.4826 / 2**0.5 if apart else 0.0
    assert nested.launch_sigma(ACCEPTED[row]) == pytest.approx(expected)


def test_the_common_shift_of_real_sittings() -> None:
    times = [row for row in ROWS if not REAL.names[row][1].startswith(("loss:", "jitter:"))]
    sittings = nested.middle(ACCEPTED[times])
    centre, shift = nested.polish(sittings)
    left = sittings - centre[:, None] - shift
    assert np.nanmax(np.abs(nested.middle(left, axis=-2))) < 0.001 < 0.1 < np.abs(shift).max()
    assert np.nanmedian(np.abs(left)) < 0.5 * np.nanmedian(np.abs(sittings - nested.middle(sittings)[:, None]))


def quantities_of(run: int) -> int:
    return sum(len(one.accepted[0].values) for one in REAL.cases[run].values() if one.accepted)


@pytest.mark.parametrize("run", sorted(range(len(REAL.runs)), key=quantities_of)[-3:])  # those that know most
def test_what_is_slowed_in_a_real_run_is_named_alone(run: int) -> None:
    others = [one for one in range(len(REAL.runs)) if one != run]
    rows, order = held_out.rows_held(REAL, run, others), [REAL.runs[one] for one in others]
    shifts = np.zeros((2, len(rows)))
    which = [(row.case_id, row.quantity.name) for row in rows].index(("fma_peak:one_core", "metric:double"))
    shifts[1, which] = np.log(1.5)
    before, after = held_out.decided(rows, order, shifts).answers
    named = (after >= Answer.SLOWER) & (before < Answer.SLOWER)
    assert np.flatnonzero(named).tolist() == [which] and after[which] == Answer.SLOWER
    times = np.array([kind_of(row.quantity.name) == "time" for row in rows])
    assert not (before[times] >= Answer.SLOWER).any() and (before > Answer.NOT_JUDGED).sum() > len(rows) / 2
