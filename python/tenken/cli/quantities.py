"""The figures of one case, launch by launch, as a baseline keeps them."""

from __future__ import annotations

from math import isfinite

from tenken.judge.confirm import chosen_launches, disturbed_launches
from tenken.judge.metrics import launch_values
from tenken.judge.sections import launch_sections
from tenken.model import units
from tenken.model.baseline import LaunchValues, Quantity
from tenken.model.machine import Machine
from tenken.model.run import CaseRun

_CLASS = {"compute": "compute", "comm": "bandwidth", "io": "io", "wait": "latency"}


def quantities_of(case_run: CaseRun, machine: Machine) -> tuple[tuple[Quantity, ...], tuple[LaunchValues, ...]]:
    """Quantities of `case_run` and their values in each undisturbed launch.

    Metrics in their own unit, then time (ns), loss and jitter of every section.
    """
    disturbed = set(disturbed_launches(case_run, machine))
    described: dict[str, Quantity] = {}
    launches = []
    for measured in chosen_launches(case_run, machine):
        if measured.launch.number in disturbed:
            continue
        values: dict[str, float] = {}
        sections = launch_sections(measured)
        for metric in case_run.check.metrics:
            for at, value in launch_values(metric, measured, sections).items():
                name = f"metric:{metric.name}" + ("" if at is None else f"/{at}")
                described.setdefault(name, Quantity(name, metric.unit, metric.better, metric.klass))
                values[name] = value / units.factor(metric.unit)
        for section in sections:
            figures = {"time": section.median_ns}
            figures |= {} if section.once else {"loss": section.loss, "jitter": section.jitter}
            for kind, value in figures.items():
                name = f"{kind}:{section.path}"
                unit = "ns" if kind == "time" else "1"
                described.setdefault(name, Quantity(name, unit, "lower", _CLASS[section.kind]))
                values[name] = value
        finite = {name: one for name, one in values.items() if isfinite(one)}
        launches.append(LaunchValues(measured.launch.number, finite))
    return tuple(described.values()), tuple(launches)
