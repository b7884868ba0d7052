"""A study over two axes as a matrix for each metric and each place on the axis of panels."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.model.study import PointResult, StudyAssessment
from tenken.report import studies
from tenken.report.draw.matrix import Matrix, matrix
from tenken.report.plain import plain


def panels(study: StudyAssessment) -> list[str]:
    """x from left to right, the axis of lines from top to bottom; nothing where nothing has a figure."""
    shown = [
        matrix(of_points(study, index, title, points))
        for index in range(len(study.metrics)) for title, points in studies.panels(study)
    ]
    return [one for one in shown if one]


def of_points(study: StudyAssessment, index: int, title: str, points: Sequence[PointResult]) -> Matrix:
    """The metric of that index at these points. Marks: * best, ~ disturbed, a cross wrong."""
    across, down, metric = study.plot.x, study.plot.lines or "", study.metrics[index]
    columns = list(dict.fromkeys(studies.place_text(study, across, point.places[across]) for point in study.points))
    rows = list(dict.fromkeys(studies.place_text(study, down, point.places[down]) for point in study.points))
    values: list[list[float | None]] = [[None] * len(columns) for _ in rows]
    signs, wrong = {}, set()
    for point in points:
        place = (rows.index(studies.place_text(study, down, point.places[down])),
                 columns.index(studies.place_text(study, across, point.places[across])))
        figure = point.figures[index]
        values[place[0]][place[1]] = figure.value
        signs[place] = studies.sign(point, figure).strip()
        if figure.value is None and studies.wrong(point):
            wrong.add(place)
    name = "   ".join(filter(None, (f"{plain(metric.name)}  ({plain(metric.unit)})", title)))
    return Matrix(name, metric.unit, metric.better, rows, columns, values, studies.spoken(down), studies.spoken(across), signs,
                  frozenset(wrong))
