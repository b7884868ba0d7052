"""Loss and jitter by rank and node, before any maximum over ranks: does a single place lose time, or do all alike?

An interrupted rank makes others wait, and the maximum over ranks does not tell who it was: that is asked of each rank's own
samples in sections that compute. Time that other load took from a rank by the counters of the system is no loss of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, log

import numpy as np

from tenken.base.words import duration, percent, percents, plural
from tenken.judge.common import (
    WAITING, Prepared, counted_by, evidence, finding, isolating, jitter_limit, lost_by, own_unsteadiness,
    steady_sections, unsteadiness, weighs,
)
from tenken.judge.place.places import PEERS, Place, Placed, placed_alike
from tenken.model.assessment import AxisResult, Finding, SectionSummary, Where
from tenken.model.check import Check
from tenken.model.limits import DISTURBED, FEWEST_REPETITIONS, LOSES, LOSS, SHORT_NS, UNSTEADY_ERROR
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict
from tenken.stats.places import standing_out
from tenken.stats.robust import lost_time, of_rank, shares
from tenken.stats.space import Array

MOST_NAMED = 4  # places reported each by itself


@dataclass(frozen=True, slots=True)
class ByRank:
    """The sections of a case in which all ranks compute, and how steadily each of them did."""

    sections: tuple[str, ...]
    placed: Placed
    loss: Array  # (launches, sections and last all of them together, ranks)
    jitter: Array  # (launches, sections, ranks)
    limits: tuple[float, ...]  # of the jitter of each section


def judge_unsteady(case: Prepared, sections: tuple[SectionSummary, ...]) -> tuple[AxisResult, list[Finding]]:
    """Places that lose time or vary by themselves first; of the unsteady sections only those that these do not explain."""
    check = case.case_run.check
    axis, alike = judge_steadiness(case.case_run.case.id, check, sections)
    steady = steady_sections(sections, check)
    by_rank = by_rank_of(case, steady) if steady and case.measured else None
    if by_rank is None:
        return axis, alike
    places = losing(by_rank)
    findings = [_loss_finding(case, by_rank, place) for place in places]
    lossy = frozenset(rank for place in places for rank in place.ranks)
    varying = [place for place in _varying(by_rank) if not place.ranks <= lossy]
    findings += [_jitter_finding(case, by_rank, place) for place in varying]
    places += varying
    left = [_spread_over(finding, by_rank) for finding in alike if not _explained(finding, by_rank, sections, places)]
    findings = [*findings[:MOST_NAMED], *left]
    return (AxisResult(Axis.STEADINESS, Verdict.WARN, findings[0].what) if findings else axis), findings


def by_rank_of(case: Prepared, steady: tuple[SectionSummary, ...]) -> ByRank | None:
    """None where fewer than two ranks computed the same sections."""
    placed, launches = placed_alike(case.measured)
    known = [case.by_rank[i] for i in launches]
    worth = [
        section for section in steady
        if section.kind not in WAITING and len(placed.ranks) >= 2
        and all(section.path in each and each[section.path].ranks == placed.ranks for each in known)
    ]
    worth = [section for section in worth if all((each[section.path].rows.median > 0).all() for each in known)]
    if not worth:
        return None
    rows = [[each[section.path].rows for section in worth] for each in known]
    lost = np.array([_lost(case.measured[i], placed.ranks) for i in launches])
    taken = _taken(lost, np.array([[each[section.path].stretched for section in worth] for each in known]))
    seen = np.array([[rows.count * rows.median for rows in each] for each in rows])
    more = np.array([[rows.sum for rows in each] for each in rows]) - seen
    jitter = np.array([[rows.mad / rows.median for rows in each] for each in rows])
    met_load = lost[:, 0] > DISTURBED * seen.sum(axis=1)
    loss = lost_time(more, seen, taken)
    # The rest where load took more than that is its shadow: caches that it emptied, time that no counter has.
    loss = np.where(met_load[:, None] & (loss > 0) & (loss < shares(taken, seen)), 0.0, loss)
    return ByRank(
        tuple(section.path for section in worth), placed, loss, np.where(met_load[:, None], 0.0, jitter),
        tuple(jitter_limit(section, case.case_run.check) for section in worth),
    )


def _lost(measured: Measured, ranks: tuple[int, ...]) -> list[list[float]]:
    """Nanoseconds of each rank that other load took, and of it the part that the system counts."""
    by_rank = {rank.rank: rank for rank in measured.record.rank}
    return [[of(by_rank[rank], measured.record.threads) for rank in ranks] for of in (lost_by, counted_by)]


def _taken(lost: Array, longer: Array) -> Array:
    """The part of it that may lie beside the median of each section, last of all together: (launches, sections + 1, ranks).

    `lost` (launches, 2, ranks) as above; `longer` (launches, sections, ranks): time that another hardware thread may add to
    repetitions, which it stretches and never stops. Where it was lost nobody knows: all of it may have been in the
    section that is looked at.
    """
    total, counted = lost[:, :1], lost[:, 1:]
    longer = np.concatenate([longer, longer.sum(axis=1, keepdims=True)], axis=1)
    return np.asarray(counted + np.minimum(total - counted, longer))


def losing(of: ByRank) -> list[Place]:
    sections = len(of.sections)
    share = np.full(sections + 1, 0.5 / sections)
    share[-1] = 0.5
    least = np.full(sections + 1, log(1 + LOSS))
    least[-1] = log(1 + LOSES)
    levels = of.placed.levels
    guilty = standing_out(np.log1p(of.loss), levels, UNSTEADY_ERROR / 2 / max(len(levels), 1) * share, least, fewest=2)
    return sorted(map(of.placed.place, guilty), key=lambda place: -place.found.effect[-1])


def _varying(of: ByRank) -> list[Place]:
    levels = of.placed.levels
    share = np.full(len(of.sections), UNSTEADY_ERROR / 2 / max(len(levels), 1) / len(of.sections))
    guilty = standing_out(np.log1p(of.jitter), levels, share, np.log1p(of.limits), fewest=2)
    return sorted(map(of.placed.place, guilty), key=lambda place: -place.found.score)


def _figures_of(of: ByRank, place: Place, row: int, values: Array, least: float) -> tuple[float, float, float]:
    """Of the place, of an equal place, and the limit, in a row of `values` (launches, rows, ranks)."""
    inside = np.isin(of.placed.ranks, list(place.ranks))
    typical = 0.0 if inside.all() else max(float(np.median(of_rank(values[:, row][:, ~inside]))), 0.0)
    guilty, effect = place.found, place.found.effect[row]
    beyond_chance = effect * guilty.limit / guilty.score
    limit = least if beyond_chance < least < effect else beyond_chance
    return (1 + typical) * exp(effect) - 1, typical, (1 + typical) * exp(limit) - 1


def _loss_finding(case: Prepared, of: ByRank, place: Place) -> Finding:
    total = len(of.sections)
    row = total if total in place.found.rows else place.found.rows[0]
    section = None if row == total > 1 else of.sections[min(row, total - 1)]
    measured, typical, limit = _figures_of(of, place, row, of.loss, log(1 + (LOSES if row == total else LOSS)))
    where = "all compute sections together" if section is None else f"section {section}"
    sentence = (
        f"interruptions added {percent(measured)} to {where} on {place.name}; "
        f"on {_others(place)} {percent(typical)}"
    )
    return _finding(case, of, place, sentence, (measured, limit), "elapsed/(n x median) - 1", section)


def _jitter_finding(case: Prepared, of: ByRank, place: Place) -> Finding:
    row = place.found.rows[0]
    section = of.sections[row]
    measured, typical, limit = _figures_of(of, place, row, of.jitter, log(1 + of.limits[row]))
    sentence = (
        f"repetitions of section {section} vary by {percent(measured)} on {place.name} (MAD/median, limit "
        f"{percent(of.limits[row])}); on {_others(place)} by {percent(typical)}"
    )
    return _finding(case, of, place, sentence, (measured, limit), "MAD/median", section)


def _others(place: Place) -> str:
    kind, peers = PEERS[place.found.level], place.found.peers
    return f"the other {kind}" if peers == 2 else f"the others of {peers} equal {kind}s"


def _finding(
    case: Prepared, of: ByRank, place: Place, sentence: str, figures: tuple[float, float], unit: str, section: str | None
) -> Finding:
    several = len(set(of.placed.hosts)) > 1
    case_id = case.case_run.case.id
    return finding(
        Axis.STEADINESS,
        Verdict.WARN,
        case_id,
        sentence,
        f"samples rank by rank, median of {plural(of.loss.shape[0], 'launch')}",
        section=section or of.sections[int(np.argmax(place.found.effect[:len(of.sections)]))],
        measured=figures[0],
        expected=figures[1],
        band=(None, figures[1]),
        unit=unit,
        where=Where(host=place.host, rank=place.rank, numa=place.numa, section=section),
        next_command=isolating(case.run, case_id, without=(place.host,) if several else (), section=section),
    )


def _explained(finding: Finding, of: ByRank, sections: tuple[SectionSummary, ...], places: list[Place]) -> bool:
    """Whether places that are named account for at least half of it; who communicates waits for them."""
    section = next(each for each in sections if each.path == finding.section)
    if section.kind in WAITING:
        return bool(places)
    if not places or section.path not in of.sections:
        return False
    row = of.sections.index(section.path)
    named = np.isin(of.placed.ranks, [rank for place in places for rank in place.ranks])
    loss, jitter = (float(of_rank(values[:, row][:, named]).max()) for values in (of.loss, of.jitter))
    return 2 * loss >= section.loss if finding.measured == section.loss else 2 * jitter >= section.jitter


def _spread_over(finding: Finding, of: ByRank) -> Finding:
    """With the loss of single ranks: alike where it is everywhere, little where it meets now this rank and now that."""
    if finding.section not in of.sections or not finding.unit.startswith("elapsed"):
        return finding
    loss = of_rank(of.loss[:, of.sections.index(finding.section)])
    spread = percents(max(loss.min(), 0.0), max(loss.max(), 0.0))
    where = replace(finding.where, alike=f"all ranks alike ({spread})")
    return replace(finding, evidence=f"{finding.evidence}; by rank {spread}", where=where)


def waits_alone(section: SectionSummary) -> bool:
    """Whether a section of communication is over at once for the rank that comes last: the time of the others in it is their
    waiting, whose steadiness is that of the work before."""
    return section.kind == "comm" and len(section.ranks) > 1 and min(rank.median_ns for rank in section.ranks) < SHORT_NS


def judge_steadiness(case_id: str, check: Check, sections: tuple[SectionSummary, ...]) -> tuple[
    AxisResult, list[Finding]
]:
    eligible = [section for section in steady_sections(sections, check) if not waits_alone(section)]
    if not sections:
        return AxisResult(Axis.STEADINESS, Verdict.NOT_JUDGED, "no repetition was timed"), []
    if not eligible:
        return AxisResult(
            Axis.STEADINESS, Verdict.NOT_JUDGED,
            f"no section of {duration(SHORT_NS)} or more repeated at least {FEWEST_REPETITIONS} times",
        ), []
    unsteady = sorted(
        (
            section for section in eligible
            if unsteadiness(section, check) > 1.0 and weighs(section, max(section.loss, section.jitter))
        ),
        key=lambda section: -own_unsteadiness(section, check),
    )
    own = [section for section in unsteady if own_unsteadiness(section, check) > 1.0]
    if own:
        findings = [_section_finding(case_id, check, section) for section in own]
        return AxisResult(Axis.STEADINESS, Verdict.WARN, findings[0].what), findings
    if unsteady:
        sentence = _section_finding(case_id, check, unsteady[0]).what
        return AxisResult(
            Axis.STEADINESS, Verdict.NOT_JUDGED, f"{sentence} (other load can be the cause)", ground=True
        ), []
    loss, jitter = max(0.0, *(section.loss for section in eligible)), max(section.jitter for section in eligible)
    return AxisResult(Axis.STEADINESS, Verdict.OK, f"loss up to {percent(loss)}, jitter up to {percent(jitter)}"), []


def _section_finding(case_id: str, check: Check, section: SectionSummary) -> Finding:
    limit = jitter_limit(section, check)
    lossy = section.loss / LOSS >= section.jitter / limit
    if lossy:
        sentence = (
            f"interruptions added {percent(section.loss)} to section {section.path} (limit {percent(LOSS)}); "
            f"median {duration(section.median_ns)}"
        )
    else:
        sentence = (
            f"repetitions of section {section.path} vary by {percent(section.jitter)} (MAD/median, limit {percent(limit)}); "
            f"median {duration(section.median_ns)}"
        )
    return finding(
        Axis.STEADINESS,
        Verdict.WARN,
        case_id,
        sentence,
        evidence(section),
        section=section.path,
        measured=section.loss if lossy else section.jitter,
        expected=LOSS if lossy else limit,
        band=(None, LOSS if lossy else limit),
        unit="elapsed/(n x median) - 1" if lossy else "MAD/median",
        where=Where(section=section.path),
    )
