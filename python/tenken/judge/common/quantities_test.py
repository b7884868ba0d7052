"""What a baseline keeps of a case, and what counts when it is judged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import builders as b
import numpy as np
import pytest

from tenken.judge.common.prepared import Prepared, prepare
from tenken.judge.common.quantities import quantities_of, values_to_judge
from tenken.model.check import Check
from tenken.model.machine import Machine
from tenken.model.run import CaseRun

MS = 1_000_000
OURS, SHARED = b.machine(b.node()), b.machine(b.node(exclusive=False))
CHECK = b.check(metrics=[b.metric("rate", "double"), b.metric("score", None, "value:score", "s", "latency", "none", "lower")])


def sections(factor: float = 1.0, **more: Any) -> tuple[b.Timed, ...]:
    return (
        b.fma(10e9, ms=factor, **more), b.Timed("double_tail", b.quiet(0.2 * MS * factor)),
        b.Timed("halo", b.quiet(0.1 * MS * factor, seed=2), kind="comm"),
        b.Timed("tiny", b.quiet(0.015 * MS)), b.Timed("idle", b.quiet(0.5 * MS), kind="wait"),
        b.Timed("setup", np.array([[5 * MS]]), once=True),
    )


def case(*more: Any, of: Check = CHECK, launches: int = 2, **changes: Any) -> CaseRun:
    records = [b.record(*sections(1 + 0.1 * n), launch=n + 1, values={"score": ("ms", 3.0)}, **changes) for n in range(launches)]
    return b.case_run(*records, *more, of=of)


def prepared(of: CaseRun, on: Machine = OURS) -> Prepared:
    return prepare("r", of, on)


def test_metrics_times_loss_and_jitter_of_each_launch() -> None:
    quantities, launches = quantities_of(prepared(case()), OURS)
    names = {one.name: one for one in quantities}
    assert set(names) == {
        "metric:rate", "metric:score", "time:double_tail", "time:halo", "loss:double", "jitter:double",
        "loss:double_tail", "jitter:double_tail", "loss:halo", "jitter:halo", "time:tiny",
    }  # no time of `double`, which a metric states; nothing of what waits or happens once
    judged = {one.name for one in values_to_judge(prepared(case()), OURS).quantities}
    assert judged == set(names) - {"time:tiny"}, "what is short is kept, for the day when it has grown"
    assert [one.launch for one in launches] == [1, 2]
    assert launches[0].values["metric:rate"] == pytest.approx(10.0, rel=0.01)  # GFLOP/s, its unit
    assert launches[1].values["metric:rate"] == pytest.approx(10.0 / 1.1 * 1.1, rel=0.01)  # work grows with `ms`
    assert launches[0].values["metric:score"] == pytest.approx(3e-3)
    assert launches[1].values["time:halo"] == pytest.approx(1.1e5, rel=0.01)
    assert (names["metric:rate"].better, names["time:halo"].better) == ("higher", "lower")
    assert (names["time:halo"].klass, names["jitter:double"].klass, names["time:double_tail"].klass) == (
        "latency", "compute", "memory"
    )


@pytest.mark.parametrize(
    "bad",
    [
        case(validity=[b.proof(value=2.0)]), case(validity=[]), b.case_run(),
        replace(case(), case=replace(case().case, oversubscribed=True)),
    ],
    ids=["wrong answer", "unproven", "nothing measured", "oversubscribed"],
)
def test_nothing_is_kept_of_what_cannot_be_believed(bad: CaseRun) -> None:
    assert quantities_of(prepared(bad), OURS) == ((), ())


def test_a_disturbed_launch_is_left_out() -> None:
    busy = b.record(*sections(), launch=3, trusts=b.trust(run_queue_wait_ns=b.SECOND // 10))
    assert [one.launch for one in quantities_of(prepared(case(busy)), OURS)[1]] == [1, 2]
    assert [one.launch for one in values_to_judge(prepared(case(busy)), OURS).launches] == [1, 2]


def test_where_every_launch_is_disturbed_times_are_kept_with_what_they_may_have_been() -> None:
    busy = b.case_run(b.record(*sections(), trusts=b.trust(run_queue_wait_ns=b.SECOND // 50 + 1)), of=CHECK)
    assert quantities_of(prepared(busy), OURS)[1] == ()
    judged = values_to_judge(prepared(busy), OURS)
    slow, fast = judged.launches[0].values, judged.fast[0].values
    assert set(slow) == set(fast) and not any(name.startswith(("loss:", "jitter:")) for name in slow)
    assert fast["metric:rate"] > slow["metric:rate"]


def test_an_unsteady_launch_of_a_shared_machine_is_judged_for_its_unsteadiness_only() -> None:
    times = np.full((1, 40), MS)
    times[0, ::2] *= 3
    shaken = b.record(b.Timed("double", times, work=b.Work(flop=10**7)), launch=3)
    of = prepared(case(shaken), SHARED)
    assert [one.launch for one in quantities_of(of, SHARED)[1]] == [1, 2]
    kept = {one.launch: set(one.values) for one in values_to_judge(of, SHARED).launches}
    assert kept[3] == {"loss:double", "jitter:double"} and "metric:rate" in kept[1]


def rough(*long: tuple[slice, float]) -> CaseRun:
    """20 repetitions of 1 ms, some longer, that waited 2 ms for a processor in all: too little to disturb the launch."""
    times = np.full((1, 20), MS)
    for where, ms in long:
        times[0, where] += round(ms * MS)
    trust = b.trust(run_queue_wait_ns=2 * MS)
    return b.case_run(b.record(b.fma(10e9, ms=30.0), b.Timed("rough", times), trusts=trust), of=CHECK)


def test_of_loss_a_load_may_explain_what_disturbs_no_launch() -> None:
    judged = values_to_judge(prepared(rough((slice(4, 5), 3.0))), OURS)
    slow, fast = judged.launches[0].values, judged.fast[0].values
    assert (slow["loss:rough"], fast["loss:rough"]) == (pytest.approx(3 / 20), pytest.approx(1 / 20))
    assert slow | {"loss:rough": fast["loss:rough"]} == fast, "times of such a launch stand"


@pytest.mark.parametrize("on", [OURS, SHARED], ids=["steady", "unsteady"])
def test_of_jitter_a_load_may_explain_what_disturbs_no_launch(on: Machine) -> None:
    of = rough((slice(None, None, 2), 0.3))
    judged = values_to_judge(prepared(of, on), on)
    slow, fast = judged.launches[-1].values, judged.fast[-1].values
    assert slow["jitter:rough"] == pytest.approx(0.15 / 1.15, rel=0.01) and fast["jitter:rough"] < 0.05
    assert "time:rough" in judged.launches[0].values and set(slow) == set(fast)


def test_a_baseline_holds_every_quantity_for_every_launch() -> None:
    poor = b.record(*sections()[:2], launch=3)
    quantities, launches = quantities_of(prepared(case(poor)), OURS)
    assert {frozenset(one.values) for one in launches} == {frozenset(one.name for one in quantities)}
    assert "time:halo" not in launches[0].values and "metric:score" not in launches[0].values


def on_shared_cores(launch: int = 1, **more: Any) -> CaseRun:
    shared = b.trust(additions_per_cycle=(2.0,) * 9, **more)
    return b.case_run(b.record(*sections(), launch=launch, trusts=shared), of=CHECK)


def test_a_launch_on_shared_cores_is_kept_with_what_it_was_at_best() -> None:
    on = b.machine(b.node(additions_per_cycle=4.0))
    quantities, (launch,) = quantities_of(prepared(on_shared_cores(), on), on)
    assert set(launch.values) == {one.name for one in quantities} >= set(launch.best)
    assert launch.best["metric:rate"] > launch.values["metric:rate"]
    waited = on_shared_cores(run_queue_wait_ns=b.SECOND // 2)
    assert quantities_of(prepared(waited, on), on) == ((), ()), "other load is refused as before"
