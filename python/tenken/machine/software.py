"""Software of the node that asks (compilers, MPI, libraries, modules, scheduler), and the occasion of a run."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shutil import which
from typing import Any

from tenken.base.errors import TenkenError
from tenken.model.baseline import Occasion
from tenken.model.variables import KERNELS

Run = Callable[[Sequence[str]], str | None]

_COMPILERS = ("c++", "g++", "clang++", "icpx", "nvc++", "FCC", "CC", "gfortran")
_MPI_COMPILERS = ("mpicxx", "mpicxx.openmpi", "mpicxx.mpich")
_MPI = ("mpirun", "mpirun.openmpi", "mpirun.mpich", "srun")
# In the order in which a CBLAS is looked for; a program gets the first that the loader finds.
_BLAS = ("libmkl_rt.so", "libarmpl.so", "libopenblas.so", "libblis.so", "libflexiblas.so", "libcblas.so", "libblas.so")
# Settings of run-time libraries that change the behaviour of a program.
_VARIABLES = re.compile(
    r"^(OMP|KMP|GOMP|OMPI|PRTE|PMIX|MPICH|MVAPICH|MV2|I_MPI|UCX|FI|PSM2)_"
    r"|^(OPENBLAS|GOTO|BLIS|MKL|ARMPL|MALLOC|XOS|FLIB)_"
    r"|^(LD_PRELOAD|LD_LIBRARY_PATH|GLIBC_TUNABLES|CXX|CC|FC|CXXFLAGS)$|^SLURM_CPU_BIND|^CUDA_VISIBLE_DEVICES$"
)


def run_command(command: Sequence[str]) -> str | None:
    """Standard output and error of a command, None where it is not there, fails or takes more than 20 s."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=20, check=True, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return None
    return (done.stdout + done.stderr).decode("utf-8", "replace")


def software(environ: Mapping[str, str], run: Run = run_command) -> dict[str, Any]:
    """The "software" of machine.json."""
    glibc = platform.libc_ver()
    return {
        "compilers": _versions(_COMPILERS, environ, run),
        "mpi_compilers": _versions(_MPI_COMPILERS, environ, run),
        "mpi": _versions(_MPI, environ, run),
        "blas": _blas(environ, run),
        "cmake": _version("cmake", environ, run),
        "python": {"path": os.path.realpath("/proc/self/exe"), "version": platform.python_version()},
        "libc": " ".join(part for part in glibc if part) or None,
        "modules": [module for module in environ.get("LOADEDMODULES", "").split(":") if module],
        "variables": {name: environ[name] for name in sorted(environ) if name in KERNELS or _VARIABLES.search(name)},
    }


def _version(command: str, environ: Mapping[str, str], run: Run) -> dict[str, str | None] | None:
    path = which(command, path=environ.get("PATH"))
    if path is None:
        return None
    text = run([path, "--version"])
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    # MPICH's launcher prints a block whose second line holds the version.
    line = next((line for line in lines if re.search(r"\d+\.\d+", line)), lines[0] if lines else None)
    return {"path": os.path.realpath(path), "version": " ".join(line.split()) if line else None}


def _versions(commands: Sequence[str], environ: Mapping[str, str], run: Run) -> dict[str, Any]:
    versions = {command: _version(command, environ, run) for command in commands}
    return {command: version for command, version in versions.items() if version is not None}


def _blas(environ: Mapping[str, str], run: Run) -> dict[str, str]:
    """Soname to the file it resolves to, for every BLAS library that the loader would find."""
    places: dict[str, str] = {}
    for folder in filter(None, environ.get("LD_LIBRARY_PATH", "").split(":")):
        for stem in _BLAS:
            for path in sorted(Path(folder).glob(stem + "*")):
                places.setdefault(stem, str(path))
    for line in (run(["ldconfig", "-p"]) or run(["/sbin/ldconfig", "-p"]) or "").splitlines():
        match = re.match(r"\s*(\S+) \(.*\) => (\S+)", line)
        library = next((stem for stem in _BLAS if match and re.fullmatch(re.escape(stem) + r"[\d.]*", match[1])), None)
        if match and library:
            places.setdefault(library, match[2])
    return {stem: os.path.realpath(places[stem]) for stem in _BLAS if stem in places}


def allocation(environ: Mapping[str, str], run: Run = run_command) -> dict[str, Any]:
    """The "allocation" of machine.json: the scheduler and its grant to this job; scheduler None outside any."""
    names = ("scheduler", "job", "nodes", "node_list", "partition", "cpus_per_node", "oversubscribe")
    nothing: dict[str, Any] = dict.fromkeys(names)
    if job := environ.get("SLURM_JOB_ID"):
        shown = re.search(r"\bOverSubscribe=(\S+)", run(["scontrol", "show", "job", "-o", job]) or "")
        nodes = environ.get("SLURM_JOB_NUM_NODES") or environ.get("SLURM_NNODES") or ""
        return nothing | {
            "scheduler": "slurm",
            "job": job,
            "nodes": int(nodes) if nodes.isdigit() else None,
            "node_list": environ.get("SLURM_JOB_NODELIST"),
            "partition": environ.get("SLURM_JOB_PARTITION"),
            "cpus_per_node": environ.get("SLURM_JOB_CPUS_PER_NODE"),
            "oversubscribe": shown[1] if shown else None,
        }
    others = {"pbs": ("PBS_JOBID", "PBS_QUEUE"), "pjm": ("PJM_JOBID", "PJM_RSCGRP"), "lsf": ("LSB_JOBID", "LSB_QUEUE")}
    for scheduler, (job_variable, queue_variable) in others.items():
        if job := environ.get(job_variable):
            return nothing | {"scheduler": scheduler, "job": job, "partition": environ.get(queue_variable)}
    return nothing


# The occasion of a run: in which allocation or since which boot, and whether its sitting was named.

VARIABLE = "TENKEN_SITTING"
BOOT = Path("/proc/sys/kernel/random/boot_id")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def occasion(environ: Mapping[str, str], boot: Path = BOOT) -> Occasion:
    """The allocation of `environ`, else this boot of this node; TenkenError where TENKEN_SITTING is no name."""
    name = environ.get(VARIABLE, "")
    if name and not _NAME.fullmatch(name):
        raise TenkenError(
            f"{VARIABLE}={name!r}: expected up to 64 letters, digits, '.', '_' and '-', beginning with a letter or digit. "
            f"It names the sitting of a drill or test; unset it to measure this machine."
        )
    return Occasion(_place(environ, boot), name)


def _place(environ: Mapping[str, str], boot: Path) -> str:
    job = allocation(environ, run=lambda words: None)
    if job["job"]:
        cluster = environ.get("SLURM_CLUSTER_NAME", "") if job["scheduler"] == "slurm" else ""
        return " ".join(filter(None, (job["scheduler"], cluster, "job", job["job"])))
    try:
        return f"boot {boot.read_text(encoding='ascii').strip()}"
    except (OSError, UnicodeDecodeError):
        return ""
