"""The exact command line and environment variables of a launch, for each way of starting MPI programs."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tenken.base.errors import TenkenError
from tenken.launch.environment import BuildEnvironment
from tenken.model.check import Case
from tenken.model.variables import NOT_PASSED_ON

# No binding by the launcher: the checks bind their own threads. Fields: ranks, threads, nodes, launcher.
_TEMPLATES = {
    "openmpi": "{launcher} -n {ranks} --bind-to none",
    "mpich": "{launcher} -n {ranks} -bind-to none",
    "slurm": "srun -N {nodes} -n {ranks} -c {threads} --cpu-bind=none --kill-on-bad-exit=1",
}


@dataclass(frozen=True, slots=True)
class Command:
    """The words that run: `words` with `variables` added to the environment, after the shell lines `prelude`."""

    words: tuple[str, ...]
    variables: dict[str, str]
    prelude: str = ""
    here: bool = False  # it runs on this node alone
    environment: str = ""  # name of the environment that this belongs to
    folders: tuple[str, ...] = ()  # of MPI's files: the supervisor of a launch makes and removes them

    def line(self) -> str:
        """The same on a single line, to be read or pasted."""
        unset = [word for name in NOT_PASSED_ON for word in ("-u", name)]
        settings = [f"{name}={value}" for name, value in sorted(self.variables.items())]
        return shlex.join(["env", *unset, *settings, *self.words])

    def script(self) -> str:
        """The text of command.sh, which runs and can be run again by hand."""
        lines = ["#!/usr/bin/env bash", "# The exact command of this launch. Run again, it overwrites the record beside it."]
        lines += [self.prelude] if self.prelude else []
        lines += [f"unset {' '.join(NOT_PASSED_ON)}"]
        lines += [f"export {name}={shlex.quote(value)}" for name, value in sorted(self.variables.items())]
        return "\n".join([*lines, *self._by_hand(), f"exec {shlex.join(self.words)}", ""])

    def _by_hand(self) -> list[str]:
        """Without a supervisor the script itself makes and removes the folders."""
        if not self.folders:
            return []
        return [
            "made=()",
            f"for folder in {shlex.join(self.folders)}",
            'do mkdir -m 700 "$folder" 2>/dev/null && made+=("$folder")',
            "done",
            "if ((${#made[@]})); then  # started by hand",
            """  trap 'rm -rf -- "${made[@]}"' EXIT""",
            f"  {shlex.join(self.words)}",
            "  exit",
            "fi",
        ]


def command(
    case: Case, program: Path, environment: BuildEnvironment, folder: Path, on: str = "local", nodes: int = 1,
    without: Sequence[str] = (), more: Sequence[str] = (),
) -> Command:
    """The command of a launch of `case` into `folder` (absolute).

    `on` is "local", "slurm" (srun inside an allocation) or a template such as "jsrun -n {ranks} -c {threads}".
    `without`: nodes of the allocation to leave out, where the launcher knows nodes. `more`: further options of srun.
    """
    template = _template(environment, on)
    if more:
        template = template.replace("srun ", f"srun {shlex.join(more)} ", 1)
    if without:
        template = _excluding(template, on, without)
    try:
        start = template.format(
            ranks=case.ranks, threads=case.threads, nodes=nodes, launcher=shlex.quote(environment.mpi.launcher),
            without=",".join(without),
        )
    except (KeyError, IndexError, ValueError):
        raise TenkenError(
            f"launcher template '{template}' is not valid; it may hold {{ranks}} {{threads}} {{nodes}} "
            "{without} {launcher}."
        ) from None
    words = [*shlex.split(start), str(program), *arguments(case),
             "--record", str(folder / "record.jsonl"), "--pages", str(folder / "pages")]
    here = _stays(environment, on)
    settings = (_without_ports(environment) if here else {}) | variables(case, environment)
    return Command(tuple(words), settings, environment.prelude, here, environment.name)


def _stays(environment: BuildEnvironment, on: str) -> bool:
    """Whether nothing is started on another node: by mpirun without hosts, or by itself (`env` with settings only)."""
    if on != "local":
        return False
    words = shlex.split(environment.launcher) or ["env"]
    return words[0] == "env" and all(
        "=" in word or word == "-u" or before == "-u" for before, word in zip(words, words[1:], strict=False)
    )


def require_hosts(without: Sequence[str]) -> Sequence[str]:
    """`without` where each can be the name of a node, else TenkenError."""
    for host in without:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", host):
            raise TenkenError(f"--without '{host}': not the name of a node; letters, digits, '.', '_' and '-' only.")
    return without


def _excluding(template: str, on: str, without: Sequence[str]) -> str:
    require_hosts(without)
    if on == "slurm":
        return template.replace("srun ", "srun --exclude={without} ", 1)
    if "{without}" in template:
        return template
    raise TenkenError(
        f"--without {','.join(without)}: this run was started with --on {shlex.quote(on)}, which cannot leave out a "
        "node; start it with --on slurm inside an allocation, or with a template that has {without}."
    )


def _template(environment: BuildEnvironment, on: str) -> str:
    if on == "local":
        return environment.launcher or _TEMPLATES[environment.mpi.flavour]
    if on in _TEMPLATES:
        return _TEMPLATES[on]
    if "{ranks}" not in on:
        raise TenkenError(
            f"--on '{on}' is neither local nor slurm nor a template with {{ranks}}, such as "
            "'jsrun -n {ranks} -c {threads}'."
        )
    return on


def arguments(case: Case) -> list[str]:
    """The arguments of the program: parameters, variant, threads."""
    words = []
    for name, value in case.parameters.items():
        words += [f"--{name}", format_value(value)]
    return [*words, "--variant", case.variant, "--threads", str(case.threads)]


def format_value(value: Any) -> str:
    """A parameter as it is typed on a command line: lists by comma, flags as true and false."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(format_value(part) for part in value)
    return str(value)


def variables(case: Case, environment: BuildEnvironment) -> dict[str, str]:
    """Environment variables of a launch: thread counts, waiting, and the quirks of the MPI."""
    threads = str(case.threads)
    result = {
        "LC_ALL": "C",
        "OMP_NUM_THREADS": threads,
        "OMP_DYNAMIC": "false",
        # A spinning thread on a shared core takes the time of a working thread.
        "OMP_WAIT_POLICY": "passive" if case.oversubscribed or case.library_threads else "active",
        "OPENBLAS_NUM_THREADS": threads,
        "MKL_NUM_THREADS": threads,
        "BLIS_NUM_THREADS": threads,
    }
    if environment.mpi.flavour == "openmpi":
        result |= _open_mpi(case)
    return result | dict(environment.variables)


def _without_ports(environment: BuildEnvironment) -> dict[str, str]:
    """Variables that let ranks of a node talk through memory alone: otherwise each listens on every address of the node."""
    if environment.mpi.flavour == "openmpi":
        # Open MPI 5 knows vader as another name of sm.
        return {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader", "OMPI_MCA_osc": "^ucx"}
    # Hydra names the address of the node to its ranks, which a namespace cannot reach; libfabric and UCX have variables apart.
    return {"HYDRA_IFACE": "lo", "FI_TCP_IFACE": "lo", "FI_SOCKETS_IFACE": "lo", "UCX_TLS": "self,sm"}


def _open_mpi(case: Case) -> dict[str, str]:
    result = {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        # It counts slots by its own idea of cores; the plan has already reported oversubscription. (4.x and 5.x)
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
        "OMPI_MCA_mpi_yield_when_idle": "1" if case.oversubscribed else "0",
        # Quiet where a network card or memory binding is not to be had: the probe reports those.
        "OMPI_MCA_btl_base_warn_component_unused": "0",
        "OMPI_MCA_hwloc_base_mem_bind_failure_action": "silent",
    }
    if not single_copy_permitted():
        # Containers often forbid process_vm_readv; without this each large message would complain or fail. (4.x, 5.x)
        result |= {"OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_smsc": "^cma"}
    return result


def single_copy_permitted() -> bool:
    """May processes read each other's memory (process_vm_readv)? A filter of a container forbids it even on oneself."""

    class Piece(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    source, target = ctypes.create_string_buffer(b"tenken"), ctypes.create_string_buffer(8)
    here = Piece(ctypes.addressof(target), 1)
    there = Piece(ctypes.addressof(source), 1)
    try:
        read = ctypes.CDLL(None, use_errno=True).process_vm_readv
    except (OSError, AttributeError):
        return False
    read.restype = ctypes.c_ssize_t
    got = read(os.getpid(), ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    return got == 1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS)
