"""Slurm as it answers: the grant of an allocation, which of srun's MPI plug-ins starts a program, and why it started nothing.

The lines that are read here were recorded from a Slurm run by hand (tests/slurm) or stand in public reports; the tests replay
them.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tenken.base.errors import TenkenError

Run = Callable[[Sequence[str]], str]
_FITTING = {"openmpi": ("pmix", "pmi2"), "mpich": ("pmi2", "pmix")}  # by flavour, the better plug-in first
_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Allocation:
    """The grant of this job; None where Slurm does not tell."""

    job: str
    nodes: int | None
    cpus: int | None  # of all nodes together

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> Allocation | None:
        """Out of the environment of a job or of salloc; None outside any."""
        job = variables.get("SLURM_JOB_ID") or variables.get("SLURM_JOBID") or ""
        if not job:
            return None
        nodes = variables.get("SLURM_JOB_NUM_NODES") or variables.get("SLURM_NNODES") or ""
        return cls(job, int(nodes) if nodes.isdigit() else None, _cpus(variables.get("SLURM_JOB_CPUS_PER_NODE") or ""))


def require_allocation(variables: Mapping[str, str], nodes: int) -> Allocation:
    """The allocation in which `nodes` nodes can be used; TenkenError with a command to type where there is none of that size."""
    allocation = Allocation.of(variables)
    if allocation is None:
        raise TenkenError(
            "--on slurm: not inside an allocation (SLURM_JOB_ID is not set). "
            f"Get an allocation first: salloc -N {nodes} ./tenken run ..., or the same line in a script for sbatch."
        )
    if allocation.nodes is not None and nodes > allocation.nodes:
        raise TenkenError(
            f"--nodes {nodes}: job {allocation.job} has {allocation.nodes} node{'s' if allocation.nodes > 1 else ''}; "
            f"leave --nodes at {allocation.nodes} or get a larger allocation: salloc -N {nodes}."
        )
    return allocation


def require_tasks(allocation: Allocation, case_id: str, ranks: int, threads: int) -> None:
    """TenkenError where srun could not start `ranks` tasks of `threads` processors in the allocation."""
    if allocation.cpus is not None and ranks * threads > allocation.cpus:
        raise TenkenError(
            f"{case_id}: {ranks} rank{'s' if ranks > 1 else ''} x {threads} thread{'s' if threads > 1 else ''} need "
            f"{ranks * threads} processors, job {allocation.job} has {allocation.cpus}. Get a larger allocation "
            "(salloc --exclusive gives whole nodes), or set --ranks and --threads."
        )


def mpi_option(flavour: str, variables: Mapping[str, str], run: Run | None = None) -> str:
    """`--mpi=TYPE` with which srun starts programs of this MPI; TenkenError where it offers none that can.

    The user's setting (SLURM_MPI_TYPE) remains. Without a plug-in every rank would be a world of its own.
    """
    own = variables.get("SLURM_MPI_TYPE", "")
    if own and own != "none":
        return f"--mpi={own}"
    offered = mpi_types((run or _output)(["srun", "--mpi=list"]))
    for family in _FITTING.get(flavour, ()):
        fitting = [offer for offer in offered if offer == family] or sorted(
            (offer for offer in offered if re.fullmatch(rf"{family}_v\d+", offer)),
            key=lambda offer: int(offer.rpartition("v")[2]),
        )
        if fitting:
            return f"--mpi={fitting[-1]}"
    types = ", ".join(offered) or "nothing"
    wanted = " or ".join(_FITTING.get(flavour, ()))
    raise TenkenError(
        f"--on slurm: srun --mpi=list offers {types}, and programs of {flavour} need {wanted}; ask for that plug-in of Slurm, or "
        "start with a template: --on 'mpirun -n {ranks}'."
    )


def mpi_types(text: str) -> tuple[str, ...]:
    """The plug-in types that `srun --mpi=list` names, on either output, in the form of any version."""
    types = []
    for line in text.splitlines():
        line = re.sub(r"^srun:\s*", "", line).strip()
        if versions := re.match(r"specific \w+ plugin versions available:\s*(.*)", line):
            types += [part for part in re.split(r"[,\s]+", versions[1]) if part]
        elif re.fullmatch(r"[a-z][a-z0-9_]*", line):
            types.append(line)
    return tuple(dict.fromkeys(types))


_NOT_STARTED = (r"Unable to create step .*|Only allocated \d+ nodes? asked for \d+|Hostlist is empty!.*|Invalid MPI type .*|"
                r"Task launch for \S+ failed on node .*")


def not_started(text: str) -> str | None:
    """Why srun started nothing, in its words; None where it did, or says nothing of it."""
    match = re.search(rf"^srun: error: ({_NOT_STARTED})$", text, re.MULTILINE)
    return match[1] if match else None


def still_waiting(text: str) -> str | None:
    """The cause for which srun still waited when it ended, in its words; None where it waited for nothing."""
    lines = [line for line in text.splitlines() if line.startswith("srun: ")]
    match = lines and re.fullmatch(r"srun: Job \S+ step creation (?:still|temporarily) disabled, retrying \((.*)\)", lines[-1])
    return match[1] if match else None


def _cpus(text: str) -> int | None:
    """The sum of "4(x2),8": processors by node, with how many such nodes."""
    total = 0
    for part in text.split(","):
        match = re.fullmatch(r"(\d+)(?:\(x(\d+)\))?", part)
        if match is None:
            return None
        total += int(match[1]) * int(match[2] or 1)
    return total


def _output(words: Sequence[str]) -> str:
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_SECONDS, stdin=subprocess.DEVNULL, check=False)
    except FileNotFoundError:
        raise TenkenError("--on slurm: there is no srun here; load Slurm's module or go to a node that has it.") from None
    except (OSError, subprocess.SubprocessError) as error:
        raise TenkenError(f"--on slurm: {' '.join(words)} does not answer ({error}); try it by hand.") from None
    return done.stdout + done.stderr
