"""Wrong halos with their place: rank, neighbour, route, plane and whether the values are of an earlier sample."""

from __future__ import annotations

from collections.abc import Iterator

from tenken.judge.common import finding, plural
from tenken.judge.repeated import MOST_NAMED, rows_of_ranks
from tenken.model.assessment import Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.record import Record
from tenken.model.verdict import Axis, Verdict

HALOS = "halos"  # proof
PLANES, SIDES = ("xy", "xz", "yz"), ("lower", "upper")


def judge(of: ToJudge) -> OwnJudgement:
    """The ranks whose halos are wrong."""
    wrong = tuple(_wrong(of))
    return OwnJudgement(findings=wrong, explained=(HALOS,) if wrong else ())


def _route(record: Record, way: int) -> str:
    """The name of a way, as the table of times has it: a route, xz_ROUTE alone, or both_ROUTE for two planes at once."""
    names = next((table.columns for table in record.tables if table.name == "exchange_times"), ())
    return names[way] if 0 <= way < len(names) else "unknown"


def _wrong(of: ToJudge) -> Iterator[Finding]:
    """In the first launch where there are some."""
    for each in of.measured:
        rows = list(rows_of_ranks(each.record, "wrong_halos"))
        for host, rank, row in rows[:MOST_NAMED]:
            values, way, face, side, place, neighbour, late = map(int, row)
            what = f"of {plural(late, 'sample')} before" if late > 0 else "of no earlier sample"
            sentence = (f"wrong answer: rank {rank} on {host} got {plural(values, 'wrong value')} in all; the first by route "
                        f"{_route(each.record, way)} from rank {neighbour}, plane {PLANES[face]}, {SIDES[side]} halo, "
                        f"value {place}: {what}")
            if len(rows) > MOST_NAMED:
                sentence += f"; {len(rows)} ranks have wrong values"
            yield finding(Axis.VALIDITY, Verdict.INVALID, of.case.id, sentence,
                          f"every value of every halo compared; launch {each.launch.number} of {len(of.measured)}",
                          measured=float(values), expected=0.0, where=Where(host=host, rank=rank, launch=each.launch.number))
        if rows:
            return
