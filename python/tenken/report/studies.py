"""How a study is written: the words of its axes and places, its table, and the sentence on its best line or place."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tenken.base import units
from tenken.base.words import plural
from tenken.model.study import PointFigure, PointResult, PublishedPoint, StudyAssessment
from tenken.model.verdict import Verdict
from tenken.report.plain import clip, plain

BEST, DISTURBED = "*", "~"
_APART = 0.3  # of the largest
_PROCESSORS = 24  # characters of their list in a table of the terminal


@dataclass(frozen=True, slots=True)
class Line:
    """The points that a plot joins: those alike in everything but the axis along the line."""

    label: str  # "" where there is a single line
    points: tuple[PointResult, ...]


def spoken(name: str) -> str:
    """An axis or recorded value as it is written: "value:working_set_bytes" is "working set"."""
    words = name.removeprefix("value:").removesuffix("_bytes").replace("_", " ")
    return "cores" if name == "cores" else plain(words)


def place_text(study: StudyAssessment, axis: str, value: Any) -> str:
    """A place on an axis: "4 MiB", "8x8x8x16", "double"."""
    if isinstance(value, (list, tuple)):
        return "x".join(map(str, value))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return plain(value)
    return units.size(value) if study.axes.get(axis) == "B" else units.number(value)


def labelled(study: StudyAssessment, axis: str, value: Any) -> str:
    """The same with the name of the axis where the value alone is a bare number: "threads 2"."""
    text = place_text(study, axis, value)
    if axis in ("ranks", "threads", "teams") and isinstance(value, int):
        return plural(value, axis.removesuffix("s"))
    return f"{spoken(axis)} {text}" if text[:1].isdigit() and "x" not in text else text


def x_text(study: StudyAssessment, x: float | str | None) -> str:
    if x is None or isinstance(x, str):
        return plain(x or units.NONE)
    return units.quantity(x, "" if study.x_unit == "1" else study.x_unit, 3)


def ordered(study: StudyAssessment) -> bool:
    """Whether x runs from less to more: numbers, or texts that begin with a number, such as 8x8x8x16."""
    return all(isinstance(point.x, float) or str(point.x)[:1].isdigit() for point in study.points if point.x is not None)


def lines(study: StudyAssessment, points: Sequence[PointResult]) -> list[Line]:
    """The lines of a panel, in the order of their axis; the points of each line in the order of x."""
    axis = study.plot.lines
    groups: dict[str, list[PointResult]] = {}
    for point in points:
        groups.setdefault(labelled(study, axis, point.places[axis]) if axis else "", []).append(point)
    return [Line(label, tuple(group)) for label, group in groups.items()]


def panels(study: StudyAssessment) -> list[tuple[str, list[PointResult]]]:
    """(place on the axis of panels, its points); without such an axis a single panel without a name."""
    axis = study.plot.panels
    groups: dict[str, list[PointResult]] = {}
    for point in study.points:
        groups.setdefault(labelled(study, axis, point.places[axis]) if axis else "", []).append(point)
    return list(groups.items())


def table(study: StudyAssessment) -> tuple[list[str], list[list[str]]]:
    """Headings and rows for a terminal: a row for each place along the lines, a column for each metric of each line.

    Marks: * best, ~ disturbed; a scaling study has the efficiency beside the figure.
    """
    derived = study.plot.x not in study.axes
    labels = [line.label for line in lines(study, study.points)]
    one_unit = len({metric.unit for metric in study.metrics}) == 1
    headings = [spoken(axis) for axis in (study.plot.panels, study.along) if axis]
    headings += [spoken(study.plot.x)] if derived else []
    for metric in study.metrics:
        name = metric.name if one_unit or metric.unit == "1" else f"{metric.name} {metric.unit}"
        named = [label for label in labels if label and len(study.metrics) == 1]
        headings += named or [f"{plain(name)}, {label}" if label else plain(name) for label in labels]
    if moved(study):
        headings += [f"processors, {label}" if label else "processors" for label in labels]
    rows = []
    for panel, points in panels(study):
        of_label = {line.label: line.points for line in lines(study, points)}
        for place in dict.fromkeys(place_text(study, study.along, point.places[study.along]) for point in points):
            here = {
                label: point for label, members in of_label.items() for point in members
                if place_text(study, study.along, point.places[study.along]) == place
            }
            row = ([panel] if study.plot.panels else []) + [place]
            row += [x_text(study, next(iter(here.values())).x)] if derived else []
            for index in range(len(study.metrics)):
                row += [_cell(study, here[label], index) if label in here else units.NONE for label in labels]
            if moved(study):
                row += [clip(here[label].processors, _PROCESSORS) if label in here else units.NONE for label in labels]
            rows.append(row)
    return headings, rows


def _cell(study: StudyAssessment, point: PointResult, index: int) -> str:
    figure = point.figures[index]
    if figure.value is None:
        return point.verdict.value if wrong(point) else units.NONE
    part = "" if figure.efficiency is None else f" ({100 * figure.efficiency:.0f} %)"
    if "launches" in study.plot.marks and figure.launches > 1 and figure.low is not None and figure.high is not None:
        value, low, high = _alike(figure.value, figure.low, figure.high)
        return f"{value} ({low}..{high}){sign(point, figure)}"
    return f"{units.number(figure.value, 3)}{part}{sign(point, figure)}"


def _alike(value: float, low: float, high: float) -> list[str]:
    """Three figures with the same decimals: the largest of them has three digits, two where they are far apart."""
    largest = max(abs(value), abs(low), abs(high))
    digits = 2 if high - low > _APART * largest else 3
    decimals = max(0, digits - 1 - math.floor(math.log10(largest))) if largest > 0 else 0
    return [f"{one:.{min(decimals, 9)}f}" for one in (value, low, high)]


def sign(point: PointResult, figure: PointFigure) -> str:
    """What is written after a figure: * where it is the best, ~ where it was disturbed."""
    return BEST if figure.best else DISTURBED if point.disturbed else " "


def published(study: StudyAssessment, index: int, points: Sequence[PointResult] = ()) -> list[PublishedPoint]:
    """Published results of that metric that have a place on x: any number, or a text that some point has. `points`: of the
    panel that they are for; none = of any."""
    name, known, axis = study.metrics[index].name, {point.x for point in study.points}, study.plot.panels
    numeric = all(isinstance(x, float) for x in known if x is not None)
    here = {str(point.places[axis]) for point in points} if axis else set[str]()
    return [
        point for point in study.published
        if point.metric == name and (point.x in known or (numeric and isinstance(point.x, float)))
        and (not point.panel or not points or point.panel in here)
    ]


def by_source(study: StudyAssessment) -> list[tuple[str, str]]:
    """(source, its published results in words)."""
    sources: dict[str, list[str]] = {}
    for point in study.published:
        panel = labelled(study, study.plot.panels, point.panel) if study.plot.panels and point.panel else ""
        at = ", ".join(filter(None, (panel, x_text(study, point.x))))
        told = f"{point.label} at {at}: {units.number(point.value)} ({point.metric})"
        sources.setdefault(point.source, []).append(told)
    return [(source, "; ".join(results)) for source, results in sources.items()]


def moved(study: StudyAssessment) -> bool:
    """Whether each point names its processors: the study moves them."""
    return any(point.processors for point in study.points)


def wrong(point: PointResult) -> bool:
    """No figure because the answer was wrong or never came; not where it is still to be measured."""
    return point.verdict in (Verdict.INVALID, Verdict.ERROR)


def remarks(point: PointResult) -> list[str]:
    return ["best"] * any(figure.best for figure in point.figures) + ["disturbed"] * bool(point.disturbed)


def disturbed(study: StudyAssessment) -> list[PointResult]:
    return [point for point in study.points if point.disturbed]


def ceiled(study: StudyAssessment) -> set[str]:
    """Metrics that have a ceiling at some point."""
    return {figure.metric for point in study.points for figure in point.figures if figure.ceiling}


def has_spread(study: StudyAssessment) -> bool:
    """Whether some point has several launches."""
    return any(figure.launches > 1 for point in study.points for figure in point.figures)


def confidence(study: StudyAssessment) -> str:
    """What the least and the greatest of n launches hold between them: their true median, but for 2 in 2^n cases."""
    launches = min((figure.launches for point in study.points for figure in point.figures if figure.launches), default=1)
    return f"{units.percent(1 - 2.0 ** (1 - launches))} interval of the median"


def left_out(study: StudyAssessment) -> list[tuple[str, str]]:
    """(names of points, why), points with the same reason together."""
    reasons: dict[str, list[str]] = {}
    for point in study.left_out:
        reasons.setdefault(plain(point.reason), []).append(plain(point.name))
    return [(", ".join(names), reason) for reason, names in reasons.items()]


# The sentence on the picture of a study: which line or place is best, by how much, where.

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
    drawn, in_order = lines(study, quiet), ordered(study)
    if len(drawn) == 1:
        if in_order:
            return _along(study, index, quiet)
        places = {x_text(study, point.x): point.figures[index] for point in quiet}
        return _sentence(study, index, [one] if (one := _pair(study, index, "", places)) else [], _apart(places))
    pairs, widest = [], 1.0
    for x in dict.fromkeys(point.x for point in quiet):
        here = {clip(line.label, _NAME): point.figures[index] for line in drawn for point in line.points if point.x == x}
        widest = max(widest, _apart(here))
        if one := _pair(study, index, f"at {x_text(study, x)}: ", here):
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
        return f"{units.number(point[1], 3)} {plain(unit)} at {x_text(study, point[0])}"

    ends = f"{at_place(known[0])}, {at_place(known[-1])}"
    return ends if best in (known[0], known[-1]) else f"best {at_place(best)}; {ends}"


def _gain(study: StudyAssessment, index: int, points: Sequence[PointResult]) -> str:
    gains = [point for point in points if point.figures[index].speed_up]
    if not gains:
        return ""
    most = max(gains, key=lambda point: point.figures[index].speed_up or 0.0)
    figure = most.figures[index]
    part = f", {100 * figure.efficiency:.0f} % of the ideal" if figure.efficiency else ""
    return f"up to {units.number(figure.speed_up or 0.0, 3)} times, at {x_text(study, most.x)}{part}"
