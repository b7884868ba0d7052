"""Runs made before check.toml could say what it says now: what their checks give to others, and what their proofs are held to
where that is an expression, is read from the tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from tenken.model.check import Check, ValiditySpec
from tenken.model.errors import TenkenError
from tenken.model.run import Run
from tenken.store.checkfile import read_check


def with_present_roles(run: Run, check_folders: Iterable[Path]) -> Run:
    """`run`, whose checks say what their metrics provide where the check of that name in the tree does.

    A role changes no figure of a run; so a run that states none is taken for one that could not yet.
    """
    present = {name: check for name in {one.check.name for one in run.cases} if (check := _read(name, check_folders))}

    def filled(check: Check) -> Check:
        now = present.get(check.name)
        if now is None:
            return check
        held = {one.name: one for one in now.validity if _computed(one)}
        of = {(metric.name, metric.quantity): metric.provides for metric in now.metrics}
        return replace(check, repetitions_alike=check.repetitions_alike and now.repetitions_alike, validity=tuple(
            one if _computed(one) else held.get(one.name, one) for one in check.validity
        ), metrics=tuple(
            replace(metric, provides=metric.provides or of.get((metric.name, metric.quantity))) for metric in check.metrics
        ))

    return replace(run, cases=tuple(replace(one, check=filled(one.check)) for one in run.cases))


def _computed(spec: ValiditySpec) -> bool:
    return isinstance(spec.tolerance, str) or isinstance(spec.when, str)


def _read(name: str, check_folders: Iterable[Path]) -> Check | None:
    for folder in check_folders:
        try:
            if (folder / name / "check.toml").is_file():
                return read_check(folder / name)
        except TenkenError:
            return None
    return None
