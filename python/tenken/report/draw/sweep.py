"""A metric against the value that its section is repeated over: message sizes, team sizes."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from tenken.base import units
from tenken.model.assessment import MetricSummary
from tenken.report.draw.axis import logarithmic, spans_decades
from tenken.report.draw.style import BLUE, FAINT, INK, MUTED, canvas, drawn
from tenken.report.plain import clip, plain


def sweeps(metrics: Sequence[MetricSummary]) -> list[list[MetricSummary]]:
    """Metrics of the same name at two or more values, in order of the value."""
    groups: dict[str, list[MetricSummary]] = {}
    for metric in metrics:
        if metric.at is not None and metric.value is not None:
            groups.setdefault(metric.name, []).append(metric)
    return [sorted(group, key=lambda metric: metric.at or 0) for group in groups.values() if len(group) > 1]


@drawn
def sweep(metrics: Sequence[MetricSummary]) -> tuple[Figure, str] | None:
    """Median over launches with a MAD on both sides; the ceiling, if any, as a grey line."""
    figure, (plot,) = canvas(420, 236, 52, 14, 40, 26)
    x = [metric.at or 0 for metric in metrics]
    y = [metric.value or 0.0 for metric in metrics]
    first = metrics[0]
    roofs = [metric.value / metric.fraction if metric.value and metric.fraction else float("nan") for metric in metrics]
    plot.plot(x, roofs, color=MUTED, linewidth=1.4, linestyle=(0, (4, 3)))
    plot.vlines(x, [v - (m.mad or 0) for v, m in zip(y, metrics, strict=True)],
                [v + (m.mad or 0) for v, m in zip(y, metrics, strict=True)], color=INK, linewidth=1.2)
    plot.plot(x, y, color=BLUE, marker="o", markersize=5)
    if min(x) > 0 and max(x) > 4 * min(x):
        plot.set_xscale("log", base=2)
        plot.xaxis.set_major_locator(LogLocator(base=2, numticks=7))
        plot.xaxis.set_minor_locator(NullLocator())
    else:
        plot.set_xticks(x)
    plot.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _binary(value)))
    if spans_decades(y):
        plot.set_ylim(min(y) / 1.3, 1.3 * max(y))
        logarithmic(plot, "y")
    else:
        plot.set_ylim(0, None)
        plot.yaxis.set_major_formatter(FuncFormatter(lambda value, _: units.number(value, 3)))
    plot.set_title(f"{clip(plain(first.name), 40)}  ({plain(first.unit)})", loc="left", color=INK, pad=6)
    plot.set_xlabel(f"value that {clip(plain(first.section or first.name), 40)} is repeated over")
    plot.grid(True)
    plot.spines["left"].set_color(FAINT)
    return figure, f"{plain(first.name)} against the value it is repeated over"


def _binary(value: float) -> str:
    """Whole multiples of 1024 with a binary prefix: 65536 is "64 Ki"."""
    for prefix in ("", "Ki", "Mi"):
        if value < 1024 or value % 1024:
            return f"{units.number(value, 3)} {prefix}".rstrip()
        value /= 1024
    return f"{units.number(value, 3)} Gi"
