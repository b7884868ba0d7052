"""A node's own report, without any measurement, its judgement, and how much a node check measures beside it."""

from __future__ import annotations

from dataclasses import dataclass

from tenken.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Health:
    """Counters and states; None where the system does not tell. Counters are since boot."""

    correctable: int | None  # memory errors that were corrected, all controllers
    uncorrectable: int | None
    throttled: int | None  # times that a core was slowed for heat, all cores
    tmp_free_bytes: int | None  # of /tmp
    tmp_bytes: int | None
    clock_source: str | None  # of the kernel


@dataclass(frozen=True, slots=True)
class HealthResult:
    name: str  # memory | throttling | tmp | clock
    verdict: Verdict
    sentence: str


@dataclass(frozen=True, slots=True)
class Extent:
    """The cases to check, and the time for them."""

    suite: str
    seconds: float  # of the timed part of each case
    limit_s: float  # for everything, from the first line of the bootstrap on
    ending_s: float  # of it, to end remaining processes and remove their files
    cards: str = ""  # the suite that a node with cards runs besides
