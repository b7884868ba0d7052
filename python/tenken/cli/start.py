"""How launches of a run are started: refused before anything runs where the scheduler would refuse, or do something else."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache

from tenken.launch import slurm
from tenken.model.run import CaseRun


def require_place(on: str, nodes: int) -> None:
    """TenkenError where `nodes` nodes cannot be had so."""
    if on == "slurm":
        slurm.require_allocation(os.environ, nodes)


def require_room(on: str, nodes: int, cases: Iterable[CaseRun]) -> None:
    """TenkenError where a case that would run has more ranks and threads than the scheduler gave processors."""
    if on != "slurm":
        return
    allocation = slurm.require_allocation(os.environ, nodes)
    for case_run in cases:
        if case_run.unavailable is None:
            slurm.require_tasks(allocation, case_run.case.id, case_run.case.ranks, case_run.case.threads)


@cache
def srun_options(on: str, flavour: str) -> tuple[str, ...]:
    """srun's options to start programs of this MPI; none for other ways of starting."""
    return (slurm.mpi_option(flavour, os.environ),) if on == "slurm" else ()
