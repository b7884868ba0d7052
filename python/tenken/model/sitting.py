"""Where and for what a run was made, which decides of which sitting it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SITTING = "sitting"  # where the environment of a run tells it


@dataclass(frozen=True, slots=True)
class Occasion:
    """What runs of one sitting have in common. With a name the run is a drill or a test."""

    place: str = ""  # "slurm job 4711", "boot 6fd1..."; "" where it is not known
    name: str = ""  # that TENKEN_SITTING gave


def occasion_of(environment: Mapping[str, Any]) -> Occasion:
    """What the environment of a run tells; older runs tell nothing."""
    told = environment.get(SITTING)
    if not isinstance(told, Mapping):
        return Occasion()
    return Occasion(str(told.get("place") or ""), str(told.get("name") or ""))
