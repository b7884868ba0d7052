"""Is one communicator slower than the others of its axis? Compared by the members that the program recorded. And of studies of
grids and rank maps: the time of each class of messages.

The last rank that enters a collective call waits for no other rank. The least time over the ranks of a
communicator is therefore the time of the transfer, without the wait for a late rank. Of a broadcast the least
time is a lower bound: the rank that sends may leave before the others have the data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from statistics import median

from tenken.judge.common import digits, duration, finding, isolating, launch_sections, plural, rank_work
from tenken.judge.layouts import layouts
from tenken.model.assessment import Finding, SectionSummary, Where
from tenken.model.judgement import OwnJudgement, StudyTold, StudyToTell, ToJudge
from tenken.model.limits import SHORT_NS, SMALL_SHARE
from tenken.model.record import Record
from tenken.model.verdict import Axis, Verdict

TABLE = "communicators"
SECTIONS = {  # of each axis; the sum over a k-point and the sum over all ranks have no axis
    "columns": ("iteration/fft_inverse/alltoall1", "iteration/fft_direct/alltoall2"),
    "rows": ("iteration/fft_inverse/alltoall2", "iteration/fft_direct/alltoall1"),
    "waves": ("iteration/gs/allreduce", "iteration/gs/wsw_allreduce", "iteration/gs/w1sw2_allreduce"),
    "bands": ("iteration/gs/bcast1", "iteration/gs/bcast2", "iteration/subspace_bcast"),
}
WHOLE = "iteration"
SLOWER = 1.5  # times the median of the others: the paper's slow communicators took 10 times
# Repetitions of all launches: of cases whose repetitions scatter by 40 %, then 1 % show a slow communicator by chance.
FEWEST = 7
MOST_LAUNCHES = 0.5  # more than this part of the launches shows a slow communicator
MOST_NAMED = 4  # communicators, and ranks or hosts in a sentence

Members = dict[int, tuple[int, ...]]  # number of a communicator -> its ranks


@dataclass(frozen=True)
class Timed:
    """A communicator in a section of a launch, beside the others of its axis. Nanoseconds of a repetition."""

    ns: float  # least over its ranks of the medians
    low_ns: float  # exceeded in 9 of 10 repetitions of that rank
    hidden_ns: float  # of it, what other load may have added
    others_ns: float  # median of the others, longer where this communicator has more work
    others_high_ns: float  # the same: their times exceed it in 1 of 10 repetitions
    limit: float  # times others_ns
    short_ns: float  # a smaller difference is not worth a finding

    def slow(self, hidden_ns: float = 0.0) -> bool:
        ns = self.ns - hidden_ns
        long = ns > self.limit * self.others_ns and ns - self.others_ns > self.short_ns
        return long and self.low_ns > self.others_high_ns

    @property
    def surely(self) -> bool:
        return self.slow(self.hidden_ns)


@dataclass(frozen=True)
class Place:
    """A communicator in a section."""

    axis: str
    number: int
    ranks: tuple[int, ...]
    section: str


def judge(of: ToJudge) -> OwnJudgement:
    """Slow communicators beside the general judgement of balance, or why none was compared."""
    if all(each.record.ranks < 2 for each in of.measured):
        return OwnJudgement()
    timed: dict[Place, list[Timed]] = {}
    for each in of.measured:
        sections = {launch_section.path: launch_section for launch_section in launch_sections(each)}
        for place, time in _of_launch(each.record, sections, len(of.measured)):
            timed.setdefault(place, []).append(time)
    records = [each.record for each in of.measured]
    # By their times alone, ranks that wait together for others would look like a slow communicator.
    compared = tuple(section.path for section in records[0].sections if section.kind == "comm") if members(records[0]) else ()
    if not timed:
        return OwnJudgement(beside=_nothing_compared(records), compared=compared)
    launches = len(of.measured)
    slow = [_finding(of, place, times) for place, times in timed.items() if _often(times, launches)]
    slow.sort(key=lambda one: -(one.ratio or 0))
    return OwnJudgement(findings=tuple(slow[:MOST_NAMED]), beside=_alike(timed), compared=compared)


def _often(times: Sequence[Timed], launches: int) -> bool:
    return sum(time.slow() for time in times) > MOST_LAUNCHES * launches


def _alike(timed: Mapping[Place, Sequence[Timed]]) -> str:
    """The largest ratio of each axis."""
    largest: dict[str, float] = {}
    for place, times in timed.items():
        ratio = median(time.ns / time.others_ns for time in times)
        largest[place.axis] = max(largest.get(place.axis, 0.0), ratio)
    ratios = ", ".join(f"{digits(ratio)} ({axis})" for axis, ratio in largest.items())
    return f"communicators of an axis take up to {ratios} times the others"


def members(record: Record) -> dict[str, Members]:
    """The communicators of each axis; empty where the table is absent, cut off, or lacks ranks."""
    table = next((table for table in record.tables if table.name == TABLE), None)
    if table is None or table.values is None:
        return {}
    found: dict[str, dict[int, list[int]]] = {axis: {} for axis in SECTIONS}
    seen = set()
    for label, row in zip(table.rows, table.values, strict=True):
        rank = label.rpartition("/")[2]
        if not (rank.isascii() and rank.isdigit()):
            continue
        seen.add(int(rank))
        for axis, cell in zip(table.columns, row, strict=True):
            if axis in found and cell is not None and isfinite(cell):
                found[axis].setdefault(int(cell), []).append(int(rank))
    if len(seen) < record.ranks:
        return {}
    return {axis: {number: tuple(sorted(of[number])) for number in sorted(of)} for axis, of in found.items()}


def _nothing_compared(records: Sequence[Record]) -> str:
    table = next((table for record in records for table in record.tables if table.name == TABLE), None)
    if table is None:
        return f"communicators not compared: the record has no table {TABLE}"
    if table.values is None:
        return f"communicators not compared: the table {TABLE} is larger than a record may have"
    if not any(members(record) for record in records):
        return f"communicators not compared: the table {TABLE} lacks ranks"
    if any(len(of) > 1 for record in records for of in members(record).values()):
        return (f"communicators not compared: their sections have fewer than {FEWEST} repetitions "
                f"or take less than {duration(SHORT_NS)}")
    return "communicators not compared: no axis has two of them"


def _of_launch(
    record: Record, sections: Mapping[str, SectionSummary], launches: int,
) -> Iterator[tuple[Place, Timed]]:
    short_ns = max(SHORT_NS, SMALL_SHARE * sections[WHOLE].median_ns) if WHOLE in sections else SHORT_NS
    for axis, of_axis in members(record).items():
        for path in SECTIONS[axis]:
            section = sections.get(path)
            if len(of_axis) < 2 or section is None or section.once or not isfinite(section.imbalance_limit):
                continue
            if section.repetitions * launches < FEWEST:
                continue
            for number, time in _compare(of_axis, section, _work(record, path), short_ns).items():
                yield Place(axis, number, of_axis[number], path), time


def _work(record: Record, path: str) -> Mapping[int, float]:
    """Bytes of each rank, else its calls: a group of ranks with more k-points has more of both."""
    work = rank_work(record, path)
    if any(work.values()) or record.summaries:
        return work
    ids = {section.id for section in record.sections if section.path == path}
    return {one.rank: float(sum(one.calls)) for one in record.series if one.section in ids}


def _compare(
    of_axis: Members, section: SectionSummary, work: Mapping[int, float], short_ns: float,
) -> dict[int, Timed]:
    """Communicators with all their ranks and some work, each against the median of the others."""
    by_rank = {rank.rank: rank for rank in section.ranks}
    least = {
        number: min((by_rank[rank] for rank in ranks), key=lambda one: one.median_ns)
        for number, ranks in of_axis.items() if all(rank in by_rank for rank in ranks)
    }
    load = {number: sum(work.get(rank, 0.0) for rank in of_axis[number]) for number in least}
    found = {}
    for number, own in least.items():
        others = [other for other in least if other != number]
        if not others or min(load[number], *(load[other] for other in others)) <= 0:
            continue
        more = max(load[number] / median(load[other] for other in others), 1.0)
        normal = more * median(least[other].median_ns for other in others)
        high = more * median(least[other].high_ns for other in others)
        if normal > 0 and max(own.median_ns, normal) > SHORT_NS:
            limit = max(SLOWER, section.imbalance_limit)
            found[number] = Timed(own.median_ns, own.low_ns, own.hidden_ns, normal, high, limit, short_ns)
    return found


def _finding(of: ToJudge, place: Place, times: Sequence[Timed]) -> Finding:
    hosts_of = {rank.rank: rank.host for rank in of.measured[0].record.rank}
    hosts = tuple(dict.fromkeys(hosts_of.get(rank, "?") for rank in place.ranks))
    elsewhere = {host for rank, host in hosts_of.items() if rank not in place.ranks}
    apart = len(hosts) <= 16 and not elsewhere.intersection(hosts)
    ns = median(time.ns for time in times)
    others = median(time.others_ns for time in times)
    ranks = f"{_named('rank', place.ranks)} on {_some(hosts)}"
    what = (f"communicator {place.number} of axis {place.axis} (counted from 0; {ranks}) takes {duration(ns)} in "
            f"{place.section}, {digits(ns / others)} times the others of this axis ({duration(others)})")
    # Without a band where other load cannot explain the time; else the rule for all findings decides.
    sure = sum(time.surely for time in times) > MOST_LAUNCHES * len(times)
    return finding(
        Axis.BALANCE, Verdict.WARN, of.case.id, what,
        f"least time over the ranks, without waits for late ranks; median of {plural(len(times), 'launch')}",
        section=place.section, measured=ns / others, expected=1.0,
        band=(None, None if sure else median(time.limit for time in times)), unit="slow/equal peers",
        where=Where(host=hosts[0] if len(hosts) == 1 else None, section=place.section),
        next_command=isolating(of.run, of.case.id, without=hosts if apart else (), section=place.section),
    )


def _named(word: str, numbers: Sequence[int]) -> str:
    """"ranks 4 to 7" where consecutive."""
    first, last = numbers[0], numbers[-1]
    if len(numbers) > 2 and last - first == len(numbers) - 1:
        return f"{word}s {first} to {last}"
    return f"{word}s {_some(numbers)}"


def _some(things: Sequence[object]) -> str:
    if len(things) > MOST_NAMED:
        return f"{', '.join(map(str, things[:MOST_NAMED]))} and {len(things) - MOST_NAMED} more"
    return " and ".join(filter(None, (", ".join(map(str, things[:-1])), str(things[-1]))))


def tell(of: StudyToTell) -> StudyTold:
    """Times of alltoall, allreduce and broadcast by layout of the ranks, the fastest layout, and maps that are alike."""
    if of.study.name == "grid":
        return layouts(of, launch_sections, WHOLE, ("grid",), lambda point: ("x".join(map(str, point.case.parameters["grid"])),))
    if of.study.name != "maps":
        return StudyTold()
    by_map = layouts(of, launch_sections, WHOLE, ("rank_map", "neighbours share"),
                   lambda point: (point.case.parameters["rank_map"], _neighbours(point)))
    notes = list(by_map.notes)
    for ranks, maps in _same_places(of.points):
        if len(maps) == sum(point.case.ranks == ranks for point in of.points):  # then no map can be the fastest
            notes = [note for note in notes if not note.startswith(f"{plural(ranks, 'rank')}:")]
        notes.append(f"{plural(ranks, 'rank')}: with the maps {', '.join(maps)} the same places share each communicator; "
                     "chance or other load explains their times")
    return replace(by_map, notes=tuple(notes))


def _same_places(points: Sequence[ToJudge]) -> Iterator[tuple[int, list[str]]]:
    """Ranks and maps with which the same places share each communicator."""
    maps: dict[tuple[int, object], list[str]] = {}
    for point in points:
        if grouped := _places(point.measured[0].record):
            same = frozenset((axis, frozenset(of_axis)) for axis, of_axis in grouped.items())
            maps.setdefault((point.case.ranks, same), []).append(point.case.parameters["rank_map"])
    return ((ranks, alike) for (ranks, _), alike in maps.items() if len(alike) > 1)


def _places(record: Record) -> dict[str, set[frozenset[int]]]:
    """Places, as the launcher numbers them, of the ranks of each communicator of an axis; empty where they are not recorded."""
    place = {one.rank: one.place for one in record.rank if one.place is not None}
    if len(place) < record.ranks:
        return {}
    return {axis: {frozenset(place[rank] for rank in ranks) for ranks in of.values()} for axis, of in members(record).items()}


def _neighbours(point: ToJudge) -> str:
    """The axes along which the launcher's first two ranks differ."""
    grouped = _places(point.measured[0].record)
    return " and ".join(axis for axis in ("bands", "waves") if any({0, 1} <= one for one in grouped.get(axis, ()))) or "no axis"
