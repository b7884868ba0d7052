"""Error rates of the judge of change on the noise of lines.py: what it says of a run, of three in a row, of shifts that many
sections share, and of innocents beside slow sections. Each simulation counts `runs` runs of one `chance`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from rates.lines import CASES, CLASSES, LINES, OF_CASE, SECTIONS, Array, Line, Machine, quantities
from rates.lines import sittings as sittings_of
from tenken.judge.change import SITTINGS as IN_A_ROW
from tenken.judge.change import Answer, Decision, Held, decide, failed, held, history_of, lasting, learn
from tenken.judge.common import demands
from tenken.model import limits
from tenken.stats import nested
from tenken.stats.change import Ordinary, compare

Answers = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
Counts = Iterator[tuple[str, int]]
Simulation = Callable[[np.random.Generator, int], Counts]
SITTINGS = (3, 5, 30)
SHIFTS = (0.05, 0.10, 0.20)  # of one section
LAUNCHES = 3  # planned in every sitting
TIMES = slice(0, SECTIONS)
QUANTITIES = quantities()
NAMES = tuple(str(case) for case in OF_CASE)
DEMANDS = demands(QUANTITIES)
FAILS = Answer.FAILED_WITH_REST  # and what is above
WITH_CLASS = (Answer.SLOWER_WITH_CLASS, Answer.FAILED_WITH_CLASS)
SHARED, SHARED_BY = 0.25, (5, 10, 15, 20, 21, 25, 30, 35, 40)  # a slowdown, and how many of the 40 sections have it
LATENCY = CLASSES.index("latency")
CLASS_SHIFT = 0.37  # of every latency section
LASTING = 0.10  # of one section, in three sittings in a row
DAYS = Line("no slow days", "", Machine("typical, no slow days", 0.015, 0.02, slow=0.0))
SECTION = np.arange(SECTIONS)
CASE = OF_CASE[:SECTIONS]
CLASS = SECTION % len(CLASSES)


def decided(ordinary: Ordinary, new: Array) -> Decision:
    """About the launches `new` (runs, quantities, launches) that count."""
    launches = (~np.isnan(new)).sum(axis=-1).astype(float)
    change = compare(ordinary, nested.middle(new), launches, nested.lowest(new))
    return decide(change, ordinary.history.together, DEMANDS, launches)


def confirmed(ordinary: Ordinary, new: Array) -> tuple[Array, Array]:
    """The launches that count after both stages, NaN the others, and which runs had a suspect: as in production, suspect cases
    are launched again as a whole."""
    planned = np.arange(new.shape[-1]) < LAUNCHES
    suspect = decided(ordinary, np.where(planned, new, np.nan)).suspect
    again = np.stack([suspect[:, OF_CASE == case].any(axis=-1) for case in range(CASES)], axis=-1)
    return np.where(planned | again[:, OF_CASE, None], new, np.nan), again.any(axis=-1)


def judged(ordinary: Ordinary, new: Array) -> Answers:
    """Answers after both stages."""
    return decided(ordinary, confirmed(ordinary, new)[0]).answers


def _drawn(line: Line, sittings: int, count: int, chance: np.random.Generator, runs: int) -> tuple[Ordinary, Array]:
    """What baselines of so many sittings learn, and the launches of `count` sittings more: (runs, quantities, count, launches)."""
    ordinary = learn(history_of(sittings_of(line, runs, sittings, LAUNCHES, chance), QUANTITIES, NAMES))
    return ordinary, sittings_of(line, runs, count, LAUNCHES + limits.CONFIRMING, chance)


def measure(line: Line, sittings: int, chance: np.random.Generator, runs: int) -> Counts:
    """Runs in which nothing changed, and the same with one section slower, also by the effect that the judge prints as detectable."""
    ordinary, new = _drawn(line, sittings, 1, chance, runs)
    new = new[:, :, 0]
    counting, again = confirmed(ordinary, new)
    decision = decided(ordinary, counting)
    answers = decision.answers
    yield "runs", runs
    yield "failed", (answers >= FAILS).any(axis=-1).sum()
    yield "slower", (answers >= Answer.SLOWER_WITH_REST).any(axis=-1).sum()
    yield "faster", (answers == Answer.FASTER).any(axis=-1).sum()
    yield "suspect", again.sum()
    yield "judged", (answers[:, TIMES] > Answer.NOT_JUDGED).sum()
    everyone = np.arange(runs)
    place = everyone % SECTIONS
    for shift in SHIFTS:
        moved = new.copy()
        moved[everyone, place] += np.log1p(shift)
        own = judged(ordinary, moved)[everyone, place]
        yield f"{shift} found", (own >= Answer.SLOWER_WITH_REST).sum()
        yield f"{shift} failed", (own >= FAILS).sum()
    printed = decision.detectable[everyone, place]
    known = np.isfinite(printed)
    moved = new.copy()
    moved[everyone, place] += np.where(known, printed, 0.0)[:, None]
    own = judged(ordinary, moved)[everyone, place]
    yield "printed", known.sum()
    yield "printed found", (own >= Answer.SLOWER_WITH_REST)[known].sum()


def shared(sittings: int, chance: np.random.Generator, runs: int) -> Counts:
    """Many sections of one run are slower by as much: some of every class, or all of one class."""
    ordinary, new = _drawn(next(one for one in LINES if one.name == "normal"), sittings, 1, chance, runs)
    new = new[:, :, 0]
    yield "runs", runs
    kinds = [(f"{count} of 40", SECTION < count, SHARED) for count in SHARED_BY]
    for name, which, shift in (*kinds, ("class", CLASS == LATENCY, CLASS_SHIFT)):
        moved = new.copy()
        moved[:, np.flatnonzero(which)] += np.log1p(shift)
        answers = judged(ordinary, moved)[:, TIMES]
        yield f"{name} found", (answers[:, which] >= Answer.SLOWER_WITH_REST).sum()
        yield f"{name} failed", (answers[:, which] >= FAILS).sum()
        if name == "class":
            yield "class named", (np.isin(answers[:, which], WITH_CLASS)).sum()
        yield f"{name} any failed", (answers[:, which] >= FAILS).any(axis=-1).sum()
        yield f"{name} blamed", (answers[:, ~which] > Answer.OK).sum()
        yield f"{name} fine", (answers[:, ~which] == Answer.OK).sum()


def sitting(ordinary: Ordinary, new: Array) -> Held:
    """One sitting after both stages; `new` (runs, quantities, launches)."""
    counting = confirmed(ordinary, new)[0]
    launches = (~np.isnan(counting)).sum(axis=-1).astype(float)
    return held(ordinary, DEMANDS, nested.middle(counting), launches, nested.lowest(counting))


def in_a_row(line: Line, sittings: int, chance: np.random.Generator, runs: int) -> Counts:
    """Three sittings in a row in which nothing changed, and the same with one section slower in all three."""
    ordinary, new = _drawn(line, sittings, IN_A_ROW, chance, runs)
    everyone = np.arange(runs)
    place = everyone % SECTIONS
    yield "runs", runs
    for name, shift in (("clean", 0.0), ("shifted", LASTING)):
        moved = new.copy()
        moved[everyone, place] += np.log1p(shift)
        now, *before = (sitting(ordinary, moved[:, :, one]) for one in range(IN_A_ROW))
        last = lasting(now, before, DEMANDS)
        answers = failed(now.decision, last).answers
        if name == "clean":
            yield "clean lasting", last.any(axis=-1).sum()
            yield "clean failed", (answers >= FAILS).any(axis=-1).sum()
        else:
            yield "shifted alone", (now.decision.answers[everyone, place] >= FAILS).sum()
            yield "shifted failed", (answers[everyone, place] >= FAILS).sum()


@dataclass(frozen=True)
class Scene:
    name: str
    cases: tuple[str, ...]  # of each section; "" is not in the run
    slow: tuple[bool, ...]
    by: float


def _scene(name: str, cases: list[str], slow: np.ndarray, by: float) -> Scene:
    return Scene(name, tuple(cases), tuple(bool(one) for one in slow), by)


def _small(large: int, each: int) -> list[str]:
    """A case of `large` latency sections beside three cases of `each` sections, every case of one class."""
    place = SECTION // len(CLASSES)
    return ["" if place[i] >= (large if CLASS[i] == LATENCY else each) else f"case{CLASS[i]}" for i in SECTION]


BY_CASE = [str(one) for one in CASE]
SCENES = (
    _scene("25 of 40 sections 10 % slower", BY_CASE, SECTION % 8 < 5, 0.10),
    _scene("25 of 40 sections 25 % slower", BY_CASE, SECTION % 8 < 5, 0.25),
    _scene("5 of 8 cases 10 % slower", BY_CASE, CASE < 5, 0.10),
    _scene("6 of 10 latency sections 30 % slower", BY_CASE, (CLASS == LATENCY) & (SECTION < 24), 0.30),
    _scene("a case of 10 sections 10 % slower beside three of 2", _small(10, 2), CLASS == LATENCY, 0.10),
    _scene("a case of 10 sections 30 % slower beside three of 2", _small(10, 2), CLASS == LATENCY, 0.30),
    _scene("one section 20 % slower in four cases of 5", _small(5, 5), SECTION == LATENCY, 0.20),
    _scene("one section 20 % slower in a case of 10 beside three of 1", _small(10, 1), SECTION == LATENCY, 0.20),
    _scene("a case of 1 section 20 % slower beside one of 10",
           [f"case{CLASS[i]}" if CLASS[i] == LATENCY or i == 0 else "" for i in SECTION], SECTION == 0, 0.20),
)


def innocents(scene: Scene, sittings: int, chance: np.random.Generator, runs: int) -> Counts:
    """How many quantities that did not change are called slower where others of the run are slower."""
    before = sittings_of(DAYS, runs, sittings, LAUNCHES, chance)
    new = sittings_of(DAYS, runs, 1, LAUNCHES + limits.CONFIRMING, chance)[:, :, 0]
    slow = np.array(scene.slow)
    new[:, np.flatnonzero(slow)] += np.log1p(scene.by)
    kept = np.flatnonzero(np.tile([bool(one) for one in scene.cases], 3))
    quantities = tuple(QUANTITIES[i] for i in kept)
    ordinary = learn(history_of(before[:, kept], quantities, [scene.cases[i % SECTIONS] for i in kept]))
    demand = demands(quantities)

    def answers(some: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        launches = np.full(some.shape[:-1], float(some.shape[-1]))
        change = compare(ordinary, nested.middle(some), launches, nested.lowest(some))
        of = decide(change, ordinary.history.together, demand, launches)
        return of.answers, of.suspect.any(axis=-1)

    first, again = answers(new[:, kept, : LAUNCHES])
    both = np.where(again[:, None], answers(new[:, kept])[0], first)
    times = kept < SECTIONS
    guilty = slow[kept[times]]
    worse = both[:, times] >= Answer.SLOWER_WITH_REST
    yield "runs", runs
    yield "innocents", runs * int((~guilty).sum())
    yield "named", int(worse[:, ~guilty].sum())
    yield "faster", int((both[:, times][:, ~guilty] == Answer.FASTER).sum())
    yield "slow", runs * int(guilty.sum())
    yield "found", int(worse[:, guilty].sum())


SIMULATIONS: dict[str, Simulation] = {
    **{f"{line.name}/{count}": partial(measure, line, count) for line in LINES for count in SITTINGS},
    **{f"shared/{count}": partial(shared, count) for count in SITTINGS},
    **{f"in a row: {line.name}/{count}": partial(in_a_row, line, count) for line in LINES for count in SITTINGS[1:2]},
    **{f"{scene.name}/{count}": partial(innocents, scene, count) for scene in SCENES for count in SITTINGS},
}
