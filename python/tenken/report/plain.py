"""Strings from the outside (host names, last lines, sentences) made harmless to terminals, XML and eyes."""

from __future__ import annotations


def plain(text: object, limit: int = 2000) -> str:
    """`text` on a single line; unprintable characters (escape sequences, direction marks) are shown as \\xNN or \\uNNNN.

    White space becomes a single blank; beyond `limit` characters the rest is cut, marked "...".
    """
    line = " ".join(str(text)[: 2 * limit].split())
    safe = "".join(char if char.isprintable() else _visible(char) for char in line)
    return clip(safe, limit)


def visible(text: str) -> str:
    """`text` with its lines and tabs; every other control character, direction mark or lone surrogate is made visible."""
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(char if char.isprintable() or char in "\n\t" else _visible(char) for char in text)


def clip(text: str, width: int) -> str:
    """At most `width` characters, the last three dots where something was cut."""
    return text if len(text) <= width else text[: max(width - 3, 0)].rstrip() + "..."[:width]


def clip_middle(text: str, width: int) -> str:
    """At most `width` characters, three dots in place of the middle: for names that differ at their end."""
    if len(text) <= width:
        return text
    kept = max(width - 3, 0)
    return text[: kept // 3] + "..."[:width] + text[len(text) - (kept - kept // 3):]


def _visible(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
