"""A study as a picture: a panel for each metric (or unit), a line for each value of one axis, caches or the ideal line behind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_lowercase

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tenken.base import units
from tenken.model.study import PointFigure, PointResult, PublishedPoint, StudyAssessment
from tenken.report import studies
from tenken.report.draw import stack
from tenken.report.draw.axis import logarithmic, round_number, spans_decades
from tenken.report.draw.labels import apart
from tenken.report.draw.matrix import Matrix, matrix
from tenken.report.draw.style import BAD, BLUE, INK, MUTED, ORANGE, PURPLE, TEAL, canvas, drawn
from tenken.report.plain import clip, plain
from tenken.report.studies import finding

_WIDE, _NARROW, _HEIGHT = 860, 520, 340
_LETTER, _LINE = 6.0, 14  # pixels of a letter, and between two labels
_SAID = 18  # pixels of the sentence under the title, and of a legend
_COLOURS = (BLUE, ORANGE, TEAL, PURPLE, "#b3486b", "#6b7f1e", INK, MUTED)
_MARKERS = "osD^vP<>"
_MOST_TICKS = 9


@dataclass(frozen=True, slots=True)
class _Curve:
    """A metric along a line."""

    index: int  # of the metric
    points: tuple[PointResult, ...]
    label: str
    colour: str
    marker: str
    stroke: str
    marked: bool  # with the caches that its working set leaves: of metrics along a line the first


def panels(study: StudyAssessment) -> list[str]:
    """A drawing for each metric (of the kind `metrics`: for each unit) and each place on the axis of panels; none where nothing
    has a figure."""
    if study.plot.kind in _OTHER_KINDS:
        return _OTHER_KINDS[study.plot.kind](study)
    shown = [
        (together, title, points)
        for together in _together(study) for title, points in studies.panels(study)
        if any(_y(study, point.figures[index]) is not None for point in points if point.x is not None for index in together)
    ]
    width = _WIDE if len(shown) == 1 else _NARROW
    return [_panel(study, together, title, points, width) for together, title, points in shown]


def _together(study: StudyAssessment) -> list[tuple[int, ...]]:
    """Metrics that share a panel."""
    if study.plot.kind != "metrics":
        return [(index,) for index in range(len(study.metrics))]
    found = [metric.unit for metric in study.metrics]
    return [tuple(index for index, unit in enumerate(found) if unit == one) for one in dict.fromkeys(found)]


def _curves(study: StudyAssessment, together: tuple[int, ...], points: Sequence[PointResult]) -> list[_Curve]:
    """A colour for each line, in which metrics of a panel differ by their strokes; without lines a colour for each metric."""
    curves, lines = [], studies.lines(study, points)
    for number, line in enumerate(lines):
        for place, index in enumerate(together):
            again, colour = divmod(number if len(lines) > 1 else place, len(_COLOURS))
            stroke = "--" if again % 2 or (place and len(lines) > 1) else "-"
            name = plain(study.metrics[index].name) if len(together) > 1 else ""
            label = ", ".join(filter(None, (_label(study, line, index), name)))
            curves.append(_Curve(index, line.points, f"-- {label}" if again % 2 and label else label, _COLOURS[colour],
                                 _MARKERS[(colour + (place if len(lines) > 1 else 0)) % len(_MARKERS)], stroke, not place))
    return curves


@drawn
def _panel(
    study: StudyAssessment, together: tuple[int, ...], title: str, points: Sequence[PointResult], width: float
) -> tuple[Figure, str] | None:
    curves = _curves(study, together, points)
    ordered = studies.ordered(study)
    longest = max([len(curve.label) for curve in curves if ordered] + [6 if _scaling(study) else 0])
    right = 24 + _LETTER * longest
    said, shown = finding(study, together[0], points) if len(together) == 1 else "", _published(study, together, points)
    foot, head = height(shown), _SAID * (bool(said) + (not ordered and len(curves) > 1)) + 14 * bool(study.caches)
    figure, (plot,) = canvas(width, _HEIGHT + foot + head, 56, right, 42 + foot, 34 + head)
    names, scaling = clip(", ".join(plain(study.metrics[index].name) for index in together), int(width / 8)), _scaling(study)
    unit = study.metrics[together[0]].unit
    what = f"speed-up of {names}" if scaling else names if unit == "1" else f"{names}  ({plain(unit)})"
    plot.set_title("   ".join(filter(None, (what, title))), loc="left", color=INK, pad=10 + head, fontsize=12)
    plot.annotate(clip(said, int((width - 64) / 5.6)), (0, 1), (0, head - _SAID + 10), xycoords="axes fraction", fontsize=10.5,
                  textcoords="offset points", color=MUTED, va="bottom", annotation_clip=False)
    places = _places(study)
    _limits(plot, study, together, places)
    if scaling:
        _ideal(plot, min(places.values()))
    _caches(plot, study)
    if not ordered:
        _bars(plot, study, curves, places)
        curves = []
    ends = []
    for curve in curves:
        end = _draw_line(plot, study, curve, places)
        ends += [(*end, curve.label, curve.colour)] if end and curve.label else []
    draw(figure, plot, shown, places, unit)
    _end_labels(plot, ends)
    plot.grid(True)
    plot.set_xlabel(clip(_x_label(study), 60))
    return figure, ". ".join(filter(None, (f"{plain(study.title)}: {what} against {_x_label(study)}", said)))


def _scaling(study: StudyAssessment) -> bool:
    return study.plot.scaling


def _y(study: StudyAssessment, figure: PointFigure) -> float | None:
    return figure.speed_up if _scaling(study) else figure.value


def _places(study: StudyAssessment) -> dict[float | str, float]:
    """x of every point -> where it is drawn: itself, or side by side where x has no numbers."""
    places = list(dict.fromkeys(point.x for point in study.points if point.x is not None))
    if all(isinstance(x, float) for x in places):
        return {x: float(x) for x in places}
    return {x: float(number) for number, x in enumerate(places)}


def _published(
    study: StudyAssessment, together: tuple[int, ...], points: Sequence[PointResult] = ()
) -> list[PublishedPoint]:
    return [point for index in together for point in studies.published(study, index, points)]


def _draw_line(
    plot: Axes, study: StudyAssessment, curve: _Curve, places: dict[float | str, float]
) -> tuple[float, float] | None:
    """Line, marks (hollow where disturbed) and the launches' spread; returns the last place. A wrong answer is a cross."""
    index, colour = curve.index, curve.colour
    known = sorted(
        ((places[point.x], y, point) for point in curve.points
         if point.x is not None and (y := _y(study, point.figures[index])) is not None),
        key=lambda item: item[0],
    )
    wrong = [places[point.x] for point in curve.points if point.x is not None and studies.wrong(point)]
    plot.plot(wrong, [0.03] * len(wrong), "x", color=BAD, markersize=8, markeredgewidth=2, clip_on=False,
              transform=plot.get_xaxis_transform())
    if not known:
        return None
    plot.plot([x for x, _, _ in known], [y for _, y, _ in known], color=colour, linewidth=1.8, linestyle=curve.stroke)
    if curve.marked:
        _own_caches(plot, study, known, colour)
    if "ceiling" in study.plot.marks and not _scaling(study):
        roofs = [point.figures[index].ceiling or math.nan for _, _, point in known]
        plot.plot([x for x, _, _ in known], roofs, color=colour, linewidth=1.2, linestyle=(0, (4, 3)))
    for x, y, point in known:
        low, high = _spread(study, point.figures[index], y)
        plot.plot([x, x], [low, high], color=colour, linewidth=1.3, solid_capstyle="butt")
        plot.plot([x], [y], marker=curve.marker, markersize=6.5, markeredgewidth=1.5, markeredgecolor=colour, zorder=3,
                  color="white" if point.disturbed else colour)
    return known[-1][0], known[-1][1]


def _bars(plot: Axes, study: StudyAssessment, curves: Sequence[_Curve], places: dict[float | str, float]) -> None:
    """Bars where x has no order: beside each other for the lines, white where disturbed, the figure on top."""
    width = (0.4 if len(curves) == 1 else 0.7) / len(curves)
    for number, curve in enumerate(curves):
        colour = curve.colour
        plot.bar([0], [0], color=colour, label=curve.label)
        for point in curve.points:
            figure = point.figures[curve.index]
            if point.x is None or figure.value is None:
                continue
            x = places[point.x] + (number - (len(curves) - 1) / 2) * width
            plot.bar(x, figure.value, 0.9 * width, color="white" if point.disturbed else colour, edgecolor=colour)
            plot.plot([x, x], _spread(study, figure, figure.value), color=INK, linewidth=1.2, solid_capstyle="butt")
            plot.annotate(units.number(figure.value, 3), (x, figure.high or figure.value), (0, 3), ha="center", color=INK,
                          textcoords="offset points", fontsize=9.5)
    if len(curves) > 1:
        plot.legend(frameon=False, ncols=len(curves), loc="lower left", bbox_to_anchor=(0, 1), handlelength=1, borderpad=0.2,
                    borderaxespad=0)


def _spread(study: StudyAssessment, figure: PointFigure, y: float) -> tuple[float, float]:
    """Least and greatest launch of the drawn points."""
    if not figure.value or not figure.low or not figure.high:
        return y, y
    if not _scaling(study):
        return figure.low, figure.high
    better = next(metric.better for metric in study.metrics if metric.name == figure.metric)
    if better == "higher":
        return y * figure.low / figure.value, y * figure.high / figure.value
    return y * figure.value / figure.high, y * figure.value / figure.low


def _limits(plot: Axes, study: StudyAssessment, together: tuple[int, ...], places: dict[float | str, float]) -> None:
    """The same limits in every panel of a metric, and ticks that read well."""
    ceiled = "ceiling" in study.plot.marks
    figures = [point.figures[index] for point in study.points for index in together]
    y = [value for figure in figures if (value := _y(study, figure)) is not None]
    tops = [top for figure in figures for top in (figure.high, figure.ceiling if ceiled else None) if top]
    extra = _published(study, together)
    tops += [point.value for point in extra]
    low = min([*y, *(point.value for point in extra)])
    x = [*places.values(), *(float(point.x) for point in extra if point.x not in places and not isinstance(point.x, str))]
    numeric = all(isinstance(place, float) for place in places)
    log_x = numeric and min(x) > 0 and (_scaling(study) or "x" in study.plot.log or spans_decades(x))
    if not numeric:
        names = [clip(str(place), 18) for place in places]
        plot.set_xticks(x, names, rotation=20 if sum(map(len, names)) > 60 else 0)
        plot.set_xlim(min(x) - 0.5, max(x) + 0.5)
    elif log_x:
        wide = 1.35 if max(x) > 64 * min(x) else 1.12
        plot.set(xscale="log", xlim=(min(x) / wide, max(x) * wide))
        _log_ticks(plot, "x", x, study)
    else:
        room = 0.04 * (max(x) - min(x)) or 0.5
        plot.set_xlim(min(x) - room, max(x) + room)
        if len(x) <= _MOST_TICKS:
            plot.set_xticks(x, [studies.x_text(study, place) for place in sorted(x)])
    if _scaling(study):
        plot.set(yscale="log", ylim=(min([*y, 1.0]) / 1.15, max([*y, max(x) / min(x)]) * 1.15))
        _log_ticks(plot, "y", [*y, 1.0], study)
    elif low > 0 and ("y" in study.plot.log or spans_decades([low, *y, *tops])):
        plot.set_ylim(low / 1.4, max([*y, *tops]) * 1.4)
        logarithmic(plot, "y")
    else:
        bottom = min([0.0, *y, *(figure.low for figure in figures if figure.low is not None)])
        plot.set_ylim(1.08 * bottom, 1.08 * max([*y, *tops]))


def _log_ticks(plot: Axes, axis: str, values: Sequence[float], study: StudyAssessment) -> None:
    """Ticks at powers of two, or at the values themselves where they are few."""
    low, high = plot.get_xlim() if axis == "x" else plot.get_ylim()
    powers = range(math.ceil(math.log2(low) - 1e-9), math.floor(math.log2(high) + 1e-9) + 1)
    stride = next(step for step in (1, 2, 3, 4, 5, 6, 8, 10, 20, 40) if len(powers) <= step * _MOST_TICKS)
    own = sorted(set(values))
    ticks = [2.0**power for power in powers if power % stride == 0]
    if axis == "x" and len(own) <= _MOST_TICKS and study.x_unit != "B":
        ticks = own
    names = [studies.x_text(study, tick) if axis == "x" else round_number(tick) for tick in ticks]
    if axis == "x":
        plot.set_xticks(ticks, names)
    else:
        plot.set_yticks(ticks, names)
    plot.minorticks_off()


def _ideal(plot: Axes, first: float) -> None:
    """Speed-up 1 at the smallest point, and from there on as many times faster as there are more."""
    high = plot.get_xlim()[1]
    plot.plot([first, high], [1, high / first], color=MUTED, linewidth=1.4, linestyle=(0, (4, 3)))
    plot.annotate("ideal", (high, high / first), (6, 0), textcoords="offset points", va="center", color=MUTED,
                  fontsize=10, annotation_clip=False)


def _caches(plot: Axes, study: StudyAssessment) -> None:
    """A line where the working set leaves a cache level that has the same size for all points."""
    low, high = plot.get_xlim()
    for name, sizes in _levels(study).items():
        if len(sizes) == 1 and low < (size := min(sizes)) < high:
            plot.axvline(size, color=MUTED, linewidth=1, linestyle=(0, (1, 2)), zorder=0)
            plot.annotate(f"{name}  {units.size(size)}", (size, 1), (0, 3), xycoords=("data", "axes fraction"),
                          textcoords="offset points", ha="center", va="bottom", color=MUTED, fontsize=9.5)


def _own_caches(
    plot: Axes, study: StudyAssessment, known: Sequence[tuple[float, float, PointResult]], colour: str
) -> None:
    """A tick on a line where its working set leaves a cache level whose size depends on the cores."""
    cores = {point.cores for _, _, point in known}
    several = {name for name, sizes in _levels(study).items() if len(sizes) > 1}
    place = plot.transData.transform
    for cache in study.caches:
        if cache.name not in several or cores != {cache.cores}:
            continue
        at = place((cache.bytes, 1))[0]
        for (x0, y0, _), (x1, y1, _) in pairwise(known):
            (left, bottom), (right, top) = place((x0, y0)), place((x1, y1))
            if left <= at < right:
                y = bottom + (top - bottom) * (at - left) / (right - left)
                plot.annotate(cache.name, (at, y - 8), (at, y + 9), xycoords="figure pixels", textcoords="figure pixels",
                              ha="center", va="bottom", color=colour, fontsize=9.5, zorder=4,
                              arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0})


def _levels(study: StudyAssessment) -> dict[str, set[int]]:
    """The sizes that each cache level has in this study."""
    levels: dict[str, set[int]] = {}
    for cache in study.caches:
        levels.setdefault(cache.name, set()).add(cache.bytes)
    return levels


def _label(study: StudyAssessment, line: studies.Line, index: int) -> str:
    """The name of a line, in scaling studies with the efficiency at its end."""
    last = next((point.figures[index] for point in reversed(line.points) if point.figures[index].efficiency), None)
    part = f"{100 * last.efficiency:.0f} %" if last and last.efficiency and _scaling(study) else ""
    return ", ".join(filter(None, (clip(line.label, 24), part)))


def _end_labels(plot: Axes, ends: Sequence[tuple[float, float, str, str]]) -> None:
    """Names at the ends of their lines, without overlap."""
    right, top = plot.transAxes.transform((1, 1))
    bottom = plot.transAxes.transform((0, 0))[1]
    heights = apart([plot.transData.transform((x, y))[1] for x, y, _, _ in ends], _LINE, bottom, top)
    for (x, y, label, colour), height in zip(ends, heights, strict=True):
        plot.annotate(label, (x, y), (right + 8, height), textcoords="figure pixels", va="center", color=colour,
                      fontsize=10.5, annotation_clip=False)


def _x_label(study: StudyAssessment) -> str:
    name = studies.spoken(study.plot.x)
    return f"{name} (ranks x threads)" if study.plot.x == "cores" else name


# Published results in the picture of a study: hollow diamonds with letters, which are explained under the plot.

ROW = 14  # pixels of a line of the key
_PUBLISHED_LETTER = 5.4  # pixels, of its text
_NEAR = 11  # pixels: letters of diamonds that lie nearer stand together


def height(shown: Sequence[PublishedPoint]) -> int:
    """Pixels of the key."""
    return ROW * len(shown) + (4 if shown else 0)


def draw(figure: Figure, plot: Axes, shown: Sequence[PublishedPoint], places: dict[float | str, float], unit: str) -> None:
    """Diamonds with letters; the key at the foot of the figure, in `height` pixels."""
    at: list[tuple[float, float, str]] = []  # pixels, letter
    room = int(figure.get_figwidth() * 72 / _PUBLISHED_LETTER)
    for number, point in enumerate(shown):
        x = places.get(point.x, point.x)
        plot.plot([x], [point.value], marker="D", markersize=7, markeredgewidth=1.5, markeredgecolor=INK, color="none", zorder=4)
        letter = ascii_lowercase[number % 26] * (1 + number // 26)
        across, up = plot.transData.transform((float(x), point.value))
        at.append((float(across), float(up), letter))
        key = f"{letter}  {units.number(point.value)} {plain(unit)}  {plain(point.label)}"
        foot = (height(shown) - ROW * (number + 1)) / figure.get_figheight() / 72
        figure.text(8 / figure.get_figwidth() / 72, foot, clip(key, room), va="bottom", color=INK, fontsize=9.5)
    while at:
        x, y, _ = at[0]
        together = [one for one in at if abs(one[0] - x) < _NEAR and abs(one[1] - y) < _NEAR]
        plot.annotate(", ".join(letter for _, _, letter in together), (x, y), (x + 8, y), xycoords="figure pixels",
                      textcoords="figure pixels", va="center", color=INK, fontsize=9.5, annotation_clip=False)
        at = [one for one in at if one not in together]


# A study over two axes as a matrix for each metric and each place on the axis of panels.

def heat_panels(study: StudyAssessment) -> list[str]:
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


_OTHER_KINDS = {"heat": heat_panels, "stack": stack.panels}
