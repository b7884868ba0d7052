"""Refusing an unknown name with the nearest valid ones."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from tenken.model.errors import TenkenError

MOST_NAMED = 16


def unknown(kind: str, name: str, valid: Iterable[str], of: str = "") -> TenkenError:
    """The refusal of `name`: names the nearest valid ones first, then all where they are few."""
    names = sorted(set(valid))
    nearest = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    sentence = f"unknown {kind} '{name}'{of}"
    if nearest:
        sentence += f"; did you mean {' or '.join(nearest)}?"
    if not names:
        return TenkenError(f"{sentence}; there is none.")
    listed = ", ".join(names[:MOST_NAMED]) + (", ..." if len(names) > MOST_NAMED else "")
    return TenkenError(f"{sentence}{' Valid' if nearest else '; valid'}: {listed}.")
