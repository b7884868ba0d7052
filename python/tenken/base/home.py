"""Where a user's own files of Tenken are."""

from __future__ import annotations

import os
from pathlib import Path


def of_user(variable: str, default: str) -> Path | None:
    """`tenken` in the folder that the variable of XDG names, else in `default` of the home; None for a user without a home."""
    if chosen := os.environ.get(variable):
        return Path(chosen) / "tenken"
    try:
        return Path.home() / default / "tenken"
    except RuntimeError:  # HOME is unset, and the system does not list the user
        return None
