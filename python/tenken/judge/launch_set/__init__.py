"""A launch set as it stands alone: is it right, how fast is it for its node, and can its timings be trusted?

The door of its package: other packages import only the names listed here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tenken.base.words import plural
from tenken.judge.common import Prepared, finding, trusted
from tenken.judge.launch_set.ceilings import Roofs, roofs
from tenken.judge.launch_set.figures import bands_of, best_of_sweep, metrics_of
from tenken.judge.launch_set.providers import disagreements, offers_of, pages_refused, with_known
from tenken.judge.launch_set.speed import ceilings_of, following_clock, impossible_rates, judge_speed
from tenken.judge.launch_set.tables import assess_counters, assess_tables
from tenken.judge.launch_set.trusting import Trust, judge_trust
from tenken.model.assessment import (
    AxisResult, CountersAssessment, Finding, MetricSummary, SectionSummary, TableAssessment, Trusted, Where,
)
from tenken.model.machine import Band, Machine, Offer
from tenken.model.run import OVERSUBSCRIBED, CaseRun, Launch, RankState, rank_with_fewest
from tenken.model.verdict import Axis, Verdict

__all__ = [
    "LaunchSet", "Timed", "best_of_sweep", "disagreements", "following_clock", "judge_launch_set", "offers_of", "pages_refused",
    "with_known",
]
_HOW = {"hung": "hung until its time-out", "slow": "was too slow for its time-out"}


@dataclass(frozen=True, slots=True)
class Timed:
    """Of right answers on cores of their own."""

    speed: AxisResult
    speed_findings: tuple[Finding, ...]
    trust: Trust


@dataclass(frozen=True, slots=True)
class LaunchSet:
    """The judgement of a launch set alone."""

    validity: AxisResult
    findings: tuple[Finding, ...]  # of its answers: failures, broken proofs, impossible rates
    timed: Timed | tuple[AxisResult, ...]  # in its place the axes after validity, none judged
    forbidden: bool  # no rate may be shown
    sections: tuple[SectionSummary, ...]
    metrics: tuple[MetricSummary, ...]
    tables: tuple[TableAssessment, ...]
    counters: CountersAssessment | None
    trust: Trusted | None  # None where nothing was measured
    micro_benchmark: bool


def judge_launch_set(case: Prepared, offers: tuple[Offer, ...], machine: Machine, bands: tuple[Band, ...]) -> LaunchSet:
    """`offers`: ceilings that checks measured; `bands`: absolute expectations of micro-benchmarks."""
    roof = roofs(case, offers, machine)
    short = _fewer_threads(case)
    impossible = impossible_rates(case, roof) if case.valid and not case.crowded and not short else []
    forbidden = not case.valid or bool(impossible) or bool(short)
    sections = tuple(_finish_section(section, case, roof, forbidden) for section in case.sections)
    fitting = bands_of(case, roof, machine, bands)
    metrics = metrics_of(case, roof, fitting, forbidden)
    trust = _trusted(case, machine) if case.measured else None
    if trust is not None and trust.disturbed:
        metrics = tuple(replace(metric, disturbed=not metric.quantity.startswith("value:")) for metric in metrics)
    failures = [*failure_findings(case.case_run), *case.own_failures]
    timed: Timed | tuple[AxisResult, ...]
    if trust is None:
        timed = _unjudged(_why_unmeasured(case))
    elif short:
        timed = _unjudged("fewer threads ran than requested")
    elif forbidden:
        timed = _unjudged("the answer is wrong" if not case.valid else "the measurement is impossible")
        if impossible:
            timed = (AxisResult(Axis.SPEED, Verdict.INVALID, impossible[0].what), *timed[1:])
    elif case.strangers:
        timed = tuple(replace(axis, ground=True) for axis in _unjudged(_not_probed(case.strangers)))
    elif case.crowded:
        timed = _unjudged(f"{case.crowded}: times are not judged")
    else:
        speed, findings = case.own.on(Axis.SPEED) or judge_speed(case, sections, metrics, roof, fitting)
        timed = Timed(speed, tuple(findings), judge_trust(case, trust, machine))
    return LaunchSet(
        validity=AxisResult(Axis.VALIDITY, Verdict.ERROR, short[0].what) if short else _validity_axis(case, failures),
        findings=(*failures, *short) if short else (*failures, *case.validity_findings, *impossible),
        timed=timed,
        forbidden=forbidden,
        sections=sections,
        metrics=metrics,
        tables=assess_tables(case.measured, wrong=forbidden),
        counters=assess_counters(case.measured, case.case_run.check, roof.uncached, forbidden),
        trust=trust,
        micro_benchmark=bool(fitting),
    )


def _trusted(case: Prepared, machine: Machine) -> Trusted:
    """The counters of its launches; more threads than cores may also be those of the plan."""
    trust = trusted(case.measured, machine)
    return replace(trust, oversubscribed=trust.oversubscribed or case.crowded == OVERSUBSCRIBED)


def _finish_section(section: SectionSummary, case: Prepared, roof: Roofs, forbidden: bool) -> SectionSummary:
    if forbidden:
        return replace(section, flop_rate=None, byte_rate=None)
    if case.crowded:
        return section
    return replace(section, ceilings=ceilings_of(section, case, roof))


def _validity_axis(case: Prepared, failures: list[Finding]) -> AxisResult:
    if failures and case.valid:
        return AxisResult(Axis.VALIDITY, Verdict.ERROR, failures[0].what)
    if not case.measured:
        return AxisResult(Axis.VALIDITY, Verdict.NOT_JUDGED, _why_unmeasured(case), ground=True)
    return case.validity


def _fewer_threads(case: Prepared) -> list[Finding]:
    """An ERROR where fewer threads ran than requested: neither answer nor time says anything about the node then."""
    short = [(each, fewest) for each in case.measured if (fewest := rank_with_fewest(each.record)) is not None]
    if not short:
        return []
    measured, (rank, ran) = short[0]
    asked = measured.record.threads
    return [
        finding(
            Axis.VALIDITY,
            Verdict.ERROR,
            case.case_run.case.id,
            f"{ran} of {plural(asked, 'thread')} ran on rank {rank.rank} ({rank.host}): a variable such as OMP_THREAD_LIMIT or a "
            "system limit prevented the others; remove the limit and rerun",
            f"seen in {len(short)} of {plural(len(case.measured), 'launch')}",
            measured=float(ran),
            expected=float(asked),
            unit="threads",
            where=Where(host=rank.host, rank=rank.rank, launch=measured.launch.number),
            launches=1,
        )
    ]


def _not_probed(hosts: tuple[str, ...]) -> str:
    names = ", ".join(hosts[:4]) + (", ..." if len(hosts) > 4 else "")
    return f"ranks ran on {names}, which were not probed, so expected values are missing; start the run with --nodes"


def _why_unmeasured(case: Prepared) -> str:
    run = case.case_run
    if run.lacking is not None:
        return run.lacking
    starved = [launch for launch in run.launches if launch.status == "starved"]
    if starved:
        return f"launch {starved[-1].number} was ended: {starved[-1].reason}"
    states = [launch.status for launch in run.launches]
    if "interrupted" in states:
        return "interrupted before a launch was finished"
    return "no launch was finished" if any(state != "planned" for state in states) else "never launched"


def _unjudged(reason: str) -> tuple[AxisResult, ...]:
    """The axes after validity, none judged, in their order."""
    unjudged = (Axis.SPEED, Axis.CHANGE, Axis.BALANCE, Axis.STEADINESS, Axis.TRUST)
    return tuple(AxisResult(axis, Verdict.NOT_JUDGED, reason) for axis in unjudged)


def failure_findings(case_run: CaseRun) -> list[Finding]:
    """An ERROR for each launch that failed, with where its ranks were, and for each refused record. A launch without a free
    processor accuses nobody."""
    total = plural(len(case_run.launches), "launch")
    findings = []
    if case_run.check.problem is not None:
        sentence = f"the check is broken: {case_run.check.problem}"
        findings.append(finding(Axis.VALIDITY, Verdict.ERROR, case_run.case.id, sentence, "nothing was launched", launches=1))
    for launch in case_run.launches:
        if launch.status in ("crashed", "hung", "slow", "refused"):
            lagging = _furthest_behind(launch.ranks)
            findings.append(
                finding(
                    Axis.VALIDITY,
                    Verdict.ERROR,
                    case_run.case.id,
                    _sentence(launch),
                    f"launch {launch.number} of {total}",
                    section=lagging.section if lagging else None,
                    where=Where(
                        host=lagging.host if lagging else None,
                        rank=lagging.rank if lagging else None,
                        section=lagging.section if lagging else None,
                        launch=launch.number,
                    ),
                    launches=1,
                )
            )
    for sentence in case_run.unreadable:
        findings.append(finding(Axis.VALIDITY, Verdict.ERROR, case_run.case.id, sentence, f"one of {total}", launches=1))
    return findings


def _sentence(launch: Launch) -> str:
    reason = launch.reason or (launch.last_lines[-1] if launch.last_lines else "")
    if launch.status == "refused":
        return f"launch {launch.number} refused to start: {reason or f'exit code {launch.returncode}'}"
    how = _HOW.get(launch.status, "crashed")
    if launch.status == "crashed" and (launch.signal or launch.returncode is not None):
        how += f" ({launch.signal})" if launch.signal else f" (exit code {launch.returncode})"
    sentence = f"launch {launch.number} {how}" + (f": {reason}" if reason else "")
    places = _places(launch.ranks)
    return f"{sentence}; {places}" if places else sentence


def _places(ranks: tuple[RankState, ...]) -> str:
    """Where the ranks were, those that were in the same place together: at most three places, rarest first."""
    groups: dict[str, list[RankState]] = {}
    for rank in ranks:
        place = f"{rank.state} in {rank.section}" if rank.section else rank.state
        groups.setdefault(f"{place}, repetition {rank.repetitions} of {rank.planned_repetitions}", []).append(rank)
    rarest = sorted(groups.items(), key=lambda group: len(group[1]))[:3]
    return "; ".join(f"{_who(members)} {place}" for place, members in rarest)


def _who(members: list[RankState]) -> str:
    if len(members) == 1:
        return f"rank {members[0].rank} ({members[0].host})"
    if len(members) <= 4:
        return f"ranks {', '.join(str(rank.rank) for rank in members)}"
    return f"{len(members)} ranks"


def _furthest_behind(ranks: tuple[RankState, ...]) -> RankState | None:
    behind = [rank for rank in ranks if rank.state != "done"]
    return min(behind, key=lambda rank: rank.repetitions) if behind else None
