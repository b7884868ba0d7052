"""A figure through time: a point for each sitting or run, a stroke where the environment changed."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from tenken.base import units
from tenken.model.baseline import History
from tenken.report.draw.style import BAD, BLUE, FAINT, GRID, INK, MUTED, ORANGE, canvas, drawn
from tenken.report.plain import clip, plain

_ZOOM = 0.05  # the axis always spans at least this part of the median on both sides: noise must not look like drama
_TICKS = 6  # dates under a strip
_NEWEST = 200  # points drawn: of a longer history the newest


@drawn
def history(histories: Sequence[History], width: float = 640) -> tuple[Figure, str] | None:
    """A strip for each history that has figures. Filled: accepted; hollow: a run; ringed: the newest."""
    shown = [history for history in histories if any(point.value is not None for point in history.points)]
    if not shown:
        return None
    figure, plots = canvas(width, 92 * len(shown) + 30 * (len(shown) - 1) + 46, 62, 14, 24, 20, len(shown), gap=48)
    for plot, one in zip(plots, shown, strict=True):
        points = one.points[-_NEWEST:]
        known = [(x, point, point.value) for x, point in enumerate(points) if point.value is not None]
        values = [value for _, _, value in known]
        middle = sorted(values)[len(values) // 2]
        accepted = sorted(value for _, point, value in known if point.accepted)
        if len(accepted) > 1:
            plot.axhspan(accepted[0], accepted[-1], color=GRID, linewidth=0)
        for x, point in enumerate(points):
            if point.changes:
                plot.axvline(x - 0.5, color=ORANGE, linewidth=1.2, linestyle=(0, (3, 2)))
        for x, point, value in known:
            spread = point.spread or 0
            plot.vlines(x, value - spread, value + spread, color=INK, linewidth=1.1)
            fill = BLUE if point.accepted else "#ffffff"
            plot.plot(x, value, marker="o", markersize=6, color=BLUE, markerfacecolor=fill, linestyle="")
        plot.plot([x for x, _, _ in known], values, color=FAINT, linewidth=1, zorder=1.5)
        plot.plot(known[-1][0], values[-1], marker="o", markersize=11, color=BAD, markerfacecolor="none", linestyle="")
        spreads = [point.spread or 0 for _, point, _ in known]
        low = min(min(v - s for v, s in zip(values, spreads, strict=True)), middle - _ZOOM * abs(middle))
        high = max(max(v + s for v, s in zip(values, spreads, strict=True)), middle + _ZOOM * abs(middle))
        room = 0.08 * (high - low) or 1.0
        plot.set(xlim=(-0.7, len(points) - 0.3), ylim=(low - room, high + room))
        step = max(1, -(-len(points) // _TICKS))
        ticks = list(range(0, len(points), step))
        plot.set_xticks(ticks, [plain(points[x].started)[:10] for x in ticks])
        marks = [middle, *(edge for edge in (low, high) if abs(edge - middle) > 0.2 * (high - low))]
        unit, scale = units.time_scale(middle) if one.unit == "ns" else (plain(one.unit), 1.0)
        plot.set_yticks(marks, [units.number(value / scale, 3) for value in marks])
        kind, _, name = one.name.partition(":")
        title = f"{clip(plain(name), 60)}  {'' if kind == 'metric' else kind + ' '}({unit})"
        plot.set_title(title, loc="left", color=INK, pad=4)
        plot.spines["left"].set_color(MUTED)
    return figure, f"History of {', '.join(plain(history.name) for history in shown)} of {plain(shown[0].case_id)}"
