"""Has it changed? All quantities of a run against the accepted sittings of their cases, at once.

The door of its package: other packages import only the names listed here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tenken.judge.change.lasting import SITTINGS, Flags, Held, earlier_of, failed, held, lasting, seen_of, values_of
from tenken.judge.change.rule import Answer, Decision, decide, history_of, learn
from tenken.judge.change.words import axis_result, class_finding, finding_of, lasts, shift_finding, summary_of
from tenken.judge.common import (
    EXCESSES, Demands, Judged, Powers, Prepared, at_clock, common_clock, demands, kind_of, of_this_mode, reference,
    scaled, slowest_clock, values_to_judge,
)
from tenken.model.assessment import AxisResult, ChangeSummary, Finding
from tenken.model.baseline import Baseline, EarlierSitting, LaunchValues, Quantity, Seen, Sitting
from tenken.model.limits import CONFIRMED, CONFIRMING
from tenken.model.machine import Machine
from tenken.model.run import nodes_of
from tenken.model.verdict import Axis, Verdict
from tenken.stats import change as stats
from tenken.stats.nested import lowest

__all__ = [
    "SITTINGS", "Answer", "CaseChange", "Decision", "Held", "Row", "between", "decide", "failed", "held", "history_of",
    "judge_changes", "lasting", "learn", "learned", "rows_of",
]
WITH_CLASS = (Answer.SLOWER_WITH_CLASS, Answer.FAILED_WITH_CLASS)
NO_BASELINE = AxisResult(Axis.CHANGE, Verdict.NOT_JUDGED, "no baseline yet")


@dataclass(frozen=True, slots=True)
class CaseChange:
    """The judgement of change for a case."""

    axis: AxisResult
    findings: tuple[Finding, ...] = ()
    summaries: tuple[ChangeSummary, ...] = ()
    wanted: int = 0  # confirming launches


@dataclass(frozen=True, slots=True)
class Row:
    """A quantity of a case: this sitting's launches, and those of each earlier sitting."""

    case_id: str
    quantity: Quantity
    now: tuple[float, ...]  # unscaled, as all
    fast: tuple[float, ...]  # without the cost of other load
    before: dict[str, tuple[float, ...]]  # by sitting; empty where the baseline does not know it
    best: dict[str, tuple[float, ...]] = field(default_factory=dict)  # without the load that bounds allow, where it differs
    cycles: bool = False  # all at the clock of this sitting
    host: str | None = None  # of a clock: the node where it is lowest
    seen: tuple[Seen, ...] = ()  # in earlier sittings that were not accepted, newest first


def judge_changes(
    cases: tuple[Prepared, ...], machine: Machine, baselines: Mapping[str, Baseline], run: str,
    follows: Mapping[str, Powers] = MappingProxyType({}), earlier: tuple[EarlierSitting, ...] = (),
) -> dict[str, CaseChange]:
    """By case id. `run` names the sitting that is judged: where it was accepted already, it is left out of the baselines.

    `follows`: by case the quantities that follow the clock, which are compared in its cycles. `earlier`: sittings before this
    sitting, newest first, which tell whether a shift lasts.
    """
    known = {case.case_run.case.id: case for case in cases if case.case_run.case.id in baselines}
    answers = {case.case_run.case.id: CaseChange(NO_BASELINE) for case in cases}
    rows: list[Row] = []
    for case_id, case in known.items():
        sittings = tuple(each for each in baselines[case_id].sittings if each.id != run)
        units = {quantity.name: quantity for quantity in baselines[case_id].quantities}
        host = slowest_clock(each.record for each in case.measured)
        judged, another_mode = values_to_judge(case, machine), ""
        if any(node.virtual for each in case.measured for node in nodes_of(each.record, machine)):
            sittings, another_mode = of_this_mode(judged.launches, sittings)
        own = [] if another_mode else rows_of(
            case_id, judged, sittings, units, follows.get(case_id, {}), earlier, host)
        rows += own
        reason = another_mode or (NO_BASELINE.reason if own else "no launch to compare with the baseline")
        ground = bool(sittings or another_mode)
        answers[case_id] = CaseChange(AxisResult(Axis.CHANGE, Verdict.NOT_JUDGED, reason, ground))
    order = _order(baselines, known, run)
    if not rows or not order:
        return answers
    ordinary, demand = learned(rows, order)
    slow = fast = _held(ordinary, demand, rows, [row.now for row in rows])
    decision, hidden = slow.decision, np.zeros(len(rows), dtype=bool)
    if any(row.now != row.fast for row in rows):
        fast = _held(ordinary, demand, rows, [row.fast for row in rows])
        decision, hidden = between(slow.decision, fast.decision)
    if any(row.best for row in rows):
        at_best = learned([replace(row, before=row.best or row.before) for row in rows], order)
        ends = [_held(*at_best, rows, values).decision for values in ([row.now for row in rows], [row.fast for row in rows])]
        decision, unsure = holding(decision, between(*ends)[0])
        hidden = hidden | unsure
    quantities, seen = [row.quantity for row in rows], [row.seen for row in rows]
    before = [held(ordinary, demand, *values_of(sitting.id, quantities, seen)) for sitting in earlier]
    last = lasting(replace(fast, decision=decision), before, demand)
    decision = failed(decision, last)
    for case_id in dict.fromkeys(row.case_id for row in rows):
        inside = [index for index, row in enumerate(rows) if row.case_id == case_id]
        answers[case_id] = _case(case_id, rows, inside, slow.change, decision, hidden, last)
    return answers


def _placed(finding: Finding, row: Row) -> Finding:
    if row.host is not None:
        finding = replace(finding, where=replace(finding.where, host=row.host), next_command="./tenken machine")
    return replace(finding, what=f"{finding.what}; compared in clock cycles") if row.cycles else finding


def _lasting(finding: Finding, summary: ChangeSummary, row: Row, last: bool) -> Finding:
    """Adds the effects in the sittings before, where all three are alike."""
    return replace(finding, what=finding.what + lasts(summary, row.seen[: SITTINGS - 1])) if last else finding


def between(at_slow: Decision, at_fast: Decision) -> tuple[Decision, Flags]:
    """The answer on a change that was judged at both ends of the times without other load, by quantity.

    Slower at both ends is slower, as certain as the fast end says; slower at just one is not judged: flagged in the last array.
    """
    worse = at_slow.answers > Answer.FASTER
    hidden = worse & (at_fast.answers <= Answer.FASTER)
    answers = np.where(worse, np.minimum(at_slow.answers, at_fast.answers), at_slow.answers)
    return replace(at_slow, answers=np.where(hidden, Answer.NOT_JUDGED, answers)), hidden


def holding(decision: Decision, at_best: Decision) -> tuple[Decision, Flags]:
    """The answers that hold at both ends of a baseline's values: as measured, and at best. The rest is flagged, not judged."""
    unsure = (_side(decision.answers) != _side(at_best.answers)) & (decision.answers != Answer.NOT_JUDGED)
    return replace(decision, answers=np.where(unsure, Answer.NOT_JUDGED, decision.answers)), unsure


def _side(answers: NDArray[np.int64]) -> NDArray[np.int64]:
    """0 not judged, 1 as before, 2 faster, 3 slower, however certain."""
    return np.minimum(answers, Answer.SLOWER_WITH_REST)


def rows_of(
    case_id: str, judged: Judged, sittings: tuple[Sitting, ...], accepted: dict[str, Quantity], follows: Powers,
    earlier: tuple[EarlierSitting, ...] = (), slowest: str | None = None,
) -> list[Row]:
    """A row for each quantity that was measured; those that follow the clock at that of this sitting, where all tell it.

    `slowest`: the host with the lowest clock."""
    before = earlier_of(case_id, earlier, judged.quantities)
    clock = common_clock([*judged.launches, *judged.fast, *(launch for each in sittings for launch in each.launches)], follows)
    if clock is not None:
        sharp = partial(_at_clock, follows, clock, reference(judged.launches, clock))
        judged = Judged(judged.quantities, sharp(judged.launches), sharp(judged.fast))
        sittings = tuple(replace(sitting, launches=sharp(sitting.launches)) for sitting in sittings)
        before = {
            name: sharp((launch,))[0] if clock in launch.values else replace(launch, values=_less(launch.values, follows))
            for name, launch in before.items()
        }
    seen = seen_of(case_id, before, earlier)
    rows, of_all = [], [each for sitting in sittings for each in sitting.launches]
    for quantity in judged.quantities:
        now = _named(quantity.name, judged.launches)
        if now:
            host = slowest if kind_of(quantity.name) == "clock" else None
            rows.append(Row(
                case_id, quantity, now, _named(quantity.name, judged.fast), _before(quantity, sittings, accepted),
                _before(quantity, _at_best(sittings), accepted) if any(quantity.name in each.best for each in of_all) else {},
                clock is not None and quantity.name in follows, host, seen.get(quantity.name, ()),
            ))
    return rows


def _at_clock(follows: Powers, clock: str, ghz: float, launches: tuple[LaunchValues, ...]) -> tuple[LaunchValues, ...]:
    return tuple(at_clock(launch, follows, clock, ghz) for launch in launches)


def _less(values: Mapping[str, float], names: Collection[str]) -> dict[str, float]:
    return {name: figure for name, figure in values.items() if name not in names}


def _named(name: str, of: Sequence[LaunchValues]) -> tuple[float, ...]:
    return tuple(each.values[name] for each in of if name in each.values)


def _before(quantity: Quantity, sittings: tuple[Sitting, ...], accepted: dict[str, Quantity]) -> dict[str, tuple[float, ...]]:
    same = accepted.get(quantity.name)
    comparable = same is not None and (same.unit, same.better) == (quantity.unit, quantity.better)
    return {sitting.id: _named(quantity.name, sitting.launches) for sitting in sittings if comparable}


def _at_best(sittings: tuple[Sitting, ...]) -> tuple[Sitting, ...]:
    return tuple(
        replace(sitting, launches=tuple(replace(launch, values=launch.at_best()) for launch in sitting.launches))
        for sitting in sittings
    )


def _order(baselines: Mapping[str, Baseline], known: Mapping[str, Prepared], run: str) -> list[str]:
    """All sittings of the baselines in use, oldest first."""
    started = {each.id: each.started for case_id in known for each in baselines[case_id].sittings if each.id != run}
    return sorted(started, key=lambda name: (started[name], name))


def learned(rows: Sequence[Row], order: Sequence[str]) -> tuple[stats.Ordinary, Demands]:
    """Ordinary changes of the rows, by their sittings `order`, oldest first, and the limits of a change."""
    quantities = tuple(row.quantity for row in rows)
    most = max([len(some) for row in rows for some in row.before.values()] + [1])
    values = np.full((len(rows), len(order), most), np.nan)
    for i, row in enumerate(rows):
        for j, sitting in enumerate(order):
            for k, value in enumerate(row.before.get(sitting, ())):
                values[i, j, k] = scaled(row.quantity, value)
    return learn(history_of(values, quantities, [row.case_id for row in rows])), demands(quantities)


def _held(ordinary: stats.Ordinary, demand: Demands, rows: list[Row], values_now: list[tuple[float, ...]]) -> Held:
    now = [np.array([scaled(row.quantity, value) for value in some]) for row, some in zip(rows, values_now, strict=True)]
    new, low = np.array([float(np.median(values)) for values in now]), np.array([float(lowest(values)) for values in now])
    return held(ordinary, demand, new, np.array([float(len(row.now)) for row in rows]), low)


def _could_hide(row: Row) -> float:
    """The part of a time or rate that other load may have cost; loss and jitter, which may be 0, are parts of 1."""
    beside = 1.0 if kind_of(row.quantity.name) in EXCESSES else 0.0
    now, fast = (beside + float(np.median(values)) for values in (row.now, row.fast))
    before, best = (
        [beside + float(np.median(of[sitting])) for sitting in row.best if row.before[sitting]] for of in (row.before, row.best)
    )
    return max([abs(now / fast - 1), *(abs(then / least - 1) for then, least in zip(before, best, strict=True))])


def _case(
    case_id: str, rows: list[Row], inside: list[int], change: stats.Change, decision: Decision, hidden: Flags, last: Flags
) -> CaseChange:
    summaries = tuple(summary_of(rows[i].quantity, rows[i].now, rows[i].fast, i, change, decision) for i in inside)
    answers = {i: Answer(int(decision.answers[i])) for i in inside}
    own = [i for i in inside if answers[i] in (Answer.FAILED, Answer.SLOWER, Answer.FASTER)]
    own.sort(key=lambda i: (-answers[i], -abs(change.own[i] / change.own_sigma[i])))
    findings = [
        _placed(_lasting(made, summary, rows[i], bool(last[i])), rows[i])
        for i in own for summary in [summaries[inside.index(i)]]
        for made in [finding_of(case_id, summary, answers[i], i, change, len(rows), bool(decision.split[i]))]
    ]
    with_rest = [i for i in inside if answers[i] in (Answer.SLOWER_WITH_REST, Answer.FAILED_WITH_REST)]
    if with_rest:
        worst = max(with_rest, key=lambda i: (answers[i], change.effect[i]))
        summary = summaries[inside.index(worst)]
        shift = shift_finding(case_id, summary, answers[worst], len(with_rest), worst, change)
        findings.append(_lasting(shift, summary, rows[worst], bool(last[worst])))
    for klass in dict.fromkeys(rows[i].quantity.klass for i in inside):
        with_class = [i for i in inside if rows[i].quantity.klass == klass and answers[i] in WITH_CLASS]
        if with_class:
            worst = max(with_class, key=lambda i: (answers[i], change.effect[i]))
            summary = summaries[inside.index(worst)]
            of_run = np.array([row.quantity.klass == klass for row in rows]) & np.isin(decision.answers, WITH_CLASS)
            counts = len(with_class), int(of_run.sum())
            moved = class_finding(case_id, summary, answers[worst], counts, worst, change)
            findings.append(_lasting(moved, summary, rows[worst], bool(last[worst])))
    launches = min(len(rows[i].now) for i in inside)
    suspect = bool(decision.suspect[inside].any()) and launches < CONFIRMED
    could_hide = [_could_hide(rows[i]) for i in inside if hidden[i]]
    again = [float(np.expm1(change.effect[i])) for i in inside if decision.again[i]]
    return CaseChange(
        axis=axis_result(summaries, findings, max(could_hide, default=0.0), again),
        findings=tuple(findings),
        summaries=summaries,
        wanted=max(CONFIRMING, CONFIRMED - launches) if suspect else 0,
    )
