"""What a check offers to all others, what is held against it, and what follows the clock."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import builders as b
from tenken.judge.common import prepare
from tenken.judge.launch_set.providers import best, disagreements, offers_of, with_known
from tenken.judge.launch_set.roofs_test import FLOPS, TWO, clocks, flop, memory
from tenken.judge.launch_set.speed import clock_bound, following_clock
from tenken.model.check import Check, Provides
from tenken.model.machine import Machine, Offer
from tenken.model.record import Record
from tenken.model.run import CaseRun


def offered(*records: Record, metric: Any, threads: int = 1, on: Machine = TWO, **changes: Any) -> tuple[Offer, ...]:
    run: CaseRun = b.case_run(*records, of=b.check(metrics=[metric]), **changes)
    return offers_of([prepare("r", run, on)], on)


def test_a_flop_rate_is_offered_for_one_core() -> None:
    metric = b.metric("double", "double", provides=Provides("flop", "single"))
    (found,) = offered(b.record(b.fma(90e9, 3), hosts=("n0", "n0", "n1"), threads=2, trusts=clocks(2.0, 3.0)), metric=metric)
    assert (found.what, found.precision, found.metric, found.case_id, found.node_class) == ("flop", "single", "demo.double",
        "demo:a", "toy")
    assert found.rate == pytest.approx(90e9 / 6, rel=0.01) and found.cores == 3 and found.hz == 2.5e9
    assert (found.by, found.size, found.uncached, found.disturbed, found.at_best) == (None, None, False, False, None)


def test_a_memory_rate_is_offered_for_one_node_at_its_size() -> None:
    metric = b.bytes_metric(provides=b.MEMORY)
    values = {"working_set_bytes": ("MiB", 128.0)}
    (found,) = offered(b.record(b.triad(30e9, 4), hosts=("n0", "n1"), values=values), metric=metric)
    assert found.rate == pytest.approx(15e9, rel=0.01) and (found.cores, found.size, found.uncached) == (2, float(64 << 20), True)
    (small,) = offered(b.record(b.triad(30e9, 4), hosts=("n0", "n1"), values={"working_set_bytes": ("MiB", 127.0)}),
        metric=metric)
    assert not small.uncached and offered(b.record(b.triad(30e9)), metric=metric) == ()


def test_of_teams_the_cores_are_those_of_the_team() -> None:
    metric = b.bytes_metric(by="teams", provides=b.MEMORY)
    record = b.record(b.triad(30e9, 2, path="triad/2", of="triad", at=2), threads=4, values={"working_set_bytes": ("MiB", 1.0)})
    assert [one.cores for one in offered(record, metric=metric, on=b.machine(b.node(cores=8)))] == [4]


def test_what_is_offered_met_a_load_or_not() -> None:
    metric = b.metric("double", "double", provides=Provides("flop"))
    record = b.record(b.fma(30e9), trusts=b.trust(run_queue_wait_ns=b.SECOND // 20))
    (found,) = offered(record, metric=metric)
    assert found.disturbed and found.at_best is not None and found.at_best > found.rate


def test_earlier_rates_stand_in_for_what_was_not_measured_undisturbed() -> None:
    here, loud, before = flop(40e9), flop(40e9, disturbed=True), flop(50e9, date="2026-10-01")
    assert with_known((here,), [before]) == (here,) and with_known((loud,), [before]) == (loud, before)
    others = (flop(1.0, precision="single"), flop(1.0, node_class="x"), memory(1.0, 1), memory(1.0, 1, uncached=False))
    assert with_known((here,), others) == (here, *others)
    assert best([]) is None and best([here, before, loud]) is before and best([here, loud]) is here


def test_rates_are_held_against_those_of_the_same_thing() -> None:
    def differ(*offers: Offer) -> list[tuple[str, float | None]]:
        return [(one.case_id, one.measured) for one in disagreements(offers)]

    fast, slow = memory(30e9, 4), memory(26.9e9, 4, metric="other.triad", case_id="other:a")
    assert differ(fast, slow) == [("other:a", 26.9e9)] == differ(slow, fast) and differ(fast, replace(slow, rate=27e9)) == []
    assert differ(fast, replace(slow, cores=2)) == [] == differ(replace(fast, uncached=False), slow)
    assert differ(fast, replace(slow, size=2e9)) == [("other:a", 26.9e9)], "beyond the cache any size is memory"
    assert differ(fast, slow, memory(29e9, 4, metric="other.copy", case_id="other:b")) == [], "the best of a check counts"
    network = [replace(memory(rate, 4, metric=f"{name}.bw", case_id=f"{name}:a"), what="network", uncached=False, size=size)
               for name, rate, size in (("a", 10e9, 8.0), ("b", 5e9, 8.0), ("c", 1e9, 16.0))]  # fmt: skip
    assert differ(*network) == [("b:a", 5e9)]
    (told,) = disagreements(tuple(network))
    assert told.what == (
        "two ceilings of network on 4 cores differ by 50 %, limit 10 %: b.bw 5 GB/s, a.bw 10 GB/s; one of them is "
        "wrong"
    )
    assert (told.expected, told.band, told.unit, told.evidence) == (10e9, (9e9, None), "B/s", "best of b:a and of a:a")


def powers(of: Check, *sections: b.Timed, on: Machine = TWO, offers: tuple[Offer, ...] = (), **more: Any) -> dict[str, int]:
    return dict(clock_bound(prepare("r", b.case_run(b.record(*sections, **more), of=of), on), offers, on))


def test_what_the_peak_binds_follows_the_clock() -> None:
    metrics = [b.metric("rate", "a"), b.metric("t", "a", "time", "ms", ceiling="none", better="lower"),
        b.metric("m", "a", "message_rate", "msg/s"),
               b.metric("other", "b"), b.metric("c", "a", "time_per_call", "us", ceiling="none", better="lower")]  # fmt: skip
    of = b.check(metrics=metrics)
    assert powers(of, b.fma(40e9, path="a")) == {"time:a": 1, "metric:rate": -1, "metric:t": 1, "metric:c": 1}
    assert powers(of, b.fma(40e9, path="a", kind="comm")) == {} and powers(of, b.fma(40e9, path="z")) == {"time:z": 1}
    assert powers(of, b.triad(30e9, path="a")) == {}, "memory binds it"
    assert powers(of, b.fma(40e9, 9, path="a")) == {}, "oversubscribed"
    swept = b.check(metrics=[b.metric("rate", "a", by="sizes")])
    assert powers(swept, b.fma(40e9, path="a/8", of="a", at=8)) == {"time:a/8": 1, "metric:rate/8": -1}


def test_only_cases_with_a_baseline_are_asked_for() -> None:
    cases = [prepare("r", b.case_run(b.record(b.fma(40e9), case=name), of=FLOPS), TWO) for name in "ab"]
    assert following_clock(cases, {"demo:b"}, (), TWO) == {"demo:b": {"time:double": 1, "metric:double": -1}}
