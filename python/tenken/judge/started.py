"""The commands that findings end with start a run as this run was started: where, on how many nodes, in which environment."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tenken.model.assessment import THEN, Assessment, Finding

_KNOWN = ("local", "slurm")  # a rerun takes these out of the run itself


def as_started(assessment: Assessment) -> Assessment:
    """`assessment` with all its commands complete."""
    started = assessment.environment

    def complete(finding: Finding) -> Finding:
        return replace(finding, next_command=completed(finding.next_command, started))

    contract = assessment.contract
    if contract is not None:
        contract = replace(contract, clauses=tuple(
            replace(clause, results=tuple(
                replace(requirement, next_command=completed(requirement.next_command, started)) for requirement in clause.results
            )) for clause in contract.clauses
        ))
    return replace(
        assessment,
        cases=tuple(replace(case, findings=tuple(map(complete, case.findings))) for case in assessment.cases),
        findings=tuple(map(complete, assessment.findings)),
        unjudged=tuple(replace(cause, next_command=completed(cause.next_command, started)) for cause in assessment.unjudged),
        contract=contract,
    )


def completed(command: str, started: Mapping[str, Any]) -> str:
    """A `./tenken run` or `rerun` with the options of the run that it repeats; any other command as it is."""
    remedy, then, command = command.rpartition(THEN)
    on, nodes, environment = started.get("on", "local"), started.get("nodes", 1), started.get("chosen")
    options: list[str] = []
    if command.startswith("./tenken run "):
        options += ["--on", on] if on != "local" else []
        options += ["--nodes", str(nodes)] if nodes != 1 else []
        options += ["--environment", environment] if environment else []
    elif command.startswith("./tenken rerun "):
        options += ["--on", on] if on not in _KNOWN else []
    if options and (config := started.get("config")):  # of the site's environments and machine files
        options += ["--config", config]
    present = command.split()
    pairs = [pair for pair in zip(options[::2], options[1::2], strict=True) if pair[0] not in present]
    return remedy + then + command + "".join(f" {shlex.join(pair)}" for pair in pairs)
