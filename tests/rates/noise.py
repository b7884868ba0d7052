"""Simulated runs of 40 sections on machines of known noise. All figures are of one node class; times are about 1.

Noise of a section's time, as factors that multiply: sitting (half of its variance common to all sections, a fifth common to
the sections of one class, the rest its own), launch, repetition (with spikes). Some sittings are slow as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tenken.model.baseline import Quantity

Array = NDArray[np.float64]
Effect = Callable[[tuple[int, ...]], Array]

CLASSES = ("compute", "memory", "latency", "bandwidth")
SECTIONS = 40  # ten of each class
REPETITIONS = 15
COMMON, OF_CLASS = 0.5, 0.2  # of the variance of a sitting
SPIKES, SPIKE = 0.05, 0.25  # one repetition in twenty, longer by 25 % on average
SLOW, SLOW_LEAST, SLOW_MOST = 0.03, 0.05, 0.25  # of the sittings, by this much; sections by half to one and a half of it


@dataclass(frozen=True)
class Machine:
    name: str
    inside: float  # standard deviation of a repetition, and of a launch inside its sitting
    sitting: float
    slow: float = SLOW  # part of the sittings that are slow as a whole


MACHINES = (Machine("quiet", 0.005, 0.007), Machine("typical", 0.015, 0.02), Machine("noisy", 0.04, 0.05))


def quantities() -> tuple[Quantity, ...]:
    """Time, loss and jitter of every section, in this order."""
    return tuple(
        Quantity(f"{kind}:section{i}", "s" if kind == "time" else "1", "lower", CLASSES[i % len(CLASSES)])
        for kind in ("time", "loss", "jitter") for i in range(SECTIONS)
    )


def place(machine: Machine, runs: int, count: int, chance: np.random.Generator, effect: Effect) -> Array:
    """What a sitting does to each section, (runs, sections, count sittings); `effect` draws with mean 0 and variance 1."""
    shape = (runs, SECTIONS, count)
    own = np.sqrt(1 - COMMON - OF_CLASS) * effect(shape)
    alike = np.sqrt(OF_CLASS) * effect((runs, len(CLASSES), count))
    common = np.sqrt(COMMON) * effect((runs, 1, count))
    moved = machine.sitting * (own + common + alike[:, np.arange(SECTIONS) % len(CLASSES)])
    slow = chance.uniform(SLOW_LEAST, SLOW_MOST, (runs, 1, count)) * (chance.random((runs, 1, count)) < machine.slow)
    return moved + np.log1p(slow * chance.uniform(0.5, 1.5, shape))


def sittings(machine: Machine, runs: int, count: int, launches: int, chance: np.random.Generator) -> Array:
    """Values of (runs, 120 quantities, count sittings, launches), in logarithms."""
    shape = (runs, SECTIONS, count)
    of_sitting = place(machine, runs, count, chance, chance.standard_normal)
    value = np.empty((3, *shape, launches))
    for launch in range(launches):
        offset = of_sitting + machine.inside * chance.standard_normal(shape)
        noise = machine.inside * chance.standard_normal((*shape, REPETITIONS), dtype=np.float32)
        spiked = chance.random(noise.shape, dtype=np.float32) < SPIKES
        noise[spiked] += np.log1p(chance.exponential(SPIKE, int(spiked.sum()))).astype(np.float32)
        time = np.exp(noise)
        middle = np.median(time, axis=-1)
        value[0, ..., launch] = offset + np.log(middle)
        value[1, ..., launch] = np.log(np.maximum(time.mean(axis=-1) / middle, 1e-9))
        value[2, ..., launch] = np.log1p(np.median(np.abs(time - middle[..., None]), axis=-1) / middle)
    return np.moveaxis(value, 0, 1).reshape(runs, 3 * SECTIONS, count, launches)
