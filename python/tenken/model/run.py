"""A run: its plan, its launches, the outcome of each, and which launches were measured where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tenken.base.words import plural
from tenken.model.check import Case, Check, Topic
from tenken.model.machine import Machine, Node
from tenken.model.record import Rank, Record
from tenken.model.study import StudyRun

# Of a rank, in the order in which it goes through them.
STATES = ("starting", "timing", "gathering", "writing", "done")


@dataclass(frozen=True, slots=True)
class RankState:
    """The place of a rank when its launch ended, read from its sample page."""

    rank: int
    host: str
    pid: int
    state: str  # any of STATES
    section: str | None  # innermost open section
    repetitions: int  # completed
    planned_repetitions: int
    steps: int = 0  # of any work so far: the count that advances


@dataclass(frozen=True, slots=True)
class Launch:
    """A job start. `status` is the launcher's word on the process, never a judgement of figures."""

    number: int
    case_id: str
    # planned | done | crashed | hung | slow (not done in time, but it advanced) | starved (not done in time, since its ranks
    # waited for processors that others used) | interrupted | refused | lacking (its needs are not here)
    status: str
    folder: str  # relative to the run folder: launches/NNNN-<case>
    returncode: int | None = None
    signal: str | None = None
    reason: str = ""  # a sentence where status is not done
    started: str | None = None  # ISO 8601, UTC
    seconds: float | None = None
    last_lines: tuple[str, ...] = ()
    ranks: tuple[RankState, ...] = ()
    confirms: int | None = None  # number of the disturbed launch that this launch repeats
    id: str = ""  # drawn when it starts; its record and pages hold the same
    environment: str = ""  # under which it was started
    lost: tuple[str, ...] = ()  # nodes that the scheduler says it lost meanwhile
    waited: float | None = None  # part of the time that its ranks waited for a processor; None where that is not known
    needs_s: float | None = None  # of a starved launch: the time in which its ranks get the processor time of its time-out


@dataclass(frozen=True, slots=True)
class Measured:
    """A finished launch and its record."""

    launch: Launch
    record: Record


@dataclass(frozen=True, slots=True)
class CaseRun:
    """A case with everything that was measured for it."""

    case: Case
    check: Check
    launches: tuple[Launch, ...]
    records: tuple[Record, ...]  # of the launches with status done, in order
    unreadable: tuple[str, ...] = ()  # sentences on records that were refused
    unavailable: str | None = None  # why this case could not be planned here (no CBLAS, too few cores, ...)

    @property
    def lacking(self) -> str | None:
        """Why there is nothing to judge here and nobody's fault it is: not built, or its programs lack a need."""
        return self.unavailable or next((launch.reason for launch in self.launches if launch.status == "lacking"), None)


@dataclass(frozen=True, slots=True)
class Run:
    name: str  # folder name
    folder: str
    suite: str  # suite, check or case names as typed
    state: str  # planned | running | finished | interrupted
    started: str
    seed: int
    seconds: float | None
    environment: dict[str, Any]
    cases: tuple[CaseRun, ...]
    studies: tuple[StudyRun, ...] = ()  # their points are among the cases
    topics: tuple[Topic, ...] = ()  # of its suite
    notes: tuple[str, ...] = ()  # sentences on parts that belong to no case and could not be read


# Which launches of a case were measured, and on which nodes.

OVERSUBSCRIBED = "oversubscribed (more threads than cores)"


def measured_launches(case_run: CaseRun) -> tuple[Measured, ...]:
    """Each finished launch whose record could be read; a record lies in the folder of its launch."""
    return tuple(
        Measured(launch, record)
        for launch in case_run.launches
        for record in case_run.records
        if launch.status == "done" and f"/{launch.folder}/" in record.path.replace("\\", "/")
    )


def cores_by_host(record: Record, machine: Machine) -> dict[str, int]:
    """Physical cores that the ranks of a record keep busy on each host: threads, but never more than there are."""
    threads: dict[str, int] = {}
    for rank in record.rank:
        threads[rank.host] = threads.get(rank.host, 0) + record.threads
    return {host: min(count, machine.node(host).cores) for host, count in threads.items()}


def oversubscribed(record: Record, machine: Machine) -> bool:
    """Whether a host has more threads of this record than physical cores."""
    threads = len(record.rank) * record.threads
    return threads > sum(cores_by_host(record, machine).values())


def shared_cards(record: Record) -> str:
    """"3 ranks share 2 cards", of the node where the most ranks share a card; "" where each rank has a card alone."""
    by_host: dict[str, list[str]] = {}
    for rank in record.rank:
        if rank.card is not None:
            by_host.setdefault(rank.host, []).append(rank.card.id)
    shared = {host: cards for host, cards in by_host.items() if len(cards) > len(set(cards))}
    if not shared:
        return ""
    host, cards = max(shared.items(), key=lambda sharing: len(sharing[1]) / len(set(sharing[1])))
    where = f" on {host}" if len(by_host) > 1 else ""
    return f"{plural(len(cards), 'rank')} share {plural(len(set(cards)), 'card')}{where}"


def crowding(record: Record, machine: Machine) -> str:
    """Why the times of a record are never judged, by the plan of its launch; "" where they are."""
    return OVERSUBSCRIBED if oversubscribed(record, machine) else shared_cards(record)


def threads_run(rank: Rank) -> int | None:
    """The threads of a rank that were seen on a processor at the begin or end of the timed part; None where none was seen."""
    return sum(max(thread.cpu_begin, thread.cpu_end) >= 0 for thread in rank.threads) or None


def rank_with_fewest(record: Record) -> tuple[Rank, int] | None:
    """The rank on which the fewest threads ran, with their number; None where all threads ran, or the system does not tell."""
    counted = [(rank, count) for rank in record.rank if (count := threads_run(rank)) is not None]
    fewest = min(counted, key=lambda of_rank: of_rank[1], default=None)
    return fewest if fewest is not None and fewest[1] < record.threads else None


def strangers(record: Record, machine: Machine) -> tuple[str, ...]:
    """Hosts of ranks that are none of the nodes that were probed: their expected figures are unknown.

    A machine whose only node did not tell its name is the node on which everything ran.
    """
    probed = {node.host.split(".")[0] for node in machine.nodes}
    if probed <= {"unknown", ""}:
        return ()
    return tuple(dict.fromkeys(rank.host for rank in record.rank if rank.host.split(".")[0] not in probed))


def nodes_of(record: Record, machine: Machine) -> tuple[Node, ...]:
    """The nodes that a record ran on, once for each host."""
    return tuple(machine.node(host) for host in dict.fromkeys(rank.host for rank in record.rank))


def hosts_of(case_run: CaseRun) -> tuple[str, ...]:
    """The hosts that the launches of a case ran on."""
    return tuple(dict.fromkeys(rank.host for record in case_run.records for rank in record.rank))
