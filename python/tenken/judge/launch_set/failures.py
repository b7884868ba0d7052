"""Launches that crashed, hung or were refused, and records that cannot be believed."""

from __future__ import annotations

from tenken.base.words import plural
from tenken.judge.common import finding
from tenken.model.assessment import Finding, Where
from tenken.model.run import CaseRun, Launch, RankState
from tenken.model.verdict import Axis, Verdict

_HOW = {"hung": "hung until its time-out", "slow": "was too slow for its time-out"}


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
