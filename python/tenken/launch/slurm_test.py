"""Slurm's own lines, recorded by hand (tests/slurm), replayed: no Slurm is needed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fake_build import ENVIRONMENT, case_run, fake_build
from tenken.base.errors import TenkenError
from tenken.launch import local, reason, slurm
from tenken.launch.command import Command
from tenken.launch.plan import plan
from tenken.launch.runner import drive
from tenken.model.check import Case
from tenken.model.run import Launch, RankState
from tenken.store.runfolder import RunFolder

RECORDED = Path(__file__).resolve().parents[3] / "tests" / "slurm" / "recorded" / "slurm-wlm-22.05.8"
OLDER = "srun: MPI types are...\nsrun: none\nsrun: openmpi\nsrun: pmi2\nsrun: pmix_v2\nsrun: pmix_v3\n"  # as 20.11 says it


def recorded(name: str) -> str:
    return (RECORDED / f"{name}.txt").read_text()


def variables(name: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in recorded(f"environment-{name}").splitlines())


def offers(text: str) -> slurm.Run:
    return lambda words: text if list(words) == ["srun", "--mpi=list"] else ""


def test_the_plug_in_types_of_this_and_an_older_slurm_are_read() -> None:
    assert slurm.mpi_types(recorded("mpi-list")) == ("pmix", "none", "cray_shasta", "pmi2", "pmix_v4")
    assert slurm.mpi_types(OLDER) == ("none", "openmpi", "pmi2", "pmix_v2", "pmix_v3")


@pytest.mark.parametrize(("flavour", "text", "expected"), [
    ("openmpi", recorded("mpi-list"), "--mpi=pmix"), ("mpich", recorded("mpi-list"), "--mpi=pmi2"),
    ("openmpi", OLDER, "--mpi=pmix_v3"), ("mpich", "none\npmix\n", "--mpi=pmix"),
])  # fmt: skip
def test_the_plug_in_that_fits_the_mpi_is_chosen(flavour: str, text: str, expected: str) -> None:
    assert slurm.mpi_option(flavour, {}, offers(text)) == expected
    assert slurm.mpi_option(flavour, {"SLURM_MPI_TYPE": "none"}, offers(text)) == expected


def test_what_the_user_set_is_kept_and_what_cannot_work_is_refused() -> None:
    assert slurm.mpi_option("openmpi", {"SLURM_MPI_TYPE": "pmix_v4"}, offers("none")) == "--mpi=pmix_v4"
    with pytest.raises(TenkenError, match="offers none, cray_shasta, and programs of openmpi need pmix or pmi2"):
        slurm.mpi_option("openmpi", {}, offers("MPI plugin types are...\n\tnone\n\tcray_shasta\n"))


def test_srun_is_asked_and_its_silence_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TenkenError, match="there is no srun here"):
        slurm.mpi_option("openmpi", {})
    srun = tmp_path / "srun"
    srun.write_text('#!/bin/sh\n[ "$*" = --mpi=list ] && echo "srun: pmix" && echo "srun: pmi2" >&2\n')
    srun.chmod(0o755)
    assert slurm.mpi_option("openmpi", {}) == "--mpi=pmix" and slurm.mpi_option("mpich", {}) == "--mpi=pmi2"
    monkeypatch.setattr(slurm, "_SECONDS", 0.1)
    srun.write_text("#!/bin/sh\nwhile :; do :; done\n")
    with pytest.raises(TenkenError, match="srun --mpi=list does not answer .*; try it by hand"):
        slurm.mpi_option("openmpi", {})


@pytest.mark.parametrize(("name", "nodes", "cpus"), [("N2", 2, 2), ("n3", 2, 3), ("excl", 1, 2)])
def test_what_an_allocation_grants(name: str, nodes: int, cpus: int) -> None:
    found = slurm.Allocation.of(variables(name))
    assert found is not None and (found.nodes, found.cpus) == (nodes, cpus)


def test_outside_an_allocation_and_in_one_too_small_it_is_refused() -> None:
    with pytest.raises(TenkenError, match=r"not inside an allocation .* salloc -N 2 "):
        slurm.require_allocation({}, 2)
    with pytest.raises(TenkenError, match=r"--nodes 3: job 1 has 2 nodes; .*salloc -N 3"):
        slurm.require_allocation(variables("N2"), 3)
    allocation = slurm.require_allocation(variables("N2"), 2)
    slurm.require_tasks(allocation, "a:b", 2, 1)
    with pytest.raises(TenkenError, match=r"a:b: 8 ranks x 1 thread need 8 processors, job 1 has 2. "):
        slurm.require_tasks(allocation, "a:b", 8, 1)
    slurm.require_tasks(slurm.Allocation("1", None, None), "a:b", 8, 1)  # what Slurm does not tell is no ground


@pytest.mark.parametrize(("name", "code", "expected"), [
    ("segmentation-fault", 143, reason.Death(1, host="n2", signal=11)), ("killed", 143, reason.Death(1, host="n2", signal=9)),
    ("exit-code-7", 143, reason.Death(1, host="n2", code=7)), ("abort-mpich", 137, reason.Death(1, code=4)),
    ("abort-openmpi", 4, reason.Death(1, code=4)), ("mpi-none-openmpi", 143, reason.Death(0, host="n1", code=1)),
])  # fmt: skip
def test_who_died_first_is_read_from_what_srun_says(name: str, code: int, expected: reason.Death) -> None:
    assert reason.read_death(recorded(name), code) == expected


@pytest.mark.parametrize(("name", "said"), [
    ("too-many-tasks", "Unable to create step for job 5: More processors requested than permitted"),
    ("too-many-nodes", "Only allocated 1 nodes asked for 2"), ("node-gone", "Only allocated 1 nodes asked for 2"),
    ("killed", None), ("node-lost", None),
])  # fmt: skip
def test_what_srun_would_not_start_says_why(name: str, said: str | None) -> None:
    assert slurm.not_started(recorded(name)) == said


class Silent:
    def launch_started(self, launch: Launch, index: int, total: int) -> None: ...
    def ranks_seen(self, ranks: tuple[RankState, ...]) -> None: ...
    def ports_open(self, ports: tuple[int, ...]) -> None: ...
    def launch_ended(self, launch: Launch) -> None: ...
    def left_out(self, *what: object) -> None: ...


def played(name: str, code: int) -> Command:
    """A launch that says what was recorded."""
    return Command(("sh", "-c", f"cat {RECORDED / name}.txt >&2; exit {code}"), {})


def test_a_run_stops_where_a_node_was_lost_and_goes_on_when_resumed(tmp_path: Path) -> None:
    fake = fake_build(tmp_path / "build", "one")
    folder = RunFolder.create(tmp_path, "quick", plan([case_run("one", launches=3, ranks=1)], 1), 1, {"name": "fake"})
    lost = True

    def command(case: Case, place: Path) -> Command:
        from tenken.launch.command import command as usual

        return played("node-lost", 143) if lost else usual(case, fake.program("one"), ENVIRONMENT, place)

    with pytest.raises(TenkenError, match=r"launch 1 of one:small: node n2 lost, .* ./tenken run --resume"):
        drive(folder, command, Silent())
    run = folder.read()
    assert run.state == "interrupted" and [one.status for one in run.cases[0].launches] == ["crashed", "planned", "planned"]
    assert run.cases[0].launches[0].lost == ("n2",)
    lost = False
    drive(folder, command, Silent())
    assert {one.status for one in folder.read().cases[0].launches} == {"done"}


def test_a_launch_that_srun_did_not_start_has_sruns_reason(tmp_path: Path) -> None:
    launch = replace(Launch(1, "one:small", "planned", "launches/0001-one.small"), id="")
    ended = local.run_launch(launch, played("too-many-tasks", 1), tmp_path, 20.0)
    assert ended.status == "crashed" and "More processors requested than permitted" in ended.reason
    assert json.dumps(ended.lost) == "[]"


def test_a_launch_that_srun_lets_wait_has_not_hung(tmp_path: Path) -> None:
    launch = replace(Launch(1, "one:small", "planned", "launches/0001-one.small"), id="")
    line = "srun: Job 29 step creation still disabled, retrying (Requested nodes are busy)"
    ended = local.run_launch(launch, Command(("sh", "-c", f"echo '{line}' >&2; exec sleep 60"), {}), tmp_path, 1.0)
    assert ended.status == "crashed" and ended.reason == (
        "srun did not start it in its time: Requested nodes are busy; "
        "another step of this job may use the nodes (squeue --steps)")
