"""Layouts of ranks in a study: the time of each class of messages by layout, and the fastest layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tenken.base.words import digits, duration, plural
from tenken.model.assessment import SectionSummary
from tenken.model.judgement import StudyToTell, StudyTold, ToJudge
from tenken.model.run import Measured
from tenken.model.study import StudyTable
from tenken.stats.robust import median

CLASSES = ("alltoall", "allreduce", "allgather", "bcast", "halo")  # of a section of communication, by its name

Timed = Callable[[Measured], Iterable[SectionSummary]]
Label = Callable[[ToJudge], tuple[str, ...]]


@dataclass(frozen=True)
class _Layout:
    label: tuple[str, ...]
    classes: dict[str, float]  # ns of a repetition, median of the launches
    whole: tuple[tuple[float, float], ...]  # the same of each launch, without the time that other load may have added and with it

    @property
    def middle(self) -> float:
        return median([high for _, high in self.whole])


def layouts(of: StudyToTell, timed: Timed, whole: str, heading: tuple[str, ...], label: Label) -> StudyTold:
    """A table for each count of ranks with two layouts or more, and a sentence that names the layout in which the section
    `whole` is shortest. `label` describes the layout of a point: first its name, then the cells under `heading`."""
    tables, notes = [], []
    for ranks in sorted({point.case.ranks for point in of.points}):
        points = [point for point in of.points if point.case.ranks == ranks]
        here = [made for point in points if (made := _layout(point, timed, whole, label)) is not None]
        if len(here) > 1:
            used = [name for name in CLASSES if any(layout.classes[name] for layout in here)]
            rows = tuple((*layout.label, *(f"{layout.classes[name] / 1e6:.3g}" for name in used), f"{layout.middle / 1e6:.4g}")
                         for layout in here)
            title = f"{plural(ranks, 'rank')}: time of a repetition by class of messages, waits for late ranks included (ms)"
            tables.append(StudyTable(title, (*heading, *used, whole), rows))
            notes.append(f"{plural(ranks, 'rank')}: {_shortest(here, whole)}")
    return StudyTold(tuple(tables), tuple(notes))


def _layout(point: ToJudge, timed: Timed, whole: str, label: Label) -> _Layout | None:
    launches = [[section for section in timed(each) if not section.once] for each in point.measured]
    wholes = tuple((section.median_ns - section.hidden_ns, section.median_ns)
                   for sections in launches for section in sections if section.path == whole)
    if not wholes:
        return None
    times = [_class_times(sections) for sections in launches]
    return _Layout(label(point), {name: median([time.get(name, 0.0) for time in times]) for name in CLASSES}, wholes)


def _class_times(sections: Sequence[SectionSummary]) -> dict[str, float]:
    times: dict[str, float] = {}
    for section in sections:
        name = next((name for name in CLASSES if name in section.path.rpartition("/")[2]), None)
        if section.kind == "comm" and section.leaf and name is not None:
            times[name] = times.get(name, 0.0) + section.median_ns
    return times


def _shortest(here: Sequence[_Layout], whole: str) -> str:
    best, slowest = (choose(here, key=lambda layout: layout.middle) for choose in (min, max))
    ratio = digits(slowest.middle / best.middle)
    sentence = (f"{best.label[0]} has the shortest {whole}, {duration(best.middle)}; "
                f"{slowest.label[0]} takes {ratio} times as long")
    longest = max(high for _, high in best.whole)
    close = [layout.label[0] for layout in here if layout is not best and min(low for low, _ in layout.whole) <= longest]
    return sentence + (f" (chance or other load can explain {' and '.join(close)})" if close else "")
