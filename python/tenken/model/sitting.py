"""The place and purpose of a run, which decide of which sitting it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SITTING = "sitting"  # where the environment of a run tells it


@dataclass(frozen=True, slots=True)
class Occasion:
    """The common facts of the runs of a sitting. With a name the run is a drill or a test."""

    place: str = ""  # "slurm job 4711", "boot 6fd1..."; "" where it is not known
    name: str = ""  # that TENKEN_SITTING gave


def occasion_of(environment: Mapping[str, Any]) -> Occasion:
    """The facts in the environment of a run; older runs have none."""
    recorded = environment.get(SITTING)
    if not isinstance(recorded, Mapping):
        return Occasion()
    return Occasion(str(recorded.get("place") or ""), str(recorded.get("name") or ""))
