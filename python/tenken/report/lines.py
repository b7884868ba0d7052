"""Labelled lines, of which every answer on the terminal consists."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from tenken.report.plain import clip

LABEL = 9  # columns before the text of a line


def phrases(label: str, parts: Sequence[str], width: int, lines: int = 4) -> list[str]:
    """Phrases beside each other after a label, wrapped; none at all gives no line. A command (`next`) is never cut."""
    joined = "   ".join(part for part in parts if part)
    indent = f"{label:<{LABEL}}" if len(label) < LABEL else f"{label}  "
    return textwrap.wrap(joined, max(width, 40), initial_indent=indent, subsequent_indent=" " * LABEL,
                         max_lines=None if label == "next" else lines, placeholder=" ...", break_on_hyphens=False,
                         drop_whitespace=True)


def line(label: str, text: str, width: int) -> str:
    """A label and the text beside it, cut at `width`."""
    return clip(f"{label:<{LABEL}}{text}" if len(label) < LABEL else f"{label}  {text}", width)


def text(lines: Iterable[str]) -> str:
    """Lines as they are printed."""
    return "\n".join(line.rstrip() for line in lines) + "\n"
