"""Runs made before check.toml could say as much as now: the offers of their checks to others, the bounds of their proofs
where these are expressions, and older names of the checks are read from the tree."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tenken.model.check import Case, Check, ValiditySpec, present
from tenken.model.run import CaseRun, Launch, Run


def with_chosen_precision(check: Check, written: Mapping[str, Any], case: Case) -> Check:
    """`check` of a run whose records do not say their precision: its metrics named the parameters of single precision."""
    settings = check.settings(case.parameters)
    single = {
        metric["name"] for metric in written["metrics"]
        for choice in metric.get("single_where", ()) if all(settings.get(name) == value for name, value in choice.items())
    }
    return replace(check, metrics=tuple(
        replace(metric, precision="single") if metric.name in single else metric for metric in check.metrics
    ))


def with_present_roles(run: Run, checks: Mapping[str, Check]) -> Run:
    """`run`, whose checks state the bounds of their metrics where the check of the tree with its name, now or once, does.

    A role changes no figure of a run; so a run that states none counts as a run that could not yet. A check of the tree
    that cannot be read tells nothing.
    """

    def filled(case_run: CaseRun) -> CaseRun:
        now = checks.get(present(case_run.case.id, checks).partition(":")[0])
        return case_run if now is None or now.problem else replace(case_run, check=_with_roles(case_run.check, now))

    return replace(run, cases=tuple(map(filled, run.cases)))


def _with_roles(check: Check, now: Check) -> Check:
    computed = {proof.name: proof for proof in now.validity if _computed(proof)}
    of = {(metric.name, metric.quantity): metric.provides for metric in now.metrics}
    check = _with_older_names(check, now) if check.name == now.name else check
    return replace(check, repetitions_alike=check.repetitions_alike and now.repetitions_alike, validity=tuple(
        proof if _computed(proof) else computed.get(proof.name, proof) for proof in check.validity
    ), metrics=tuple(
        replace(metric, provides=metric.provides or of.get((metric.name, metric.quantity))) for metric in check.metrics
    ))


def _with_older_names(check: Check, now: Check) -> Check:
    of = {case.name: case.formerly for case in now.named}
    return replace(
        check, formerly=now.formerly,
        cases=tuple(replace(case, formerly=of.get(case.name, case.formerly)) for case in check.cases),
        studies=tuple(replace(study, formerly=of.get(study.name, study.formerly)) for study in check.studies),
    )


def _computed(spec: ValiditySpec) -> bool:
    return isinstance(spec.tolerance, str) or isinstance(spec.when, str)


_STARVED = re.compile(r"no end within ([\d.]+) s.* waited for a processor (\d+) % of the time"
                      r"(?:: others use this node| \(other load or a quota\))")


def with_starved(launch: Launch) -> Launch:
    """`launch` as starved where its sentence alone says that its ranks waited for processors for most of the time."""
    match = _STARVED.match(launch.reason) if launch.status in ("hung", "slow") else None
    if match is None or int(match[2]) < 50:
        return launch
    needs_s = float(match[1]) / max(1 - int(match[2]) / 100, 0.01)
    reason = f"no end within {match[1]} s: other load, ranks waited for a processor {match[2]} % of the time"
    reason += f"; under this load the launch needs up to {needs_s:.0f} s"
    return replace(launch, status="starved", reason=reason, needs_s=round(needs_s, 1))
