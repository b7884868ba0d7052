"""The builds of a run: that of its own environment, and a build for each environment that points of studies name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tenken.base.errors import TenkenError
from tenken.cli import here, places
from tenken.launch import environment as environments
from tenken.launch.build import Built, build, programs
from tenken.launch.environment import BuildEnvironment
from tenken.model.check import Case, Check, Study, StudyAxis
from tenken.model.run import CaseRun, Run

AXIS = "environment"


@dataclass(frozen=True, slots=True)
class Environments:
    """`run` is that of the run. Those of points stand under the name that the study uses."""

    run: BuildEnvironment
    of_points: Mapping[str, BuildEnvironment] = field(default_factory=dict)
    impossible: Mapping[str, str] = field(default_factory=dict)  # named by points -> why it cannot be had here


@dataclass(frozen=True, slots=True)
class Builds:
    run: Built
    of_points: Mapping[str, Built]
    impossible: Mapping[str, str]

    def of(self, case: Case) -> Built:
        return self.of_points[case.environment] if case.environment else self.run

    def missing(self, case_run: CaseRun) -> str | None:
        """Why this case cannot run here; None where it can."""
        name = case_run.case.environment
        return self.impossible.get(name) or self.of(case_run.case).missing(case_run.check, case_run.case.variant)

    def marked(self, case_run: CaseRun) -> CaseRun:
        """`case_run` with why it cannot run here; a check that does not compile is an ERROR of its cases."""
        built = None if case_run.case.environment in self.impossible else self.of(case_run.case)
        broken = built.broken.get(case_run.check.name) if built else None
        check = case_run.check
        check = dataclasses.replace(check, problem=broken) if broken and check.problem is None else check
        return dataclasses.replace(case_run, check=check, unavailable=self.missing(case_run))

    def describe(self) -> dict[str, Any]:
        """Their descriptions in run.json: the run's own, and those of points by name."""
        others = {name: built.environment.describe() for name, built in self.of_points.items()}
        return self.run.environment.describe() | ({"of_points": others} if others else {})


def typed_names(typed: str | None) -> list[str]:
    """The environments in `--environment A[,B]`."""
    return [name.strip() for name in typed.split(",") if name.strip()] if typed else []


def sweep(check: Check, study: Study, names: Sequence[str]) -> Study:
    """The study over the environments `names`, where it has that axis; as it is where none is named."""
    def typed(axis: StudyAxis) -> StudyAxis:
        if AXIS not in axis.sweeps:
            return axis
        if len(axis.sweeps) > 1:
            raise TenkenError(f"--environment {','.join(names)}: study {check.name}:{study.name} moves it together with others.")
        return StudyAxis(axis.name, {AXIS: list(names)})

    return dataclasses.replace(study, axes=tuple(map(typed, study.axes))) if names else study


def sweeps_environments(study: Study) -> bool:
    return any(AXIS in axis.sweeps for axis in study.axes)


def select(names: Sequence[str | None], cases: Iterable[CaseRun], known: here.Here) -> Environments:
    """The environments of a run of `cases`; the first of `names` is its own, else the best that is here."""
    named = here.named_environments(known)
    chosen: dict[str, BuildEnvironment] = {}
    impossible: dict[str, str] = {}
    for name in dict.fromkeys(case_run.case.environment for case_run in cases if case_run.case.environment):
        try:
            chosen[name] = environments.select(name, named)
        except TenkenError as error:
            impossible[name] = str(error)
    return Environments(environments.select(next(iter(names), None), named), chosen, impossible)


def again(run: Run, known: here.Here) -> Environments:
    """The environments of a run that goes on; refused where an environment has changed."""
    named = here.named_environments(known)
    others = run.environment.get("of_points", {})
    return Environments(
        _same(run, environments.select(run.environment.get("name"), named), run.environment),
        {name: _same(run, environments.select(name, named), then) for name, then in others.items()},
    )


def _same(run: Run, chosen: BuildEnvironment, then: Mapping[str, Any]) -> BuildEnvironment:
    now = chosen.describe()
    if any(now[key] != then.get(key, now[key]) for key in ("fingerprint", "variables", "launcher")):
        raise TenkenError(
            f"environment {chosen.name} changed since {run.name} started (compiler, MPI, flags or variables"
            "); start a new run."
        )
    return chosen


def made(chosen: Environments, build_one: Callable[[BuildEnvironment], Built]) -> Builds:
    """Every build, each made once."""
    folders: dict[str, Built] = {}

    def built_in(environment: BuildEnvironment) -> Built:
        folder = str(environment.build_folders(places.TREE)[-1])
        if folder not in folders:
            folders[folder] = build_one(environment)
        return dataclasses.replace(folders[folder], environment=environment)

    return Builds(built_in(chosen.run), {name: built_in(each) for name, each in chosen.of_points.items()}, chosen.impossible)


def build_all(chosen: Environments, cases: Iterable[CaseRun], progress: Callable[[str, bool], None]) -> Builds:
    """The programs of these cases, and no other."""
    targets = programs(places.TREE, (case_run.case.check for case_run in cases))
    return made(chosen, lambda environment: build(places.TREE, environment, progress, targets=targets))
