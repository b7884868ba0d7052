"""Whether the timings of a launch met other load."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite

from tenken.base.words import digits, percent
from tenken.judge.common.clock import plain_clock, spread, vector_clock
from tenken.model.assessment import Trusted, Where
from tenken.model.limits import DISTURBED, SHARED
from tenken.model.machine import Machine
from tenken.model.record import Rank
from tenken.model.run import Measured, oversubscribed, shared_cards
from tenken.stats.robust import median


CORE_SHARED = "core shared"


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
