"""A study as stacked bars: where the time of a repetition goes, section by section, at each place on x."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from tenken.base import units
from tenken.model.study import PointResult, SectionTime, StudyAssessment
from tenken.report import studies
from tenken.report.draw.style import BAD, FAINT, INK, canvas, drawn
from tenken.report.plain import clip, plain

# Shades of a colour for each kind; all but computation is hatched, so that it is visible in grey too.
_SHADES = {"compute": ("#1d4766", "#c3d9e8"), "comm": ("#a86900", "#f0c778"), "io": ("#6b3a7c", "#c9a8d6"),
           "wait": ("#5f6b7a", "#b9c1c9")}
_HATCH = {"comm": "///", "io": "xx", "wait": "..."}
_MOST = 9  # sections with a colour; the others, the smallest, are summed
_OTHERS = "others"
_SCALES = ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns"))
_HEIGHT, _LEGEND, _LEFT = 340, 190, 60


def panels(study: StudyAssessment) -> list[str]:
    """A drawing for each place on the axis of panels."""
    shown = [(title, points) for title, points in studies.panels(study) if any(point.sections for point in points)]
    return [_panel(study, title, points) for title, points in shown]


@drawn
def _panel(study: StudyAssessment, title: str, points: Sequence[PointResult]) -> tuple[Figure, str]:
    order = _order(study)
    placed = [(point.x, index, point) for index, point in enumerate(points) if isinstance(point.x, float)]
    ordered = [point for *_, point in sorted(placed)] if len(placed) == len(points) else list(points)
    divisor, unit = _scale(study)
    bar = min(90.0, 560 / max(len(ordered), 1))
    width = _LEFT + max(bar * len(ordered), 200) + _LEGEND
    figure, (plot,) = canvas(width, _HEIGHT, _LEFT, _LEGEND, 42, 34)
    top = 0.0
    for place, point in enumerate(ordered):
        below = 0.0
        for path, kind, colour in order:
            ns = _of(point, path, order)
            plot.bar(place, ns / divisor, 0.72, bottom=below, color=colour, hatch=_HATCH.get(kind), edgecolor="white",
                     linewidth=0.6)
            below += ns / divisor
        if below:
            sign = studies.DISTURBED if point.disturbed else ""
            plot.annotate(units.number(below, 3) + sign, (place, below), (0, 3), textcoords="offset points", ha="center",
                          fontsize=9.5, color=INK)
        elif studies.wrong(point):
            plot.plot([place], [0.03], "x", color=BAD, markersize=8, markeredgewidth=2, transform=plot.get_xaxis_transform())
        top = max(top, below)
    names = [clip(studies.x_text(study, point.x), 14) for point in ordered]
    plot.set_xticks(range(len(ordered)), names, rotation=20 if 7 * max(map(len, names)) > bar else 0)
    plot.set(xlim=(-0.6, len(ordered) - 0.4), ylim=(0, 1.1 * top))
    plot.grid(True, axis="y")
    plot.spines["left"].set_color(FAINT)
    boxes = [Patch(facecolor=colour, hatch=_HATCH.get(kind), edgecolor="white", label=clip(plain(path), 26))
             for path, kind, colour in reversed(order)]
    plot.legend(handles=boxes, frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1.03), fontsize=9.5, handlelength=1.4)
    plot.set_xlabel(studies.spoken(study.plot.x))
    what = "   ".join(filter(None, (f"time of a repetition  ({unit})", title)))
    plot.set_title(what, loc="left", color=INK, pad=10, fontsize=12)
    return figure, f"{plain(study.title)}: {what} by section against {studies.spoken(study.plot.x)}"


def _order(study: StudyAssessment) -> list[tuple[str, str, str]]:
    """(path, kind, colour) from the bottom up: by kind, the largest first; alike in every panel."""
    total: dict[tuple[str, str], float] = {}
    for one in (section for point in study.points for section in point.sections):
        total[one.path, one.kind] = total.get((one.path, one.kind), 0.0) + one.ns
    largest = sorted(total, key=lambda key: -total[key])
    kept = largest if len(largest) <= _MOST else largest[: _MOST - 1]
    order = []
    for kind, shades in _SHADES.items():
        own = [path for path, its_kind in kept if its_kind == kind]
        shade = LinearSegmentedColormap.from_list(kind, shades)
        order += [(path, kind, to_hex(shade(number / max(len(own) - 1, 1)))) for number, path in enumerate(own)]
    return order + ([(_OTHERS, "", FAINT)] if len(kept) < len(largest) else [])


def _of(point: PointResult, path: str, order: Sequence[tuple[str, str, str]]) -> float:
    named = {name for name, _, _ in order}

    def meant(section: SectionTime) -> bool:
        return section.path not in named if path == _OTHERS else section.path == path

    return sum(section.ns for section in point.sections if meant(section))


def _scale(study: StudyAssessment) -> tuple[float, str]:
    most = max(sum(section.ns for section in point.sections) for point in study.points)
    return next(((divisor, unit) for divisor, unit in _SCALES if most >= divisor), _SCALES[-1])
