"""The sentence on the picture of a study: which line or place is best, by how much, where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tenken.base import units
from tenken.model.study import PointFigure, PointResult, StudyAssessment
from tenken.report import studies
from tenken.report.plain import clip, plain

_ALIKE = 1.05  # times: a smaller ratio counts as equal
_NAME = 24  # letters of a line

Pair = tuple[float, str, str, str]  # ratio, place, best, worst


def finding(study: StudyAssessment, index: int, points: Sequence[PointResult]) -> str:
    """Of undisturbed points alone; "" where there are fewer than two."""
    quiet = [point for point in points if not point.disturbed and point.x is not None and point.figures[index].value]
    if len(quiet) < 2:
        return ""
    if study.plot.scaling:
        return _gain(study, index, quiet)
    lines = studies.lines(study, quiet)
    ordered = studies.ordered(study)
    if len(lines) == 1:
        if ordered:
            return _along(study, index, quiet)
        places = {studies.x_text(study, point.x): point.figures[index] for point in quiet}
        return _sentence(study, index, [one] if (one := _pair(study, index, "", places)) else [], _apart(places))
    pairs, widest = [], 1.0
    for x in dict.fromkeys(point.x for point in quiet):
        here = {clip(line.label, _NAME): point.figures[index] for line in lines for point in line.points if point.x == x}
        widest = max(widest, _apart(here))
        if one := _pair(study, index, f"at {studies.x_text(study, x)}: ", here):
            pairs.append(one)
    return _sentence(study, index, pairs, widest)


def _sentence(study: StudyAssessment, index: int, pairs: Sequence[Pair], widest: float) -> str:
    if not pairs:
        return f"no difference beyond that of launches (at most {units.percent(widest - 1)})" if widest > 1 else ""
    ratio, place, best, worst = max(pairs)
    if study.metrics[index].better == "higher":
        return f"{place}{best} reaches {units.number(ratio, 2)} times the figure of {worst}"
    if units.dimension(study.metrics[index].unit) != "time":
        return f"{place}{worst} has {units.number(ratio, 2)} times the figure of {best}, and less is better"
    return f"{place}{worst} takes {units.number(ratio, 2)} times as long as {best}"


def _pair(study: StudyAssessment, index: int, place: str, figures: Mapping[str, PointFigure]) -> Pair | None:
    """The best and the worst, where their launches do not overlap and they differ by more than a little."""
    if len(figures) < 2:
        return None
    greatest, least = (pick(figures, key=lambda name: figures[name].value or 0.0) for pick in (max, min))
    high, low = figures[greatest], figures[least]
    if not low.value or not high.value or (high.low or high.value) <= (low.high or low.value) or high.value < _ALIKE * low.value:
        return None
    best, worst = (greatest, least) if study.metrics[index].better == "higher" else (least, greatest)
    return high.value / low.value, place, best, worst


def _apart(figures: Mapping[str, PointFigure]) -> float:
    values = [figure.value for figure in figures.values() if figure.value]
    return max(values) / min(values) if values and min(values) > 0 else 1.0


def _along(study: StudyAssessment, index: int, points: Sequence[PointResult]) -> str:
    """One line: its best place and its ends."""
    higher = study.metrics[index].better == "higher"
    known = [(point.x, point.figures[index].value or 0.0) for point in points]
    best = (max if higher else min)(known, key=lambda one: one[1])
    unit = study.metrics[index].unit

    def at_place(point: tuple[float | str | None, float]) -> str:
        return f"{units.number(point[1], 3)} {plain(unit)} at {studies.x_text(study, point[0])}"

    ends = f"{at_place(known[0])}, {at_place(known[-1])}"
    return ends if best in (known[0], known[-1]) else f"best {at_place(best)}; {ends}"


def _gain(study: StudyAssessment, index: int, points: Sequence[PointResult]) -> str:
    gains = [point for point in points if point.figures[index].speed_up]
    if not gains:
        return ""
    most = max(gains, key=lambda point: point.figures[index].speed_up or 0.0)
    figure = most.figures[index]
    part = f", {100 * figure.efficiency:.0f} % of the ideal" if figure.efficiency else ""
    return f"up to {units.number(figure.speed_up or 0.0, 3)} times, at {studies.x_text(study, most.x)}{part}"
