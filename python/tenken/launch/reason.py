"""States in a sentence why a launch ended: the rank, the signal, the place of the rank."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from dataclasses import dataclass

from tenken.launch.unreached import Unreached
from tenken.model.run import RankState

# Exit codes of a check program (docs/architecture.md).
EXIT_REFUSED, EXIT_CANNOT, EXIT_LACKING = 3, 4, 5
_MUCH = 0.25  # of the time: waiting for a processor that is worth a word


@dataclass(frozen=True, slots=True)
class Death:
    """The MPI launcher's report on the process that died first; None where there is none."""

    rank: int | None = None
    pid: int | None = None
    host: str | None = None
    signal: int | None = None
    code: int | None = None
    memory: bool = False  # the scheduler ended it, since the job used more memory than it may


def read_death(text: str, returncode: int) -> Death:
    """Out of the output `text` with messages of Open MPI 4 or 5, Hydra (MPICH, Intel MPI) or srun, else of the code."""
    # First: Hydra at times tells an abort as "Hangup (signal 1)", since its proxy leaves before the process does.
    abort = re.search(r"application called MPI_Abort\(.*, (\d+)\) - process (\d+)", text)
    if abort:
        return Death(int(abort[2]), code=int(abort[1]))
    abort = re.search(r"MPI_ABORT was invoked on rank (\d+) in communicator [^.]*?error\s?code:? (\d+)", text, re.I)
    if abort:
        return Death(int(abort[1]), code=int(abort[2]))
    open_mpi = re.search(r"process rank (\d+) with PID (\d+) on node (\S+)\s+exited\s+on\s+signal (\d+)", text)
    if open_mpi:
        rank, pid, host, number = open_mpi.groups()
        return Death(int(rank), int(pid) or None, host, int(number))
    open_mpi = re.search(r"Process name:\s*\[.*,(\d+)\]\s*Exit code:\s*(\d+)", text)
    if open_mpi:
        return Death(int(open_mpi[1]), code=int(open_mpi[2]))
    hydra = re.search(r"PID (\d+) RUNNING AT (\S+)\s*=\s*EXIT CODE: (\d+)", text)
    if hydra:
        by_signal = re.search(r"EXIT STRING:.*\(signal (\d+)\)", text)
        pid, host, code = int(hydra[1]), hydra[2], int(hydra[3])
        return Death(None, pid, host, int(by_signal[1])) if by_signal else Death(None, pid, host, code=code)
    srun = re.search(r"srun: error: (\S+): tasks? (\d+)\S*: (?:Exited with exit code (\d+)|(\w[\w ]*))", text)
    if srun:
        words = (srun[4] or "").strip()
        return Death(
            int(srun[2]), host=srun[1], signal=_SIGNAL_WORDS.get(words), code=int(srun[3]) if srun[3] else None,
            memory=words == "Out Of Memory",
        )
    if returncode < 0:
        return Death(signal=-returncode)
    if returncode > 128 and returncode - 128 in set(signal.Signals):
        return Death(signal=returncode - 128)
    return Death(code=returncode)


_SIGNAL_WORDS = {
    "Killed": signal.SIGKILL, "Terminated": signal.SIGTERM, "Segmentation fault": signal.SIGSEGV,
    "Out Of Memory": signal.SIGKILL, "Aborted": signal.SIGABRT, "Bus error": signal.SIGBUS,
    "Floating point exception": signal.SIGFPE,
}


def signal_name(number: int | None) -> str | None:
    if number is None:
        return None
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def node_lost(lost: Unreached, ranks: Sequence[RankState]) -> str:
    """The launcher's word on nodes that went away or did not answer, and where their ranks were."""
    names = {name.split(".")[0] for name in lost.nodes}
    there = [rank for rank in ranks if rank.host.split(".")[0] in names]
    text = f"node{'s' if len(lost.nodes) > 1 else ''} {', '.join(lost.nodes)} lost, as {lost.by} reports"
    text += f" ({lost.why})" if lost.why else ""
    return text + (f"; rank {there[0].rank} there was {_place(there[0])}" if there else "")


def not_begun(waiting: str) -> str:
    """That srun waited for processors of the allocation until its time was over; `waiting`: its words."""
    return f"srun did not start it in its time: {waiting}; another step of this job may use the nodes (squeue --steps)"


def own_sentence(stderr: str) -> str:
    """The first line that the program itself wrote, before the MPI launcher's banners; "" where there is none."""
    for line in stderr.splitlines():
        text = line.strip()
        if re.match(r"(-{20}|={20}|srun: |slurmstepd: |mpirun|prterun|MPI_ABORT was|Abort\(\d+\) on node)", text):
            continue
        if re.match(r"Primary job|a non-zero exit code|the job to be terminated|YOUR APPLICATION TERMINATED", text):
            continue
        if re.match(r"Process name:|Exit code:|=  |=$", text):
            continue
        if text:
            return text.removeprefix("tenken: ")
    return ""


def crashed(death: Death, ranks: Sequence[RankState], sentence: str) -> str:
    """Why a launch crashed. `sentence` is the program's message."""
    dead = _state(death, ranks)
    who = f"rank {dead.rank} of {len(ranks)} on {dead.host}" if dead else _nameless(death)
    if death.signal is not None:
        text = f"{who} was killed by {signal_name(death.signal)}"
        text += ": more memory than Slurm grants the job (--mem)" if death.memory else ""
    elif death.code == 0:
        text = "the launch ended without a complete record"
    elif death.code == EXIT_CANNOT and sentence:
        return f"{who} stopped: {sentence}"
    else:
        text = f"{who} ended with exit code {death.code}"
    text += f" {_place(dead)}" if dead else ""
    return f"{text}: {sentence}" if sentence and death.signal is None else text


def hung(timeout_s: float, ranks: Sequence[RankState], load: str = "") -> str:
    """Where the rank that is furthest behind was when the time-out came; `load`: the text of load()."""
    text = _overdue(timeout_s)
    behind = _behind(ranks)
    if behind is None:
        return f"{text}: all ranks had written their part" if ranks else f"{text}: no rank had started measuring"
    return f"{text}: {_who_was(behind, ranks)}{load}"


def stopped(timeout_s: float, ranks: Sequence[RankState], rank: RankState) -> str:
    """That a signal or a debugger stopped `rank` for good."""
    return f"{_overdue(timeout_s)}: rank {rank.rank} of {len(ranks)} on {rank.host} was stopped (SIGSTOP) {_place(rank)}"


def slow(timeout_s: float, ranks: Sequence[RankState], seconds_each: float | None, load: str = "") -> str:
    """How fast a launch advanced that was not done in time, and the time-out that would be enough.

    `seconds_each`: of a repetition, where some were seen; `load`: the text of load().
    """
    behind = _behind(ranks) or ranks[0]  # an advance was seen, so there are some
    left = behind.planned_repetitions - behind.repetitions
    if seconds_each is None or left <= 0:
        return f"{_overdue(timeout_s)}, but it advanced: {_who_was(behind, ranks)}{load}; {_more(2 * timeout_s)}"
    return (
        f"{_overdue(timeout_s)}, but it advanced: {behind.repetitions} of {behind.planned_repetitions} repetitions, "
        f"{seconds_each:.2g} s each{load}; {_more(1.5 * (timeout_s + left * seconds_each))}"
    )


def starved(timeout_s: float, ranks: Sequence[RankState], silent_s: float, load: str) -> str:
    """That nothing was seen to advance for `silent_s`, which proves nothing since the ranks had no processor meanwhile."""
    behind = _behind(ranks)
    where = f"; {_who_was(behind, ranks)}" if behind else ""
    return (f"{_overdue(timeout_s)}, no step seen for {silent_s:.2g} s on a node without a free processor"
            f"{where}{load}; {_more(2 * timeout_s)}")


def without_processor(timeout_s: float, share: float, needs_s: float) -> str:
    """That others used the processors of a launch, and the time that it needs as long as they do."""
    return (f"{_overdue(timeout_s)}: other load, ranks waited for a processor {100 * share:.0f} % of the time; "
            f"under this load the launch needs up to {needs_s:.0f} s")


def load(share: float, by_others: bool) -> str:
    """The text on ranks that waited for a processor this part of the time; empty where it is little."""
    if share < _MUCH:
        return ""
    why = "other load or a quota" if by_others else "more threads than processors"
    return f"; ranks waited for a processor {100 * share:.0f} % of the time ({why})"


def _overdue(timeout_s: float) -> str:
    return f"no end within {timeout_s:g} s"


def _more(seconds: float) -> str:
    return f"try --timeout {seconds:.0f}"


def _behind(ranks: Sequence[RankState]) -> RankState | None:
    """The rank that is furthest behind, of those that are not done."""
    left = [rank for rank in ranks if rank.state != "done"]
    return min(left, key=lambda rank: rank.repetitions) if left else None


def _who_was(rank: RankState, ranks: Sequence[RankState]) -> str:
    return f"rank {rank.rank} of {len(ranks)} on {rank.host} was still {_place(rank).removeprefix('while ')}"


def interrupted(name: str, ranks: Sequence[RankState]) -> str:
    first = next(iter(ranks), None)
    where = f" while rank {first.rank} was {_place(first).removeprefix('while ')}" if first else ""
    return f"stopped by {name}{where}"


def _state(death: Death, ranks: Sequence[RankState]) -> RankState | None:
    for rank in ranks:
        if rank.rank == death.rank or (death.rank is None and death.pid is not None and rank.pid == death.pid):
            return rank
    return ranks[0] if len(ranks) == 1 else None


def _nameless(death: Death) -> str:
    if death.rank is not None:
        return f"rank {death.rank}" + (f" on {death.host}" if death.host else "")
    return f"a rank on {death.host}" if death.host else "a rank"


def _place(state: RankState) -> str:
    if state.state != "timing":
        when = {"starting": "while starting", "gathering": "while gathering the samples", "writing": "while writing the record",
                "done": "at its end"}[state.state]
        return f"{when}, in {state.section}" if state.section else when
    section = f"in {state.section}" if state.section else "outside any section"
    return f"{section} after {state.repetitions} of {state.planned_repetitions} repetitions"
