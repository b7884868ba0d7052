"""Which launches of a case were measured, and on which nodes."""

from __future__ import annotations

from tenken.base.phrases import plural
from tenken.model.machine import Machine, Node
from tenken.model.record import Rank, Record
from tenken.model.run import CaseRun
from tenken.model.run import Measured as Measured  # where the judge looks for it

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
