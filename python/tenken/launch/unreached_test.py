"""What launchers write when a node is missing, slow or dies, from public reports; words of hosts and numbers are ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenken.launch import reason, slurm
from tenken.launch.unreached import Unreached, unreached

RECORDED = Path(__file__).resolve().parents[3] / "tests" / "slurm" / "recorded" / "slurm-wlm-22.05.8"
CANCELLED = "slurmstepd-n1: error: *** STEP 7.0 ON n1 CANCELLED AT 2026-11-23T08:04:17 DUE TO NODE FAILURE ***\n"
LAUNCH = "srun: error: Task launch for StepId=4.1 failed on node n2: {}\nsrun: error: Application launch failed: {}\n"
ABORTED = "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\nsrun: error: n1: task 0: Killed\n"
BANNER = "-" * 74 + "\n"
ORTE = f"""{BANNER}ORTE has lost communication with a remote daemon.

  HNP daemon   : [[6112,0],0] on node n1
  Remote daemon: [[6112,0],1] on node n2

This is usually due to either a failure of the TCP network
connection to the node, or possibly an internal failure of
the daemon itself.
"""
ORTE_2 = f"{BANNER} ORTE has lost communication with its daemon located on node:\n\n   hostname:  n2.site\n\n This is\n"
PRTE = ORTE.replace("ORTE", "PRTE").replace("[[6112,0],0]", "[prterun-n1-91@0,0]").replace("[[6112,0],1]", "[prterun-n1-91@0,1]")
BUSY = "srun: Job 29 step creation temporarily disabled, retrying (Requested nodes are busy)\n"


@pytest.mark.parametrize(("text", "expected"), [
    ("srun: error: Node failure on n2\n" + CANCELLED + ABORTED, Unreached(("n2",), "the scheduler")),
    (LAUNCH.format(*2 * ["Communication connection failure"]) + ABORTED,
     Unreached(("n2",), "srun", "Communication connection failure")),
    (LAUNCH.replace("StepId=", "").format(*2 * ["Socket timed out on send/recv operation"]),
     Unreached(("n2",), "srun", "Socket timed out on send/recv operation")),
    ("".join(f"srun: error: Task launch for StepId=2.0 failed on node n{i}: Zero Bytes were received\n" for i in (3, 8, 3)),
     Unreached(("n3", "n8"), "srun", "Zero Bytes were received")),
    (ORTE, Unreached(("n2",), "mpirun")), (ORTE_2, Unreached(("n2.site",), "mpirun")), (PRTE, Unreached(("n2",), "mpirun")),
    ("ssh: connect to host n2 port 22: No route to host\n" + ORTE.replace("n2", "n9"),
     Unreached(("n2",), "ssh", "No route to host")),
    ("ssh: Could not resolve hostname n2: Name or service not known\n", Unreached(("n2",), "ssh", "Name or service not known")),
    ("[mpiexec@n1] check_exit_codes (x.c:117): unable to run bstrap_proxy on n2 (pid 12, exit code 256)\n",
     Unreached(("n2",), "mpirun")),
    (CANCELLED + ABORTED, None), (ABORTED, None), ("", None), (BUSY, None),
    (LAUNCH.format(*2 * ["Unable to layout tasks on given cpus"]), None),  # n2 answered, and refused
])  # fmt: skip
def test_the_lost_node_is_named_and_no_other(text: str, expected: Unreached | None) -> None:
    assert unreached(text) == expected


@pytest.mark.parametrize(("name", "nodes"), [
    ("node-lost", ("n2",)), ("node-lost-no-kill", ("n2",)), ("daemon-gone", ("n2",)), ("daemon-stopped", ("n2",)),
    ("daemon-dies-at-start", ("n2",)), ("cancelled", ()), ("killed", ()), ("segmentation-fault", ()),
])  # fmt: skip
def test_a_lost_node_is_named_from_recorded_lines(name: str, nodes: tuple[str, ...]) -> None:
    found = unreached((RECORDED / f"{name}.txt").read_text())
    assert (found.nodes if found else ()) == nodes


def test_an_mpirun_that_we_ended_accuses_no_node() -> None:
    assert unreached(ORTE, ended_by_us=True) is None and unreached(PRTE, ended_by_us=True) is None
    assert unreached("srun: error: Node failure on n2\n", ended_by_us=True) is not None


def test_a_node_that_answered_and_refused_is_in_the_reason() -> None:
    text = LAUNCH.format(*2 * ["Unable to layout tasks on given cpus"]) + ABORTED
    assert slurm.not_started(text) == "Task launch for StepId=4.1 failed on node n2: Unable to layout tasks on given cpus"


def test_a_step_that_waits_for_processors_has_not_hung() -> None:
    assert slurm.still_waiting(BUSY + BUSY.replace("temporarily", "still")) == "Requested nodes are busy"
    assert slurm.still_waiting(BUSY + "srun: Step created for job 29\n") is None and slurm.still_waiting("") is None


def test_memory_that_slurm_took_back_is_named() -> None:
    text = "slurmstepd: error: Detected 1 oom_kill event in StepId=5.0.\nsrun: error: n2: task 1: Out Of Memory\n"
    death = reason.read_death(text, 137)
    assert (death.rank, death.host, death.signal, death.memory) == (1, "n2", 9, True)
    assert reason.crashed(death, (), "") == (
        "rank 1 on n2 was killed by SIGKILL: more memory than Slurm grants the job (--mem)")
