"""A node's own report, without any measurement, and its judgement."""

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
