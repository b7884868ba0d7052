"""Which accepted sittings can be believed, before a run is compared with them. The others are named, not averaged."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from tenken.base.units import DAY_S, moment_s
from tenken.base.words import digits, listed, plural
from tenken.model.baseline import Baseline, LaunchValues, Sitting
from tenken.model.run import Run
from tenken.stats.robust import median

OLD_DAYS = 180  # a machine is serviced, updated and dusty by then
CLOCKS_DIFFER_S = 3600.0  # of two nodes: less is no clock that is wrong
TENFOLD = 10.0  # no machine becomes ten times slower and goes on: a unit, a size or a digit is wrong
FEWEST_VALUES = 3  # that agree to the last digit: fewer may do so by chance
_NAMED = 3  # cases in a sentence
_EXCESSES = ("loss:", "jitter:")  # may be nought, or a hundred times as much


def credible(baselines: Mapping[str, Baseline], run: Run, now: str) -> tuple[dict[str, Baseline], tuple[str, ...]]:
    """The baselines of the cases of `run` without incredible sittings, and a sentence on each defect.

    `now` is the present moment, ISO 8601: `run` may be an old run, which later sittings are compared with.
    """
    cases_of: dict[str, list[str]] = {}  # sentence -> cases
    believed = {}
    for case_id, baseline in baselines.items():
        sittings, copies = _without_copies(baseline.sittings)
        sittings, wild = _without_tenfold(replace(baseline, sittings=sittings))
        for sentence in (*_dates(sittings, run.started, now), *copies, *wild):
            cases_of.setdefault(sentence, []).append(case_id)
        believed[case_id] = replace(baseline, sittings=sittings)
    return believed, tuple(f"{listed(cases, _NAMED)}: {sentence}" for sentence, cases in cases_of.items())


def dated(sitting: Sitting, now: str) -> bool:
    """Whether its date can be right at the present moment `now`."""
    at, present = moment_s(sitting.started), moment_s(now)
    return at is not None and (present is None or at <= present + CLOCKS_DIFFER_S)


def _dates(sittings: Sequence[Sitting], started: str, now: str) -> list[str]:
    sentences = []
    for each in (sitting for sitting in sittings if not dated(sitting, now)):
        fault = "not a date" if moment_s(each.started) is None else "in the future (a clock was or is wrong)"
        sentences.append(
            f"accepted sitting {each.id} is dated {each.started}, {fault}; its figures count, its date does not"
        )
    begun = moment_s(started)
    ages = {} if begun is None else {
        each.id: (begun - at) / DAY_S for each in sittings if dated(each, now) and (at := moment_s(each.started)) is not None
    }
    old = sorted((age for age in ages if ages[age] > OLD_DAYS), key=lambda age: -ages[age])
    if old:
        many = f"{len(old)} of {plural(len(sittings), 'accepted sitting')}"
        sentences.append(
            f"{many} older than {OLD_DAYS} days (the oldest {ages[old[0]]:.0f}, {old[0]}); slow changes since then "
            "count as a difference: accept newer sittings (./tenken baseline accept RUN)"
        )
    return sentences


def _without_copies(sittings: Sequence[Sitting]) -> tuple[tuple[Sitting, ...], list[str]]:
    """Two runs never agree to the last digit: either run is a copy of the other's figures."""
    first: dict[tuple[tuple[tuple[str, float], ...], ...], Sitting] = {}
    without_copies, sentences = [], []
    for each in sittings:
        figures = tuple(tuple(sorted(_figures(launch).items())) for launch in each.launches)
        same = first.setdefault(figures, each) if sum(map(len, figures)) >= FEWEST_VALUES else each
        if same is each:
            without_copies.append(each)
        else:
            sentences.append(
                f"accepted sittings {same.id} and {each.id} have identical figures: they count "
                "as one sitting; drop the copy (./tenken baseline drop CASE SITTING)"
            )
    return tuple(without_copies), sentences


def _without_tenfold(baseline: Baseline) -> tuple[tuple[Sitting, ...], list[str]]:
    """Without values that are ten times those of most other sittings, or a tenth; of a single sitting, of its other launches."""
    left_out: dict[str, dict[tuple[int, str], float]] = {}  # by sitting: place of the launch, quantity, median of the others
    for name in (quantity.name for quantity in baseline.quantities if not quantity.name.startswith(_EXCESSES)):
        values = {each.id: _values(each, name) for each in baseline.sittings}
        positive = [value for some in values.values() for value in some.values() if value > 0]
        if not positive or max(positive) < TENFOLD * min(positive):
            continue
        middles = {sitting: median(list(some.values())) for sitting, some in values.items() if some}
        for sitting, some in values.items():
            others = [middle for other, middle in middles.items() if other != sitting]
            for i, value in some.items():
                beside = others or [each for j, each in some.items() if j != i]
                if (others or len(beside) > 1) and 2 * sum(_apart(value, each) for each in beside) > len(beside):
                    left_out.setdefault(sitting, {})[i, name] = median(beside)
    sittings = tuple(replace(each, launches=_less(each.launches, left_out.get(each.id, {}))) for each in baseline.sittings)
    by_id = {each.id: each for each in baseline.sittings}
    units = {quantity.name: quantity.unit for quantity in baseline.quantities}
    return sittings, [_tenfold(by_id[sitting], cells, units) for sitting, cells in left_out.items()]


def _values(sitting: Sitting, name: str) -> dict[int, float]:
    """Of each launch that has the quantity, by its place."""
    return {i: launch.values[name] for i, launch in enumerate(sitting.launches) if name in launch.values}


def _apart(value: float, usual: float) -> bool:
    return value > 0 and usual > 0 and not 1 / TENFOLD < value / usual < TENFOLD


def _less(launches: Sequence[LaunchValues], left_out: Collection[tuple[int, str]]) -> tuple[LaunchValues, ...]:
    return tuple(
        replace(launch, values={name: value for name, value in launch.values.items() if (i, name) not in left_out})
        for i, launch in enumerate(launches)
    )


def _tenfold(sitting: Sitting, cells: Mapping[tuple[int, str], float], units: Mapping[str, str]) -> str:
    (number, name), usual = next(iter(cells.items()))
    more = len({quantity for _, quantity in cells}) - 1
    value = digits(sitting.launches[number].values[name])
    return (
        f"accepted sitting {sitting.id}: {name} is {value} {units[name]}, the other sittings have {digits(usual)}"
        f"{f' (and {more} more figures)' if more else ''}. Figures that differ tenfold are left out; "
        "drop a wrong sitting (./tenken baseline drop CASE SITTING)"
    )


def _figures(launch: LaunchValues) -> dict[str, float]:
    return {name: value for name, value in launch.values.items() if not name.startswith(_EXCESSES)}
