"""Tables that a case recorded, such as one figure for each pair of ranks, as matrices."""

from __future__ import annotations

from tenken.model.assessment import CaseAssessment, TableAssessment
from tenken.report.draw.matrix import Matrix, matrix
from tenken.report.plain import plain


def tables(case: CaseAssessment) -> list[tuple[TableAssessment, str]]:
    """Each table with its drawing, "" where its record held no cells."""
    return [(one, _drawn(one)) for one in case.tables]


def _drawn(table: TableAssessment) -> str:
    if not table.values:
        return ""
    title = f"{plain(table.name)}  ({plain(table.unit)})"
    side = max(len(table.rows), len(table.columns))
    return matrix(Matrix(title, table.unit, table.better, table.rows, table.columns, table.values), 420 if side < 12 else 760)
