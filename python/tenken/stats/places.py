"""The guilty place in a machine of nodes, NUMA domains and ranks: a single answer for all sections together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tenken.stats.space import FEWEST, Array, Noise, SlowPeers, slow_peers
from tenken.stats.tails import trigamma_inverse

LEVELS = ("node", "numa", "rank")
# Of the error rate: the share of the sum of all sections, of each section, and of each beside the rest of its place. The last
# are named up to twice as often as their share: an excess over a median of all has wider tails than its MAD tells (decision 41).
SUM_SHARE, ROW_SHARE, OWN_SHARE = 1 / 8, 1 / 8, 2 / 5
LASTING = 0.5  # of its effect a place must show in most launches: a hit that passes is none
NEARLY = 0.75  # as slow as any of its ranks: then it is the place, not the rank
PASSING = 0.25  # of the launches may miss it
Labels = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Guilty:
    """A slow place. Rows are sections in the order given, and last the sum of all of them."""

    level: str  # node | numa | rank
    unit: int  # label of the place on its level
    rows: tuple[int, ...]  # in which it was slow, worst first
    effect: tuple[float, ...]  # logarithm of slow/normal, of every row
    score: float  # of the worst row, in standard errors
    limit: float
    spread: float  # of a good peer in that row
    peers: int


@dataclass(frozen=True, slots=True)
class Level:
    """How the ranks fall into the units of a level."""

    name: str
    label: Labels  # unit of each rank


def levels_of(node: Labels, numa: Labels) -> list[Level]:
    """The levels that differ from each other: with a single rank a node only nodes are compared.

    `node` and `numa`: label of each rank; NUMA labels are unique over nodes.
    """
    levels = [Level("node", node), Level("numa", numa), Level("rank", np.arange(node.size))]
    differing: list[Level] = []
    for level in levels:
        units = np.unique(level.label).size
        if units > 1 and all(units != np.unique(level.label).size for level in differing):
            differing.append(level)
    return differing


def guilty(ns: Array, levels: list[Level], rate: float, least_effect: float) -> list[Guilty]:
    """Slow places, coarsest level first; a place that a coarser place explains is not looked at again.

    ns: (launches, sections, ranks) medians of a launch each, all positive. Each launch is centred on its own median
    (effects common to all nodes fall out), then the median over launches counts. A coarse place has the value of the
    lower median of its parts: it is slow where at least half of them are. Of `FEWEST_SECTIONS` sections on each is also compared
    with the other sections of its place: nodes differ as a whole, and that noise falls out; and a place that is noisier than
    its class is compared by its own noise. `rate`: probability that anything is named in a clean case, shared by the levels, the
    places of each and the rows (Bonferroni, so that sections may be correlated).
    """
    sections = ns.shape[1]
    own = sections >= FEWEST_SECTIONS
    logs = np.log(np.concatenate([ns, ns.sum(axis=1, keepdims=True)], axis=1))
    shares = np.full(sections + 1, (ROW_SHARE if own else 0.5) / sections)
    shares[-1] = SUM_SHARE if own else 0.5
    apart = np.full(sections, OWN_SHARE / sections) if own else np.zeros(0)
    alpha = rate * np.concatenate([shares, apart]) / max(len(levels), 1)
    return standing_out(logs, levels, alpha, np.full(sections + 1, least_effect))


def standing_out(logs: Array, levels: list[Level], alpha: Array, least_effect: Array, fewest: int = FEWEST) -> list[Guilty]:
    """Places whose value is larger than that of their peers in a row.

    logs: (launches, rows, ranks); the last row is of all others together. alpha: probability of each row that any clean place of
    a level is named, followed by those of all rows but the last compared with the rest of their place (or with nothing);
    least_effect (rows,): logarithm below which nothing is worth naming. `fewest` peers can tell: 2 where no healthy peer is below
    the others, 3 else.
    """
    free = np.ones(logs.shape[2], dtype=bool)
    places: list[Guilty] = []
    for depth, level in enumerate(levels):
        units, label = np.unique(level.label[free], return_inverse=True)
        if units.size < fewest:
            continue
        values = _lower_median(logs[:, :, free], label, units.size)
        independent = int(np.unique(levels[0].label[free]).size)
        here = _of_level(level, units, values, alpha / units.size, least_effect, independent)
        for coarser in levels[:depth]:
            here = _joined(here, level, coarser, logs)
        places += here
        for guilty in here:
            free &= next(each.label for each in levels if each.name == guilty.level) != guilty.unit
    return places


def noisier(ns: Array, level: Level, least: float) -> dict[int, float]:
    """Units of a level that are at least `least` times as noisy as their class, in their launches or between sections."""
    units, label = np.unique(level.label, return_inverse=True)
    values = _centred(_lower_median(np.log(ns), label, units.size))
    factor = np.maximum(launch_noise(values).factor, _between(_apart(np.median(values, axis=0))).factor)
    return {int(unit): float(times) for unit, times in zip(units, factor, strict=True) if times >= least}


def _of_level(
    level: Level, units: Labels, values: Array, alpha: Array, least_effect: Array, independent: int
) -> list[Guilty]:
    """values: (launches, rows, units)."""
    usual = values = _centred(values) if units.size > 2 else values
    if units.size == 2:  # the smaller gives the scatter of launches: the other may be sick, now more and now less
        smaller = np.argmin(np.median(values, axis=0), axis=1)
        usual = np.take_along_axis(values, smaller[None, :, None], axis=2)
        values = values - values.min(axis=2, keepdims=True)
    y = np.median(values, axis=0)
    rows = y.shape[0]
    error = _launch_error(usual, np.median(usual, axis=0))
    if alpha.size > rows:
        apart = _apart(y[:-1])
        between, launch = _between(apart), launch_noise(values[:, :-1])
        noise = np.concatenate([
            np.tile(between.factor, (rows - 1, 1)), np.minimum(between.factor, launch.factor)[None],
            np.tile(between.factor, (rows - 1, 1)),
        ])
        tested: Noise | None = Noise(noise, between.freedom)
        y, error = np.concatenate([y, apart]), np.concatenate([error, error[:-1]])
        least = np.concatenate([least_effect, np.zeros(rows - 1)])
    else:
        tested, least = None, least_effect
    answer = slow_peers(y, alpha, least[:, None], error, independent, tested)  # of all rows, as they are and beside the rest
    of_row = np.arange(y.shape[0]) % rows
    lasting = _lasting(values, answer.effect[:rows], least_effect)
    named = answer.named & lasting[of_row]
    return [_guilty(level, units, replace(answer, named=named), column, rows) for column in np.flatnonzero(named.any(axis=0))]


def _centred(values: Array) -> Array:
    return values - np.median(values, axis=2, keepdims=True)


def _apart(y: Array) -> Array:
    """The excess of each row of (rows, units) over all rows of its unit."""
    return y - np.median(y, axis=0, keepdims=True)


def _between(apart: Array) -> Noise:
    return noise_of((apart - np.median(apart, axis=1, keepdims=True))[None])


def _lasting(values: Array, effect: Array, least_effect: Array) -> NDArray[np.bool_]:
    """(rows, units): whether the effect is worth naming, and most launches show it."""
    ordered = np.sort(values, axis=0)
    low = ordered[int(PASSING * values.shape[0])]
    return (effect > least_effect[:, None]) & (low > LASTING * effect)


def _guilty(level: Level, units: Labels, answer: SlowPeers, column: int, rows: int) -> Guilty:
    named = np.flatnonzero(answer.named[:, column])
    named = named[np.argsort(-(answer.score[named, column] / answer.limit[named]), kind="stable")]
    worst = named[0]
    return Guilty(
        level=level.name,
        unit=int(units[column]),
        rows=tuple(dict.fromkeys(int(row) % rows for row in named)),
        effect=tuple(float(row_effect) for row_effect in answer.effect[:rows, column]),
        score=float(answer.score[worst, column]),
        limit=float(answer.limit[worst]),
        spread=float(answer.spread[worst]),
        peers=int(units.size),
    )


def _joined(slow: list[Guilty], level: Level, coarser: Level, logs: Array) -> list[Guilty]:
    """The same with the parts of a coarser place joined where two or more, and at least half of them, are slow.

    A part alone is named as its place where half of that is nearly as slow: chance says which of its ranks is beyond a limit.
    """
    groups: dict[int, list[Guilty]] = {}
    joined: list[Guilty] = []
    for guilty in slow:
        if guilty.level == level.name:
            groups.setdefault(int(coarser.label[level.label == guilty.unit][0]), []).append(guilty)
        else:
            joined.append(guilty)
    for unit, parts in groups.items():
        size = np.unique(level.label[coarser.label == unit]).size
        clearest = max(parts, key=lambda part: part.score - part.limit)
        whole = _effect_of(logs, coarser, unit) if size > 1 else np.zeros(logs.shape[1])
        row = clearest.rows[0]
        if (len(parts) < 2 or 2 * len(parts) < size) and whole[row] < NEARLY * clearest.effect[row]:
            joined += parts
            continue
        effect = tuple(float(row) for row in np.median([part.effect for part in parts], axis=0))
        peers = np.unique(coarser.label).size
        joined.append(replace(clearest, level=coarser.name, unit=unit, effect=effect, peers=int(peers)))
    return joined


def _effect_of(logs: Array, level: Level, unit: int) -> Array:
    """The slowdown of a unit of a level against its equals, (rows,); 0 where these are too few to tell."""
    units, label = np.unique(level.label, return_inverse=True)
    if units.size < FEWEST:
        return np.zeros(logs.shape[1])
    values = _centred(_lower_median(logs, label, units.size))[:, :, np.flatnonzero(units == unit)[0]]
    return np.asarray(np.median(values, axis=0))


def _lower_median(logs: Array, label: Labels, units: int) -> Array:
    """(launches, rows, units): the lower median over the ranks of each unit."""
    sizes = np.bincount(label, minlength=units)
    if (sizes == sizes[0]).all():
        order = np.argsort(label, kind="stable")
        parts = logs[:, :, order].reshape(*logs.shape[:2], units, sizes[0])
        middle = (sizes[0] - 1) // 2
        return np.partition(parts, middle, axis=3)[..., middle].copy()
    columns = [np.sort(logs[:, :, label == unit], axis=2)[..., (sizes[unit] - 1) // 2] for unit in range(units)]
    return np.stack(columns, axis=2)


def _launch_error(values: Array, y: Array) -> Array:
    """Standard error of a median over launches, from the scatter of the places between launches; 0 for a single launch."""
    launches = values.shape[0]
    if launches < 2:
        return np.zeros(y.shape[0])
    # Of two values about their median only half of the deviations are free.
    scatter = np.sqrt(np.median((values - y) ** 2, axis=(0, 2)) * launches / (launches - 1)) * 1.4826
    return np.asarray(np.sqrt(np.pi / 2 / launches) * scatter)


# Is any of many equal peers noisier than the others? Its noise is estimated by itself and drawn towards its class. Pure.
# Two halves of the sections measure it twice: their common part is a difference of peers, the rest is chance (empirical Bayes
# with normal logarithms of variances: B. Efron and C. Morris, J. Am. Stat. Assoc. 70 (1975) 311).

FEWEST_PEERS, FEWEST_SECTIONS = 16, 8  # from which on noise differs from chance
BEYOND_CHANCE = 3.0  # standard errors of the correlation of both halves, below which all peers are taken for equally noisy
_NOTHING = 1e-12


def alike(peers: int) -> Noise:
    return Noise(np.ones(peers), float("inf"))


def noise_of(samples: Array) -> Noise:
    """samples: (several, sections, peers), each around 0 and of the same scale in each section."""
    _, sections, peers = samples.shape
    scale = np.median(np.abs(samples), axis=(0, 2))
    if peers < FEWEST_PEERS or sections < FEWEST_SECTIONS or (scale <= _NOTHING).any():
        return alike(peers)
    size = np.abs(samples) / scale[:, None]
    first, second, both = (_logarithm(part) for part in (size[:, ::2], size[:, 1::2], size))
    shared = float(np.mean(first * second))
    if shared <= BEYOND_CHANCE / peers**0.5 * float(np.sqrt(np.mean(first**2) * np.mean(second**2))):
        return alike(peers)
    weight = min(shared / float(np.mean(both**2)), 1.0)
    left = max(shared * (1.0 - weight), 1e-6)  # variance of the logarithm that stays unknown
    freedom = 2.0 * float(trigamma_inverse(np.array(left)))
    return Noise(np.exp(np.maximum(weight * both, 0.0) / 2), max(freedom, 1.0))


def launch_noise(values: Array) -> Noise:
    """Of the noise that each launch adds by itself; values: (launches, sections, peers), logarithms.

    Shifts of a peer as a whole in a launch are left out.
    """
    launches, sections, peers = values.shape
    if launches < 2 or sections < FEWEST_SECTIONS:
        return alike(peers)
    own = values - values.mean(axis=0)
    return noise_of(own - np.median(own, axis=1, keepdims=True))


def _logarithm(size: Array) -> Array:
    """ln of the squared scale of each peer, about that of their median."""
    middle = np.median(size, axis=(0, 1))
    logs = 2 * np.log(np.maximum(middle, _NOTHING))
    return np.asarray(logs - np.median(logs))
