"""Small functions of the judge by themselves: clocks, copies, sittings, change at both ends."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import builders as b
from sittings import QUANTITIES, sitting
from tenken.judge import change
from tenken.judge.change.change_limits_test import SLOW
from tenken.judge.change.rule import Answer
from tenken.judge.common import trust
from tenken.judge.credible import credible
from tenken.judge.credible_test import NOW, RUN, day, told
from tenken.judge.sittings import joined
from tenken.model.baseline import Baseline, LaunchValues, Occasion

# --- clocks -----------------------------------------------------------------------------------------------------------


def values(number: int = 1, **of: float) -> LaunchValues:
    return LaunchValues(number, {name.replace("_", ":"): value for name, value in of.items()})


def test_the_common_clock_is_known_to_every_launch_that_has_a_quantity_of_it() -> None:
    both, plain = values(time_a=1.0, clock_plain=3.0, clock_vectors=2.5), values(time_a=1.0, clock_plain=3.0)
    bare, other = values(time_a=1.0), values(time_b=1.0)
    of = {"time:a": 1}
    assert trust.common_clock([both, both], of) == trust.VECTORS and trust.common_clock([both, plain], of) == trust.PLAIN
    assert trust.common_clock([both, bare], of) is None is trust.common_clock([], of) and trust.common_clock([other], of) is None
    assert trust.common_clock([both, other], of) == trust.VECTORS and trust.common_clock([both], {}) is None


def test_times_and_rates_at_another_clock() -> None:
    launch = values(7, time_a=6.0, metric_r=10.0, loss_a=0.5, clock_plain=2.0)
    found = trust.at_clock(launch, {"time:a": 1, "metric:r": -1}, trust.PLAIN, 4.0)
    assert found == LaunchValues(7, {"time:a": 3.0, "metric:r": 20.0, "loss:a": 0.5, "clock:plain": 2.0})
    assert trust.at_clock(launch, {"time:a": 1}, trust.VECTORS, 4.0) is launch
    assert trust.reference([launch, values(clock_plain=4.0), values(clock_plain=9.0), values(time_a=1.0)], trust.PLAIN) == 4.0


def test_clocks_of_hosts_and_the_slowest() -> None:
    def record(*ghz: float, hosts: tuple[str, ...] = ("n0", "n1", "n2")) -> Any:
        trusts = {i: b.trust(frequency_hz=(1e9 * one,) * 3 if one else ()) for i, one in enumerate(ghz)}
        return b.record(b.fma(1e9, len(ghz)), hosts=hosts, trusts=trusts)

    records = [record(3.0, 2.0, 0.0), record(1.0, 2.5, 0.0)]
    assert trust.host_clocks(records) == {"n0": (3e9,) * 3 + (1e9,) * 3, "n1": (2e9,) * 3 + (2.5e9,) * 3}
    assert trust.slowest_clock(records) == "n0" and trust.slowest_clock([record(3.0, 2.0)]) == "n1"
    assert trust.slowest_clock([]) is None is trust.slowest_clock([record(0.0)]) and trust.frequency(record(0.0)) is None
    assert trust.frequency(record(3.0, 2.0)) == 2.5e9
    spread = trust.spread(tuple(float(i) for i in range(21)))
    assert spread == (5.0, 15.0) and trust.spread((1.0,) * 20) == (1.0, 1.0)


def test_the_clock_of_a_launch_is_the_middle_of_its_ranks() -> None:
    trusts = {i: b.trust(frequency_hz=(hz,) * 20, vector_frequency_hz=(hz / 2,) * (20 - i)) for i,
        hz in enumerate((2e9, 3e9, 4.5e9))}
    assert trust.clocks_of(b.record(b.fma(1e9, 3), trusts=trusts)) == {trust.PLAIN: 3.0}
    assert trust.clocks_of(replace(b.record(b.fma(1e9)), rank=())) == {}


# --- what of accepted sittings can be believed ------------------------------------------------------------------------


def test_the_oldest_of_old_sittings_is_named() -> None:
    old = [day(1, started="2026-03-01T08:00:00Z"), day(2, started="2025-11-21T08:00:00Z"), day(3, started="2026-04-01T08:00:00Z")]
    (note,) = told([*old, day(4)])[1]
    assert note.startswith("demo:a: 3 of 4 accepted sittings older than 180 days (the oldest 365, run2); slow changes")
    edge = day(1, started="2026-05-25T08:00:00Z")
    assert told([edge])[1] == () and len(told([replace(edge, started="2026-05-25T07:59:59Z")])[1]) == 1, "180 days and a second"


def test_without_a_date_of_the_run_no_age_is_told() -> None:
    baseline = Baseline("toy", "demo:a", "0", QUANTITIES, (day(1, started="2020-01-01T00:00:00Z"),))
    assert credible({"demo:a": baseline}, replace(RUN, started="?"), NOW)[1] == ()
    assert len(credible({"demo:a": baseline}, RUN, "?")[1]) == 1, "the present need not be known"


def test_four_cases_of_one_sentence_are_not_all_named() -> None:
    note = told([day(1, started="2026-19-39T29:00:00Z"), day(2)], ("a:1", "a:2", "a:3", "a:4"))[1]
    assert len(note) == 1 and note[0].startswith("a:1, a:2, a:3, ...: accepted sitting run1 is dated")


def test_three_figures_alike_are_a_copy() -> None:
    def launches(*numbers: float) -> tuple[LaunchValues, ...]:
        return tuple(LaunchValues(i, {"metric:triad": one}) for i, one in enumerate(numbers))

    assert len(told([day(1, launches=launches(1.0, 2.0, 3.0)), day(2, launches=launches(1.0, 2.0, 3.0))])[0]) == 1
    assert len(told([day(1, launches=launches(1.0, 2.0)), day(2, launches=launches(1.0, 2.0))])[0]) == 2
    assert len(told([day(1, launches=launches(1.0, 2.0, 3.0)), day(2, launches=launches(3.0, 2.0, 1.0))])[0]) == 2


@pytest.mark.parametrize(("rate", "believed"), [(300.0, False), (299.0, True), (3.0, False), (3.02, True)])
def test_ten_times_is_not_believed_and_less_is(rate: float, believed: bool) -> None:
    flat = {"metric:triad": 30.0, "time:triad": 1.0}
    usual = [day(n, launches=(LaunchValues(1, flat | {"time:triad": 1.0 + 0.01 * n}), LaunchValues(2, flat))) for n in (1, 2)]
    wild = day(3, launches=(LaunchValues(1, flat | {"metric:triad": rate}), LaunchValues(2, flat)))
    kept, notes = told([*usual, wild])
    assert (notes == ()) is believed and ("metric:triad" in kept[2].launches[0].values) is believed
    assert "metric:triad" in kept[2].launches[1].values and "time:triad" in kept[2].launches[0].values


def test_what_is_left_out_is_counted_in_the_sentence() -> None:
    wild = day(3)
    tenfold = {"metric:triad": 900.0, "time:triad": 1e9}
    wild = replace(wild, launches=tuple(replace(one, values=one.values | tenfold) for one in wild.launches))
    (note,) = told([day(1), day(2), wild])[1]
    assert "run3: metric:triad is 900 GB/s, the other sittings have 30.1 (and 1 more figures). Figures" in note


def test_runs_of_one_sitting_keep_all_hosts_once_in_order() -> None:
    one, two = (replace(sitting(name, f"2026-11-02T0{i}:00:00Z", hosts=hosts), occasion=Occasion("boot", "")) for i,
        (name, hosts) in enumerate(
        (("one", ("n2", "n0")), ("two", ("n0", "n1")))))
    (whole,) = joined({"demo:a": Baseline("toy", "demo:a", "0", QUANTITIES, (one, two))})["demo:a"].sittings
    assert whole.hosts == ("n2", "n0", "n1") and whole.id == "one" and len(whole.launches) == 6 and whole.started == one.started


# --- change: between both ends, orders --------------------------------------------------------------------------------


def test_between_both_ends_the_milder_answer_stands() -> None:
    pairs = [(Answer.FAILED, Answer.SLOWER), (Answer.SLOWER, Answer.FAILED), (Answer.FAILED, Answer.OK),
        (Answer.SLOWER_WITH_REST, Answer.FASTER),
             (Answer.OK, Answer.FAILED), (Answer.FASTER, Answer.FASTER), (Answer.NOT_JUDGED, Answer.OK)]  # fmt: skip
    slow, fast = (replace(SLOW.decision, answers=np.array([one[i] for one in pairs])) for i in (0, 1))
    found, hidden = change.between(slow, fast)
    assert found.answers.tolist() == [Answer.SLOWER, Answer.SLOWER, Answer.NOT_JUDGED, Answer.NOT_JUDGED, Answer.OK,
        Answer.FASTER, Answer.NOT_JUDGED]
    assert hidden.tolist() == [False, False, True, True, False, False, False]


def test_sittings_of_all_cases_in_order_without_the_run_itself() -> None:
    days = [sitting(name, f"2026-11-0{number}T08:00:00Z") for name, number in (("c", 3), ("b", 1), ("a", 1), ("own", 2))]
    of = {name: Baseline("toy", name, "0", QUANTITIES, some) for name,
        some in (("x", tuple(days)), ("y", (days[0],)), ("z", (sitting("z"),)))}
    assert change._order(of, {"x": None, "y": None}, "own") == ["a", "b", "c"]  # type: ignore[dict-item]


def test_values_of_sittings_where_the_quantity_is_the_same() -> None:
    triad = QUANTITIES[0]
    of = (sitting("a", launches=2), sitting("b", launches=1))
    found = change._before(triad, of, {triad.name: triad})
    assert {name: len(some) for name, some in found.items()} == {"a": 2, "b": 1}
    for other in ({}, {triad.name: replace(triad, unit="MB/s")}, {triad.name: replace(triad, better="lower")}):
        assert change._before(triad, of, other) == {}
    assert change._less({"a": 1.0, "b": 2.0}, {"b"}) == {"a": 1.0} and change._named("metric:gone", of[0].launches) == ()


def test_quantities_that_no_sitting_knows_are_learned_from_no_launch() -> None:
    row = change.Row("demo:a", QUANTITIES[0], (1.0,), (1.0,), {"a": (), "b": ()})
    ordinary, demand = change.learned([row], ["a", "b"])
    assert ordinary.sittings.tolist() == [0.0] and demand.warn.size == 1
    known, _ = change.learned([row, replace(row, before={"a": (1.0, 2.0, 4.0)})], ["a", "b"])
    assert known.sittings.tolist() == [0.0, 1.0] and known.expected[1] == pytest.approx(-math.log(2.0))
