"""Where the threads of a case ran, in a few characters, and which sweeps cannot differ on a machine with a single socket."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tenken.model.check import Study
from tenken.model.machine import Machine
from tenken.model.run import Measured

WHERE = ("placement", "reserve", "membind", "rank_map")  # axes that move threads or pages
_MOST_RANKS, _SHOWN = 8, 3


def moves(study: Study) -> bool:
    return any(swept in WHERE for axis in study.axes for swept in axis.sweeps)


def in_words(measured: Iterable[Measured]) -> str:
    """Processors of each rank in the order of ranks, such as "0-1|2-3", over all launches; hosts that are alike once."""
    hosts: dict[str, dict[int, set[int]]] = {}
    for each in measured:
        for rank in each.record.rank:
            seen = hosts.setdefault(rank.host, {}).setdefault(rank.rank, set())
            seen.update(cpu for thread in rank.threads for cpu in (thread.cpu_begin, thread.cpu_end) if cpu >= 0)
    texts = [_of_host([ranges(ranks[rank]) for rank in sorted(ranks)]) for ranks in hosts.values()]
    return "; ".join(dict.fromkeys(text for text in texts if text))


def _of_host(ranks: Sequence[str]) -> str:
    shown = [*ranks[:_SHOWN], "...", ranks[-1]] if len(ranks) > _MOST_RANKS else ranks
    return "|".join(shown) if any(ranks) else ""


def ranges(numbers: Iterable[int]) -> str:
    """{0, 1, 2, 5} is "0-2,5"."""
    groups: list[list[int]] = []
    for number in sorted(numbers):
        if groups and number == groups[-1][-1] + 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    return ",".join(str(group[0]) if len(group) == 1 else f"{group[0]}-{group[-1]}" for group in groups)


def notes(study: Study, machine: Machine) -> tuple[str, ...]:
    """Sweeps that cannot differ here: with a single socket, one_socket is the node."""
    swept = {value for axis in study.axes for value in axis.sweeps.get("placement", ())}
    if not swept & {"scatter", "one_socket"} or any(node.sockets > 1 for node in machine.nodes):
        return ()
    numa = max(node.numa_nodes for node in machine.nodes)
    scatter = f"scatter deals to its {numa} NUMA nodes" if numa > 1 else "scatter takes the cores that compact takes"
    return (f"one socket here: one_socket is the whole node, and {scatter}",)
