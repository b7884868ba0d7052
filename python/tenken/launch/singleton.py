"""The newest build that runs on this node, and how its programs are started without a launcher, a compiler or a job."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from tenken.base.errors import TenkenError
from tenken.base.words import listed
from tenken.launch.build import NODE, STAMP, Built, unavailable
from tenken.launch.build_place import roots
from tenken.launch.environment import BuildEnvironment
from tenken.launch.instructions import processor_features
from tenken.launch.toolchain import Compiler, Mpi

_TRY_SECONDS = 2.0
# A program started in a job's own shell would otherwise take itself for a rank of that job.
_OF_A_JOB = ("SLURM_", "PMI_", "PMIX_", "OMPI_", "PRTE_", "HYDRA_", "MPI_LOCALNRANKS", "MPI_LOCALRANKID")


def newest_build(tree: Path, named: Mapping[str, Mapping[str, object]], checks: Collection[str]) -> Built:
    """The newest build without sanitizers that has the programs of all `checks` and whose programs run on this processor.

    TenkenError where there is none, which names the missing parts of a build that runs. A check that could not be built
    there may be missing. `named`: environments of machine files, for the modules that a build needs to run.
    """
    features, lacks = processor_features(), ""
    places = roots(tree)
    stamps = sorted((stamp for root in places for stamp in root.glob(f"*/{STAMP}")), key=lambda path: -path.stat().st_mtime_ns)
    for stamp in stamps:
        options = _options(stamp)
        if options is None or "TENKEN_SANITIZE" in options or not _made_for(stamp.parent, options, features):
            continue
        built = Built(_environment(stamp.parent, options, named), stamp.parent, unavailable(stamp.parent))
        wanted = [check for check in sorted(checks) if (check, "") not in built.unavailable]
        there = [check for check in wanted if built.program(check).exists()]
        if not there or (lacks and there != wanted) or not _starts(built, built.program(there[0])):
            continue
        if there == wanted:
            return built
        missing = [check for check in wanted if check not in there]
        make = f"make all that is needed: ./tenken build {' '.join(wanted)}"  # in whatever environment: a whole set comes of it
        lacks = f"{stamp.parent} runs on this node, but lacks {listed(missing)}; {make}"
    raise TenkenError(lacks or f"no build in {' or '.join(map(str, places))} runs on this node; make one on it: ./tenken build")


def _options(stamp: Path) -> dict[str, str] | None:
    try:
        words = json.loads(stamp.read_text(encoding="utf-8"))["options"]
        return dict(word[2:].split("=", 1) for word in words)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _made_for(folder: Path, options: Mapping[str, str], features: frozenset[str]) -> bool:
    """Whether this processor has every feature of the processor that built; unknown counts as yes: `_starts` tries."""
    if options.get("TENKEN_ISA") == "portable" and "-march" not in options.get("CMAKE_CXX_FLAGS", ""):
        return True
    try:
        processor = json.loads((folder / NODE).read_text(encoding="utf-8"))
        return processor["machine"] == platform.machine() and features >= set(processor["features"])
    except (OSError, ValueError, KeyError, TypeError):
        return True


def _environment(
    folder: Path, options: Mapping[str, str], named: Mapping[str, Mapping[str, Any]]
) -> BuildEnvironment:
    name = options.get("TENKEN_ENVIRONMENT", folder.name)
    modules = named.get(name, {}).get("modules", ())
    wrapper = options.get("MPI_CXX_COMPILER", "")
    flavour = "mpich" if "mpich" in f"{name} {wrapper}" else "openmpi"
    unset = [word for key in sorted(os.environ) if key.startswith(_OF_A_JOB) for word in ("-u", key)]
    return BuildEnvironment(
        name=name,
        compiler=Compiler(options.get("CMAKE_CXX_COMPILER", ""), "", ""),
        mpi=Mpi(wrapper, options.get("MPIEXEC_EXECUTABLE", ""), flavour, ""),
        isa=options.get("TENKEN_ISA", "native"),
        isa_name="",
        modules=tuple(str(modules).split() if isinstance(modules, str) else modules),
        # A single process is a whole MPI program; isolated, Open MPI starts no daemon for it.
        launcher=" ".join(["env", *unset, "OMPI_MCA_ess_singleton_isolated=1"]),
    )


def _starts(built: Built, program: Path) -> bool:
    """Whether a program of a build can be loaded here: its libraries exist."""
    command = f"{built.environment.prelude}\nexec \"$0\" --help"
    try:
        done = subprocess.run(
            ["bash", "-c", command, str(program)], stdin=subprocess.DEVNULL,
            capture_output=True, timeout=_TRY_SECONDS, check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
