"""Where a rule begins and ends: on the edge itself, and just beyond it (limits_test.py has those of single figures)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import assessments
import builders as b
from tenken.base.words import percent
from tenken.judge.common import (
    clock_words, disturbed_launches, finding, launch_sections, own_unsteadiness, prepare, steady_sections, trusted,
    unsteadiness,
)
from tenken.judge.common.confirm import chosen_launches, disturbance
from tenken.judge.common.trust import Reading, throttled_fraction
from tenken.judge.health import LEAST_TMP, MANY_CORRECTABLE, DrainRules, drain_reasons, judge_health
from tenken.judge.launch_set.providers import recorded
from tenken.judge.launch_set.speed import _by_a_factor, _side
from tenken.judge.place import _hidden_share
from tenken.judge.place.balance import judge_balance
from tenken.judge.place.unsteady import judge_steadiness
from tenken.model.assessment import AxisResult, RankTime, SectionSummary, Where
from tenken.model.health import Health
from tenken.model.limits import CLOCK_SAMPLES, FEWEST_REPETITIONS, LOSS, SHORT_NS
from tenken.model.machine import Band
from tenken.model.run import CaseRun, Measured, cores_by_host, measured_launches, oversubscribed
from tenken.model.verdict import Axis, Verdict

MS = 1_000_000
STEADY = b.Timed("double", np.full((2, 20), MS))
OURS, SHARED = b.machine(), b.machine(b.node(exclusive=False))


def measured(**more: object) -> Measured:
    return Measured(b.launch(1), b.record(STEADY, **more))  # type: ignore[arg-type]


def summary(**changes: object) -> SectionSummary:
    return replace(launch_sections(measured())[0], **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({}, True),
        ({"median_ns": SHORT_NS}, True), ({"median_ns": SHORT_NS - 1}, False),
        ({"repetitions": 2 * FEWEST_REPETITIONS, "launches": 2}, True),
        ({"repetitions": 2 * FEWEST_REPETITIONS - 1, "launches": 2}, False),
        ({"once": True}, False), ({"leaf": False}, False), ({"kind": "wait"}, False), ({"kind": "comm"}, True),
    ],
)  # fmt: skip
def test_sections_whose_steadiness_counts(changes: dict[str, object], counts: bool) -> None:
    section = summary(**changes)
    assert steady_sections((section,), b.check()) == ((section,) if counts else ())
    assert steady_sections((section,), b.check(repetitions_alike=False)) == ()


def test_unsteadiness_without_another_s_load() -> None:
    of = summary(loss=2 * LOSS, jitter=0.0)
    assert unsteadiness(of, b.check()) == own_unsteadiness(of, b.check()) == 2.0
    assert own_unsteadiness(replace(of, least_loss=LOSS), b.check()) == 1.0
    assert judge_steadiness("demo:a", b.check(), (replace(of, least_loss=1.01 * LOSS),))[0].verdict is Verdict.WARN
    hidden, findings = judge_steadiness("demo:a", b.check(), (replace(of, least_loss=LOSS),))
    assert (hidden.verdict, hidden.ground, findings) == (Verdict.NOT_JUDGED, True, [])
    assert hidden.reason.endswith("(other load can be the cause)")


def test_what_one_rank_spends_waiting_for_another_is_not_unsteady() -> None:
    """A reduction that is over in 5 us for the rank that comes last: the time of the other is its waiting."""
    late, early = RankTime(0, "n0", 5e3, 5e3, 5e3), RankTime(1, "n0", 7e4, 7e4, 7e4)
    waiting = summary(kind="comm", loss=2 * LOSS, ranks=(late, early))
    assert judge_steadiness("demo:a", b.check(), (waiting,))[0] == AxisResult(
        Axis.STEADINESS, Verdict.NOT_JUDGED, "no section of 20 us or more repeated at least 5 times")
    for counts in (replace(waiting, kind="compute"), replace(waiting, ranks=(replace(late, median_ns=SHORT_NS), early)),
                   replace(waiting, ranks=(late,))):
        assert judge_steadiness("demo:a", b.check(), (counts,))[0].verdict is Verdict.WARN


def test_the_steady_are_told_with_their_worst_figures() -> None:
    few = (summary(loss=0.05, jitter=0.01), summary(path="b", loss=0.02, jitter=0.03))
    assert judge_steadiness("demo:a", b.check(), few)[0].reason == "loss up to 5 %, jitter up to 3 %"
    faster = tuple(replace(one, loss=-0.1) for one in few)
    assert judge_steadiness("demo:a", b.check(), faster)[0].reason == "loss up to 0 %, jitter up to 3 %"


def test_sections_whose_balance_counts() -> None:
    def verdict(**changes: object) -> Verdict:
        section = summary(imbalance=1.5, **changes)
        return judge_balance("demo:a", (measured(),), ((section,),), (section,))[0].verdict

    assert verdict(median_ns=SHORT_NS) is Verdict.WARN and verdict(median_ns=SHORT_NS - 1) is Verdict.NOT_JUDGED
    assert verdict(kind="wait") is verdict(leaf=False) is verdict(ranks=summary().ranks[:1]) is Verdict.NOT_JUDGED
    alone = Measured(b.launch(1), b.record(b.Timed("double", np.full((1, 20), MS))))
    axis, findings = judge_balance("demo:a", (alone,), ((summary(),),), (summary(imbalance=1.5),))
    assert (axis.reason, findings) == ("a single rank cannot be compared", [])


def test_what_computes_is_named_before_what_communicates_and_the_most_uneven_first() -> None:
    sections = (
        summary(path="a", kind="comm", imbalance=3.0), summary(path="b", imbalance=1.5), summary(path="c", imbalance=1.6),
        summary(path="d", imbalance=1.7, imbalance_limit=2 * summary().imbalance_limit),
    )  # fmt: skip
    axis, findings = judge_balance("demo:a", (measured(),) * 6, (sections,) * 6, sections)
    assert [one.section for one in findings] == ["c", "b", "a"] and axis.reason == findings[0].what
    assert findings[2].what.endswith(" (communication includes waiting for late ranks)")
    assert findings[0].measured == 1.6 and findings[0].band == (None, findings[0].expected)


def test_a_rank_that_stands_out_is_told_with_its_time_and_the_median() -> None:
    ranks = (RankTime(0, "n0", 3e6, 3e6, 3e6), RankTime(1, "n1", 1e6, 1e6, 1e6), RankTime(2, "n1", 2e6, 2e6, 2e6))
    section = summary(imbalance=1.5, slowest_rank=0, ranks=ranks)
    finding = judge_balance("demo:a", (measured(),), ((section,),), (section,))[1][0]
    assert "rank 0 on n0 takes 3 ms, median of all ranks 2 ms" in finding.what
    assert (finding.where.host, finding.where.rank) == ("n0", 0)


def test_a_reading_on_its_limit_is_not_beyond_it() -> None:
    on, none = Reading("steal", 0.02, 0.02, Where()), Reading("migration", 0.0, 0.0, Where("n0", 3))
    assert (on.ratio, on.exceeded, none.ratio, none.exceeded) == (1.0, False, 0.0, False)
    over = replace(none, value=2.0)
    assert (over.ratio, over.exceeded, over.sentence) == (3.0, True, "2 migrations of bound threads on rank 3 (n0)")
    assert replace(on, where=Where("n1", 1)).sentence == "steal 2 % of the wall time on rank 1 (n1), limit 2 %"


def test_the_worst_of_ranks_and_launches_is_told() -> None:
    half, more = b.SECOND // 20, b.SECOND // 10
    trusts = {0: b.trust(steal_ns=half, throttled_ns=0), 1: b.trust(steal_ns=more, throttled_ns=b.SECOND // 4)}
    first = Measured(b.launch(1), b.record(STEADY, trusts=trusts, hosts=("n0", "n1")))
    second = Measured(b.launch(2), b.record(STEADY, trusts=b.trust(steal_ns=b.SECOND // 5, frequency_hz=(2e9, 3e9)), launch=2))
    found = trusted((first, second), b.machine(b.node("n0"), b.node("n1")))
    assert (found.steal, found.throttled, found.disturbed) == (0.2, 0.25, True)
    assert (found.where.host, found.where.rank, found.where.launch) == ("n0", 0, 2)
    assert throttled_fraction(first) == 0.25 and throttled_fraction(measured(trusts=b.trust(throttled_ns=None))) is None
    assert found.frequency_drift == pytest.approx(0.4) and found.frequency_range_ghz is None
    many = trusted((measured(trusts=b.trust(frequency_hz=tuple(2e9 + 1e8 * i for i in range(CLOCK_SAMPLES // 2)))),), OURS)
    assert many.frequency_range_ghz is not None and many.frequency_drift == pytest.approx(0.9 / 2.45)


def test_the_clock_in_words() -> None:
    known = trusted((measured(),), OURS)
    assert clock_words(replace(known, frequency_ghz=None)) == []
    assert clock_words(replace(known, frequency_drift=None)) == ["clock 3 GHz"]
    wide = replace(known, frequency_range_ghz=(2.5, 3.5), vector_frequency_ghz=2.25, frequency_drift=0.25)
    assert clock_words(wide) == [
        f"clock 3 GHz (half of the samples 2.5 to 3.5), moved by {percent(0.25)}, 2.25 GHz under the widest vectors"
    ]
    assert clock_words(replace(wide, frequency_range_ghz=(3.0, 3.0), vector_frequency_ghz=None)) == ["clock 3 GHz, moved by 25 %"]


def launches_of(*steals: float, confirms: dict[int, int] | None = None) -> CaseRun:
    records = [b.record(STEADY, launch=n, trusts=b.trust(steal_ns=round(part * b.SECOND))) for n, part in enumerate(steals, 1)]
    launches = [b.launch(n, confirms=(confirms or {}).get(n)) for n in range(1, len(steals) + 1)]
    return b.case_run(*records, launches=launches)


def test_a_disturbed_launch_is_repeated_once_and_the_cleaner_one_counts() -> None:
    def chosen(*steals: float, **confirms: int) -> list[int]:
        case = launches_of(*steals, confirms={int(name[1:]): first for name, first in confirms.items()})
        return [one.launch.number for one in chosen_launches(case, OURS)]

    assert disturbed_launches(launches_of(0.02, 0.021, 0.5), OURS) == (2, 3)
    assert disturbed_launches(launches_of(0.5, 0.5, confirms={2: 1}), OURS) == ()
    assert chosen(0.5, 0.0, 0.1, _3=1) == [2, 3]
    assert chosen(0.1, 0.0, 0.5, _3=1) == [1, 2]
    assert chosen(0.1, 0.1, _2=1) == [1]  # no cleaner: the first one stays
    assert chosen(0.5, 0.1, _2=7) == [1, 2]  # of a launch that left no record
    assert disturbance(measured_launches(launches_of(0.04))[0], b.check(), OURS) == 2.0


def test_unsteady_where_a_node_is_not_ours_is_disturbed() -> None:
    spiky = b.Timed("double", np.where(np.arange(40).reshape(2, 20) % 4 == 0, 4 * MS, MS))
    one = Measured(b.launch(1), b.record(spiky))
    assert disturbance(one, b.check(), OURS) == 0.0
    assert disturbance(one, b.check(), SHARED) > 1.0
    quota = Measured(b.launch(1), b.record(spiky, trusts=b.trust(throttled_ns=b.SECOND // 2)))
    assert disturbance(quota, b.check(), SHARED) == 0.0  # its own quota, not other load


def test_cores_that_are_busy() -> None:
    record = b.record(b.Timed("double", np.full((3, 20), MS)), threads=2, hosts=("n0", "n1"))
    on = b.machine(b.node("n0"), b.node("n1", cores=2))
    assert cores_by_host(record, on) == {"n0": 4, "n1": 2}
    assert not oversubscribed(record, on)
    assert oversubscribed(record, b.machine(b.node("n0", cores=3), b.node("n1", cores=2)))


WELL = Health(3, 0, 12, 50 << 30, 100 << 30, "tsc")


@pytest.mark.parametrize(
    ("changes", "name", "verdict", "sentence"),
    [
        ({"correctable": MANY_CORRECTABLE}, "memory", Verdict.OK, "1000 corrected memory errors since boot"),
        ({"correctable": None}, "memory", Verdict.OK, "0 corrected memory errors since boot"),
        ({"uncorrectable": None}, "memory", Verdict.OK, "3 corrected memory errors since boot"),
        ({"uncorrectable": 2}, "memory", Verdict.FAIL, "2 uncorrectable memory errors since boot"),
        ({"throttled": 11}, "throttling", Verdict.OK, "no thermal throttling"),
        ({"throttled": 14}, "throttling", Verdict.WARN, "cores were slowed for heat 2 times during the check"),
        ({"throttled": None}, "throttling", Verdict.NOT_JUDGED, "the system does not report thermal throttling"),
        ({"tmp_free_bytes": LEAST_TMP, "tmp_bytes": 20 * LEAST_TMP}, "tmp", Verdict.OK, "/tmp has 1 GiB free (5 %)"),
        ({"tmp_free_bytes": LEAST_TMP - 1, "tmp_bytes": 2 * LEAST_TMP}, "tmp", Verdict.WARN, "/tmp has 1024 MiB free (50 %)"),
        ({"tmp_bytes": 0}, "tmp", Verdict.NOT_JUDGED, "/tmp cannot be read"),
        ({"clock_source": "hpet"}, "clock", Verdict.WARN,
         "the kernel uses the slow clock source hpet instead of the processor's counter"),
        ({}, "clock", Verdict.OK, "clock source tsc"),
    ],
)  # fmt: skip
def test_what_a_node_tells_of_itself(changes: dict[str, object], name: str, verdict: Verdict, sentence: str) -> None:
    found = {one.name: one for one in judge_health(WELL, replace(WELL, **changes))}  # type: ignore[arg-type]
    assert list(found) == ["memory", "throttling", "tmp", "clock"]
    assert (found[name].verdict, found[name].sentence) == (verdict, sentence)
    assert judge_health(replace(WELL, throttled=None), WELL)[1].verdict is Verdict.NOT_JUDGED


def test_drain_rules_on_their_limits() -> None:
    answer = assessments.ok()
    assert drain_reasons(DrainRules(uncorrectable_errors=0), answer, WELL) == ["0 uncorrectable memory errors since boot, rule 0"]
    assert drain_reasons(DrainRules(uncorrectable_errors=0), answer, replace(WELL, uncorrectable=None)) == []
    assert drain_reasons(DrainRules(tmp_free_bytes=50 << 30), answer, WELL) == []
    assert drain_reasons(DrainRules(tmp_free_bytes=51 << 30), answer, WELL) == ["/tmp has 50 GiB free, rule 51 GiB"]
    assert drain_reasons(DrainRules(tmp_free_bytes=1), answer, replace(WELL, tmp_free_bytes=None)) == []
    case = next(case for case in answer.cases if case.metrics and case.metrics[0].value and case.metrics[0].better == "higher")

    def reasons(per_cent: float, verdict: Verdict = Verdict.OK, **changes: object) -> list[str]:
        metric = replace(case.metrics[0], **({"value": 30.0, "band": (60.0, None)} | changes))  # type: ignore[arg-type]
        whole = replace(answer, cases=(replace(case, metrics=(metric,), verdict=verdict),))
        return drain_reasons(DrainRules(below_band_percent=per_cent), whole, WELL)

    assert reasons(50.0) == [] and len(reasons(50.1)) == 1
    assert reasons(90.0)[0].endswith(f"is below 90 % of 60 {case.metrics[0].unit}, the low end of its band")
    assert reasons(90.0, Verdict.NOT_JUDGED) == reasons(90.0, better="lower") == reasons(90.0, value=None) == []
    assert reasons(90.0, band=(None, 1.0)) == reasons(90.0, band=None) == []


def test_recorded_values_are_in_base_units_and_those_of_no_unit_as_they_are() -> None:
    record = b.record(STEADY, values={"size": ("MB", 2.0), "odd": ("apples", 7.0), "lost": ("1", float("nan")), "n": ("1", 3.0)})
    assert [recorded(record, name) for name in ("size", "odd", "lost", "n", "none")] == [2e6, 7.0, None, 3.0, None]


def test_interruptions_that_each_rank_shows_are_not_taken_off_the_maximum_twice() -> None:
    ns = np.full((2, 20), MS)
    ns[0, :8] += MS  # each rank is interrupted in eight repetitions, so that the maximum is in sixteen
    ns[1, 8:16] += MS
    (section,) = launch_sections(Measured(b.launch(1), b.record(b.Timed("double", ns), trusts=b.trust(run_queue_wait_ns=8 * MS))))
    assert section.median_ns == 2 * MS and section.hidden_ns == pytest.approx(MS)
    assert [rank.hidden_ns for rank in section.ranks] == [0.0, 0.0]
    (quiet,) = launch_sections(Measured(b.launch(1), b.record(b.Timed("double", ns))))
    assert quiet.hidden_ns == 0.0


@pytest.mark.parametrize(("better", "band", "value", "half"), [
    ("higher", (2.0, None), 1.0, False), ("higher", (2.0, None), 0.999, True), ("higher", (None, 2.0), 0.1, False),
    ("lower", (None, 1.0), 2.0, False), ("lower", (None, 1.0), 2.001, True), ("lower", (1.0, None), 9.0, False),
])  # fmt: skip
def test_worse_than_half_of_a_band(better: str, band: tuple[float | None, float | None], value: float, half: bool) -> None:
    metric = replace(assessments.metric("rate", None, 1e-3, "GB/s"), better=better)
    assert _by_a_factor(Band("*", "demo.rate", *band, "value", "s"), metric, value) is half


def test_the_side_of_a_band() -> None:
    band = Band("*", "demo.rate", 1.0, 2.0, "value", "s")
    assert [_side(band, value) for value in (0.99, 1.0, 2.0, 2.01)] == [-1, 0, 0, 1]
    assert _side(replace(band, low=None), 0.0) == _side(replace(band, high=None), 9.0) == 0


def test_what_is_hidden_on_a_place_that_the_section_does_not_have_is_nothing() -> None:
    case = prepare("r", b.case_run(b.record(STEADY, trusts=b.trust(run_queue_wait_ns=9 * MS))), OURS)
    section = replace(case.sections[0], ranks=tuple(replace(one, hidden_ns=0.25 * MS) for one in case.sections[0].ranks))

    def share(**where: object) -> float:
        place = Where(**where)  # type: ignore[arg-type]
        found = finding(Axis.BALANCE, Verdict.WARN, "demo:a", "w", "e", section="double", where=place)
        return _hidden_share(case, (section,), found)

    assert share(rank=1) == share(host="n0") == share() == 0.25
    assert share(rank=99) == share(host="n9") == 0.0
