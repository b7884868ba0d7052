"""The first line of a monitoring plugin, of at most 200 characters. Imports little: it is printed when time is over."""

from __future__ import annotations

import re

from tenken.report.plain import clip, plain

UNKNOWN = 3  # exit code
WIDTH = 199  # characters of the first line before the figures, their blank left out: notifications cut longer ones
COMMAND = "./tenken run "


def unknown(host: str, sentence: str) -> tuple[str, int]:
    """The answer where nothing could be measured."""
    first, whole = first_line(host, "UNKNOWN", sentence), safe(without_options(sentence))
    return (first if first.endswith(whole) else f"{first}\n{whole}"), UNKNOWN


def first_line(host: str, word: str, cause: str) -> str:
    return clip(f"{word} - {safe(f'{clip(host, 64)}: {without_options(cause)}')}", WIDTH)


def without_options(sentence: str) -> str:
    """The sentence without those parts that advise an option: `node-check` has none of them."""
    parts = [part for part in sentence.split("; ") if COMMAND in part or not re.search(r"(?<!\S)\(?--[a-z]", part)]
    if parts:
        return "; ".join(parts)
    before = re.split(r" *(?<!\S)\(?--[a-z]", sentence)[0]
    return before.rpartition(" or ")[0] or before


def safe(text: str) -> str:
    """On a single line and without the sign that begins the figures."""
    return plain(text).replace("|", "/").replace("\n", " ")
