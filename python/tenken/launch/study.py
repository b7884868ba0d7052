"""From a study as written to the cases of its points on this machine, each with a short and stable name."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from tenken.base.errors import TenkenError
from tenken.base.units import BINARY
from tenken.base.words import unknown
from tenken.launch import expression
from tenken.launch.resolve import RANK_WORDS, Facts, Overrides, find_parameter, resolve
from tenken.model.check import Case, CaseSpec, Check, Study, StudyAxis
from tenken.model.study import StudyPoint, StudyRun

# Settings that belong to a case itself and are no parameter of its program, with the words that a count may be.
_WORDS = {"ranks": RANK_WORDS, "ranks_per_node": (), "threads": ("fill",), "variant": (), "environment": ()}
_NAMES = ("variant", "environment")


def expand(
    check: Check, study: Study, facts: Facts, overrides: Overrides = Overrides(), only: str | None = None
) -> tuple[StudyRun, tuple[Case, ...]]:
    """The study planned for this machine, and the cases of the points that can run here, in the order of its axes.

    A point beyond the cores, the memory or its range is named and left out; settings as typed
    hold for every point, and equal points are merged. `only` keeps the point of that name.
    TenkenError where no point can run, with the reason of the first.
    """
    for name in overrides.parameters:
        find_parameter(check, name)
    points: dict[str, StudyPoint] = {}
    cases: dict[str, Case] = {}
    for settings in _combinations(check, study, facts):
        try:
            case = resolve(check, _spec(study, settings, facts), facts, overrides)
            case = dataclasses.replace(case, environment=settings.get("environment", ""))
            places = _places(check, study, settings, case, facts)
            name = _name(check, settings, case, facts)
            why = _too_many(case, facts)
        except TenkenError as error:
            places, name = _places(check, study, settings, None, facts), _name(check, settings, None, facts)
            why = str(error)
        if name not in points:
            points[name] = StudyPoint(name, f"{check.name}:{study.name}/{name}", places, why)
            if not why:
                cases[name] = dataclasses.replace(case, name=f"{study.name}/{name}")
    if only is not None:
        if only not in points:
            raise unknown("point", only, points, of=f" of study {check.name}:{study.name}")
        points, cases = {only: points[only]}, {name: case for name, case in cases.items() if name == only}
    if not cases:
        reason = next((point.left_out for point in points.values()), "its axes have no values here.")
        raise TenkenError(f"no point of study {check.name}:{study.name} can run here: {reason}")
    return StudyRun(check.name, study, tuple(points.values())), tuple(cases.values())


def impossible(check: Check, study: Study, why: str) -> StudyRun:
    """The study without any point, which a suite names with the reason and leaves out."""
    return StudyRun(check.name, study, (StudyPoint("all points", f"{check.name}:{study.name}/all", {}, why),))


def _combinations(check: Check, study: Study, facts: Facts) -> Iterator[dict[str, Any]]:
    """The settings of each point: the last axis runs fastest."""
    for combination in itertools.product(*(_steps(check, study, axis, facts) for axis in study.axes)):
        yield {name: value for step in combination for name, value in step.items()}


def _steps(check: Check, study: Study, axis: StudyAxis, facts: Facts) -> list[dict[str, Any]]:
    where = f"axis {axis.name} of study {check.name}:{study.name}"
    lists = {parameter.name for parameter in check.parameters if parameter.type == "ints"}  # a range there is a single value
    values = {
        name: written if name in lists else
        expression.with_ranges([written] if isinstance(written, str) else written, facts.sizes(), where)
        for name, written in axis.sweeps.items()
    }
    if len({len(swept) for swept in values.values()}) > 1:
        lengths = ", ".join(f"{name} {len(swept)}" for name, swept in values.items())
        raise TenkenError(f"{where}: values that move together need lists of equal length; here they have: {lengths}.")
    return [dict(zip(values, step, strict=True)) for step in zip(*values.values(), strict=True)]


def _spec(study: Study, settings: Mapping[str, Any], facts: Facts) -> CaseSpec:
    """The case of a point, still as written but for expressions in counts."""
    own = {name: _count(name, value, facts) for name, value in settings.items() if name in _WORDS}
    own.pop("environment", None)
    if "ranks_per_node" in own:
        own["ranks"] = own.pop("ranks_per_node") * facts.nodes
    parameters = {name: value for name, value in settings.items() if name not in _WORDS}
    return dataclasses.replace(study.case, parameters=study.case.parameters | parameters, **own)


def _count(name: str, value: Any, facts: Facts) -> Any:
    if isinstance(value, str) and name not in _NAMES and value not in _WORDS[name]:
        return max(1, expression.evaluate(value, facts.sizes(), name))
    return value


def _too_many(case: Case, facts: Facts) -> str:
    cores = facts.cores * facts.nodes
    return f"{case.ranks} x {case.threads} is more than {cores} cores" if case.ranks * case.threads > cores else ""


def _value(name: str, written: Any, case: Case | None, facts: Facts) -> Any:
    """The setting of a point once words have become numbers; as written where the point could not be resolved."""
    if case is None:
        return written
    own = {"variant": case.variant, "ranks": case.ranks, "ranks_per_node": case.ranks // facts.nodes,
           "threads": case.threads, "environment": case.environment}
    value = own[name] if name in own else case.parameters.get(name, written)
    if name == "rank_map":  # a box with a free length has the same name at all counts of ranks, a file that of the file
        return written if "*" in written else PurePath(str(value)).stem
    return value


def _places(check: Check, study: Study, settings: Mapping[str, Any], case: Case | None, facts: Facts) -> dict[str, Any]:
    return {
        axis.name: _value(axis.name, settings[axis.name], case, facts)
        if list(axis.sweeps) == [axis.name] else _name(check, {name: settings[name] for name in axis.sweeps}, case, facts)
        for axis in study.axes
    }


def _name(check: Check, settings: Mapping[str, Any], case: Case | None, facts: Facts) -> str:
    """A word for each setting: threads2, size4MiB, 8x8x8x16, double."""
    sizes = {parameter.name for parameter in check.parameters if parameter.type == "size"}
    return "-".join(
        _word(name, _value(name, written, case, facts), name in sizes) for name, written in settings.items()
    )


def _word(name: str, value: Any, is_size: bool) -> str:
    if isinstance(value, bool):
        return name if value else f"no_{name}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "x".join(map(str, value))
    if isinstance(value, str):
        value = re.sub(r"[^A-Za-z0-9_.+-]", "_", value.replace("*", "n"))  # part of a folder's name
        return f"{name}{value}" if value[:1].isdigit() else value
    if is_size:
        unit, letters = next(((unit, letters) for letters, unit in reversed(BINARY.items()) if value % unit == 0), (1, "B"))
        return f"{name}{value // unit}{letters}"
    return f"{name}{value}"
