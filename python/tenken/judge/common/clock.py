"""The clock that was measured beside the kernels: plain, and under the widest vectors where a check is compared with the peak.

Many cores run slower while they multiply and add in their widest vectors, and faster again within microseconds: the peak of
such units is reached at that clock, not at the clock of plain code between.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import inf

import numpy as np

from tenken.model.baseline import LaunchValues
from tenken.model.limits import CLOCK_SAMPLES
from tenken.model.record import Rank, Record
from tenken.stats.robust import median

Samples = tuple[float, ...]
PLAIN, VECTORS = "clock:plain", "clock:vectors"  # names of quantities
Powers = Mapping[str, int]  # how quantities follow the clock: 1 a time, which is longer at a lower clock, -1 a rate


def plain_clock(rank: Rank) -> Samples:
    """Hz in time order, without samples that are none."""
    return _known(rank.trust.frequency_hz)


def vector_clock(rank: Rank) -> Samples:
    """The same under the widest vectors; empty where it was not sampled."""
    return _known(rank.trust.vector_frequency_hz)


def peak_clock(rank: Rank) -> Samples:
    """At which the peak is reached: under the widest vectors, else (older records, other processors) the plain clock."""
    return vector_clock(rank) or plain_clock(rank)


def most_clock(rank: Rank) -> Samples:
    """The clock of the peak at most: the plain clock where each sample under vectors was beside another hardware thread."""
    shared = (rank.trust.shared_ns or 0) >= rank.trust.wall_ns > 0
    return (plain_clock(rank) if shared else ()) or peak_clock(rank)


def frequency(record: Record) -> float | None:
    """The median over ranks and samples of the clock at which the peak is reached, in Hz."""
    samples = [hz for rank in record.rank for hz in peak_clock(rank)]
    return median(samples) if samples else None


def clocks_of(record: Record) -> dict[str, float]:
    """The clocks of a launch as quantities of a baseline, in GHz: medians over ranks of medians over samples.

    Nothing where a rank has fewer than CLOCK_SAMPLES: too few tell a turbo step, not the launch.
    """
    clocks = {}
    for name, read in ((PLAIN, plain_clock), (VECTORS, vector_clock)):
        of_ranks = [read(rank) for rank in record.rank]
        if of_ranks and min(map(len, of_ranks)) >= CLOCK_SAMPLES:
            clocks[name] = median([median(samples) for samples in of_ranks]) / 1e9
    return clocks


def common_clock(launches: Iterable[LaunchValues], of: Powers) -> str | None:
    """The clock known to every launch that has such a quantity; the clock under vectors before the plain clock."""
    timed = [set(launch.values) for launch in launches if not of.keys().isdisjoint(launch.values)]
    return next((name for name in (VECTORS, PLAIN) if timed and all(name in each for each in timed)), None)


def reference(launches: Iterable[LaunchValues], clock: str) -> float:
    """The clock of the run that is judged, in GHz."""
    return median([launch.values[clock] for launch in launches if clock in launch.values])


def at_clock(launch: LaunchValues, of: Powers, clock: str, ghz: float) -> LaunchValues:
    """The quantities of `launch` at `ghz`: as many cycles."""
    if clock not in launch.values:
        return launch
    factor = launch.values[clock] / ghz

    def at(values: dict[str, float]) -> dict[str, float]:
        return {name: figure * factor ** of.get(name, 0) for name, figure in values.items()}

    return replace(launch, values=at(launch.values), best=at(launch.best))


def host_clocks(records: Iterable[Record]) -> dict[str, Samples]:
    """The plain clock by host, over its ranks."""
    by_host: dict[str, list[float]] = {}
    for record in records:
        for rank in record.rank:
            by_host.setdefault(rank.host, []).extend(plain_clock(rank))
    return {host: tuple(samples) for host, samples in by_host.items() if samples}


def slowest_clock(records: Iterable[Record]) -> str | None:
    """The host with the lowest median clock."""
    clocks = host_clocks(records)
    return min(clocks, key=lambda host: median(clocks[host])) if clocks else None


def spread(samples: Samples) -> tuple[float, float] | None:
    """The interquartile range; None where there are fewer than CLOCK_SAMPLES."""
    if len(samples) < CLOCK_SAMPLES:
        return None
    low, high = np.quantile(samples, (0.25, 0.75))
    return float(low), float(high)


def _known(samples: Iterable[float]) -> Samples:
    return tuple([hz for hz in samples if 0 < hz < inf])
