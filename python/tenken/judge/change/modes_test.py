"""Sittings of another mode of a virtual machine are not compared; on a machine of metal a distance changes nothing."""

from __future__ import annotations

from dataclasses import replace

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.judge.common import DISTANCE, prepare, quantities_of
from tenken.model.assessment import AxisResult, ChangeSummary
from tenken.model.baseline import Baseline, Sitting
from tenken.model.machine import Machine
from tenken.model.run import CaseRun
from tenken.model.verdict import Axis, Verdict

VIRTUAL, METAL = b.machine(b.node(virtual="KVM")), b.machine(b.node())
CHECK = b.check(metrics=[b.metric("rate", "solve")])
MS = 1_000_000


def sat(*trips: float, slower: float = 1.0) -> CaseRun:
    """Launches with these distances of cores, ns."""
    values = [{"core_round_trip_before": ("ns", trip), "core_round_trip_after": ("ns", 0.9 * trip)} for trip in trips]
    records = [b.record(b.Timed("solve", b.quiet(MS * slower, seed=i), work=b.Work(flop=10**6)), launch=i, values=one)
               for i, one in enumerate(values, start=1)]
    return b.case_run(*records, of=CHECK)


def baseline(*modes: float) -> dict[str, Baseline]:
    """A sitting of three launches in each of these modes."""
    sittings, quantities = [], ()
    for day, trip in enumerate(modes, start=1):
        quantities, launches = quantities_of(prepare("r", sat(trip, trip, trip), VIRTUAL), VIRTUAL)
        sittings.append(Sitting(f"run-{day}", f"2026-11-{day:02d}T08:00:00Z", ("n0",), {}, launches))
    return {"demo:a": Baseline("toy", "demo:a", "0badcafe", quantities, tuple(sittings))}


def judged(of: CaseRun, accepted: dict[str, Baseline], on: Machine = VIRTUAL) -> tuple[AxisResult, tuple[ChangeSummary, ...]]:
    case = assess(b.run(of), on, (), (), accepted).cases[0]
    return next(one for one in case.axes if one.axis is Axis.CHANGE), case.changes


FAST, SLOW = 5 * [140.0], 5 * [500.0]


def test_a_sitting_in_another_mode_is_not_compared() -> None:
    axis, changes = judged(sat(*SLOW, slower=2), baseline(*FAST))
    assert axis.verdict is Verdict.NOT_JUDGED and axis.ground and not changes
    assert axis.reason == ("the cores were 500 ns apart, 140 ns in the baseline; figures of different modes of a virtual machine "
                           "are not compared")


def test_launches_in_several_modes_are_not_compared() -> None:
    axis, _ = judged(sat(140, 500, 140), baseline(*FAST))
    assert axis.verdict is Verdict.NOT_JUDGED and axis.ground and "140 to 500 ns apart in these launches" in axis.reason


def test_sittings_of_the_same_mode_are_compared() -> None:
    axis, changes = judged(sat(*SLOW, slower=1.5), baseline(*FAST, *5 * [480.0]))
    assert axis.verdict is Verdict.FAIL and {one.sittings for one in changes} == {5}
    assert DISTANCE not in {one.quantity for one in changes}


@pytest.mark.parametrize("probed", [True, False])
def test_the_rest_is_compared_as_ever(probed: bool) -> None:
    """The same mode; and a baseline without distances."""
    accepted = baseline(*FAST)
    if not probed:
        old = replace(accepted["demo:a"], sittings=tuple(
            replace(one, launches=tuple(replace(each, values={name: x for name, x in each.values.items() if name != DISTANCE})
                                        for each in one.launches)) for one in accepted["demo:a"].sittings))
        accepted = {"demo:a": old}
    assert judged(sat(*5 * [140.0]), accepted)[0].verdict is Verdict.OK
    assert judged(sat(*5 * [140.0], slower=1.5), accepted)[0].verdict is Verdict.FAIL


def test_on_metal_a_distance_that_changes_excuses_nothing() -> None:
    assert judged(sat(*SLOW, slower=2), baseline(*FAST), METAL)[0].verdict is Verdict.FAIL
    assert np.isfinite([one.ratio for one in judged(sat(*SLOW), baseline(*FAST), METAL)[1]]).all()
