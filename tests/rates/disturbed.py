"""Launches with known undisturbed times, disturbed by other load: is the rule of bounds right?

A record has a section whose time is held against a limit, beside another that may wait for it. Its undisturbed time lies anywhere
from half to twice the limit. Bursts of other load of one length, from a hundredth of the section to twenty of it, take a share of
the launch: anywhere, or only while that section runs (then it may lose far more than the launch), on one rank or on all. They lengthen
what they hit, and the counters of the rank tell how much was lost, as those of a kernel do. Nothing else is known to the judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import builders as b
import numpy as np
from tenken.judge.assess import assess
from tenken.model.check import Check
from tenken.model.machine import Band
from tenken.model.run import CaseRun
from tenken.model.verdict import Axis, Verdict
from tenken.stats.space import Array

LIMIT_US = 1000.0  # of a repetition of the section
CHECK: Check = b.check(metrics=[b.metric("time", "part", "time", "us", "compute", "none", better="lower")])
BAND = Band("*", "demo.time", None, LIMIT_US, "value", "made up")
SHARED = b.machine(b.node(exclusive=False, virtual="kvm"))
RECORDS = 5  # they take less time than the runs of the other simulations
LENGTHS = (0.01, 0.1, 0.5, 1.0, 3.0, 20.0)  # of bursts, in repetitions of the section
OTHERS = 0.5, 1.0, 4.0  # time of the other section, in repetitions of the section


@dataclass(frozen=True)
class Drawn:
    """A record and the truth about it."""

    case: CaseRun
    undisturbed_us: float
    share: float  # of the launch that was lost
    length: float
    inside: bool  # all bursts hit the section that is judged
    waiting: bool  # it is the waiting section that is judged
    heavy: bool  # the section has rare slow repetitions of its own


def bursts(chance: np.random.Generator, spans: Array, lost: float, length: float, inside: Array | None) -> Array:
    """What each of the `spans` (their lengths in time order) is lengthened by: bursts of `length`, `lost` in all.

    A burst that begins in a span falls into it whole: time that is stolen stops the span too. `inside` flags the spans that bursts hit.
    """
    added = np.zeros(spans.size)
    count = max(round(lost / length), 1) if lost > 0 else 0
    weight = spans * (1.0 if inside is None else inside)
    hit = chance.choice(spans.size, count, p=weight / weight.sum()) if count else np.zeros(0, dtype=int)
    np.add.at(added, hit, lost / max(count, 1))
    return added


def draw(chance: np.random.Generator, share: float) -> Drawn:
    """One record; `share` of the launch lost."""
    ranks, repetitions = int(chance.choice([1, 2, 4])), int(chance.choice([1, 5, 20, 100, 300]))
    true = LIMIT_US * 2 ** chance.uniform(-1, 1)
    length, inside = float(chance.choice(LENGTHS)) * true, bool(chance.random() < 0.5)
    waiting, heavy = ranks > 1 and bool(chance.random() < 0.3), bool(chance.random() < 0.1)
    noise = float(chance.choice([0.002, 0.01, 0.03]))
    part = true * np.exp(chance.normal(0, noise, (ranks, repetitions)))
    if heavy:
        part *= 1 + (chance.random(part.shape) < 0.05) * chance.exponential(1.0, part.shape)
    other = float(chance.choice(OTHERS)) * true * np.exp(chance.normal(0, noise, part.shape))
    spans = np.stack([part, other], axis=2).reshape(ranks, -1)  # part, other, part, other, ...
    own = np.tile([1.0, 0.0], repetitions)
    everywhere = bool(chance.random() < 0.5)
    lost = np.zeros(ranks)
    late = spans.copy()
    for rank in range(ranks if everywhere else 1):
        added = bursts(chance, spans[rank], share * spans[rank].sum(), length, own if inside else None)
        late[rank] += added
        lost[rank] = added.sum()
    seen, truth = (_with_waiting(one[:, 0::2], one[:, 1::2]) if waiting else (one[:, 0::2], one[:, 1::2]) for one in (late, spans))
    kinds = ("comm", "compute") if waiting else ("compute", "compute")
    sections = [b.Timed(name, np.rint(1e3 * ns).astype(np.int64), kind=kind)
                for name, ns, kind in zip(("part", "other"), seen, kinds, strict=True)]
    wall = round(1e3 * float(sum(one.sum(axis=1).max() for one in seen)))
    trusts = {rank: b.trust(wall_ns=wall, run_queue_wait_ns=round(1e3 * float(lost[rank]) * split), steal_ns=round(
        1e3 * float(lost[rank]) * (1 - split))) for split in [chance.random()] for rank in range(ranks)}
    undisturbed = float(np.median(truth[0].max(axis=0)))
    return Drawn(b.case_run(b.record(*sections, trusts=trusts), of=CHECK), undisturbed, share, length / true, inside, waiting, heavy)


def _with_waiting(part: Array, other: Array) -> tuple[Array, Array]:
    """The section that is judged exchanges data: all ranks leave it with the last that came."""
    arrived = other - other.min(axis=0, keepdims=True)
    return part.max(axis=0, keepdims=True) + arrived.max(axis=0, keepdims=True) - arrived, other


def answer(of: Drawn) -> Verdict:
    """What the judge says of the speed of the section."""
    found = assess(b.run(of.case), SHARED, (BAND,)).cases[0]
    return next(axis.verdict for axis in found.axes if axis.axis is Axis.SPEED)


def right(of: Drawn, said: Verdict) -> bool:
    """NOT JUDGED is never wrong; a figure that was within half a per cent of its limit is either."""
    if said is Verdict.NOT_JUDGED or abs(of.undisturbed_us / LIMIT_US - 1) < 0.005:
        return True
    return said is (Verdict.OK if of.undisturbed_us <= LIMIT_US else Verdict.WARN)


def records(share: float, chance: np.random.Generator, runs: int) -> Iterator[tuple[str, int]]:
    """How many records of which `share` was lost were judged, and how many of them wrongly; RECORDS for each run."""
    runs *= RECORDS
    drawn = [draw(chance, share) for _ in range(runs)]
    said = [answer(of) for of in drawn]
    yield "runs", runs
    yield "not judged", said.count(Verdict.NOT_JUDGED)
    yield "wrong", sum(not right(*both) for both in zip(drawn, said, strict=True))


SHARES = (0.0, 0.01, 0.05, 0.15)  # of a launch that was lost
SIMULATIONS = {f"disturbed: {share:g}": partial(records, share) for share in SHARES}
