"""A topic of a suite as reported: its cases and studies, with published figures of other systems beside them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Beside:
    """A published figure beside a metric of this run. Shown, never judged."""

    case_id: str
    metric: str  # with /AT where it is repeated
    here: str  # the figure of this run with its unit
    percent: float | None  # of its ceiling
    system: str
    published: str  # the figure as printed, with its unit
    published_percent: str | None  # of peak, as printed
    what: str  # application, row and size
    apart: str  # the differences of the two; "" where they may be compared


@dataclass(frozen=True, slots=True)
class TopicResult:
    name: str
    title: str
    question: str
    include: tuple[str, ...]  # check:case and check:study
    beside: tuple[Beside, ...] = ()
