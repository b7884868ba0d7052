"""Plain-text tables: aligned columns; a column without any figure is left out."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.base.units import NONE


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1, width: int | None = None,
          expendable: Sequence[str] = ()) -> list[str]:
    """Lines of a table, the heading first.

    The first `left` columns are set left, the others right. With a `width`, `expendable` columns are given up one by
    one (first named, first gone) until the table fits.
    """
    columns = [(index, heading) for index, heading in enumerate(headings)
               if any(row[index] not in (NONE, "") for row in rows)]
    victims = list(expendable)
    while True:
        widths = [max(len(heading), *(len(row[index]) for row in rows)) for index, heading in columns]
        if not victims or width is None or sum(widths) + 2 * (len(widths) - 1) <= width:
            break
        gone = victims.pop(0)
        columns = [column for column in columns if column[1] != gone]
    lines = []
    for row in (headings, *rows):
        cells = [row[index].ljust(size) if index < left else row[index].rjust(size)
                 for (index, _), size in zip(columns, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return lines
