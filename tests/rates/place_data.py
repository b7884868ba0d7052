"""Measurements of machines whose bad places are known. This file knows nothing of the judge: only NumPy makes the data.

Noise is of a typical machine: factors that multiply, standard deviations of a logarithm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SECTIONS, RANKS, LAUNCHES, REPETITIONS = 40, 2, 3, 20
INSIDE, NODE, END, PATH = 0.015, 0.02, 0.02, 0.03  # of a repetition, a node among its equals, an end, a path
NOISIER, ONE_IN = 6.0, 10  # every tenth node is six times as noisy
HIT, HIT_NODES = 1.3, 0.05  # a passing hit, and how many nodes one meets
RING, RING_REPETITIONS, WORK_US, MOVED_US = 64, 100, 1000.0, 30.0
SWITCHES = (4, 8, 2)  # pods, ends of a switch, ...: 64 ends are 2 pods of 4 switches of 8
HOPS = (1.0, 1.4, 1.8)  # time on one switch, in one pod, between pods
STOP_MS, RUN_MS = 20.0, 80.0  # a rank that is stopped for a fifth of the time
STEADY_RANKS, STEADY_SECTIONS, STEADY_REPETITIONS, SECTION_MS = 64, 4, 200, 1.0


def unlike_nodes(nodes: int) -> Array:
    """Times the noise of each node: every tenth is noisier."""
    return np.where(np.arange(nodes) % ONE_IN == ONE_IN // 2, NOISIER, 1.0)


def node_times(
    chance: np.random.Generator, nodes: int, noisier: Array | float = 1.0, as_a_whole: bool = True,
) -> tuple[Array, NDArray[np.int64]]:
    """(LAUNCHES, SECTIONS, ranks) medians of healthy nodes, and the node of each rank.

    Half of the variance of a node is common to all of its sections. `noisier`: factor on all noise of each node; not
    `as_a_whole`: but on that common part.
    """
    node = np.repeat(np.arange(nodes), RANKS)
    noisier = np.broadcast_to(np.asarray(noisier, dtype=float), (nodes,))
    common = NODE * 0.5**0.5 * chance.standard_normal(nodes) * (noisier if as_a_whole else 1.0)
    own = NODE * 0.5**0.5 * chance.standard_normal((SECTIONS, nodes)) * noisier
    moved = NODE / 3 * chance.standard_normal((LAUNCHES, 1, nodes)) * noisier
    launch = NODE * chance.standard_normal((LAUNCHES, SECTIONS, 1))
    rank = NODE / 3 * chance.standard_normal((SECTIONS, node.size)) * noisier[node]
    error = 1.2533 * INSIDE / REPETITIONS**0.5 * chance.standard_normal((LAUNCHES, SECTIONS, node.size)) * noisier[node]
    size = 1e6 * np.exp(chance.standard_normal((SECTIONS, 1)))
    return size * np.exp((common + own + moved)[..., node] + launch + rank + error), node


def hit_anew(chance: np.random.Generator, ns: Array, node: NDArray[np.int64]) -> Array:
    """In each launch other nodes, HIT_NODES of all, are slower as long as it runs."""
    nodes = int(node.max()) + 1
    hit = chance.random((ns.shape[0], 1, nodes)) < HIT_NODES
    return ns * np.where(hit, HIT, 1.0)[..., node]


def hit_once(chance: np.random.Generator, ns: Array, node: NDArray[np.int64]) -> Array:
    """HIT_NODES of all nodes are slower in one launch of three."""
    nodes = int(node.max()) + 1
    when = np.where(chance.random(nodes) < HIT_NODES, chance.integers(ns.shape[0], size=nodes), -1)
    return ns * np.where(np.arange(ns.shape[0])[:, None, None] == when, HIT, 1.0)[..., node]


@dataclass(frozen=True)
class Ring:
    work: Array  # (LAUNCHES, RING) us: median of the timed computation of each rank
    wait: Array  # (LAUNCHES, RING) us: median of its halo exchange


def ring(chance: np.random.Generator, late: int | None, by: float, synchronised: bool) -> Ring:
    """Halo exchange with both neighbours after each computation; rank `late` is late by a part `by` of it, in no timed section.

    `synchronised`: all begin each repetition together, so that only the neighbours wait; else delays travel around the ring.
    """
    rank = NODE * chance.standard_normal(RING)
    delay = np.zeros(RING)
    if late is not None:
        delay[late] = by * WORK_US
    works, waits = np.empty((LAUNCHES, RING_REPETITIONS, RING)), np.empty((LAUNCHES, RING_REPETITIONS, RING))
    for launch in range(LAUNCHES):
        begin = np.zeros(RING)
        works[launch] = WORK_US * np.exp(rank + INSIDE * chance.standard_normal((RING_REPETITIONS, RING)))
        moved = MOVED_US * np.exp(0.1 * chance.standard_normal((RING_REPETITIONS, RING)))
        for k in range(RING_REPETITIONS):
            arrived = begin + delay + works[launch, k]
            done = np.maximum(arrived, np.maximum(np.roll(arrived, 1), np.roll(arrived, -1))) + moved[k]
            waits[launch, k] = done - arrived
            begin = np.full(RING, done.max()) if synchronised else done
    return Ring(np.median(works, axis=1), np.median(waits, axis=1))


def switch_of(ends: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(ends // SWITCHES[1])


def tree(chance: np.random.Generator) -> Array:
    """(64, 64) us between all ends of a tree of switches in pods, NaN on the diagonal. Ends are numbered by switch and pod."""
    pods, size, count = SWITCHES[2], SWITCHES[1], SWITCHES[0]
    n = pods * size * count
    switch, pod = np.arange(n) // size, np.arange(n) // (size * count)
    hops = np.where(switch[:, None] == switch, HOPS[0], np.where(pod[:, None] == pod, HOPS[1], HOPS[2]))
    return _pairs(chance, hops)


def switches(chance: np.random.Generator, count: int, size: int, hop: float) -> Array:
    """The same for `count` switches of `size` ends, all at one `hop` of each other; hop 1 is a flat network."""
    switch = np.arange(count * size) // size
    return _pairs(chance, np.where(switch[:, None] == switch, HOPS[0], hop))


def _pairs(chance: np.random.Generator, hops: Array) -> Array:
    n = len(hops)
    end = END * chance.standard_normal(n)
    path = np.triu(PATH * chance.standard_normal((n, n)), 1)
    times = 10.0 * hops * np.exp(end[:, None] + end + path + path.T)
    np.fill_diagonal(times, np.nan)
    return times


def steady(chance: np.random.Generator, stopped: int | None, ranks: int = STEADY_RANKS, launches: int = LAUNCHES) -> Array:
    """(launches, STEADY_SECTIONS, ranks, STEADY_REPETITIONS) ms; rank `stopped` stands still for a fifth of the time.

    One sample in a hundred is interrupted for a time of a Pareto law with exponent 1.5, from 5 % of a section on; in each launch
    one rank in twenty meets one long hit of 150 ms.
    """
    shape = (launches, STEADY_SECTIONS, ranks, STEADY_REPETITIONS)
    ms = SECTION_MS * np.exp(INSIDE * chance.standard_normal(shape))
    rare = chance.random(shape) < 0.01
    ms[rare] += 0.05 * SECTION_MS * (1 + chance.pareto(1.5, int(rare.sum())))
    for launch in range(launches):
        for rank in np.flatnonzero(chance.random(ranks) < HIT_NODES):
            ms[launch, chance.integers(STEADY_SECTIONS), rank, chance.integers(STEADY_REPETITIONS)] += 150.0
    if stopped is not None:
        for launch in range(launches):
            inside = ms[launch, :, stopped].T.ravel()  # sections one after the other, repetition by repetition
            ran = np.cumsum(inside) + chance.uniform(0, RUN_MS)
            stops = np.diff(np.floor(ran / RUN_MS), prepend=np.floor((ran[0] - inside[0]) / RUN_MS))
            ms[launch, :, stopped] = (inside + STOP_MS * stops).reshape(STEADY_REPETITIONS, STEADY_SECTIONS).T
    return ms
