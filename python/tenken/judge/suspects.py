"""Cases that seem to have changed get more launches in the same sitting before anything is called a failure."""

from __future__ import annotations

from collections.abc import Mapping

from tenken.judge.change import judge_changes
from tenken.judge.prepared import prepare
from tenken.judge.providers import offers_of
from tenken.model.baseline import Baseline
from tenken.model.machine import Machine
from tenken.model.run import Run


def suspects(run: Run, machine: Machine, baselines: Mapping[str, Baseline]) -> dict[str, int]:
    """Confirming launches wanted, by case id; none for a case that has enough undisturbed launches."""
    if not baselines:
        return {}
    cases = tuple(prepare(run.name, one, machine) for one in run.cases)
    found = judge_changes(cases, machine, baselines, run.name, offers_of(cases, machine))
    return {case_id: change.wanted for case_id, change in found.items() if change.wanted}
