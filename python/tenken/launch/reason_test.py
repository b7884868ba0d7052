from __future__ import annotations

import pytest

from tenken.launch import reason
from tenken.launch.reason import Death
from tenken.model.run import RankState

OPEN_MPI_4 = """--------------------------------------------------------------------------
Primary job  terminated normally, but 1 process returned
a non-zero exit code. Per user-direction, the job has been aborted.
--------------------------------------------------------------------------
--------------------------------------------------------------------------
mpirun.openmpi noticed that process rank 1 with PID 0 on node n1 exited on signal 9 (Killed).
"""
OPEN_MPI_CODE = """tenken: no memory for 4096 MiB
--------------------------------------------------------------------------
mpirun detected that one or more processes exited with non-zero status, thus causing
the job to be terminated. The first process to do so was:

  Process name: [[60551,1],1]
  Exit code:    4
"""
OPEN_MPI_5 = "prterun noticed that process rank 0 with PID 812 on node n2 exited on\nsignal 11 (Segmentation fault)."
HYDRA_SIGNAL = """=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
=   PID 12 RUNNING AT n1
=   EXIT CODE: 9
=   CLEANING UP REMAINING PROCESSES
YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)
"""
HYDRA_CODE = "=   PID 12 RUNNING AT n1\n=   EXIT CODE: 4\n"
HYDRA_ABORT = """lqcd: no memory for 4096 MiB
Abort(4) on node 1 (rank 1 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 4) - process 1
=   PID 8275 RUNNING AT n1
=   EXIT CODE: 1
YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Hangup (signal 1)
"""
OPEN_MPI_4_ABORT = """MPI_ABORT was invoked on rank 3 in communicator MPI_COMM_WORLD
with errorcode 4.
"""
OPEN_MPI_5_ABORT = """MPI_ABORT was invoked on rank 3 in communicator MPI_COMM_WORLD
  Proc: [[17018,1],3]
  Errorcode: 4
"""
SRUN = "srun: error: n2: task 1: Segmentation fault\n"


@pytest.mark.parametrize(
    ("stderr", "code", "death"),
    [
        (OPEN_MPI_4, 137, Death(1, None, "n1", 9)),
        (OPEN_MPI_CODE, 4, Death(1, code=4)),
        (OPEN_MPI_5, 139, Death(0, 812, "n2", 11)),
        (HYDRA_SIGNAL, 9, Death(None, 12, "n1", 9)),
        (HYDRA_CODE, 4, Death(None, 12, "n1", code=4)),
        (HYDRA_ABORT, 1, Death(1, code=4)),
        (OPEN_MPI_4_ABORT, 4, Death(3, code=4)),
        (OPEN_MPI_5_ABORT, 4, Death(3, code=4)),
        (SRUN, 139, Death(1, host="n2", signal=11)),
        ("srun: error: n2: task 1: Exited with exit code 7\n", 7, Death(1, host="n2", code=7)),
        ("", 139, Death(signal=11)),
        ("", -9, Death(signal=9)),
        ("", 7, Death(code=7)),
    ],
)
def test_who_died(stderr: str, code: int, death: Death) -> None:
    assert reason.read_death(stderr, code) == death


@pytest.mark.parametrize(
    ("stderr", "sentence"),
    [
        (OPEN_MPI_4, ""),
        (OPEN_MPI_CODE, "no memory for 4096 MiB"),
        (HYDRA_ABORT.partition("\n")[2], ""),
        ("\n\nsrun: error: x\nout of memory\n", "out of memory"),
    ],
)
def test_own_sentence(stderr: str, sentence: str) -> None:
    assert reason.own_sentence(stderr) == sentence


RANKS = (
    RankState(0, "n1", 11, "timing", "solve", 40, 100),
    RankState(1, "n1", 12, "timing", "solve/operator", 37, 100),
)


@pytest.mark.parametrize(
    ("death", "sentence", "text"),
    [
        (
            Death(1, signal=9), "",
            "rank 1 of 2 on n1 was killed by SIGKILL in solve/operator after 37 of 100 repetitions",
        ),
        (Death(None, 11, "n1", 7), "", "rank 0 of 2 on n1 was killed by SIGBUS in solve after 40 of 100 repetitions"),
        (Death(signal=11), "", "a rank was killed by SIGSEGV"),
        (Death(5, host="n9", signal=70), "", "rank 5 on n9 was killed by signal 70"),
        (Death(1, code=4), "no memory", "rank 1 of 2 on n1 stopped: no memory"),
        (Death(0, code=7), "odd", "rank 0 of 2 on n1 ended with exit code 7 in solve after 40 of 100 repetitions: odd"),
        (Death(code=0), "", "the launch ended without a complete record"),
    ],
)
def test_crash(death: Death, sentence: str, text: str) -> None:
    assert reason.crashed(death, RANKS, sentence) == text


def test_between_two_sections() -> None:
    ranks = (RankState(0, "n1", 11, "timing", None, 4, 9),)
    assert reason.hung(2, ranks).endswith("rank 0 of 1 on n1 was still outside any section after 4 of 9 repetitions")


def test_hung_names_the_rank_behind() -> None:
    assert reason.hung(20, RANKS) == (
        "no end within 20 s: rank 1 of 2 on n1 was still in solve/operator after 37 of 100 repetitions"
    )
    assert reason.hung(0.5, ()) == "no end within 0.5 s: no rank had started measuring"


LOAD = "; ranks waited for a processor 90 % of the time (other load or a quota)"


def test_slow_says_its_rate_and_what_would_be_enough() -> None:
    ranks = tuple(RankState(rank, "n0", 1, "timing", "s", done, 40) for rank, done in enumerate((12, 13)))
    assert reason.slow(60, ranks, 4.2) == (
        "no end within 60 s, but it advanced: 12 of 40 repetitions, 4.2 s each; try --timeout 266"
    )
    assert f"4.2 s each{LOAD}; try" in reason.slow(60, ranks, 4.2, LOAD)


def test_slow_says_where_it_works_when_no_repetition_is_left() -> None:
    ranks = (RankState(0, "n0", 1, "timing", None, 40, 40), RankState(1, "n0", 1, "timing", None, 40, 40))
    assert reason.slow(60, ranks, 0.1, LOAD) == (
        f"no end within 60 s, but it advanced: rank 0 of 2 on n0 was still outside any section after 40 of 40 repetitions{LOAD}; "
        "try --timeout 120"
    )
    early = (RankState(0, "n0", 1, "starting", "set_up", 0, 0),)
    assert "advanced: rank 0 of 1 on n0 was still starting, in set_up; try" in reason.slow(60, early, None)


def test_no_processor_and_no_step_is_not_hung() -> None:
    assert reason.starved(60, RANKS, 41.3, LOAD) == (
        "no end within 60 s, no step seen for 41 s on a node without a free processor; "
        f"rank 1 of 2 on n1 was still in solve/operator after 37 of 100 repetitions{LOAD}; try --timeout 120"
    )
    assert "processor; ranks" in reason.starved(60, (), 41.3, LOAD)


def test_a_stopped_rank_is_named() -> None:
    assert reason.stopped(20, RANKS, RANKS[0]) == (
        "no end within 20 s: rank 0 of 2 on n1 was stopped (SIGSTOP) in solve after 40 of 100 repetitions"
    )


def test_a_load_is_told_from_a_quarter_on() -> None:
    assert reason.load(0.9, True) == LOAD
    assert reason.load(0.3, False) == "; ranks waited for a processor 30 % of the time (more threads than processors)"
    assert reason.load(0.24, True) == "" and reason.load(0.25, True) != ""
    assert reason.hung(20, RANKS, LOAD).endswith(f"37 of 100 repetitions{LOAD}")
