from __future__ import annotations

import dataclasses
import subprocess
from pathlib import Path

import pytest

from fake_build import ENVIRONMENT
from tenken.base.errors import TenkenError
from tenken.launch import command as module
from tenken.launch.command import Command, command
from tenken.launch.toolchain import Mpi
from tenken.model.check import Case

CASE = Case("lqcd", "small", "plain", {"size": [8, 8, 8, 16], "warm": True, "fault": "link_sign"}, 2, 4, 1, 20.0)
OPEN_MPI = dataclasses.replace(
    ENVIRONMENT, mpi=Mpi("mpicxx.openmpi", "mpirun.openmpi", "openmpi", "4.1.4"), launcher=""
)
MPICH = dataclasses.replace(ENVIRONMENT, mpi=Mpi("mpicxx.mpich", "mpirun.mpich", "mpich", "4.0.2"), launcher="")
TAIL = (
    "/b/lqcd", "--size", "8,8,8,16", "--warm", "true", "--fault", "link_sign", "--variant", "plain", "--threads", "4",
    "--record", "/r/record.jsonl", "--pages", "/r/pages",
)


@pytest.mark.parametrize(
    ("environment", "on", "start"),
    [
        (OPEN_MPI, "local", ("mpirun.openmpi", "-n", "2", "--bind-to", "none")),
        (MPICH, "local", ("mpirun.mpich", "-n", "2", "-bind-to", "none")),
        (MPICH, "slurm", ("srun", "-N", "1", "-n", "2", "-c", "4", "--cpu-bind=none", "--kill-on-bad-exit=1")),
        (OPEN_MPI, "jsrun -n {ranks} -c {threads}", ("jsrun", "-n", "2", "-c", "4")),
        (dataclasses.replace(OPEN_MPI, launcher="numactl -i all {launcher} -np {ranks}"), "local",
         ("numactl", "-i", "all", "mpirun.openmpi", "-np", "2")),
    ],
)
def test_command_lines(environment, on: str, start: tuple[str, ...]) -> None:
    assert command(CASE, Path("/b/lqcd"), environment, Path("/r"), on).words == (*start, *TAIL)


@pytest.mark.parametrize("on", ["sulrm", "jsrun {ranks", "jsrun {ranks} {cores}"])
def test_refuses_other_ways_to_start(on: str) -> None:
    with pytest.raises(TenkenError, match="ranks"):
        command(CASE, Path("/b/lqcd"), OPEN_MPI, Path("/r"), on)


def test_threads_and_waiting() -> None:
    alone = module.variables(CASE, OPEN_MPI)
    assert {alone[f"{library}_NUM_THREADS"] for library in ("OMP", "OPENBLAS", "MKL", "BLIS")} == {"4"}
    assert (alone["OMP_WAIT_POLICY"], alone["OMPI_MCA_mpi_yield_when_idle"]) == ("active", "0")
    crowded = module.variables(dataclasses.replace(CASE, oversubscribed=True), OPEN_MPI)
    assert (crowded["OMP_WAIT_POLICY"], crowded["OMPI_MCA_mpi_yield_when_idle"]) == ("passive", "1")


def test_open_mpi_as_root_and_beyond_its_slots() -> None:
    variables = module.variables(CASE, OPEN_MPI)
    assert variables["OMPI_ALLOW_RUN_AS_ROOT"] == variables["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] == "1"
    assert variables["OMPI_MCA_rmaps_base_oversubscribe"] == "1"
    assert variables["PRTE_MCA_rmaps_default_mapping_policy"] == ":oversubscribe"
    assert not [name for name in module.variables(CASE, MPICH) if "OMPI" in name or "PRTE" in name]


@pytest.mark.parametrize("permitted", [True, False])
def test_single_copy_is_left_on_where_it_is_permitted(monkeypatch: pytest.MonkeyPatch, permitted: bool) -> None:
    monkeypatch.setattr(module, "single_copy_permitted", lambda: permitted)
    assert ("OMPI_MCA_btl_vader_single_copy_mechanism" in module.variables(CASE, OPEN_MPI)) != permitted


def test_variables_of_the_environment_have_the_last_word() -> None:
    mine = dataclasses.replace(OPEN_MPI, variables=(("LD_PRELOAD", "/opt/libx.so"), ("OMP_WAIT_POLICY", "passive")))
    assert {"LD_PRELOAD": "/opt/libx.so", "OMP_WAIT_POLICY": "passive"}.items() <= module.variables(CASE, mine).items()


def test_the_script_is_what_runs(tmp_path: Path) -> None:
    script = tmp_path / "command.sh"
    words = ("sh", "-c", 'echo "$A|${OMP_PLACES-unset}|$1"', "x", "it's")
    script.write_text(Command(words, {"A": "b 'c' $d"}, "true").script())
    before = {"OMP_PLACES": "cores", "PATH": "/usr/bin:/bin"}
    answer = subprocess.run(["bash", script], capture_output=True, text=True, env=before)
    assert answer.stdout == "b 'c' $d|unset|it's\n"


def test_a_script_that_is_started_by_hand_leaves_nothing(tmp_path: Path) -> None:
    folders = (tmp_path / "it's one", tmp_path / "two")
    words = ("sh", "-c", 'for folder; do stat -c %a "$folder" && touch "$folder/segment"; done; exit 7', "sh", *map(str, folders))
    script = tmp_path / "command.sh"
    script.write_text(Command(words, {}, folders=tuple(map(str, folders))).script())
    done = subprocess.run(["bash", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (7, "700\n700\n", "")
    assert not any(folder.exists() for folder in folders)
    for folder in folders:  # by a supervisor
        folder.mkdir()
    assert subprocess.run(["bash", script], capture_output=True, check=False).returncode == 7
    assert all((folder / "segment").exists() for folder in folders)


def test_nodes_are_left_out_where_the_launcher_knows_nodes() -> None:
    out = command(CASE, Path("/b/lqcd"), MPICH, Path("/r"), "slurm", 3, ("n1", "n7"))
    assert out.words[:4] == ("srun", "--exclude=n1,n7", "-N", "3")
    by_template = command(CASE, Path("/b/lqcd"), MPICH, Path("/r"), "start --not {without} {ranks}", 3, ("n1",))
    assert by_template.words[:4] == ("start", "--not", "n1", "2")
    with pytest.raises(TenkenError, match="cannot leave out a node"):
        command(CASE, Path("/b/lqcd"), MPICH, Path("/r"), "jsrun -n {ranks}", 3, ("n1",))
    for hostile in ("n1;reboot", "-n1", "n[1-4]", "{ranks}", ""):
        with pytest.raises(TenkenError, match="not the name of a node"):
            command(CASE, Path("/b/lqcd"), MPICH, Path("/r"), "slurm", 3, (hostile,))
