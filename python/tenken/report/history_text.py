"""A history in text: a sparkline and a table."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.base import units
from tenken.model.history import History, HistoryPoint
from tenken.report.plain import clip, plain
from tenken.report.table import table

_BLOCKS, _ASCII = "▁▂▃▄▅▆▇█", "_.-=+*%#"
_NEWEST = 60  # points of a sparkline
_CHANGES = 60  # columns of the sentence on changes


def sparkline(values: Sequence[float | None], ascii_only: bool = False) -> str:
    """One character for each value, from the least to the greatest; a blank where there is none."""
    marks = _ASCII if ascii_only else _BLOCKS
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)

    def mark(value: float | None) -> str:
        if value is None:
            return " "
        return marks[len(marks) // 2 if high == low else round((value - low) / (high - low) * (len(marks) - 1))]

    return "".join(mark(value) for value in values)


def lines(history: History, ascii_only: bool = False) -> list[str]:
    """Heading, sparkline and a row for each point; sentences on impossible times and all changes below."""
    kind, _, name = history.name.partition(":")
    what = plain(name) if kind == "metric" else f"{kind}:{plain(name)}"
    unit = "" if history.unit == "1" else f"{'s' if history.unit == 'ns' else plain(history.unit)}, "
    head = f"{plain(history.case_id)}/{what}   {unit}{history.better} is better   "
    newest = [point.value for point in history.points[-_NEWEST:]]
    result = [head + f"{plain(history.node_class)} {history.case_hash}", sparkline(newest, ascii_only)]
    headings = ("started", "run", "median +- MAD", "verdict", "accepted")
    rows = [
        (_moment(point), plain(point.run), _value(point, history.unit), plain(point.verdict) or units.NONE,
         "yes" if point.accepted else "no") for point in history.points
    ]
    changes = ["changed", *(clip(plain("; ".join(_changes_at(point))), _CHANGES) for point in history.points)]
    result += [f"{line}  {said}".rstrip() for line, said in zip(table(headings, rows, 2), changes, strict=True)]
    for point in history.points:
        if point.doubt:
            result.append(f"{plain(point.run)}: its time cannot be right: {plain(point.doubt)}")
        if len("; ".join(point.changes)) > _CHANGES:
            result += [f"{plain(point.run)}: {plain(change)}" for change in point.changes]
    return result


def _changes_at(point: HistoryPoint) -> tuple[str, ...]:
    return ((f"formerly {point.formerly}",) if point.formerly else ()) + point.changes


def _moment(point: HistoryPoint) -> str:
    return plain(point.started)[:16].replace("T", " ") + (" ?" if point.doubt else "")


def _value(point: HistoryPoint, unit: str) -> str:
    show = units.median_mad_ns if unit == "ns" else units.median_mad
    return show(point.value, point.spread)
