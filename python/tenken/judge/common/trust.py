"""Whether the timings of a launch met other load, and the clock that was measured beside its kernels.

The clock is plain, and under the widest vectors where a check is compared with the peak. Many cores run slower while they
multiply and add in their widest vectors, and faster again within microseconds: the peak of such units is reached at that
clock, not at the clock of plain code between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite

import numpy as np

from tenken.base.words import digits, percent
from tenken.model.assessment import Trusted, Where
from tenken.model.baseline import LaunchValues
from tenken.model.limits import CLOCK_SAMPLES, DISTURBED, SHARED
from tenken.model.machine import Machine
from tenken.model.record import Rank, Record
from tenken.model.run import Measured, oversubscribed, shared_cards
from tenken.stats.robust import median

CORE_SHARED = "core shared"
Samples = tuple[float, ...]
PLAIN, VECTORS = "clock:plain", "clock:vectors"  # names of quantities
Powers = Mapping[str, int]  # how quantities follow the clock: 1 a time, which is longer at a lower clock, -1 a rate


@dataclass(frozen=True, slots=True)
class Reading:
    """A counter, at its worst over the ranks of a launch, against its limit."""

    name: str
    value: float
    limit: float
    where: Where

    @property
    def ratio(self) -> float:
        """Value over limit; a limit of 0 makes any positive value 1 more than it is."""
        return self.value / self.limit if self.limit > 0 else (1.0 + self.value if self.value > 0 else 0.0)

    @property
    def exceeded(self) -> bool:
        return self.value > self.limit

    @property
    def sentence(self) -> str:
        place = f"on rank {self.where.rank} ({self.where.host})"
        if self.name == "migration":
            return f"{self.value:.0f} migrations of bound threads {place}"
        if self.name == CORE_SHARED:
            sentence = f"another hardware thread was active for {percent(self.value)} of the wall time {place}"
            return f"{sentence}, limit {percent(self.limit)}"
        return f"{self.name} {percent(self.value)} of the wall time {place}, limit {percent(self.limit)}"


def readings(measured: Measured) -> tuple[Reading, ...]:
    """Every counter that the system tells, worst first; the time that a CPU quota took is no other's load."""
    counters: tuple[tuple[str, Callable[[Rank], float | None], float], ...] = (
        ("run-queue wait", lambda rank: _fraction(rank.trust.run_queue_wait_ns, rank), DISTURBED),
        ("steal", lambda rank: _fraction(rank.trust.steal_ns, rank), DISTURBED),
        (CORE_SHARED, lambda rank: _fraction(rank.trust.shared_ns, rank), SHARED),
        ("migration", lambda rank: rank.trust.migrations, 0.0),
    )
    if (throttled_fraction(measured) or 0.0) > DISTURBED:
        counters = counters[1:]  # a throttled thread waits in the run queue
    known = [reading for name, read, limit in counters if (reading := _worst(name, read, limit, measured)) is not None]
    return tuple(sorted(known, key=lambda reading: -reading.ratio))


def waited(launches: tuple[Measured, ...]) -> float:
    """Part of the wall time that the rank which waited longest for a processor did so, or had it stolen; the median over
    launches. Time that a quota of our own took is no other load."""
    return median([_waited(each) for each in launches]) if launches else 0.0


def _waited(measured: Measured) -> float:
    counted = {reading.name: reading.value for reading in readings(measured)}
    return counted.get("run-queue wait", 0.0) + counted.get("steal", 0.0)


def other_load(measured: Measured) -> Reading | None:
    """The worst exceeded counter but for other hardware threads, which bound a time of which they took a known part."""
    return next((reading for reading in readings(measured) if reading.exceeded and reading.name != CORE_SHARED), None)


def throttled_fraction(measured: Measured) -> float | None:
    """Time taken by a CPU quota, of the wall time, on the rank that lost most; None where unknown."""
    worst = _worst("throttled", lambda rank: _fraction(rank.trust.throttled_ns, rank), DISTURBED, measured)
    return worst.value if worst else None


def trusted(launches: tuple[Measured, ...], machine: Machine) -> Trusted:
    """How far the timings of these launches can be trusted (counters only): the worst of all."""
    all_readings = [reading for measured in launches for reading in readings(measured)]
    exceeded = sorted((reading for reading in all_readings if reading.exceeded), key=lambda reading: -reading.ratio)
    ranks = [rank for each in launches for rank in each.record.rank]
    samples = tuple(hz / 1e9 for rank in ranks for hz in plain_clock(rank))
    vectors = [hz / 1e9 for rank in ranks for hz in vector_clock(rank)]
    migrations = _largest([reading.value for reading in all_readings if reading.name == "migration"])
    overheads = [each.record.timer_overhead_ns for each in launches if isfinite(each.record.timer_overhead_ns)]
    return Trusted(
        disturbed=bool(exceeded),
        reason=exceeded[0].sentence if exceeded else "",
        where=exceeded[0].where if exceeded else Where(),
        run_queue_wait=_largest([reading.value for reading in all_readings if reading.name == "run-queue wait"]),
        steal=_largest([reading.value for reading in all_readings if reading.name == "steal"]),
        throttled=_largest([part for each in launches if (part := throttled_fraction(each)) is not None]),
        migrations=int(migrations) if migrations is not None else None,
        frequency_ghz=median(samples) if samples else None,
        frequency_drift=_largest([drift for rank in ranks if (drift := _drift(rank)) is not None]),
        frequency_range_ghz=spread(samples),
        vector_frequency_ghz=median(vectors) if vectors else None,
        timer_overhead_ns=_largest(overheads),
        oversubscribed=any(oversubscribed(each.record, machine) for each in launches),
        shared=_largest([reading.value for reading in all_readings if reading.name == "core shared"]),
        shared_cards=next((why for each in launches if (why := shared_cards(each.record))), ""),
    )


def clock_words(trust: Trusted) -> list[str]:
    """The clock in words: information, never a disturbance."""
    if trust.frequency_ghz is None:
        return []
    sentence = f"clock {digits(trust.frequency_ghz)} GHz"
    if trust.frequency_range_ghz is not None:
        low, high = map(digits, trust.frequency_range_ghz)
        sentence += f" (half of the samples {low} to {high})" if low != high else ""
    if trust.frequency_drift is not None:
        sentence += f", moved by {percent(trust.frequency_drift)}"
    if trust.vector_frequency_ghz is not None:
        sentence += f", {digits(trust.vector_frequency_ghz)} GHz under the widest vectors"
    return [sentence]


def _worst(name: str, read: Callable[[Rank], float | None], limit: float, measured: Measured) -> Reading | None:
    known = [(value, rank) for rank in measured.record.rank if (value := read(rank)) is not None]
    if not known:
        return None
    value, rank = max(known, key=lambda pair: pair[0])
    return Reading(name, float(value), limit, Where(host=rank.host, rank=rank.rank, launch=measured.launch.number))


def _fraction(ns: int | None, rank: Rank) -> float | None:
    return ns / rank.trust.wall_ns if ns is not None and rank.trust.wall_ns > 0 else None


def _drift(rank: Rank) -> float | None:
    """(max - min)/median of the frequency samples of a rank, 1 in 20 left out at each end.

    A single low sample is a chain that was interrupted, not a clock that fell; lasting interruptions show as loss and steal.
    """
    samples = sorted(plain_clock(rank))
    if len(samples) < 2:
        return None
    cut = len(samples) // 20
    middle = (samples[(len(samples) - 1) // 2] + samples[len(samples) // 2]) / 2
    return (samples[-1 - cut] - samples[cut]) / middle


def _largest(values: list[float]) -> float | None:
    return max(values, default=None)


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
