"""One look for every figure, and the way from a Matplotlib figure to compact SVG that can stand inside a page."""

from __future__ import annotations

import functools
import html
import io
import re
from collections.abc import Callable
from typing import ParamSpec

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tenken.base import units

INK, MUTED, FAINT, GRID = "#1f2933", "#5f6b7a", "#c5ccd3", "#e6eaee"
BAD = "#c4420a"  # vermilion: distinct from BLUE and TEAL for every kind of colour vision
BLUE, TEAL, ORANGE, PURPLE = "#2f6f9f", "#14836b", "#cf8500", "#8a4f9e"
KIND = {"compute": BLUE, "comm": ORANGE, "io": PURPLE, "wait": MUTED}
CEILING = {"F": BLUE, "B": TEAL, "N": ORANGE}

_RC = {
    "svg.fonttype": "none", "svg.hashsalt": "tenken", "text.parse_math": False, "path.simplify": False,
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": 10.5, "text.color": INK,
    # A fixed height of titles: Matplotlib would measure every label of a plot to place them.
    "axes.titley": 1.0,
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": FAINT, "axes.labelcolor": MUTED,
    "axes.labelsize": 10.5, "axes.titlesize": 10.5, "axes.titlelocation": "left", "axes.axisbelow": True,
    "axes.linewidth": 1, "xtick.color": MUTED, "ytick.color": MUTED, "xtick.labelsize": 10, "ytick.labelsize": 10,
    "xtick.major.size": 0, "ytick.major.size": 0, "xtick.minor.size": 0, "ytick.minor.size": 0, "grid.color": GRID,
    "grid.linewidth": 1, "lines.linewidth": 1.6, "figure.dpi": 72, "figure.facecolor": "none", "axes.facecolor": "none",
    "savefig.facecolor": "none",
}
_P = ParamSpec("_P")


def drawn(function: Callable[_P, tuple[Figure, str] | None]) -> Callable[_P, str]:
    """Make a function that returns a figure and its description (or None) return SVG (or "")."""

    @functools.wraps(function)
    def draw(*args: _P.args, **kwargs: _P.kwargs) -> str:
        with matplotlib.rc_context(_RC):
            made = function(*args, **kwargs)
            return "" if made is None else _svg(*made)

    return draw


def canvas(width: float, height: float, left: float, right: float, bottom: float, top: float, rows: int = 1,
           gap: float = 0.0) -> tuple[Figure, list[Axes]]:
    """A figure of `width` x `height` pixels with these margins in pixels, and its plots from top to bottom."""
    figure = Figure(figsize=(width / 72, height / 72))
    plots = figure.subplots(rows, 1, squeeze=False)[:, 0]
    inner = (height - bottom - top - gap * (rows - 1)) / rows
    figure.subplots_adjust(left / width, bottom / height, 1 - right / width, 1 - top / height, hspace=gap / inner)
    return figure, list(plots)


def _svg(figure: Figure, description: str) -> str:
    """SVG without prologue, metadata, foreign addresses or identifiers that nothing refers to."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None})
    text = stream.getvalue()
    text = text[text.index("<svg"):]
    for useless in (
        r"<metadata>.*?</metadata>", r"<!--.*?-->", r"<style.*?</style>", r' xmlns(:\w+)?="[^"]*"', r' version="[^"]*"'
    ):
        text = re.sub(useless, "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text.replace("xlink:href", "href"))
    # Of coordinates alone: texts have all their digits.
    text = re.sub(r"<[^>]+>", lambda tag: re.sub(r"(\.\d\d)\d+", r"\1", tag[0]), text)
    text = re.sub(r"font: ([^;\"]*?)'DejaVu Sans'[^;\"]*", r"font: \1var(--sans)", text)
    text = re.sub(r">\s+<", "><", re.sub(r"\s*\n\s*", " ", text))
    view = re.search(r'viewBox="[^"]*"', text)
    label = html.escape(description, quote=True)
    size = f'{view[0] if view else ""} style="max-width:{72 * figure.get_figwidth():.0f}px"'
    opening = f'<svg role="img" aria-label="{label}" {size}>'
    return opening + units.micro(text[text.index(">") + 1:])
