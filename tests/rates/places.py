"""What the judge says of the machines of place_data.py, line by line: its own functions, and a count of what is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import log

import numpy as np

from rates import place_data as data
from tenken.base.rows import of_rows
from tenken.judge.place import ByRank, Placed, losing
from tenken.model.limits import PATH_EFFECT, PATH_ERROR, PLACE_EFFECT, PLACE_ERROR, SHORT_NS, WAIT_SHARE
from tenken.stats.places import Guilty, guilty, levels_of
from tenken.stats.robust import lost_time
from tenken.stats.space import late_rank
from tenken.stats.tree import TreeGuilt, guilty_in_tree, tree_of

NOISY = 2.5  # times the noise of a typical machine
Once = Callable[[np.random.Generator], bool]


@dataclass(frozen=True)
class Line:
    machine: str
    planted: str
    right: bool  # whether `once` says that the answer was right, or that anybody was named
    once: Once
    floor: float | None  # part of the runs at least (right) or at most (named)
    part: float = 1.0  # of the runs: large machines take long

    @property
    def name(self) -> str:
        return f"{self.machine}: {self.planted}"


def places(ns: data.Array, node: np.ndarray) -> list[Guilty]:
    return guilty(ns, levels_of(node, node), PLACE_ERROR, log(PLACE_EFFECT))


def noisier(nodes: int, by: float) -> Once:
    def once(chance: np.random.Generator) -> bool:
        return bool(places(*data.node_times(chance, nodes, by)))

    return once


def several(nodes: int, bad: int, factor: float, by: float = 1.0) -> Once:
    """So many nodes are slower in all sections: they are named and nobody else."""
    def once(chance: np.random.Generator) -> bool:
        ns, node = data.node_times(chance, nodes, by)
        chosen = chance.choice(nodes, bad, replace=False)
        ns[:, :, np.isin(node, chosen)] *= factor
        return {(one.level, one.unit) for one in places(ns, node)} == {("node", int(one)) for one in chosen}

    return once


def clean(nodes: int, unlike: bool = False, as_a_whole: bool = True, hit: Callable[..., data.Array] | None = None) -> Once:
    def once(chance: np.random.Generator) -> bool:
        ns, node = data.node_times(chance, nodes, data.unlike_nodes(nodes) if unlike else 1.0, as_a_whole)
        return bool(places(ns if hit is None else hit(chance, ns, node), node))

    return once


def slow(nodes: int, factor: float, sections: int, unlike: bool = False) -> Once:
    """One ordinary node is slower in so many sections: it is named and nobody else."""
    def once(chance: np.random.Generator) -> bool:
        ns, node = data.node_times(chance, nodes, data.unlike_nodes(nodes) if unlike else 1.0)
        bad = data.ONE_IN * int(chance.integers(nodes // data.ONE_IN))
        ns[:, :sections, node == bad] *= factor
        found = places(ns, node)
        return {(one.level, one.unit) for one in found} == {("node", bad)}

    return once


def stopped(planted: bool, ranks: int = data.STEADY_RANKS, launches: int = data.LAUNCHES) -> Once:
    placed = Placed(tuple(range(ranks)), tuple(f"n{rank // data.RANKS:02d}" for rank in range(ranks)), (0,) * ranks)
    names = tuple(f"part{i}" for i in range(data.STEADY_SECTIONS))

    def once(chance: np.random.Generator) -> bool:
        bad = int(chance.integers(ranks)) if planted else None
        ms = data.steady(chance, bad, ranks, launches)
        rows = [[of_rows(section) for section in launch] for launch in ms]
        seen = np.array([[one.count * one.median for one in launch] for launch in rows])
        loss = lost_time(ms.sum(axis=-1) - seen, seen, np.zeros((1, 1, 1)))
        jitter = np.array([[one.mad / one.median for one in launch] for launch in rows])
        found = losing(ByRank(names, placed, loss, jitter, (1.0,) * len(names)))
        return [one.rank for one in found] == [bad] if planted else bool(found)

    return once


def late(by: float | None, synchronised: bool) -> Once:
    def once(chance: np.random.Generator) -> bool:
        bad = int(chance.integers(data.RING)) if by is not None else None
        of = data.ring(chance, bad, by or 0.0, synchronised)
        whole = float(np.median(of.work + of.wait))
        found = late_rank(np.median(of.work, axis=0)[None], of.wait, max(WAIT_SHARE * whole, SHORT_NS / 1e3))
        return found is not None and (by is None or found.index == bad)

    return once


def in_tree(times: data.Array) -> TreeGuilt:
    return guilty_in_tree(tree_of(times), PATH_ERROR / 2, log(PATH_EFFECT["bandwidth"]))


def flat(chance: np.random.Generator) -> data.Array:
    return data.switches(chance, 4, 16, 1.0)


def clean_paths(network: Callable[[np.random.Generator], data.Array]) -> Once:
    def once(chance: np.random.Generator) -> bool:
        found = in_tree(network(chance))
        return bool(found.groups or found.guilt.ends or found.guilt.paths)

    return once


def bad_path(factor: float, same_switch: bool, network: Callable[[np.random.Generator], data.Array] = data.tree) -> Once:
    def once(chance: np.random.Generator) -> bool:
        times = network(chance)
        of = data.switch_of(np.arange(len(times)))
        i = int(chance.integers(len(times)))
        j = int(chance.choice([end for end in range(len(times)) if end != i and (of[end] == of[i]) == same_switch]))
        times[[i, j], [j, i]] *= factor
        found = in_tree(times)
        return (found.groups, found.guilt.ends, found.guilt.paths) == ((), (), ((min(i, j), max(i, j)),))

    return once


def bad_end(factor: float) -> Once:
    """All paths of one end of a flat network take longer."""
    def once(chance: np.random.Generator) -> bool:
        times, i = flat(chance), int(chance.integers(64))
        times[i, :] *= factor
        times[:, i] *= factor
        found = in_tree(times)
        return (found.groups, found.guilt.ends, found.guilt.paths) == ((), (i,), ())

    return once


def bad_way_out(chance: np.random.Generator) -> bool:
    """All paths that leave one switch take half as long again: its ends are named as a group, and nothing else."""
    times = data.tree(chance)
    return _named_switch(chance, times, data.switch_of(np.arange(len(times))), False)


def bad_switch(count: int, size: int, hop: float, inside: bool = False) -> Once:
    """The same of `count` switches at one hop of each other; `inside`: the paths between ends of the bad switch too."""
    def once(chance: np.random.Generator) -> bool:
        return _named_switch(chance, data.switches(chance, count, size, hop), np.arange(count * size) // size, inside)

    return once


def _named_switch(chance: np.random.Generator, times: data.Array, of: np.ndarray, inside: bool) -> bool:
    bad = int(chance.integers(of.max() + 1))
    times[((of[:, None] == bad) != (of == bad)) | (inside & (of[:, None] == bad) & (of == bad))] *= 1.5
    found = in_tree(times)
    members = tuple(int(end) for end in np.flatnonzero(of == bad))
    named = [(one.members, one.other, one.inside) for one in found.groups]
    return named == [(members, (), inside)] and not found.guilt.ends and not found.guilt.paths


LINES = (
    Line("64 nodes", "one 10 % slower in one section", True, slow(64, 1.1, 1), None),
    Line("1024 nodes", "one 10 % slower in one section", True, slow(1024, 1.1, 1), 0.75, 0.2),
    Line("64 nodes", "nothing; every tenth six times noisier", False, clean(64, True), 0.02),
    Line("1024 nodes", "nothing; every tenth six times noisier", False, clean(1024, True), 0.02, 0.2),
    Line("64 nodes", "nothing; every tenth six times noisier, but not as a whole", False, clean(64, True, False), 0.02),
    Line("64 nodes", "every tenth six times noisier, another 20 % slower", True, slow(64, 1.2, data.SECTIONS, True), None),
    Line("64 nodes", "every tenth six times noisier, another 20 % slower in one section", True, slow(64, 1.2, 1, True), None),
    Line("64 nodes", "passing hits on 5 % of nodes, each in one launch", False, clean(64, hit=data.hit_once), 0.02),
    Line("64 nodes", "passing hits on 5 % of nodes, others in each launch", False, clean(64, hit=data.hit_anew), 0.02),
    Line("64 ranks", "nothing; heavy tails and long hits", False, stopped(False), 0.02),
    Line("64 ranks", "one stopped for 20 % of the time", True, stopped(True), 0.85),
    Line("ring of 64", "nobody late; all begin together", False, late(None, True), 0.02),
    Line("ring of 64", "nobody late; delays travel", False, late(None, False), 0.02),
    Line("ring of 64", "one late by 20 %; all begin together", True, late(0.2, True), 0.8),
    Line("ring of 64", "one late by 20 %; delays travel", True, late(0.2, False), 0.8),
    Line("ring of 64", "one late by 10 %; all begin together", True, late(0.1, True), None),
    Line("tree of 64", "nothing bad", False, clean_paths(data.tree), 0.02),
    Line("tree of 64", "a path between switches takes 1.5 times as long", True, bad_path(1.5, False), 0.9),
    Line("tree of 64", "a path on one switch takes 1.5 times as long", True, bad_path(1.5, True), 0.9),
    Line("tree of 64", "the way out of a switch takes 1.5 times as long", True, bad_way_out, 0.9),
    Line("2 ranks, 2 launches", "nothing; heavy tails and long hits", False, stopped(False, 2, 2), 0.02),
    Line("2 ranks, 2 launches", "one stopped for 20 % of the time", True, stopped(True, 2, 2), 0.85),
    Line("4 switches of 8", "the way out of a switch takes 1.5 times as long", True, bad_switch(4, 8, 1.4), 0.98),
    Line("4 switches of 16", "the way out of a switch takes 1.5 times as long", True, bad_switch(4, 16, 1.4), 0.98),
    Line("16 switches of 4", "the way out of a switch takes 1.5 times as long", True, bad_switch(16, 4, 1.4), 0.98),
    Line("3 switches of 8", "the way out of a switch takes 1.5 times as long", True, bad_switch(3, 8, 1.4), 0.98),
    Line("4 switches of 8", "a switch takes 1.5 times as long, inside too", True, bad_switch(4, 8, 1.4, True), 0.9),
    Line("flat, 64 ends", "the way out of 16 takes 1.5 times as long", True, bad_switch(4, 16, 1.0), 0.98),
    Line("flat, 64 ends", "what 16 share takes 1.5 times as long", True, bad_switch(4, 16, 1.0, True), 0.98),
    Line("flat, 64 ends", "nothing bad", False, clean_paths(flat), 0.02),
    Line("flat, 64 ends", "a path takes twice as long", True, bad_path(2.0, False, flat), 0.95),
    Line("flat, 64 ends", "an end takes 1.5 times as long", True, bad_end(1.5), 0.9),
    Line("4 nodes", "nothing", False, clean(4), 0.01),
    Line("64 nodes", "nothing", False, clean(64), 0.01),
    Line("4 nodes", "one 20 % slower", True, several(4, 1, 1.2), 0.98),
    Line("8 nodes", "three 20 % slower", True, several(8, 3, 1.2), 0.98),
    Line("64 nodes", "25 of them 20 % slower", True, several(64, 25, 1.2), 0.98),
    Line("64 nodes, noisy", "nothing", False, noisier(64, NOISY), 0.02),
    Line("64 nodes, noisy", "one 20 % slower", True, several(64, 1, 1.2, NOISY), None),
)


def hits(line: Line, chance: np.random.Generator, runs: int) -> Iterator[tuple[str, int]]:
    runs = max(round(runs * line.part), 1)
    yield "runs", runs
    yield "hits", sum(line.once(chance) for _ in range(runs))


SIMULATIONS = {f"place: {line.name}": partial(hits, line) for line in LINES}
