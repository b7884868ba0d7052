"""Where in the machine: nodes as a grid shaded by their slowdown, and ranks against sections. Drawing only."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import ceil, sqrt

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray

from tenken.model.assessment import CaseAssessment, SectionSummary
from tenken.report.draw.style import BAD, FAINT, INK, MUTED, canvas, drawn
from tenken.report.plain import clip, plain

# White where equal, vermilion where 30 % slower or more; faster ranks stay white.
SLOW = LinearSegmentedColormap.from_list("slow", ["#f4f7f9", "#f6c9a8", BAD])
FULL = 0.30  # slowdown at which the shade is full
_LABELS = 64  # nodes up to which each is named
_ROWS = 64  # of the heat map; more ranks are shown node by node, more nodes thinned to the slowest
_COLUMNS = 24
Array = NDArray[np.float64]


def compute_sections(case: CaseAssessment) -> list[SectionSummary]:
    """Repeated leaf sections of computation that every rank timed, largest share first."""
    leaves = [section for section in case.sections if section.leaf and section.kind == "compute" and not section.once]
    ranks = max((len(section.ranks) for section in leaves), default=0)
    return sorted((section for section in leaves if len(section.ranks) == ranks), key=lambda section: -section.share)


def slowdown(case: CaseAssessment) -> dict[str, float]:
    """Host -> median over its ranks of all computation together, over the median of all hosts, minus 1."""
    sections = compute_sections(case)
    if not sections:
        return {}
    total: dict[str, list[float]] = {}
    for index, rank in enumerate(sections[0].ranks):
        total.setdefault(rank.host, []).append(sum(section.ranks[index].median_ns for section in sections))
    each = {host: float(np.median(times)) for host, times in total.items()}
    middle = float(np.median(list(each.values())))
    return {host: value / middle - 1 for host, value in each.items()} if middle > 0 else {}


@drawn
def nodes(case: CaseAssessment, ringed: Collection[str]) -> tuple[Figure, str] | None:
    """A square for each node in the order of its ranks, shaded by its slowdown; those that findings name are ringed."""
    slow = slowdown(case)
    if len(slow) < 2:
        return None
    columns = ceil(sqrt(2 * len(slow)))
    rows = ceil(len(slow) / columns)
    side = min(46.0, 600 / columns)
    figure, (plot,) = canvas(side * columns + 20, side * rows + 40, 10, 10, 10, 30)
    shade = np.full((rows, columns), np.nan)
    for index, value in enumerate(slow.values()):
        shade[divmod(index, columns)] = value
    plot.pcolormesh(shade, cmap=SLOW, vmin=0, vmax=FULL, edgecolors="white", linewidth=1)
    for index, (host, value) in enumerate(slow.items()):
        row, column = divmod(index, columns)
        bad = host in ringed
        if bad:
            x = [column + 0.06, column + 0.94, column + 0.94, column + 0.06, column + 0.06]
            y = [row + 0.06, row + 0.06, row + 0.94, row + 0.94, row + 0.06]
            plot.plot(x, y, color=INK, linewidth=2)
        if len(slow) <= _LABELS or bad:
            label = clip(plain(host), 7) if side > 30 else ""
            text = f"{label}\n{100 * value:+.0f} %" if bad or value > 0.02 else label
            plot.text(column + 0.5, row + 0.5, text, ha="center", va="center", fontsize=7.5, color=INK)
    _bare(plot, columns, rows)
    plot.set_title(f"{clip(plain(case.id), 50)}: slowdown of each node", loc="left", color=INK, pad=6)
    named = ", ".join(map(plain, ringed)) or "none"
    return figure, f"{len(slow)} nodes of {plain(case.id)} shaded by slowdown; named: {named}"


@drawn
def heat(case: CaseAssessment, ringed: Collection[str]) -> tuple[Figure, str] | None:
    """Rows: ranks (nodes where there are too many); columns: sections; shade: time over the median of the column."""
    sections = compute_sections(case)[:_COLUMNS]
    if not sections or len(sections[0].ranks) < 2:
        return None
    labels, hosts, values = _rows(sections)
    ratio = values / np.median(values, axis=0) - 1
    kept = np.arange(len(labels))
    if len(labels) > _ROWS:
        kept = np.sort(np.argsort(-ratio.max(axis=1))[:_ROWS])
    height = max(4.0, min(14.0, 420 / len(kept)))
    figure, (plot,) = canvas(110 + 22 * len(sections) + 60, height * len(kept) + 125, 110, 60, 95, 30)
    plot.pcolormesh(ratio[kept], cmap=SLOW, vmin=0, vmax=FULL, edgecolors="white", linewidth=0.4)
    _bare(plot, len(sections), len(kept))
    step = max(1, ceil(len(kept) / 32))
    bad = {row for row in range(len(kept)) if hosts[kept[row]] in ringed}
    clear = {row for row in range(0, len(kept), step) if step == 1 or not bad & {row - 1, row + 1}}
    shown = sorted(bad | clear)
    plot.set_yticks([row + 0.5 for row in shown], [labels[kept[row]] for row in shown], fontsize=7.5)
    for tick, row in zip(plot.get_yticklabels(), shown, strict=True):
        tick.set_color(BAD if row in bad else MUTED)
    names = [clip(plain(section.path), 22) for section in sections]
    plot.set_xticks([column + 0.5 for column in range(len(names))], names, rotation=60, ha="right", fontsize=8)
    what = "ranks" if len(labels) == len(sections[0].ranks) else "nodes"
    plot.set_title(f"{clip(plain(case.id), 50)}: {what} against sections", loc="left", color=INK, pad=6)
    return figure, f"Time of each row of {plain(case.id)} over the median of its column, section by section"


def _rows(sections: Sequence[SectionSummary]) -> tuple[list[str], list[str], Array]:
    """(labels, hosts, times of (rows, sections)) of ranks, or of nodes where there are too many ranks."""
    ranks = sections[0].ranks
    times = np.array([[rank_time.median_ns for rank_time in section.ranks] for section in sections]).T
    hosts = [rank_time.host for rank_time in ranks]
    if len(ranks) <= _ROWS or len(set(hosts)) < 2:
        return [f"rank {rank_time.rank}  {clip(plain(rank_time.host), 10)}" for rank_time in ranks], hosts, np.maximum(times, 1.0)
    names = list(dict.fromkeys(hosts))
    middle = [np.median(times[[index for index, host in enumerate(hosts) if host == name]], axis=0) for name in names]
    return [clip(plain(name), 16) for name in names], names, np.maximum(np.array(middle), 1.0)


def _bare(plot, columns: int, rows: int) -> None:
    plot.set(xlim=(0, columns), ylim=(rows, 0))
    plot.set_xticks([])
    plot.set_yticks([])
    for spine in plot.spines.values():
        spine.set_color(FAINT)
        spine.set_visible(False)
