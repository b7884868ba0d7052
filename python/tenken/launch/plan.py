"""From the names typed to launches in the order in which they will run, and how long that will take."""

from __future__ import annotations

import dataclasses
import random
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tenken.base.errors import RecordError, TenkenError
from tenken.base.words import plural, unknown
from tenken.model.check import Case, CaseSpec, Check, Study, Suite, Topic, named, older_ids, present
from tenken.model.run import CaseRun, Launch
from tenken.store.files import read_json
from tenken.store.runfolder import launch_folder, list_runs
from tenken.store.suitefile import suite_cases

DEFAULT = "quick"
# A launch never run here before is guessed to need this part of its time-out; where the case states the length of the
# timed part, that and this part for start and proofs.
_GUESSED_PART, _GUESSED_START = 0.3, 0.05
# So many of the newest runs are asked how long a case takes.
_REMEMBERED_RUNS = 20


@dataclass(frozen=True, slots=True)
class Selection:
    """The cases and studies behind the names typed, each once, in the order typed."""

    label: str  # the names as typed, older ones as they are now
    cases: tuple[tuple[Check, CaseSpec], ...]
    studies: tuple[tuple[Check, Study, str | None], ...]  # with the point that was asked for, if any
    order: str  # random | given
    topics: tuple[Topic, ...]  # of the suites among the names
    renamed: tuple[tuple[str, str], ...]  # of the names typed the older names, each with its present name


def select(
    names: Sequence[str], checks: Mapping[str, Check], suites: Mapping[str, Suite], variant: str | None = None
) -> Selection:
    """Suites, checks, check:case, check:study and check:study/point as typed (default quick), by present or older names.

    A check stands for its cases that any suite has: others are too long for every day, or need a file, and run by their own name.
    Where `variant`, as typed, runs on a device, it stands for the cases of that variant: sizes and teams of the others are
    of processors.
    TenkenError for unknown ones, with the nearest.
    """
    typed = list(names) or [DEFAULT]
    names = [name if name in suites else present(name, checks) for name in typed]
    renamed = tuple((old, name) for old, name in zip(typed, names, strict=True) if old != name)
    chosen: dict[str, tuple[Check, CaseSpec]] = {}
    studies: dict[str, tuple[Check, Study, str | None]] = {}
    topics: list[Topic] = []
    order = "random"
    for name in names:
        meant = checks.get(name.partition(":")[0])
        if meant and meant.problem:
            raise TenkenError(meant.problem)
        if name in suites:
            ids: Iterable[str] = suite_cases(suites[name], checks)
            order = suites[name].order
            topics += suites[name].topics
        elif name in checks:
            ids = [f"{name}:{case}" for case in _cases(checks[name], variant)]
        elif chosen_study := _study(name, checks):
            studies[name] = chosen_study
            continue
        else:
            ids = [_case_id(name, checks, suites)]
        for name_of_case in ids:
            check_name, case_name = name_of_case.split(":", 1)
            check = checks[check_name]
            if chosen_study := _study(name_of_case, checks):
                studies[name_of_case] = chosen_study
            elif spec := next((case for case in check.cases if case.name == case_name), None):
                chosen[name_of_case] = check, spec  # None for a study of a check that cannot be read
    order = order if len(names) == 1 else "random"
    return Selection(" ".join(names), tuple(chosen.values()), tuple(studies.values()), order, tuple(topics), renamed)


def _cases(check: Check, variant: str | None) -> list[str]:
    """The cases that the name of a check stands for."""
    if variant is not None and variant in check.variants and check.on_device(variant):
        own = [case.name for case in check.cases if case.variant == variant]
        if own:
            return own
    return [case.name for case in check.cases if case.suites] or [case.name for case in check.cases]


def _study(name: str, checks: Mapping[str, Check]) -> tuple[Check, Study, str | None] | None:
    """The study meant by check:study or check:study/point."""
    check_name, _, rest = name.partition(":")
    study_name, _, point = rest.partition("/")
    check = checks.get(check_name)
    study = next((study for study in check.studies if study.name == study_name), None) if check else None
    return (check, study, point or None) if check and study else None


def _case_id(name: str, checks: Mapping[str, Check], suites: Mapping[str, Suite]) -> str:
    check, colon, case = name.partition(":")
    if not colon:
        raise unknown("suite or check", name, [*suites, *checks])
    if check not in checks:
        raise unknown("check", check, checks)
    known = [*(case.name for case in checks[check].cases), *(study.name for study in checks[check].studies)]
    if case not in known:
        raise unknown("case", case, known, of=f" of check {check}")
    return name


def by_importance(cases: Sequence[CaseRun], topics: Sequence[Topic]) -> list[CaseRun]:
    """Cases and points of studies in the order in which `topics` name them, each topic in turn; then the others."""
    places = {name: place for place, name in enumerate(named(topics))}
    return sorted(cases, key=lambda case_run: places.get(case_run.case.id.partition("/")[0], len(places)))


def plan(cases: Sequence[CaseRun], seed: int, order: str = "random") -> tuple[CaseRun, ...]:
    """The same cases with their planned launches, numbered from 1 in the order in which they run.

    Round after round each case gets a launch (A B A B), so that the launches of a case are spread over the sitting;
    with `order` random each round is shuffled by `seed`, and no case follows itself if that can be helped.
    """
    shuffle = random.Random(seed).shuffle
    sequence: list[Case] = []
    runnable = [case_run.case for case_run in cases if case_run.unavailable is None]
    for number in range(max((case.launches for case in runnable), default=0)):
        turn = [case for case in runnable if case.launches > number]
        if order == "random":
            shuffle(turn)
            if len(turn) > 1 and sequence and sequence[-1].id == turn[0].id:
                turn.append(turn.pop(0))
        sequence += turn
    planned: dict[str, list[Launch]] = {}
    for number, case in enumerate(sequence, start=1):
        planned.setdefault(case.id, []).append(new_launch(number, case.id))
    return tuple(dataclasses.replace(case_run, launches=tuple(planned.get(case_run.case.id, ()))) for case_run in cases)


def new_launch(number: int, case_id: str, confirms: int | None = None) -> Launch:
    return Launch(number, case_id, "planned", launch_folder(number, case_id), confirms=confirms)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Of all unfinished launches."""

    seconds: float
    guessed: int  # cases among them that never ran here

    def __str__(self) -> str:
        about = f"about {self.seconds / 60:.0f} min" if self.seconds >= 90 else f"about {self.seconds:.0f} s"
        return about + (f", guessed of {plural(self.guessed, 'case')} that never ran here" if self.guessed else "")


def seconds_by_case(cases: Iterable[CaseRun], runs: Path) -> dict[str, float]:
    """Seconds that the unfinished launches of each case will need: as long as in the newest runs, else a guess."""
    return {name: seconds for name, (seconds, _) in _expected(cases, runs).items()}


def estimate(cases: Iterable[CaseRun], runs: Path, most: float | None = None) -> Estimate:
    """`most`: seconds after which no launch begins."""
    expected = _expected(cases, runs).values()
    seconds = sum(seconds for seconds, _ in expected)
    return Estimate(min(seconds, most or seconds), sum(never for _, never in expected))


def _expected(cases: Iterable[CaseRun], runs: Path) -> dict[str, tuple[float, bool]]:
    """By case its seconds, and whether they are a guess."""
    earlier = earlier_seconds(runs)

    def expected(case_run: CaseRun) -> tuple[float, bool]:
        left = sum(launch.status != "done" for launch in case_run.launches)
        names = (case_run.case.id, *older_ids(case_run.check, case_run.case.name))
        seconds = next((earlier[name] for name in names if name in earlier), None)
        return left * (_guess(case_run.case) if seconds is None else seconds), seconds is None and left > 0

    return {case_run.case.id: expected(case_run) for case_run in cases}


def _guess(case: Case) -> float:
    stated = case.parameters.get("seconds")
    return _GUESSED_PART * case.timeout_s if stated is None else stated + _GUESSED_START * case.timeout_s


def earlier_seconds(runs: Path) -> dict[str, float]:
    """Median seconds of a finished launch, by case, out of the newest runs. Unreadable runs are passed over."""
    seconds: dict[str, list[float]] = {}
    for folder in list_runs(runs)[-_REMEMBERED_RUNS:]:
        for path in folder.glob("launches/*/launch.json"):
            try:
                launch = read_json(path)
                if launch["status"] == "done":
                    seconds.setdefault(launch["case_id"], []).append(float(launch["seconds"]))
            except (RecordError, KeyError, TypeError, ValueError):
                continue
    return {case_id: statistics.median(values) for case_id, values in seconds.items()}
