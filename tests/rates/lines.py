"""Simulated runs of 40 sections on machines of known noise, one line of the table each. Nothing of the judge makes them.

Noise of a section's time, as factors that multiply: sitting (half of its variance common to all sections, a fifth common to
the sections of one class, the rest its own), launch, repetition (with spikes). Some sittings are slow as a whole. Noise of the
first lines fits the model of the judge; in the others something differs. Times are about 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, sqrt

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


CASES = 8  # of five sections each: what is launched again together
OF_CASE = np.tile(np.arange(SECTIONS) * CASES // SECTIONS, 3)  # of each quantity
POOL = 100_000  # launches whose repetitions are drawn; those of the runs are taken from these
STEP, STEPS, LATER = 0.03, (0.80, 0.15, 0.05), 0.10  # turbo: of a step; chance of 0, 1, 2 in a sitting; of one more in a launch
BUSY, LONGER, COUNTED = 0.25, 0.05, 0.02  # chance that a launch meets other load, mean that it costs, what makes it disturbed


@dataclass(frozen=True)
class Pareto:
    """Repetitions that are longer by a Lomax variable: P(X > x) = (1 + x/scale)^-shape."""

    chance: float  # of a repetition
    shape: float
    scale: float


@dataclass(frozen=True)
class Line:
    name: str
    words: str
    machine: Machine
    tails: float = inf  # degrees of freedom of all effects of sittings and launches, their variance as everywhere
    states: tuple[float, float] = (0.0, 0.0)  # chance that a launch of a section is in its slow state, and how slow that is
    pareto: Pareto | None = None
    turbo: bool = False
    neighbours: bool = False


QUIET, TYPICAL, NOISY = MACHINES
LINES = (
    Line("normal, quiet", "as the model has it", QUIET),
    Line("normal", "as the model has it", TYPICAL),
    Line("normal, noisy", "as the model has it", NOISY),
    Line("t4", "effects of sittings and launches with the tails of Student's t with 4 degrees of freedom", TYPICAL, tails=4.0),
    Line("t2.5", "the same with 2.5", TYPICAL, tails=2.5),
    Line("two states", "every section is 6 % slower in 20 % of its launches", TYPICAL, states=(0.20, 0.06)),
    Line("two states, quiet", "the same on a quiet machine", QUIET, states=(0.20, 0.06)),
    Line("Pareto", "one repetition in five is longer by a Pareto variable of infinite variance", TYPICAL,
         pareto=Pareto(0.2, 1.1, 0.25)),
    Line("turbo", "compute sections lose up to three steps of the clock, 3 % each, by sitting and by launch", TYPICAL,
         turbo=True),
    Line("selection", "other load lengthens a quarter of the launches; disturbed ones are repeated once, the cleaner counts, "
         "none where both are disturbed", TYPICAL, neighbours=True),
)


def sittings(line: Line, runs: int, count: int, launches: int, chance: np.random.Generator) -> Array:
    """Values of (runs, 120 quantities, count sittings, launches), in logarithms; NaN is a launch that does not count."""

    def effect(shape: tuple[int, ...]) -> Array:
        if line.tails == inf:
            return chance.standard_normal(shape)
        return chance.standard_t(line.tails, shape) * sqrt((line.tails - 2) / line.tails)

    shape = (runs, SECTIONS, count, launches)
    offset = place(line.machine, runs, count, chance, effect)[..., None] + line.machine.inside * effect(shape)
    often, slower = line.states
    if often:
        offset += np.log1p(slower) * (chance.random(shape) < often)
    if line.turbo:
        offset[:, :: len(CLASSES)] += np.log1p(STEP) * _steps(runs, count, launches, chance)
    if line.neighbours:
        offset += _longer(runs, count, launches, chance)[:, OF_CASE[: SECTIONS]]
    pool = _repetitions(line, chance)[:, chance.integers(POOL, size=shape)]
    pool[0] += offset
    pool[1:, np.isnan(offset)] = np.nan
    return np.moveaxis(pool, 0, 1).reshape(runs, 3 * SECTIONS, count, launches)


def _steps(runs: int, count: int, launches: int, chance: np.random.Generator) -> Array:
    """Steps of the clock that all compute sections of a launch lose: (runs, 1, count, launches)."""
    of_sitting = chance.choice(len(STEPS), (runs, 1, count, 1), p=STEPS)
    return of_sitting + (chance.random((runs, 1, count, launches)) < LATER).astype(float)


def _longer(runs: int, count: int, launches: int, chance: np.random.Generator) -> Array:
    """What other load adds to the launches of each case: (runs, cases, count, launches), NaN where both were disturbed."""
    first, second = (
        chance.exponential(LONGER, shape) * (chance.random(shape) < BUSY) for shape in [(runs, CASES, count, launches)] * 2
    )
    kept = np.where(first > COUNTED, np.minimum(first, second), first)
    return np.where(kept > COUNTED, np.nan, np.log1p(kept))


def _repetitions(line: Line, chance: np.random.Generator) -> Array:
    """ln median, ln(mean/median) and ln(1 + MAD/median) over the repetitions of POOL launches, (3, POOL)."""
    shape = (POOL, REPETITIONS)
    time = np.exp(line.machine.inside * chance.standard_normal(shape))
    spikes = line.pareto
    if spikes is None:
        longer = chance.exponential(SPIKE, shape) * (chance.random(shape) < SPIKES)
    else:
        longer = spikes.scale * chance.pareto(spikes.shape, shape) * (chance.random(shape) < spikes.chance)
    time *= 1 + longer
    middle = np.median(time, axis=-1)
    apart = np.median(np.abs(time - middle[:, None]), axis=-1)
    return np.stack([np.log(middle), np.log(time.mean(axis=-1) / middle), np.log1p(apart / middle)])
