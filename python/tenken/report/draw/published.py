"""Published results in the picture of a study: hollow diamonds with letters, which are explained under the plot."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tenken.base import units
from tenken.model.study import PublishedPoint
from tenken.report.draw.style import INK
from tenken.report.plain import clip, plain

ROW = 14  # pixels of a line of the key
_LETTER = 5.4  # pixels, of its text
_NEAR = 11  # pixels: letters of diamonds that lie nearer stand together


def height(shown: Sequence[PublishedPoint]) -> int:
    """Pixels of the key."""
    return ROW * len(shown) + (4 if shown else 0)


def draw(figure: Figure, plot: Axes, shown: Sequence[PublishedPoint], places: dict[float | str, float], unit: str) -> None:
    """Diamonds with letters; the key at the foot of the figure, in `height` pixels."""
    at: list[tuple[float, float, str]] = []  # pixels, letter
    room = int(figure.get_figwidth() * 72 / _LETTER)
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
