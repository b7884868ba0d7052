"""Which rank begins late, whose bytes are wrong, and does the network take part in a reduction of one element?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, log2
from statistics import median

import numpy as np

from tenken.judge.common import digits, distances, duration, finding, percent, plural, unlike
from tenken.model.assessment import AxisResult, Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.record import Record, Table
from tenken.model.verdict import Axis, Verdict

LATE_US = 0.5  # later than the others, in most operations: clock readings and their loop take a tenth of it
MOST = 2 / 3
DELAYED, DELAYED_US = 1.5, 2.0  # times, and us beyond a round trip a level of a tree, more than others that come last
MOST_NAMED = 4
FEWEST_NODES = 4  # below, messages need no more steps than a network that adds up by itself
FASTER = 0.8  # of the least that messages would need
ONE_ELEMENT = 4  # bytes
PROOFS = ("bcast", "allreduce", "reduce", "allgatherv", "alltoall", "neighbour", "card_allreduce", "card_alltoall")

Medians = dict[tuple[str, int], dict[int, float]]  # host, rank -> by column
Ranks = dict[tuple[str, int, int], list[float]]  # host, rank, processor -> a figure of each launch


def judge(of: ToJudge) -> OwnJudgement:
    """Balance is who begins late; what is wrong gets the name of the rank; steadiness only where launches met unlike modes."""
    records = [each.record for each in of.measured]
    wrong = _wrong(of.case.id, records)
    balance, late = _balance(of, records)
    modes = _unlike_modes(records)
    steadiness = () if modes is None else (AxisResult(Axis.STEADINESS, Verdict.NOT_JUDGED, modes, ground=True),)
    broken = {proof.name for record in records for proof in record.validity if not proof.value <= proof.limit}
    explained = tuple(name for name in PROOFS if name in broken and wrong)
    return OwnJudgement(axes=(balance, *steadiness), findings=(*wrong, *late), explained=explained)


def _unlike_modes(records: Sequence[Record]) -> str | None:
    trips = unlike(distances(records))
    if trips is None:
        return None
    return (f"a round trip from the first to a far rank took {digits(trips[0])} to {digits(trips[1])} ns, "
            "probed around launches; figures of different modes are not compared")


def _rows(tables: Iterable[Table]) -> list[tuple[tuple[str, int, int], tuple[float | None, ...]]]:
    """Rows of tables whose labels are HOST/RANK/PROCESSOR; others are passed over."""
    found = []
    for table in tables:
        for label, row in zip(table.rows, table.values or (), strict=False):
            host, *numbers = label.rsplit("/", 2)
            if len(numbers) == 2 and all(number.isascii() and number.isdigit() for number in numbers):
                found.append(((host, int(numbers[0]), int(numbers[1])), row))
    return found


def _tables(records: Sequence[Record], name: str) -> list[Table]:
    return [table for record in records for table in record.tables if table.name == name]


def _name(rank: tuple[str, int, int], records: Sequence[Record]) -> str:
    card = next((one.card.id for one in records[0].rank if one.rank == rank[1] and one.card is not None), None)
    return f"rank {rank[1]} (processor {rank[2]} of {rank[0]}{'' if card is None else f', card {card}'})"


def _place(records: Sequence[Record]) -> str:
    """Where the first wrong word was, on cards; else ""."""
    for rank, cells in _rows(_tables(records, "wrong_place")):
        numbers = [int(cell) for cell in cells if cell is not None and np.isfinite(cell)]
        if len(numbers) == 2 and numbers[0] > 0:
            where = f"word {numbers[1]} of an operation of {plural(numbers[0], 'byte')}"
            return f"; on {_name(rank, records)} the first is {where}"
    return ""


def _wrong(case_id: str, records: Sequence[Record]) -> list[Finding]:
    """The rank that gave wrong bytes, else the one that has them."""
    given: Ranks = {}
    got: Ranks = {}
    for rank, row in _rows(_tables(records, "wrong")):
        for cells, cell in zip((given, got), row, strict=False):
            if cell is not None and cell > 0:
                cells.setdefault(rank, []).append(cell)
    for cells, words in ((given, "sent wrong bytes"), (got, "has wrong bytes in its results")):
        if not cells:
            continue
        rank, counts = max(cells.items(), key=lambda one: sum(one[1]))
        others = "" if len(cells) == 1 else f", and {plural(len(cells) - 1, 'other rank')} fewer"
        what = f"{_name(rank, records)} {words}: {digits(sum(counts))}{others}{_place(records)}"
        evidence = f"every result of {plural(len(records), 'launch')} compared with the sent data"
        return [finding(Axis.VALIDITY, Verdict.INVALID, case_id, what, evidence, measured=sum(counts), expected=0.0,
                        unit="B", where=Where(host=rank[0], rank=rank[1], cpu=rank[2]))]
    return []


def _balance(of: ToJudge, records: Sequence[Record]) -> tuple[AxisResult, list[Finding]]:
    offload = _offload(records)
    told = f"; {offload}" if offload else ""
    tables = _tables(records, "begun")
    columns = tables[0].columns if tables else ()
    seen, medians = _medians(tables)
    if len(medians) < 2:
        return AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, f"a single rank cannot be compared{told}"), []
    found = [one for rank, own in medians.items() if (one := _late(of.case.id, seen[rank], own, medians, columns, records))]
    found += _delayed(of.case.id, *_medians(_tables(records, "last")), records)
    found.sort(key=lambda one: -(one.measured or 0))
    if found:
        return AxisResult(Axis.BALANCE, Verdict.WARN, found[0].what), found[:MOST_NAMED]
    missed = [cell for _, row in _rows(_tables(records, "missed")) for cell in row if cell is not None]
    late = f", {percent(max(missed))} at most not ready and left out" if missed and max(missed) > 0 else ""
    return AxisResult(Axis.BALANCE, Verdict.OK, f"{len(medians)} ranks begin alike{late}{told}"), []


def _medians(tables: Sequence[Table]) -> tuple[dict[tuple[str, int], tuple[str, int, int]], Medians]:
    """Over launches, by host and rank: the rank with its processor in the first of them, and by column the figure."""
    columns = tables[0].columns if tables else ()
    cells: dict[tuple[str, int], dict[int, list[float]]] = {}
    seen: dict[tuple[str, int], tuple[str, int, int]] = {}
    for rank, row in _rows(table for table in tables if table.columns == columns):
        seen.setdefault(rank[:2], rank)
        for column, cell in enumerate(row):
            if cell is not None:
                cells.setdefault(rank[:2], {}).setdefault(column, []).append(cell)
    return seen, {rank: {column: median(each) for column, each in own.items()} for rank, own in cells.items()}


def _delayed(
    case_id: str, seen: dict[tuple[str, int], tuple[str, int, int]], medians: Medians, records: Sequence[Record],
) -> list[Finding]:
    """Ranks that need longer than the others inside of each call to which they come last.

    The root of a tree only sends then, and a leaf waits for an answer through all levels.
    """
    found = []
    trips = distances(records)
    least = DELAYED_US + (ceil(log2(max(len(medians), 2))) * median(trips) / 1000 if trips else 0.0)
    for key, own in medians.items():
        more = []
        for column, mine in own.items():
            others = [each[column] for other, each in medians.items() if other != key and column in each]
            if not others or mine - median(others) <= least or mine <= DELAYED * median(others):
                break
            more.append(mine - median(others))
        if not more or len(more) < len(own):
            continue
        rank, middle = seen[key], median(more)
        what = (f"{_name(rank, records)} is delayed inside of each call: {duration(1000 * middle)} more than "
                "other ranks that come last")
        found.append(finding(Axis.BALANCE, Verdict.WARN, case_id, what,
                             f"medians of {plural(len(records), 'launch')}; no rank waits for another there",
                             measured=middle, expected=0.0, unit="us", where=Where(host=rank[0], rank=rank[1], cpu=rank[2])))
    return found


def _late(
    case_id: str, rank: tuple[str, int, int], own: dict[int, float], medians: Medians,
    columns: Sequence[str], records: Sequence[Record],
) -> Finding | None:
    """A rank that enters most operations later than the others."""
    more = {}
    for column, mine in own.items():
        others = [each[column] for other, each in medians.items() if other != rank[:2] and column in each]
        if others and mine - median(others) > LATE_US:
            more[column] = mine - median(others)
    if len(more) <= MOST * len(own):
        return None
    middle = median(more.values())
    named = ", ".join(columns[column] for column in more)
    where = "in all operations" if len(more) == len(own) else f"in {len(more)} of {len(own)}: {named}"
    what = f"{_name(rank, records)} begins {duration(1000 * middle)} later than the other ranks, each time, {where}"
    # No band: medians of the moment at which a call is entered, to which no other rank adds.
    return finding(Axis.BALANCE, Verdict.WARN, case_id, what,
                   f"medians of {plural(len(records), 'launch')} over windows for which all ranks were ready",
                   measured=middle, expected=0.0, unit="us", where=Where(host=rank[0], rank=rank[1], cpu=rank[2]))


def _offload(records: Sequence[Record]) -> str:
    """A reduction of one element against a barrier, and whether messages could be so fast. "" where it was not measured."""
    sums = _completion(records, "window_allreduce", ONE_ELEMENT)
    barriers = _completion(records, "window_barrier", None)
    if sums is None or barriers is None:
        return ""
    start = f"allreduce of one element {digits(sums / barriers)} x a barrier"
    nodes = max((value.value for record in records for value in record.values if value.name == "nodes"), default=1)
    trips = distances(records)
    if nodes < FEWEST_NODES or not trips:
        return f"{start}: not offloaded as far as {plural(int(nodes), 'node')} can show"
    least = ceil(log2(nodes)) * median(trips) / 2
    floor = f"messages need at least {duration(least)} between {int(nodes)} nodes"
    if sums < FASTER * least:
        return f"{start}: offloaded, {duration(sums)} where {floor}"
    also = ", the barrier is" if barriers < FASTER * least else ""
    return f"{start}: not offloaded{also}, {duration(sums)} where {floor}"


def _completion(records: Sequence[Record], section: str, at: int | None) -> float | None:
    """ns until the last rank is done: median over repetitions, and over launches."""
    found = []
    for record in records:
        ids = {other.id for other in record.sections if other.of == section and other.at == at}
        last: dict[int, float] = {}
        for series in (one for one in record.series if one.section in ids):
            for repetition, calls, ns in zip(series.repetition, series.calls, series.ns, strict=True):
                if repetition >= 0 and calls > 0:
                    last[repetition] = max(last.get(repetition, 0.0), ns / calls)
        for summary in (summary for summary in record.summaries if summary.section in ids and summary.repetition != (-1,)):
            last |= dict(zip(summary.repetition, (summary.ns / np.maximum(summary.calls, 1)).tolist(), strict=True))
        if last:
            found.append(float(np.median(list(last.values()))))
    return median(found) if found else None
