"""What is said of rates against bands and ceilings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import assessments
import builders as b
import pytest

from tenken.judge.common import Prepared, prepare
from tenken.judge.launch_set.ceilings import Roofs
from tenken.judge.launch_set.figures import best_of_sweep, summarise_metric
from tenken.judge.launch_set.speed import _against, judge_speed
from tenken.judge.launch_set.trusting import judge_trust
from tenken.model.assessment import AxisResult, Ceiling, CeilingFraction, Finding, MetricSummary, Trusted, Where
from tenken.model.machine import Band
from tenken.model.record import Record
from tenken.model.verdict import Axis, Verdict

PEAK, MEMORY = Ceiling("peak double", "measured", 100e9, "f"), Ceiling("memory", "measured", 20e9, "measured here")
ROOFS = Roofs({"double": PEAK}, "", {}, MEMORY, "", True, False, {})
CHECK = b.check(metrics=[b.metric("rate", "a")])
BAND = Band("*", "demo.rate", 40.0, 60.0, "value", "a paper")


def case(record: Record | None = None, **check: Any) -> Prepared:
    return prepare("r", b.case_run(record or b.record(b.fma(1e9, path="a")), of=replace(CHECK, **check)), b.machine())


def metric(value: float | None = 50.0, **changes: Any) -> MetricSummary:
    return replace(assessments.metric("rate", "a", value, "GFLOP/s"), **changes)


def speed(*metrics: MetricSummary, roof: Roofs = ROOFS, of: Prepared | None = None, **bands: Band) -> tuple[AxisResult,
    list[Finding]]:
    return judge_speed(of or case(), (), metrics, roof, bands)


@pytest.mark.parametrize(("band", "text"), [
    (BAND, "40 GFLOP/s to 60 GFLOP/s"), (replace(BAND, low=None), "at most 60 GFLOP/s"), (replace(BAND, high=None),
        "at least 40 GFLOP/s"),
    (replace(BAND, low=0.25, high=0.75, of="ceiling"), "25 % to 75 %"), (replace(BAND, low=0.25, high=None, of="ceiling"),
        "at least 25 %"),
])  # fmt: skip
def test_a_figure_inside_its_band_is_told_with_both(band: Band, text: str) -> None:
    axis, findings = speed(metric(fraction=0.5, ceiling=PEAK), rate=band)
    assert (axis.verdict, axis.reason, findings) == (Verdict.OK, f"rate reaches 50 GFLOP/s, 50 % of peak; expected {text}", [])
    assert speed(metric(at=8), rate=BAND)[0].reason == "rate/8 reaches 50 GFLOP/s; expected 40 GFLOP/s to 60 GFLOP/s"


def outside(value: float, of: Prepared | None = None, band: Band = BAND, **changes: Any) -> Finding:
    axis, (found,) = speed(metric(value, **changes), of=of, rate=band)
    assert (axis.verdict, axis.reason, axis.ground) == (Verdict.WARN, found.what, False)
    return found


def test_a_figure_outside_says_on_which_side_and_what_that_means() -> None:
    low = outside(30.0, launches=3)
    assert low.what == "rate reaches 30 GFLOP/s; expected 40 GFLOP/s to 60 GFLOP/s: worse than expected of this node (a paper)"
    assert (low.measured, low.expected, low.band, low.unit) == (30.0, 40.0, (40.0, 60.0), "GFLOP/s")
    assert (low.section, low.where, low.evidence, low.case_id) == ("a", Where(section="a"), "median of 3 launches", "demo:a")
    high = outside(70.0)
    assert "better than expected: the band or the measurement is wrong (a paper)" in high.what and high.expected == 60.0
    assert "better than expected" in outside(30.0, better="lower").what
    assert "worse than expected" in outside(70.0, better="lower").what
    part = outside(30.0, fraction=0.3, ceiling=PEAK, band=replace(BAND, low=0.4, high=0.6, of="ceiling"))
    assert (part.measured, part.expected, part.unit) == (0.3, 0.4, "of the ceiling")


def test_a_figure_worse_by_a_factor_names_the_library_and_what_to_do() -> None:
    advised = replace(BAND, library="blas", advice="link a tuned BLAS")
    assert ": blas linked here: openblas. link a tuned BLAS (a paper)" in outside(19.0, band=advised).what
    assert "worse than expected of this node" in outside(21.0, band=advised).what
    again = f"./tenken run {outside(19.0).case_id}"
    cured = replace(advised, remedy="install another BLAS")
    assert outside(19.0, band=cured).next_command == f"install another BLAS, then {again}"
    assert outside(21.0, band=cured).next_command == outside(19.0, band=advised).next_command == f"{again} --launches 5"
    assert ": link a tuned BLAS (a paper)" in outside(19.0, band=replace(advised, library="fft")).what
    assert "worse than expected of this node" in outside(19.0, band=replace(advised, library=None, advice="")).what
    record = b.record(b.fma(1e9, path="a"))
    other = replace(record.environment, libraries={"blas": "mkl"})
    both = prepare("r", b.case_run(record, replace(b.record(b.fma(1e9, path="a"), launch=2), environment=other), of=CHECK),
        b.machine())
    assert "blas linked here: mkl or openblas." in outside(19.0, of=both, band=advised).what


def test_what_a_load_may_have_cost_leaves_it_open_on_which_side_it_is() -> None:
    axis, findings = speed(metric(30.0, at_best=45.0), rate=BAND)
    assert (axis.verdict, axis.ground, findings) == (Verdict.NOT_JUDGED, True, [])
    assert axis.reason == "rate reaches 30 GFLOP/s; expected 40 GFLOP/s to 60 GFLOP/s: other load can explain up to 50 %"
    assert speed(metric(30.0, at_best=39.0), rate=BAND)[0].verdict is Verdict.WARN
    assert speed(metric(19.0, at_best=45.0), rate=BAND)[0].verdict is Verdict.NOT_JUDGED, "worse than half as measured alone"
    assert speed(metric(12.0, at_best=19.0), rate=BAND)[0].verdict is Verdict.WARN, "worse than half at best"
    assert speed(metric(45.0, at_best=70.0), rate=BAND)[0].verdict is Verdict.OK, "inside as measured"


def test_the_worst_said_of_several_bands_decides() -> None:
    inside, open_, out = metric(name="in"), metric(30.0, name="open", at_best=45.0), metric(30.0, name="out")
    bands = {name: replace(BAND, metric=f"demo.{name}") for name in ("in", "open", "out", "none")}
    assert speed(inside, open_, out, **bands)[0].reason.startswith("out reaches 30")
    assert len(speed(inside, open_, out, **bands)[1]) == 1
    assert speed(inside, open_, **bands)[0].verdict is Verdict.NOT_JUDGED and speed(inside, **bands)[0].verdict is Verdict.OK
    nothing, findings = speed(metric(None, name="in"), **bands)
    assert (nothing.verdict, nothing.ground, findings) == (Verdict.NOT_JUDGED, True, []) and not speed(inside)[0].ground


def test_a_disturbed_ceiling_is_held_against_at_its_most() -> None:
    of = replace(BAND, of="ceiling", low=0.5, high=None)
    wide = replace(PEAK, at_best=200e9)
    assert _against(of, metric(60.0, fraction=0.6, ceiling=wide)) == (pytest.approx(0.3), 0.6)
    assert _against(of, metric(60.0, fraction=0.6, ceiling=PEAK, at_best=90.0)) == (0.6, pytest.approx(0.9))
    assert _against(BAND, metric(60.0, fraction=0.6, ceiling=wide)) == (60.0, 60.0)
    assert _against(of, metric(None, fraction=None)) == (None, None) and _against(BAND, metric(0.0)) == (0.0, 0.0)


def test_why_a_speed_is_not_judged() -> None:
    def why(*metrics: MetricSummary, roof: Roofs = replace(ROOFS, memory=None), **check: Any) -> str:
        return speed(*metrics, roof=roof, of=case(**check))[0].reason

    blind = replace(ROOFS, no_peak="no clock", no_memory="no rate")
    memory, network, none = (b.metric("rate", "a", ceiling=what) for what in ("memory", "network", "none"))
    assert why(metric(fraction=0.5, ceiling=PEAK),
        roof=blind) == "rate reaches 50 GFLOP/s, 50 % of peak; not judged, no baseline yet"
    sweep = (metric(40.0, at=1, fraction=0.4, ceiling=PEAK), metric(60.0, at=2, fraction=0.6, ceiling=PEAK))
    assert why(*sweep).startswith("rate/2 reaches 60 GFLOP/s, 60 %")
    assert why(roof=blind) == "no clock" and why(roof=blind, metrics=(memory,)) == "no rate"
    assert why(roof=blind, metrics=(network,)) == "no network rate was measured" == why(roof=ROOFS,
        metrics=(network,))
    assert why(roof=blind, metrics=(none,)) == "measured; not judged, no baseline yet" == why()
    assert why(roof=blind, metrics=(memory, b.metric("r2", "a"))) == "no clock"


def above(rate: float, ceiling: Ceiling = MEMORY, uncached: bool = True) -> list[Finding]:
    section = replace(assessments.section("a", 1e6), ceilings=(
        CeilingFraction(PEAK, 99e9, 0.99, True), CeilingFraction(ceiling, rate, rate / ceiling.value, False)))
    return judge_speed(case(), (section,), (), replace(ROOFS, memory=ceiling, uncached=uncached), {})[1]


def test_a_rate_above_memory_is_a_wrong_count_of_bytes() -> None:
    assert above(21e9) == above(30e9, uncached=False) == [] and len(above(21.1e9)) == 1
    assert above(21.1e9, replace(MEMORY, at_best=22e9)) == []
    (found,) = above(25e9)
    assert found.what == (
        "a moves 25 GB/s, 125 % of the memory rate (measured here) with a working set far beyond the cache; its byte count or "
        "the ceiling is wrong"
    )
    assert (found.measured, found.expected, found.band, found.unit) == (25e9, 20e9, (None, 21e9), "B/s")
    assert (found.section, found.evidence) == ("a", "median of 2 launches, 300 repetitions")


def test_a_metric_over_launches() -> None:
    of = b.metric("rate", "a", by="sizes")
    launches = [{8: 1e9, 16: 4e9}, {8: 3e9}, {8: 2e9, 16: 6e9}]
    best = [{8: 2e9, 16: 4e9}, {8: 3e9}, {8: 2.5e9, 16: 6e9}]
    eight, sixteen = summarise_metric(of, launches, best, lambda at: PEAK if at == 8 else None, False)
    assert (eight.at, eight.section, eight.value, eight.mad, eight.launches) == (8, "a/8", 2.0, 1.0, 3)
    assert (eight.fraction, eight.ceiling, eight.at_best) == (0.02, PEAK, 2.5)
    assert (sixteen.at, sixteen.value, sixteen.mad, sixteen.launches, sixteen.at_best, sixteen.fraction) == (16, 5.0, 1.0, 2,
        None, None)
    (hidden, _) = summarise_metric(of, launches, best, lambda at: PEAK, True)
    assert (hidden.value, hidden.mad, hidden.launches, hidden.fraction, hidden.at_best, hidden.ceiling) == (None, None, 0, None,
        None, PEAK)
    (nothing,) = summarise_metric(of, [], [], lambda at: None, False)
    assert (nothing.at, nothing.section, nothing.value, nothing.launches) == (None, "a", None, 0)
    (recorded,) = summarise_metric(b.metric("v", None, "value:v", by="sizes"), [{8: 1e9}], [{8: 1e9}], lambda at: None, False)
    assert recorded.section is None and recorded.at == 8


def test_the_best_of_a_sweep_is_the_least_where_lower_is_better() -> None:
    sweep = (metric(3.0, at=1), metric(None, at=2), metric(5.0, at=3), metric(9.0, name="other"))
    lower = tuple(replace(one, better="lower") for one in sweep)
    assert best_of_sweep(sweep, "rate") is sweep[2] and best_of_sweep(lower, "rate") is lower[0]
    assert best_of_sweep(sweep, "none") is None is best_of_sweep(sweep[1:2], "rate")


# --- trust ------------------------------------------------------------------------------------------------------


def trusted(**changes: Any) -> Trusted:
    base = Trusted(False, "", Where(), 0.01, 0.005, 0.0, 0, None, None, None, None, 20.0, False)
    return replace(base, **changes)


def trust(exclusive: bool = True, **changes: Any) -> Any:
    on = b.machine(b.node(exclusive=exclusive))
    of = prepare("r", b.case_run(b.record(b.fma(1e9, path="a")), of=CHECK), on)
    return judge_trust(of, trusted(**changes), on)


def test_counters_that_were_read_are_told() -> None:
    found = trust()
    assert (found.axis, found.worsened, found.met_load, found.throttled) == (
        AxisResult(Axis.TRUST, Verdict.OK, "run-queue wait 1 %, steal 0.5 %"), (), (), False)
    assert trust(steal=None, frequency_ghz=3.0).axis.reason == "run-queue wait 1 %, clock 3 GHz"
    assert trust(run_queue_wait=None).axis.reason == "steal 0.5 %"
    silent = trust(run_queue_wait=None, steal=None).axis
    assert (silent.verdict, silent.reason) == (Verdict.NOT_JUDGED, "the system reports neither run-queue wait nor steal")


def test_a_load_is_a_finding_where_it_could_not_be() -> None:
    where = Where("n0", 3, launch=2)
    ours = trust(disturbed=True, reason="steal 9 %", where=where)
    (met,) = ours.met_load
    assert (met.what, met.evidence, met.where) == ("other load: steal 9 %", "worst of 1 launch and all ranks", where)
    assert ours.axis == AxisResult(Axis.TRUST, Verdict.WARN, met.what) and ours.worsened == ()
    shared = trust(False, disturbed=True, reason="steal 9 %", where=where)
    assert shared.met_load == () and shared.axis == AxisResult(
        Axis.TRUST, Verdict.NOT_JUDGED, "other load on a shared or virtual machine: steal 9 %; times are upper bounds")


def test_a_quota_is_told_with_its_loss_beyond_its_limit() -> None:
    assert not trust(throttled=0.02).throttled and not trust(throttled=None).throttled
    found = trust(throttled=0.4)
    (quota,) = found.worsened
    assert found.throttled and found.axis == AxisResult(Axis.TRUST, Verdict.WARN, quota.what)
    assert quota.what.startswith("throttled by a CPU quota for 40 % of the wall time (limit 2 %), loss ")
    assert (quota.measured, quota.expected, quota.band, quota.unit) == (0.4, 0.02, (None, 0.02), "of the wall time")
    assert quota.where == Where() and quota.evidence == "worst of 1 launch and all ranks"


def test_of_several_nodes_the_first_with_fewer_cores_is_named() -> None:
    def found(*nodes: Any) -> list[Finding]:
        on = b.machine(*nodes)
        record = b.record(b.fma(1e9, len(nodes), path="a"), hosts=tuple(one.host for one in nodes))
        return list(judge_trust(prepare("r", b.case_run(record, of=CHECK), on), trusted(), on).worsened)

    n0, n1, n2 = b.node("n0", granted_cpus=4), b.node("n1", cpus=3, granted_cpus=4, baseline_cpus=8), b.node("n2", cpus=1,
        granted_cpus=4)
    assert found(n0) == []
    (one,) = found(n0, n1, n2)
    assert one.what.startswith("n1: only 3 of 4 hardware threads that the scheduler granted") and one.where == Where("n1")
    assert (one.measured, one.expected, one.band, one.unit) == (3.0, 4.0, (4.0, None), "hardware threads")
    assert one.evidence == "affinity mask on 3 nodes"
    (before,) = found(replace(n1, granted_cpus=3))
    assert before.what.startswith("n1: only 3 of 8 hardware threads of its baseline may be")
    assert before.evidence == "affinity mask on 1 node"


def test_of_several_things_that_are_not_as_they_should_be_the_first_is_the_reason() -> None:
    on = b.machine(b.node(cpus=2, granted_cpus=4))
    of = prepare("r", b.case_run(b.record(b.fma(1e9, path="a")), of=CHECK), on)
    found = judge_trust(of, trusted(throttled=0.4), on)
    assert len(found.worsened) == 2 and found.axis.reason == found.worsened[0].what and "CPU quota" in found.axis.reason
    assert "only 2 of 4 hardware threads" in found.worsened[1].what


@pytest.mark.parametrize(("fraction", "moved", "fits"), [
    (1.03, (0.985, 1.015), True), (1.04, (0.985, 1.015), False), (0.94, (0.985, 1.015), True), (0.93, (0.985, 1.015), False),
    (1.03, (1.0, 1.015), True), (1.03, (0.985, 1.0), False), (0.94, (0.985, 1.0), True), (0.94, (1.0, 1.015), False),
    (1.03, (1.0, 1.0), False), (0.94, (1.0, 1.0), False),
    (1.03, (0.9, 1.1), True),  # below the band at the one end, above at the other
])  # fmt: skip
def test_of_a_peak_at_a_clock_that_moved_what_some_of_it_explains_is_inside(
    fraction: float, moved: tuple[float, float], fits: bool
) -> None:
    band = replace(BAND, low=0.95, high=1.02, of="ceiling")
    axis, found = speed(metric(fraction=fraction, ceiling=PEAK), roof=replace(ROOFS, moved=moved), rate=band)
    assert (axis.verdict, len(found)) == ((Verdict.OK, 0) if fits else (Verdict.WARN, 1))
    assert axis.reason.endswith(", inside the range of the clock") == fits
    of_memory = speed(metric(fraction=fraction, ceiling=MEMORY), roof=replace(ROOFS, moved=moved), rate=band)
    assert of_memory[0].verdict is Verdict.WARN
    by_value = speed(metric(70.0, ceiling=PEAK), roof=replace(ROOFS, moved=(0.5, 1.5)), rate=BAND)
    assert by_value[0].verdict is Verdict.WARN
