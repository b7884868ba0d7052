"""Where: the nodes, NUMA domains and ranks that are slower than their equals, a finding for each."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

import numpy as np

from tenken.base.words import digits, percent, plural
from tenken.judge.common import finding, isolating, rank_work
from tenken.model.assessment import Finding, SectionSummary, Where
from tenken.model.limits import NOISIER, PLACE_EFFECT, PLACE_ERROR, SHORT_NS, SMALL_SHARE, UNEQUAL_WORK
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict
from tenken.stats.places import Guilty, Level, guilty, levels_of, noisier
from tenken.stats.space import Array, pair_limit

MOST_NAMED = 4  # findings of a level; more are joined
PEERS = {"node": "node", "numa": "NUMA domain", "rank": "rank"}  # in words


@dataclass(frozen=True, slots=True)
class Place:
    """`numa` and `rank` are None where all of them are meant."""

    host: str
    numa: int | None
    rank: int | None
    ranks: frozenset[int]  # all ranks on it
    found: Guilty

    @property
    def name(self) -> str:
        if self.rank is not None:
            return f"rank {self.rank} on {self.host}"
        return self.host if self.numa is None else f"NUMA domain {self.numa} of {self.host}"


@dataclass(frozen=True, slots=True)
class Placed:
    ranks: tuple[int, ...]  # ascending
    hosts: tuple[str, ...]  # of each rank
    numas: tuple[int, ...]

    @property
    def levels(self) -> list[Level]:
        _, node = np.unique(self.hosts, return_inverse=True)
        pairs = sorted(set(zip(self.hosts, self.numas, strict=True)))
        numa = [pairs.index(pair) for pair in zip(self.hosts, self.numas, strict=True)]
        return levels_of(node.astype(np.int64), np.array(numa, dtype=np.int64))

    def place(self, guilty: Guilty) -> Place:
        inside = next(np.flatnonzero(level.label == guilty.unit) for level in self.levels if level.name == guilty.level)
        first = int(inside[0])
        return Place(
            host=self.hosts[first],
            numa=self.numas[first] if guilty.level == "numa" else None,
            rank=self.ranks[first] if guilty.level == "rank" else None,
            ranks=frozenset(self.ranks[int(i)] for i in inside),
            found=guilty,
        )


def placed_alike(measured: tuple[Measured, ...]) -> tuple[Placed, list[int]]:
    """Host and NUMA domain of each rank as in the first launch, and the launches that placed all ranks so."""
    where = [{rank.rank: (rank.host, min(rank.numa, default=0)) for rank in each.record.rank} for each in measured]
    ranks = tuple(sorted(where[0]))
    placed = Placed(ranks, tuple(where[0][rank][0] for rank in ranks), tuple(where[0][rank][1] for rank in ranks))
    return placed, [i for i, placing in enumerate(where) if placing == where[0]]


@dataclass(frozen=True, slots=True)
class Grid:
    """The compute sections of a case that equal ranks spent alike, and where those ranks were."""

    sections: tuple[str, ...]
    placed: Placed
    ns: Array  # (launches, sections, ranks)
    repetitions: int


def judge_place(run: str, case_id: str, grid: Grid | None) -> tuple[list[Finding], frozenset[int]]:
    """Findings, and the ranks that they explain."""
    if grid is None:
        return [], frozenset()
    places = slow_places(grid)
    if not places:
        return _two_peers(run, case_id, grid), frozenset()
    findings = []
    for level in dict.fromkeys(place.found.level for place in places):
        of_level = sorted((place for place in places if place.found.level == level), key=lambda place: -place.found.score)
        groups = [of_level] if len(of_level) > MOST_NAMED else [[place] for place in of_level]
        findings += [_finding(run, case_id, grid, group) for group in groups]
    return findings, frozenset(rank for place in places for rank in place.ranks)


def grid_of(
    measured: tuple[Measured, ...], by_launch: tuple[tuple[SectionSummary, ...], ...],
    sections: tuple[SectionSummary, ...],
) -> Grid | None:
    """None where fewer than two ranks did equal work in a section worth looking at.

    A rank's host and NUMA domain are those of the first launch; launches that placed ranks otherwise are left out.
    """
    placed, launches = placed_alike(measured)
    worth = [
        section.path for section in sections
        if section.leaf and section.kind == "compute" and not section.once and section.share >= SMALL_SHARE
        and section.median_ns >= SHORT_NS and len(section.ranks) == len(placed.ranks) >= 2
        and _equal_work(measured[0], section.path)
    ]
    times = [{section.path: section for section in by_launch[i]} for i in launches]
    worth = [path for path in worth if all(path in time and min(_medians(time[path])) > 0 for time in times)]
    if not worth:
        return None
    return Grid(
        sections=tuple(worth),
        placed=placed,
        ns=np.array([[_medians(time[path]) for path in worth] for time in times]),
        repetitions=sum(time[worth[0]].repetitions for time in times),
    )


def slow_places(grid: Grid) -> list[Place]:
    return [grid.placed.place(slow) for slow in guilty(grid.ns, grid.placed.levels, PLACE_ERROR, log(PLACE_EFFECT))]


def noisier_words(grid: Grid | None) -> str:
    """Of nodes that are noisier than their class, in words: no fault by itself; "" where none is."""
    nodes = None if grid is None else next((level for level in grid.placed.levels if level.name == "node"), None)
    if grid is None or nodes is None:
        return ""
    noisy = sorted(noisier(grid.ns, nodes, NOISIER).items(), key=lambda pair: -pair[1])
    hosts = [grid.placed.hosts[int(np.argmax(nodes.label == unit))] for unit, _ in noisy]
    factors = [factor for _, factor in noisy]
    notes = [f"{host} varies {digits(factor)} times as much as equal nodes" for host, factor in zip(hosts, factors, strict=True)]
    left = len(notes) - MOST_NAMED
    return "; ".join(notes[:MOST_NAMED]) + (f", and {left} more" if left > 0 else "")


def _medians(section: SectionSummary) -> list[float]:
    return [rank_time.median_ns for rank_time in section.ranks]


def _equal_work(measured: Measured, path: str) -> bool:
    work = list(rank_work(measured.record, path).values())
    return not work or max(work) <= UNEQUAL_WORK * max(min(work), 1e-300) or max(work) == 0


def _finding(run: str, case_id: str, grid: Grid, group: list[Place]) -> Finding:
    worst = group[0]
    guilty = worst.found
    slowdown = exp(guilty.effect[-1])
    inside = sorted((row for row in range(len(grid.sections)) if row in guilty.rows), key=lambda row: -guilty.effect[row])
    most = inside[0] if inside else int(np.argmax(guilty.effect[:-1]))
    effect = max(guilty.effect[most], guilty.effect[-1])
    among = plural(guilty.peers, f"equal {PEERS[guilty.level]}")
    names = worst.name
    if len(group) > 1:
        names = f"{len(group)} of {guilty.peers} {PEERS[guilty.level]}s ({', '.join(place.name for place in group[:8])}"
        names += ", ...)" if len(group) > 8 else ")"
    sentence = f"{names} {'are' if len(group) > 1 else 'is'} slower than the others of {among}: "
    of_section = percent(exp(guilty.effect[most]) - 1)
    if len(grid.sections) == 1:
        sentence += f"{of_section} in {grid.sections[0]}"
    elif len(grid.sections) in guilty.rows and len(inside) != 1:  # the sum of all
        sentence += f"{percent(slowdown - 1)} in all compute sections together, most in {grid.sections[most]} ({of_section})"
        sentence += f", significant in {len(inside)} of {len(grid.sections)}" if inside else ""
    else:
        others = f" and {len(inside) - 1} more" if len(inside) > 1 else ""
        sentence += f"{of_section} in {grid.sections[most]}{others}, {percent(slowdown - 1)} in all {len(grid.sections)} together"
    evidence = (
        f"{digits(guilty.score)} standard errors, limit {digits(guilty.limit)}, equal peers differ by "
        f"{percent(guilty.spread)}; per-rank medians of {plural(grid.ns.shape[0], 'launch')}, "
        f"{plural(grid.repetitions, 'repetition')}"
    )
    section = grid.sections[most] if len(grid.sections) == 1 or len(inside) == 1 else None
    hosts = tuple(dict.fromkeys(place.host for place in group))
    several = len(set(grid.placed.hosts)) > 1
    return finding(
        Axis.BALANCE,
        Verdict.WARN,
        case_id,
        sentence,
        evidence,
        section=section or grid.sections[most],
        measured=exp(effect),
        expected=1.0,
        band=(None, max(exp(effect * guilty.limit / guilty.score), PLACE_EFFECT)),
        unit="slow/equal peers",
        where=Where(host=worst.host, rank=worst.rank, numa=worst.numa, section=section),
        next_command=isolating(run, case_id, without=hosts if several else (), section=section),
    )


def _two_peers(run: str, case_id: str, grid: Grid) -> list[Finding]:
    """Two nodes that differ: either is slow, and two nodes do not show which is slow."""
    nodes = sorted(set(grid.placed.hosts))
    if len(nodes) != 2:
        return []
    total = np.log(grid.ns.sum(axis=1))
    sides = [np.median(total[:, np.array(grid.placed.hosts) == node], axis=1) for node in nodes]
    difference = float(np.median(sides[1] - sides[0]))
    if abs(difference) <= max(pair_limit(PLACE_ERROR), log(PLACE_EFFECT)):
        return []
    slower = 1 if difference > 0 else 0
    return [
        finding(
            Axis.BALANCE,
            Verdict.WARN,
            case_id,
            f"{nodes[slower]} takes {percent(exp(abs(difference)) - 1)} longer than {nodes[1 - slower]} in all compute sections "
            "together: two nodes do not show which is slow; add a third",
            f"medians of {plural(grid.ns.shape[0], 'launch')}, {plural(grid.repetitions, 'repetition')}; equal peers "
            f"stay within {percent(exp(pair_limit(PLACE_ERROR)) - 1)}",
            measured=exp(abs(difference)),
            expected=1.0,
            band=(None, exp(pair_limit(PLACE_ERROR))),
            unit="slow/equal peers",
            where=Where(),
            next_command=isolating(run, case_id),
        )
    ]
