"""Has it changed? All quantities of a run against the accepted sittings of their cases, at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tenken.judge.change_history import history_of, scaled
from tenken.judge.change_rule import Answer, Decision, decide, demands, kind_of, learn
from tenken.judge.change_words import axis_result, class_finding, finding_of, shift_finding, summary_of
from tenken.judge.clock import slowest_clock
from tenken.judge.cycles import Powers, at_clock, clock_bound, common_clock, reference
from tenken.judge.limits import CONFIRMED, CONFIRMING
from tenken.judge.prepared import Prepared
from tenken.judge.quantities import Judged, LaunchValues, values_to_judge
from tenken.model.assessment import AxisResult, ChangeSummary, Finding
from tenken.model.baseline import Baseline, Quantity, Sitting
from tenken.model.machine import Machine
from tenken.model.offer import Offer
from tenken.model.verdict import Axis, Verdict
from tenken.stats import change as stats
from tenken.stats.nested import lowest

Array = NDArray[np.float64]
WITH_CLASS = (Answer.SLOWER_WITH_CLASS, Answer.FAILED_WITH_CLASS)
NO_BASELINE = AxisResult(Axis.CHANGE, Verdict.NOT_JUDGED, "no baseline yet")


@dataclass(frozen=True, slots=True)
class CaseChange:
    """What is said of change for one case."""

    axis: AxisResult
    findings: tuple[Finding, ...] = ()
    summaries: tuple[ChangeSummary, ...] = ()
    wanted: int = 0  # confirming launches


@dataclass(frozen=True, slots=True)
class Row:
    """One quantity of one case: this sitting's launches, and those of each earlier sitting."""

    case_id: str
    quantity: Quantity
    now: tuple[float, ...]  # unscaled, as all
    fast: tuple[float, ...]  # without what another's load may have cost
    before: dict[str, tuple[float, ...]]  # by sitting; empty where the baseline does not know it
    cycles: bool = False  # all at the clock of this sitting
    host: str | None = None  # of a clock: the node where it is lowest


def judge_changes(
    cases: tuple[Prepared, ...], machine: Machine, baselines: Mapping[str, Baseline], run: str,
    offers: tuple[Offer, ...] = (),
) -> dict[str, CaseChange]:
    """By case id. `run` names the sitting that is judged: where it was accepted already, it is left out of the baselines.

    `offers`: what checks measured as ceilings, which tells the times that follow the clock.
    """
    known = {one.case_run.case.id: one for one in cases if one.case_run.case.id in baselines}
    answers = {one.case_run.case.id: CaseChange(NO_BASELINE) for one in cases}
    rows: list[Row] = []
    for case_id, case in known.items():
        sittings = tuple(each for each in baselines[case_id].sittings if each.id != run)
        units = {one.name: one for one in baselines[case_id].quantities}
        own = _rows(case, values_to_judge(case, machine), sittings, units, clock_bound(case, offers, machine))
        rows += own
        reason = NO_BASELINE.reason if own else "no launch to compare with the baseline"
        ground = bool(sittings)
        answers[case_id] = CaseChange(AxisResult(Axis.CHANGE, Verdict.NOT_JUDGED, reason, ground))
    order = _order(baselines, known, run)
    if not rows or not order:
        return answers
    change, decision = _judge(rows, order, [row.now for row in rows])
    hidden = np.zeros(len(rows), dtype=bool)
    if any(row.now != row.fast for row in rows):
        change, decision, hidden = _between((change, decision), _judge(rows, order, [row.fast for row in rows]))
    for case_id in dict.fromkeys(row.case_id for row in rows):
        inside = [index for index, row in enumerate(rows) if row.case_id == case_id]
        answers[case_id] = _case(case_id, rows, inside, change, decision, hidden)
    return answers


def _placed(found: Finding, row: Row) -> Finding:
    if row.host is not None:
        found = replace(found, where=replace(found.where, host=row.host), next_command="./tenken machine")
    return replace(found, what=f"{found.what}; in cycles of the clock beside it") if row.cycles else found


def _between(
    slow: tuple[stats.Change, Decision], fast: tuple[stats.Change, Decision]
) -> tuple[stats.Change, Decision, NDArray[np.bool_]]:
    """The change as measured, judged at both ends of what may have been without another's load.

    Slower at both ends is slower, as certain as the fast end says; slower at one is not judged: flagged in the last array.
    """
    (change, at_slow), (_, at_fast) = slow, fast
    worse = at_slow.answers > Answer.FASTER
    hidden = worse & (at_fast.answers <= Answer.FASTER)
    answers = np.where(worse, np.minimum(at_slow.answers, at_fast.answers), at_slow.answers)
    return change, replace(at_slow, answers=np.where(hidden, Answer.NOT_JUDGED, answers)), hidden


def _rows(
    case: Prepared, judged: Judged, sittings: tuple[Sitting, ...], accepted: dict[str, Quantity], follows: Powers
) -> list[Row]:
    """A row for each quantity that was measured; those that follow the clock at that of this sitting, where all tell it."""
    clock = common_clock([*judged.launches, *judged.fast, *(one for each in sittings for one in each.launches)], follows)
    if clock is not None:
        sharp = partial(_at_clock, follows, clock, reference(judged.launches, clock))

        judged = Judged(judged.quantities, sharp(judged.launches), sharp(judged.fast))
        sittings = tuple(replace(one, launches=sharp(one.launches)) for one in sittings)
    lowest = slowest_clock(each.record for each in case.measured)
    rows = []
    for one in judged.quantities:
        now = _named(one.name, judged.launches)
        if now:
            host = lowest if kind_of(one.name) == "clock" else None
            rows.append(Row(
                case.case_run.case.id, one, now, _named(one.name, judged.fast), _before(one, sittings, accepted),
                clock is not None and one.name in follows, host,
            ))
    return rows


def _at_clock(follows: Powers, clock: str, ghz: float, launches: tuple[LaunchValues, ...]) -> tuple[LaunchValues, ...]:
    return tuple(at_clock(one, follows, clock, ghz) for one in launches)


def _named(name: str, of: Sequence[LaunchValues]) -> tuple[float, ...]:
    return tuple(each.values[name] for each in of if name in each.values)


def _before(quantity: Quantity, sittings: tuple[Sitting, ...], accepted: dict[str, Quantity]) -> dict[str, tuple[float, ...]]:
    same = accepted.get(quantity.name)
    comparable = same is not None and (same.unit, same.better) == (quantity.unit, quantity.better)
    return {one.id: _named(quantity.name, one.launches) for one in sittings if comparable}


def _order(baselines: Mapping[str, Baseline], known: Mapping[str, Prepared], run: str) -> list[str]:
    """All sittings of the baselines in use, oldest first."""
    started = {each.id: each.started for case_id in known for each in baselines[case_id].sittings if each.id != run}
    return sorted(started, key=lambda one: (started[one], one))


def _judge(rows: list[Row], order: list[str], values_now: list[tuple[float, ...]]) -> tuple[stats.Change, Decision]:
    quantities = tuple(row.quantity for row in rows)
    most = max([len(some) for row in rows for some in row.before.values()] + [1])
    values = np.full((len(rows), len(order), most), np.nan)
    for i, row in enumerate(rows):
        for j, sitting in enumerate(order):
            for k, value in enumerate(row.before.get(sitting, ())):
                values[i, j, k] = scaled(row.quantity, value)
    now = [np.array([scaled(row.quantity, value) for value in some]) for row, some in zip(rows, values_now, strict=True)]
    new, low = np.array([float(np.median(one)) for one in now]), np.array([float(lowest(one)) for one in now])
    launches = np.array([float(len(row.now)) for row in rows])
    history = history_of(values, quantities, [row.case_id for row in rows])
    change = stats.compare(learn(history), new, launches, low)
    return change, decide(change, history.together, demands(quantities), launches)


def _case(
    case_id: str, rows: list[Row], inside: list[int], change: stats.Change, decision: Decision, hidden: NDArray[np.bool_]
) -> CaseChange:
    summaries = tuple(summary_of(rows[i].quantity, rows[i].now, i, change, decision) for i in inside)
    answers = {i: Answer(int(decision.answers[i])) for i in inside}
    own = [i for i in inside if answers[i] in (Answer.FAILED, Answer.SLOWER, Answer.FASTER)]
    own.sort(key=lambda i: (-answers[i], -abs(change.own[i] / change.own_sigma[i])))
    findings = [
        _placed(finding_of(case_id, summary, answers[i], i, change, len(rows), bool(decision.split[i])), rows[i])
        for i in own for summary in [summaries[inside.index(i)]]
    ]
    with_rest = [i for i in inside if answers[i] in (Answer.SLOWER_WITH_REST, Answer.FAILED_WITH_REST)]
    if with_rest:
        worst = max(with_rest, key=lambda i: change.effect[i])
        shift = shift_finding(case_id, summaries[inside.index(worst)], answers[worst], len(with_rest), worst, change)
        findings.append(shift)
    for klass in dict.fromkeys(rows[i].quantity.klass for i in inside):
        with_class = [i for i in inside if rows[i].quantity.klass == klass and answers[i] in WITH_CLASS]
        if with_class:
            worst = max(with_class, key=lambda i: change.effect[i])
            of_run = np.array([row.quantity.klass == klass for row in rows]) & np.isin(decision.answers, WITH_CLASS)
            counts = len(with_class), int(of_run.sum())
            findings.append(class_finding(case_id, summaries[inside.index(worst)], answers[worst], counts, worst, change))
    launches = min(len(rows[i].now) for i in inside)
    suspect = bool(decision.suspect[inside].any()) and launches < CONFIRMED
    could_hide = [
        abs(float(np.median(rows[i].now)) / float(np.median(rows[i].fast)) - 1) for i in inside if hidden[i]
    ]
    return CaseChange(
        axis=axis_result(summaries, findings, max(could_hide, default=0.0)),
        findings=tuple(findings),
        summaries=summaries,
        wanted=max(CONFIRMING, CONFIRMED - launches) if suspect else 0,
    )
