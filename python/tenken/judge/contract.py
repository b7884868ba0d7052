"""Requirements of a contract compared with a run. Pure.

Other load only lengthens a time: the figure lies between the measured time (t) and the shortest time without that
load (t - w). A limit is met only where the measured figure meets it, and broken only where even t - w would break it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from tenken.base import units
from tenken.base.errors import TenkenError
from tenken.base.words import hidden, plural, unknown
from tenken.model.assessment import Assessment, CaseAssessment, MetricSummary
from tenken.model.check import Check, present
from tenken.model.contract import EXIT_CODES, ClauseResult, Contract, Held, Requirement, RequirementResult, Terms, worst
from tenken.model.verdict import Axis, Verdict

_TIMED = ("time", "flop_rate", "byte_rate", "message_rate")  # other load can change these


@dataclass(frozen=True, slots=True)
class _Metric:
    """The subject of a requirement, whether or not the run measured it."""

    unit: str
    better: str
    quantity: str


@dataclass(frozen=True, slots=True)
class _Figure:
    """In the unit of the requirement."""

    value: float
    best: float  # without other load
    bounded: bool  # False: other load was met, and its cost is unknown
    text: str


def judge_contract(run: Assessment, terms: Terms, checks: Mapping[str, Check], today: str) -> Contract:
    """The acceptance sheet of `run` on the day `today` (ISO date, UTC). `checks` are those that exist now.

    TenkenError where a requirement names no case or metric that exists, or a unit that measures something else.
    """
    cases = {present(case.id, checks): case for case in run.cases}
    results: dict[str, list[RequirementResult]] = {}
    wrong: set[str] = set()
    for requirement in terms.requirements:
        case = cases.get(present(requirement.case, checks))
        metric = _metric(requirement, case, cases, checks, terms.source)
        result = _result(requirement, metric, case, run.drill)
        results.setdefault(requirement.clause, []).append(result)
        if case is not None and _wrong_answer(case):
            wrong.add(requirement.clause)
    clauses = tuple(_clause(name, own, terms, today, name in wrong) for name, own in results.items())
    state = worst([clause.held for clause in clauses])
    return Contract(
        terms.title, run.run, run.machine.name, run.started, today, run.drill, state, EXIT_CODES[state], clauses
    )


def _clause(name: str, results: Sequence[RequirementResult], terms: Terms, today: str, wrong: bool) -> ClauseResult:
    waiver = next((waiver for waiver in terms.waivers if waiver.clause == name), None)
    expired = waiver is not None and waiver.expires < today
    if waiver is not None and not expired and not wrong:  # a limit can be waived, a wrong answer cannot
        results = [replace(each, held=Held.WAIVED) if each.held is Held.UNMET else each for each in results]
    return ClauseResult(name, worst([requirement.held for requirement in results]), tuple(results), waiver, expired)


def _metric(
    requirement: Requirement, case: CaseAssessment | None, cases: Mapping[str, CaseAssessment], checks: Mapping[str, Check],
    source: str,
) -> _Metric:
    now = present(requirement.case, checks)
    check_name, _, name = now.partition(":")
    check = checks.get(check_name)
    known = {f"{check.name}:{each.name}" for check in checks.values() for each in check.cases} | set(cases)
    where = f"{source}: clause {requirement.clause}"
    if case is None and now not in known and not _is_point(check, name):
        raise TenkenError(f"{where}: {unknown('case', requirement.case, known)}")
    wanted = requirement.metric.partition("/")[0]
    metrics = {metric.name: _Metric(metric.unit, metric.better, metric.quantity) for metric in (check.metrics if check else ())}
    metrics |= {metric.name: _Metric(metric.unit, metric.better, metric.quantity) for metric in (case.metrics if case else ())}
    if wanted not in metrics:
        raise TenkenError(f"{where}: {unknown('metric', wanted, metrics, of=f' of {requirement.case}')}")
    metric = metrics[wanted]
    dimension = units.dimension(metric.unit)
    if units.dimension(requirement.unit) != dimension:
        fitting = ", ".join(unit for unit, (measures, _) in units.UNITS.items() if measures == dimension)
        raise TenkenError(
            f"{where}: unit '{requirement.unit}' does not fit metric {wanted}, which is in {metric.unit}; "
            f"expected one of {fitting}"
        )
    return metric


def _is_point(check: Check | None, name: str) -> bool:
    """Whether `name` is a point of a study (study/point)."""
    return check is not None and "/" in name and any(study.name == name.partition("/")[0] for study in check.studies)


def _wrong_answer(case: CaseAssessment) -> bool:
    return any(axis.axis is Axis.VALIDITY and axis.verdict is Verdict.INVALID for axis in case.axes)


def _result(requirement: Requirement, metric: _Metric, case: CaseAssessment | None, drill: bool) -> RequirementResult:
    command = f"./tenken run {requirement.case}"
    unjudged = RequirementResult(requirement, Held.NOT_JUDGED, "", metric.better, None, None, "", command)
    if case is None:
        return replace(unjudged, why=f"this run has no case {requirement.case}", evidence="not measured")
    axes = {axis.axis: axis for axis in case.axes}
    if _wrong_answer(case):
        return replace(unjudged, held=Held.UNMET, why=f"the answer is wrong: {axes[Axis.VALIDITY].reason}", evidence=_proof(case))
    figure = _figure(requirement, metric, case)
    if isinstance(figure, str):
        return replace(unjudged, why=figure, evidence=_proof(case))
    state, why = _against(requirement, metric, figure)
    doubt = _doubt(case, metric, drill)
    if doubt and state is Held.MET:
        state, why = Held.NOT_JUDGED, f"{why}, but {doubt}"
    timed = units.dimension(metric.unit) in _TIMED
    if case.trust is not None and case.trust.crowded and timed:
        state, why = Held.NOT_JUDGED, f"{case.trust.crowded}: times are not judged"
    at_best = figure.best if figure.best != figure.value else None
    return replace(
        unjudged, held=state, why=why, value=figure.value, at_best=at_best, evidence=f"{figure.text}; {_proof(case)}",
        next_command=f"{command} --launches 5",
    )


def _figure(requirement: Requirement, metric: _Metric, case: CaseAssessment) -> _Figure | str:
    """The measured figure, or why there is none."""
    name, _, at = requirement.metric.partition("/")
    own = [metric for metric in case.metrics if metric.name == name and (not at or str(metric.at) == at)]
    places = [str(metric.at) for metric in case.metrics if metric.name == name and metric.at is not None]
    if not own and at and places:
        return f"{name} was measured at {', '.join(places)}, not at {at}"
    if not own and at and any(metric.name == name for metric in case.metrics):
        raise TenkenError(f"clause {requirement.clause}: {name} of {requirement.case} has one value; leave out /{at}.")
    if len(own) > 1 and not requirement.pick:
        raise TenkenError(
            f"clause {requirement.clause}: {name} of {requirement.case} has {len(own)} values; name one, such as "
            f"metric = \"{name}/{places[-1]}\", or write pick = \"best\" or \"worst\"."
        )
    impossible = next((axis for axis in case.axes if axis.axis is Axis.SPEED and axis.verdict is Verdict.INVALID), None)
    if impossible is not None:
        return impossible.reason
    measured = [metric for metric in own if metric.value is not None]
    if not measured or (requirement.pick == "worst" and len(measured) < len(own)):
        return f"no figure: {case.reason}"
    scale = units.factor(metric.unit) / units.factor(requirement.unit)
    higher = metric.better == "higher"
    choose = max if higher == (requirement.pick != "worst") else min
    value = choose(scale * _given(launch.value) for launch in measured)
    best = choose(scale * _given(launch.value if launch.at_best is None else launch.at_best) for launch in measured)
    recorded = metric.quantity.startswith("value:") and case.trust is not None and case.trust.disturbed
    bounded = not (recorded and units.dimension(metric.unit) in _TIMED)
    chosen = next(launch for launch in measured if scale * _given(launch.value) == value)
    return _Figure(value, best, bounded, _statistic(chosen, scale, requirement.unit))


def _given(value: float | None) -> float:
    assert value is not None
    return value


def _statistic(metric: MetricSummary, scale: float, unit: str) -> str:
    spread = f", MAD {units.quantity(scale * metric.mad, unit, 3)}" if metric.mad is not None and metric.launches > 1 else ""
    place = "" if metric.at is None else f" at {metric.at}"
    return f"median of {plural(metric.launches, 'launch')}{spread}{place}"


def _against(requirement: Requirement, metric: _Metric, figure: _Figure) -> tuple[Held, str]:
    def keeps(value: float) -> bool:
        return value >= requirement.limit if metric.better == "higher" else value <= requirement.limit

    value, limit = (units.quantity(amount, requirement.unit) for amount in (figure.value, requirement.limit))
    if value == limit and figure.value != requirement.limit:  # no four digits tell them apart
        value = units.quantity(figure.value, requirement.unit, 12)
    promised = f"promised {'at least' if metric.better == 'higher' else 'at most'} {limit}"
    if keeps(figure.value):
        return Held.MET, f"{value}, {promised}"
    if not figure.bounded:
        return Held.NOT_JUDGED, f"{value}, {promised}; other load was present, its effect is unknown"
    if keeps(figure.best):
        could = hidden(abs(figure.best / figure.value - 1) if figure.value else inf)
        return Held.NOT_JUDGED, f"{value}, {promised}: other load can explain {could}"
    without = f"; without other load at best {units.quantity(figure.best, requirement.unit)}"
    return Held.UNMET, f"{value}, {promised}{without if figure.best != figure.value else ''}"


def _doubt(case: CaseAssessment, metric: _Metric, drill: bool) -> str:
    """Why a limit that is met proves nothing; "" where it does."""
    validity = next((axis for axis in case.axes if axis.axis is Axis.VALIDITY), None)
    unfinished = [launch for launch in case.launches if launch.status != "done"]
    if drill or case.fault:
        return "a fault was injected (drill)" if case.fault else "its sitting was named (drill)"
    if validity is None or validity.verdict is Verdict.NOT_JUDGED:
        return "the answer is not proved"
    if validity.verdict is Verdict.ERROR:
        return validity.reason
    return f"{plural(len(unfinished), 'launch')} of {len(case.launches)} did not finish" if unfinished else ""


def _proof(case: CaseAssessment) -> str:
    """How the answer was proved, and the verdict of the case where it is not OK."""
    good, every = sum(validity_result.holds for validity_result in case.validity), len(case.validity)
    proof = f"{good} of {plural(every, 'proof')} passed" if every else "no proof"
    return proof + ("" if case.verdict is Verdict.OK else f"; {case.id} is {case.verdict.value}")
