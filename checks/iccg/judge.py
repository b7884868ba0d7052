"""What the study of synchronisation tells as a whole: counted directives beside the paper's, and where their cost is 5 %."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from statistics import median

from tenken.model.judgement import StudyTold, StudyToTell, ToJudge
from tenken.model.record import Table
from tenken.model.study import StudyTable

STUDY, TABLE, PAPER = "sync", "directives", ", paper"
ROWS, COSTS = "rows_a_thread", "sync_costs"  # values of the record; COSTS: of baseline over the last variant, in percent
NOTED = 5.0
NOTE = "the paper's text adds a wait to each reduction; its sum 5 + 3 + 35 = 43 and this check omit three"


def tell(of: StudyToTell) -> StudyTold:
    if of.study.name != STUDY:
        return StudyTold()
    tables = [table for point in of.points for each in point.measured for table in each.record.tables if table.name == TABLE]
    return StudyTold(tuple(_directives(tables)), tuple(_crossing(of.points)))


def _directives(tables: Sequence[Table]) -> list[StudyTable]:
    """Counts of an iteration; where the paper has another one it stands in brackets."""
    if not tables or any(table != tables[0] for table in tables) or tables[0].values is None:
        return []
    first, values = tables[0], tables[0].values
    variants = [column for column in first.columns if not column.endswith(PAPER)]
    rows, different = [], 0
    for label, row in zip(first.rows, values, strict=True):
        cells = dict(zip(first.columns, row, strict=True))
        pairs = [(cells[variant], cells[variant + PAPER]) for variant in variants]
        different += sum(counted != paper for counted, paper in pairs)
        rows.append((label, *(f"{counted:.0f}" + (f" ({paper:.0f})" if counted != paper else "") for counted, paper in pairs
                              if counted is not None and paper is not None)))
    count = len(rows) * len(variants)
    same = f"all {count} as in" if not different else f"{different} of {count} unlike (in brackets)"
    title = f"directives of an iteration at 12 colours, counted in {len(tables)} launches: {same} the paper's table 2"
    return [StudyTable(title, ("", *variants), tuple(rows), NOTE)]


def _crossing(points: Sequence[ToJudge]) -> list[str]:
    """Rows a thread where the cost falls through 5 %, between two sizes on logarithmic scales."""
    known = sorted((rows, cost) for point in points
                   if (rows := _value(point, ROWS)) is not None and (cost := _value(point, COSTS)) is not None)
    if not known:
        return []
    ends = f"{known[0][1]:.3g} % at {known[0][0]:.0f}, {known[-1][1]:.3g} % at {known[-1][0]:.0f}"
    for (rows, cost), (more, less) in zip(known, known[1:], strict=False):
        if cost >= NOTED > less:
            at = rows * (more / rows) ** (log(cost / NOTED) / log(cost / max(less, 0.01)))
            return [_sentence(f"{at:.0f}", ends)]
    return [_sentence(f"{'more' if known[-1][1] >= NOTED else 'fewer'} than were measured", ends)]


def _sentence(where: str, ends: str) -> str:
    return f"rows a thread at which synchronising costs {NOTED:.0f} %: {where} ({ends})"


def _value(point: ToJudge, name: str) -> float | None:
    found = [value.value for each in point.measured for value in each.record.values if value.name == name]
    return median(found) if found else None
