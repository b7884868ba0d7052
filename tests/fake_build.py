"""A build folder with fake check programs, and the environment that starts them without MPI."""

import sys
from pathlib import Path

from tenken.launch.build import Built
from tenken.launch.environment import BuildEnvironment
from tenken.launch.toolchain import Compiler, Mpi
from tenken.model.check import Case, Check
from tenken.model.run import CaseRun

ENVIRONMENT = BuildEnvironment(
    "fake", Compiler("g++", "gcc", "12.2.0"), Mpi("mpicxx", "mpirun", "mpich", "4.0"), "native", "none",
    launcher="env FAKE_RANKS={ranks}",
)

# By name, the variables that make fake programs behave badly (fake_check.py).
ENVIRONMENTS: dict[str, dict[str, str]] = {
    "alike": {}, "slow": {"FAKE_SLOW": "1.3"}, "lame": {"FAKE_SLOW": "1.3", "FAKE_ONLY": "fake"},
    "wrong": {"FAKE_WRONG": "1"}, "crash": {"FAKE_FAULT": "crash"},
}


def fake_build(folder: Path, *checks: str) -> Built:
    """A build with a fake program for each of `checks`."""
    built = Built(ENVIRONMENT, folder, {})
    for check in checks:
        program = built.program(check)
        program.parent.mkdir(parents=True)
        script = Path(__file__).with_name("fake_check.py")
        program.write_text(f'#!/bin/sh\nFAKE_PROGRAM="$0" exec "{sys.executable}" -S "{script}" "$@"\n')
        program.chmod(0o755)
    return built


def check(name: str) -> Check:
    return Check(name, name, "Does it work?", "one pass", ("plain",), (), (), (), (), (), (), (), "")


def case_run(name: str, launches: int = 2, timeout_s: float = 20.0, ranks: int = 2, **parameters: object) -> CaseRun:
    return CaseRun(Case(name, "small", "plain", parameters, ranks, 1, launches, timeout_s), check(name), (), ())
