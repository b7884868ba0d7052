"""Where the ranks of a case were, and a place among them in the words of the machine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tenken.judge.launches import Measured
from tenken.stats.places import Guilty, Level, levels_of

PEERS = {"node": "node", "numa": "NUMA domain", "rank": "rank"}  # in words


@dataclass(frozen=True, slots=True)
class Place:
    """`numa` and `rank` are None where all of them are meant."""

    host: str
    numa: int | None
    rank: int | None
    ranks: frozenset[int]  # all ranks on it
    found: Guilty

    @property
    def name(self) -> str:
        if self.rank is not None:
            return f"rank {self.rank} on {self.host}"
        return self.host if self.numa is None else f"NUMA domain {self.numa} of {self.host}"


@dataclass(frozen=True, slots=True)
class Placed:
    ranks: tuple[int, ...]  # ascending
    hosts: tuple[str, ...]  # of each rank
    numas: tuple[int, ...]

    @property
    def levels(self) -> list[Level]:
        _, node = np.unique(self.hosts, return_inverse=True)
        pairs = sorted(set(zip(self.hosts, self.numas, strict=True)))
        numa = [pairs.index(one) for one in zip(self.hosts, self.numas, strict=True)]
        return levels_of(node.astype(np.int64), np.array(numa, dtype=np.int64))

    def place(self, found: Guilty) -> Place:
        inside = next(np.flatnonzero(one.label == found.unit) for one in self.levels if one.name == found.level)
        first = int(inside[0])
        return Place(
            host=self.hosts[first],
            numa=self.numas[first] if found.level == "numa" else None,
            rank=self.ranks[first] if found.level == "rank" else None,
            ranks=frozenset(self.ranks[int(i)] for i in inside),
            found=found,
        )


def placed_alike(measured: tuple[Measured, ...]) -> tuple[Placed, list[int]]:
    """Host and NUMA domain of each rank as in the first launch, and the launches that placed all ranks so."""
    where = [{rank.rank: (rank.host, min(rank.numa, default=0)) for rank in each.record.rank} for each in measured]
    ranks = tuple(sorted(where[0]))
    placed = Placed(ranks, tuple(where[0][rank][0] for rank in ranks), tuple(where[0][rank][1] for rank in ranks))
    return placed, [i for i, one in enumerate(where) if one == where[0]]
