"""Studies as planned for a machine and as judged. As written they are in `model.check`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tenken.model.check import Plot, Study
from tenken.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class StudyPoint:
    """A point of the sweep. `places` is where it lies: axis -> value (a text where several things move together)."""

    name: str
    case_id: str  # check:study/point
    places: dict[str, Any]
    left_out: str = ""  # why it cannot run here


@dataclass(frozen=True, slots=True)
class PublishedPoint:
    """A published result, in the unit of its metric. Shown, never judged."""

    metric: str
    label: str
    x: float | str
    value: float
    source: str
    panel: str = ""  # place on the axis of panels; "" = in all


@dataclass(frozen=True, slots=True)
class StudyRun:
    """A study planned for a machine, its points in the order of the axes."""

    check: str
    study: Study
    points: tuple[StudyPoint, ...]
    published: tuple[PublishedPoint, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.check}:{self.study.name}"


@dataclass(frozen=True, slots=True)
class PointFigure:
    """A metric at a point, in the unit of the metric."""

    metric: str
    value: float | None  # median over launches; None where nothing (right) was measured
    low: float | None  # least and greatest launch
    high: float | None
    launches: int
    ceiling: float | None
    speed_up: float | None  # over the smallest point of the same line; in scaling studies
    efficiency: float | None  # speed-up over the ideal speed-up
    best: bool  # the best of all points that were not disturbed


@dataclass(frozen=True, slots=True)
class SectionTime:
    """A leaf section at a point: median time of a repetition."""

    path: str
    kind: str
    ns: float


@dataclass(frozen=True, slots=True)
class PointResult:
    name: str
    case_id: str
    places: dict[str, Any]
    cores: int  # ranks x threads
    x: float | str | None  # where the plot has it; a text on an axis without numbers
    verdict: Verdict
    disturbed: str  # why, empty where undisturbed
    figures: tuple[PointFigure, ...]  # a figure for each y of the plot
    sections: tuple[SectionTime, ...] = ()  # of a stack, in the order of the record
    processors: str = ""  # where threads ran, in studies that move them


@dataclass(frozen=True, slots=True)
class LeftOut:
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class CacheMark:
    """The size of all caches of a level for so many cores, set closely."""

    name: str  # L1, L2, L3
    cores: int
    bytes: int


@dataclass(frozen=True, slots=True)
class PlottedMetric:
    name: str
    unit: str
    better: str  # higher | lower


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A table that the check itself tells of its study: texts, the first column set left."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""  # a sentence below it


@dataclass(frozen=True, slots=True)
class StudyAssessment:
    """A study with its figures: the report draws this and nothing else."""

    id: str  # check:study
    title: str
    question: str
    axes: dict[str, str]  # name -> unit of its values, "" where they have none
    along: str  # the axis along which a line runs
    plot: Plot
    x_unit: str  # "" where x has none
    metrics: tuple[PlottedMetric, ...]
    points: tuple[PointResult, ...]
    left_out: tuple[LeftOut, ...]
    caches: tuple[CacheMark, ...]  # where the plot marks them
    notes: tuple[str, ...] = ()  # sentences on settings that cannot differ here, and the check's words on the whole
    published: tuple[PublishedPoint, ...] = ()
    tables: tuple[StudyTable, ...] = ()  # that the check tells
