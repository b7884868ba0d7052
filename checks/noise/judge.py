"""Rhythms, loud and quiet cores, and what a barrier of many ranks would lose to them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from statistics import median

import numpy as np

from tenken.judge.common import digits, finding, percent, plural
from tenken.model.assessment import AxisResult, Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.limits import WAITED
from tenken.model.record import Record
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict
from tenken.stats.barrier_loss import barrier_loss
from tenken.stats.space import Array

RATES, SHARES, PERIODIC = "detours", "lost", "periodic"  # rows "processor N", columns sizes; periodic/PROCESSOR/NUMBER/...
RANKS = (2, 100, 10000)
COSTLY = 0.0025  # of the time: a rhythm that takes more is a finding; timer ticks take less
BUSY = 0.02  # of the time of the median core: more than any kernel takes for itself
MOSTLY = 0.5  # of what was lost
LOUD, LOUD_LEAST = 3.0, 0.005  # times the median core, and of the time
QUIET = 0.5  # times the median core
SAME_RHYTHM = 0.02  # of the frequency
NO_CHANCE = 0.01  # of the frequency: two launches that agree so closely on one processor met the same thing
MOST_NAMED = 4


def judge(of: ToJudge) -> OwnJudgement:
    """The steadiness axis: detours in place of loss and jitter."""
    layers = [layer for each in of.measured if (layer := _layer(each.record)) is not None]
    if not layers or any(layer[0] != layers[0][0] for layer in layers):
        return OwnJudgement()
    cpus = layers[0][0]
    rates, shares = (np.median([layer[part] for layer in layers], axis=0) for part in (1, 2))
    record = of.measured[0].record
    quantum = next((one.value for one in record.values if one.name == "quantum_us" and isfinite(one.value)), 0.0) * 1e-6
    lost = shares.sum(axis=1)
    often = digits(float(np.median(rates.sum(axis=1))))
    told = f"{often} interruptions a second take {percent(float(np.median(lost)))} of the time of a core"
    if quantum > 0:
        losses = zip(RANKS, barrier_loss(rates, shares, quantum, RANKS), strict=True)
        told += f"; a barrier after every {digits(quantum * 1e6)} us loses " + ", ".join(
            f"{percent(float(loss))} on {plural(count, 'rank')}" for count, loss in losses)
    quiet = [cpu for cpu, share in zip(cpus, lost, strict=True) if share < QUIET * np.median(lost)]
    if quiet:
        told += f"; quiet: {_processors(quiet)}"
    host = record.rank[0].host
    typical = float(np.median(lost))
    rhythms = _rhythms(of.case.id, host, cpus, of.measured)
    load = _others_load(of.measured)
    if typical > BUSY and load > MOSTLY * typical and (not rhythms or load > WAITED):  # a tick of a busy core has more to do
        reason = f"{told}; most of it is other load: threads waited for their processors"
        return OwnJudgement(axes=(AxisResult(Axis.STEADINESS, Verdict.NOT_JUDGED, reason, ground=True),))
    findings = [
        *rhythms,  # a little other load leaves gaps in them, but makes none
        *(_busy(of.case.id, host, typical, len(layers)) if not rhythms else []),
        *_loud(of.case.id, host, cpus, lost, len(layers)),
    ]
    verdict = Verdict.WARN if findings else Verdict.OK
    axis = AxisResult(Axis.STEADINESS, verdict, findings[0].what if findings else told)
    return OwnJudgement(axes=(axis,), findings=tuple(findings))


def _others_load(measured: tuple[Measured, ...]) -> float:
    """Share of the wall time that threads waited for a processor or it was stolen, median over launches."""
    return median(map(_load, measured))


def _load(measured: Measured) -> float:
    return max((max(one.trust.run_queue_wait_ns or 0, one.trust.steal_ns or 0) / one.trust.wall_ns
                for one in measured.record.rank if one.trust.wall_ns > 0), default=0.0)


def _busy(case_id: str, host: str, typical: float, launches: int) -> list[Finding]:
    if typical <= BUSY:
        return []
    what = f"cores of {host} lose {percent(typical)} of their time, and no other process was seen to use it"
    return [finding(Axis.STEADINESS, Verdict.WARN, case_id, what, f"median core, median of {plural(launches, 'launch')}",
                    measured=typical, expected=0.0, band=(None, BUSY), unit="1", where=Where(host=host))]


def _layer(record: Record) -> tuple[tuple[int, ...], Array, Array] | None:
    """Processors, rates (cores, sizes) and shares of one launch."""
    named = {table.name: table for table in record.tables}
    rates, shares = named.get(RATES), named.get(SHARES)
    if rates is None or shares is None or rates.values is None or shares.values is None or rates.rows != shares.rows:
        return None
    numbers = [label.rsplit(" ", 1)[-1] for label in rates.rows]
    if not all(number.isascii() and number.isdigit() for number in numbers):
        return None
    cells = [np.array([[cell or 0.0 for cell in row] for row in table.values or ()]) for table in (rates, shares)]
    return tuple(map(int, numbers)), cells[0], cells[1]


def _rhythms(case_id: str, host: str, cpus: Sequence[int], measured: tuple[Measured, ...]) -> list[Finding]:
    """A finding for each costly rhythm that most launches met, or two without other load, with all processors that have it."""
    met: list[tuple[float, float, int, int]] = []  # hertz, us, processor, launch
    for number, each in enumerate(measured):
        parts: dict[tuple[str, str], dict[str, float]] = {}
        for value in each.record.values:
            name, *words = value.name.split("/")
            if name == PERIODIC and len(words) == 3 and words[0].isascii() and words[0].isdigit() and isfinite(value.value):
                parts.setdefault((words[0], words[1]), {})[words[2]] = value.value
        for (cpu, _), part in parts.items():
            if part.get("frequency", 0) * part.get("length", 0) * 1e-6 >= COSTLY:
                met.append((part["frequency"], part["length"], int(cpu), number))
    found = []
    while met:
        hertz = met[0][0]
        alike = [one for one in met if abs(one[0] / hertz - 1) <= SAME_RHYTHM]
        met = [one for one in met if abs(one[0] / hertz - 1) > SAME_RHYTHM]
        launches = len({one[3] for one in alike})
        if 2 * launches <= len(measured) and not _no_chance(alike, measured):
            continue
        where = sorted({one[2] for one in alike})
        hertz, length = median(one[0] for one in alike), median(one[1] for one in alike)
        share = hertz * length * 1e-6
        everywhere = len(where) == len(cpus) and len(cpus) > 1
        name = "all cores are" if everywhere else f"{_processors(where)} of {host} {'is' if len(where) == 1 else 'are'}"
        what = f"{name} interrupted {digits(hertz)} times a second for {digits(length)} us: {percent(share)} of the time"
        found.append(finding(
            Axis.STEADINESS, Verdict.WARN, case_id, what, f"a rhythm in {launches} of {plural(len(measured), 'launch')}",
            measured=share, expected=0.0, band=(None, COSTLY), unit="1",
            where=Where(host=host, cpu=where[0] if len(where) == 1 else None)))
    return sorted(found, key=lambda one: -(one.measured or 0))[:MOST_NAMED]


def _no_chance(alike: Sequence[tuple[float, float, int, int]], measured: Sequence[Measured]) -> bool:
    """Whether two launches met a rhythm of one frequency on one processor, and each lost less to other load than to it."""
    sure = [one for one in alike if _load(measured[one[3]]) < one[0] * one[1] * 1e-6]
    return any(
        one[2] == other[2] and one[3] < other[3] and abs(other[0] / one[0] - 1) <= NO_CHANCE for one in sure for other in sure
    )


def _loud(case_id: str, host: str, cpus: Sequence[int], lost: Array, launches: int) -> list[Finding]:
    if len(cpus) < 3:
        return []  # of two nobody can say which is as it should be
    typical = float(np.median(lost))
    found = []
    for place in np.argsort(-lost)[:MOST_NAMED]:
        share = float(lost[place])
        if share > max(LOUD * typical, LOUD_LEAST):
            what = (f"processor {cpus[place]} of {host} is noisy: interruptions take {percent(share)} of its time, "
                    f"of the median core {percent(typical)}")
            found.append(finding(
                Axis.STEADINESS, Verdict.WARN, case_id, what, f"median of {plural(launches, 'launch')}", measured=share,
                expected=typical,
                band=(None, max(LOUD * typical, LOUD_LEAST)), unit="1", where=Where(host=host, cpu=cpus[place])))
    return found


def _processors(cpus: Sequence[int]) -> str:
    shown = ", ".join(map(str, cpus[:8])) + (f" and {len(cpus) - 8} more" if len(cpus) > 8 else "")
    return f"{'processor' if len(cpus) == 1 else 'processors'} {shown}"
