"""Reading a run folder whose cases are run again. It is data: nothing that it names is executed for that alone."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tenken.base.errors import TenkenError
from tenken.base.words import unknown
from tenken.launch.resolve import find_parameter
from tenken.model.check import Check, parameters_now, present
from tenken.model.run import CaseRun, Run

_KNOWN = ("local", "slurm")  # ways of starting that are Tenken's own


def start_of(run: Run, on: str | None) -> dict[str, Any]:
    """How a run was started, to be started so again. `on` as typed now: a template must be typed again, and be the same."""
    start: dict[str, Any] = {"on": "local", "nodes": 1} | run.environment
    if on is not None and on != start["on"]:
        raise TenkenError(f"--on {shlex.quote(on)}: {run.name} was started with --on {shlex.quote(start['on'])}; type the same.")
    if start["on"] not in _KNOWN and on is None:
        raise TenkenError(
            f"{run.name} was started with a launcher command, and Tenken executes no command from a run folder; "
            f"read the command, then type it: --on {shlex.quote(start['on'])}"
        )
    return start


def as_now(run: Run, checks: Mapping[str, Check]) -> Run:
    """`run` with the names that its cases have now, each of a check of the tree where it was renamed."""
    cases = []
    for case_run in run.cases:
        check, _, name = present(case_run.case.id, checks).partition(":")
        if check in checks and f"{check}:{name}" != case_run.case.id:
            parameters = parameters_now(case_run.case.id, case_run.case.parameters, checks)
            case = replace(case_run.case, check=check, name=name, parameters=parameters)
            case_run = replace(case_run, case=case, check=checks[check])
        cases.append(case_run)
    studies = []
    for study in run.studies:
        check, _, name = present(f"{study.check}:{study.study.name}", checks).partition(":")
        points = tuple(replace(point, case_id=present(point.case_id, checks)) for point in study.points)
        studies.append(replace(study, check=check, study=replace(study.study, name=name), points=points))
    return replace(run, cases=tuple(cases), studies=tuple(studies))


def require_known(cases: Iterable[CaseRun], checks: Mapping[str, Check]) -> None:
    """TenkenError unless every case is of a check of this tree, with parameters of that check."""
    for case_run in cases:
        now = present(case_run.case.id, checks)
        if now != case_run.case.id:
            raise TenkenError(
                f"{case_run.case.id} of the run folder is now called {now}, so its launches would use two programs; "
                "./tenken rerun RUN measures the case again."
            )
        if case_run.case.check not in checks:
            raise unknown("check", case_run.case.check, checks, of=" in the run folder")
        check = checks[case_run.case.check]
        for name in case_run.case.parameters if check.problem is None else ():  # of a broken check nothing is known, nor run
            find_parameter(check, name)
