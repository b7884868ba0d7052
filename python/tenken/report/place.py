"""Where: the place of a finding, and where each rank was when its launch ended."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.model.assessment import Where
from tenken.model.run import Launch, RankState
from tenken.report.plain import plain


def place(where: Where) -> str:
    """ "rank 37 on n03, cg/operator, launch 2" or "n03 - n17"; where all ranks are alike that, as a section is no place."""
    if where.rank is None and where.host is None and where.launch is None and not where.group:
        return plain(where.alike)
    rank = None if where.rank is None else f"rank {where.rank}"
    host = where.host and plain(where.host)
    if host and where.numa is not None:
        host = f"NUMA domain {where.numa} of {host}"
    if host and where.cpu is not None:
        host = f"processor {where.cpu} of {host}"
    found = f"{rank} on {host}" if rank and host else rank or host
    if where.group:
        found = f"group {plain(where.group[0])} to {plain(where.group[-1])}"
    if where.to_host is not None:
        far = plain(where.to_host) if where.to_rank is None else f"rank {where.to_rank} on {plain(where.to_host)}"
        found = f"{found} - {far}"
    parts = [found, where.section and plain(where.section),
             None if where.launch is None else f"launch {where.launch}"]
    return ", ".join(part for part in parts if part)


def whereabouts(launch: Launch) -> list[str]:
    """How a launch ended, then where its ranks were: a line for each group of ranks, the smallest first."""
    why = plain(launch.reason) or (f"signal {launch.signal}" if launch.signal else f"exit code {launch.returncode}")
    groups: dict[tuple[str, str | None], list[RankState]] = {}
    for state in launch.ranks:
        groups.setdefault((state.state, state.section), []).append(state)
    lines = [_group(states) for states in sorted(groups.values(), key=lambda states: (len(states), states[0].rank))]
    return [f"launch {launch.number} {launch.status}: {why}", *lines]


def _group(states: Sequence[RankState]) -> str:
    first, *others = states
    hosts = sorted({plain(state.host) for state in states})
    host = f" on {hosts[0]}" if len(hosts) == 1 else ""
    section = f" in {plain(first.section)}" if first.section else ""
    low, high = min(state.repetitions for state in states), max(state.repetitions for state in states)
    done = f"{low}" if low == high else f"{low} to {high}"
    return (f"rank{'s' if others else ''} {spans([state.rank for state in states])}{host}: {first.state}{section}, "
            f"{done} of {first.planned_repetitions} repetitions")


def spans(numbers: Sequence[int], limit: int = 8) -> str:
    """Sorted numbers as ranges: "0-4,6-7"; after `limit` ranges the rest is counted."""
    runs: list[list[int]] = []
    for value in sorted(numbers):
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    shown = [str(low) if low == high else f"{low}-{high}" for low, high in runs[:limit]]
    rest = sum(high - low + 1 for low, high in runs[limit:])
    return ",".join(shown) + (f" and {rest} more" if rest else "")
