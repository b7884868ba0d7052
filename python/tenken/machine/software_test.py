from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tenken.machine.software import allocation, run_command, software


def nothing(command: Sequence[str]) -> str | None:
    return None


def program(folder: Path, name: str) -> None:
    (folder / name).write_text("#!/bin/sh\n")
    (folder / name).chmod(0o755)


def test_a_bare_machine_has_no_software() -> None:
    found = software({"PATH": "/nonexistent"}, nothing)
    assert found["compilers"] == found["mpi"] == found["blas"] == found["variables"] == {}
    assert found["cmake"] is None and found["modules"] == []


def test_versions_modules_and_settings(tmp_path: Path) -> None:
    program(tmp_path, "g++")
    program(tmp_path, "mpirun.mpich")
    library = tmp_path / "libopenblas.so.0"
    library.write_text("")

    def run(command: Sequence[str]) -> str | None:
        answers = {
            "g++": "g++ (Distribution 12.2.0-14) 12.2.0\nCopyright 2022\n",
            "mpirun.mpich": "HYDRA build details:\n    Version:      4.0.2\n",
            "ldconfig": "\tlibopenblas.so.0 (libc6,x86-64) => /elsewhere/libopenblas.so.0\n"
            "\tlibblas.so.old (libc6) => /lib/libblas.so.old\n\tlibblas.so.3 (libc6,x86-64) => /lib/libblas.so.3\n",
        }
        return answers.get(Path(command[0]).name)

    settings = {"OMP_PROC_BIND": "close", "UCX_TLS": "rc", "LD_LIBRARY_PATH": f":{tmp_path}"}
    environ = {"PATH": str(tmp_path), "LOADEDMODULES": "gcc/12:openmpi/4", "HOME": "/secret"} | settings
    found = software(environ, run)
    version = "g++ (Distribution 12.2.0-14) 12.2.0"
    assert found["compilers"] == {"g++": {"path": str(tmp_path / "g++"), "version": version}}
    assert found["mpi"]["mpirun.mpich"]["version"] == "Version: 4.0.2"
    assert found["modules"] == ["gcc/12", "openmpi/4"]
    assert found["variables"] == settings
    assert found["blas"] == {"libopenblas.so": str(library), "libblas.so": os.path.realpath("/lib/libblas.so.3")}


def test_allocations() -> None:
    slurm = {"SLURM_JOB_ID": "7", "SLURM_JOB_NUM_NODES": "2", "SLURM_JOB_NODELIST": "n[1-2]"}
    found = allocation(slurm, lambda command: "JobId=7 OverSubscribe=NO Contiguous=0")
    assert (found["scheduler"], found["nodes"], found["node_list"]) == ("slurm", 2, "n[1-2]")
    assert found["oversubscribe"] == "NO"
    assert allocation({"SLURM_JOB_ID": "7"}, nothing)["oversubscribe"] is None
    assert allocation({"PJM_JOBID": "9", "PJM_RSCGRP": "small"}, nothing)["partition"] == "small"
    assert set(allocation({}, nothing).values()) == {None}


@pytest.mark.parametrize("command", [["/no/such/program"], [sys.executable, "-c", "raise SystemExit(1)"], ["/"]])
def test_a_command_that_fails_says_nothing(command: list[str]) -> None:
    assert run_command(command) is None
