"""Which sections are unlike from rank to rank, and from repetition to repetition, and which launches met unlike modes."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from tenken.base.words import digits
from tenken.judge.common.sections import slow_ranks, stated_path
from tenken.model.assessment import SectionSummary
from tenken.model.baseline import LaunchValues, Sitting
from tenken.model.check import Check
from tenken.model.limits import CLASS_OF_KIND, FEWEST_REPETITIONS, JITTER, LOSS, SAME_RANK_ERROR, SHORT_NS, SMALL_SHARE
from tenken.model.record import Record
from tenken.stats.robust import median

DISTANCE = "distance:cores"  # name of a quantity: stored in baselines, never judged alone
UNLIKE = 1.5  # times the distance: another mode
_PROBES = ("core_round_trip_before", "core_round_trip_after")  # ns of a round trip of a cache line, by records that probe it
_MODES = "figures of different modes of a virtual machine are not compared"


def comparable(sections: tuple[SectionSummary, ...]) -> list[SectionSummary]:
    """Those in which ranks can be compared: leaf sections of several ranks, of weight and length."""
    return [
        section
        for section in sections
        if section.leaf
        and section.kind != "wait"
        and len(section.ranks) >= 2
        and section.share >= SMALL_SHARE
        and section.median_ns >= SHORT_NS
    ]


def weighs(section: SectionSummary, part: float) -> bool:
    """Whether `part` of the time of a section (loss, jitter, imbalance - 1) is worth a finding: small things do not decide."""
    return section.share * part >= SMALL_SHARE


def uneven(among: list[SectionSummary], by_launch: tuple[tuple[SectionSummary, ...], ...]) -> list[SectionSummary]:
    """Those whose max/mean over ranks exceeds that of equal ranks, in more than half of the launches and with weight, the
    clearest first; in communication only where it is the same rank in more launches than chance explains.

    In communication the early ranks wait for the late: a section that computes names the culprit and comes first.
    """
    return sorted(
        (
            section for section in among
            if section.imbalance > section.imbalance_limit
            and weighs(section, section.imbalance - 1)
            and _in_most(section.path, by_launch)
            and (section.kind != "comm" or _by_chance(section, by_launch) <= SAME_RANK_ERROR)
        ),
        key=lambda section: (section.kind == "comm", -section.imbalance / section.imbalance_limit),
    )


def section_class(section: SectionSummary, check: Check) -> str:
    """The most lenient class of the metrics of that section, else that of its kind."""
    classes = [metric.klass for metric in check.metrics if metric.section == stated_path(section)]
    return max(classes or [CLASS_OF_KIND[section.kind]], key=lambda klass: JITTER[klass])


def jitter_limit(section: SectionSummary, check: Check) -> float:
    return JITTER[section_class(section, check)]


def unsteadiness(section: SectionSummary, check: Check) -> float:
    """Loss or jitter of a section over its limit, the larger; above 1 is unsteady."""
    return max(section.loss / LOSS, section.jitter / jitter_limit(section, check))


def own_unsteadiness(section: SectionSummary, check: Check) -> float:
    """The same without the part that other load may have caused: above 1 the section is unsteady by itself."""
    loss = section.loss if section.least_loss is None else section.least_loss
    jitter = section.jitter if section.least_jitter is None else section.least_jitter
    return max(loss / LOSS, jitter / jitter_limit(section, check))


def steady_sections(sections: tuple[SectionSummary, ...], check: Check) -> tuple[SectionSummary, ...]:
    """Those whose loss and jitter mean something: repeated leaf sections of weight and length that do not wait for others.

    Where repetitions are unlike by design none.
    """
    if not check.repetitions_alike:
        return ()
    return tuple(
        section
        for section in sections
        if section.leaf
        and section.kind != "wait"
        and not section.once
        and section.share >= SMALL_SHARE
        and section.median_ns >= SHORT_NS
        and section.repetitions >= FEWEST_REPETITIONS * section.launches
    )


def _in_most(path: str, by_launch: tuple[tuple[SectionSummary, ...], ...]) -> bool:
    """Whether ranks are uneven in more than half of the launches: the median of two would be that of either."""
    same = [section for sections in by_launch for section in sections if section.path == path]
    return 2 * sum(section.imbalance > section.imbalance_limit for section in same) > len(same)


def _by_chance(section: SectionSummary, by_launch: tuple[tuple[SectionSummary, ...], ...]) -> float:
    """Probability that any of equal ranks is the slowest in every launch; 1 where it is not always the same."""
    slow = slow_ranks(section.path, by_launch)
    return 1.0 if len(set(slow)) > 1 else float(len(section.ranks)) ** (1 - len(slow))


# How far apart the cores of a launch were: a virtual machine has modes of it, and figures of different modes are not compared.


def distances(records: Iterable[Record]) -> list[float]:
    """ns of all probes of the records."""
    return [value.value for record in records for value in record.values if value.name in _PROBES and 0 < value.value < inf]


def distance_of(record: Record) -> dict[str, float]:
    """The farther of the probes before and after a launch; nothing where the launch was not probed."""
    trips = distances([record])
    return {DISTANCE: max(trips)} if trips else {}


def unlike(trips: Iterable[float]) -> tuple[float, float] | None:
    """The least and the greatest distance where they are of different modes."""
    ordered = sorted(trips)
    return (ordered[0], ordered[-1]) if ordered and ordered[-1] > UNLIKE * ordered[0] else None


def of_this_mode(launches: Iterable[LaunchValues], sittings: tuple[Sitting, ...]) -> tuple[tuple[Sitting, ...], str]:
    """The sittings to compare with, and, where there are none for that reason, why. Sittings without a distance count."""
    now = _kept(launches)
    if not now:
        return sittings, ""
    mixed = unlike(now)
    if mixed is not None:
        return (), f"the cores were {digits(mixed[0])} to {digits(mixed[1])} ns apart in these launches; {_MODES}"
    alike = tuple(sitting for sitting in sittings if unlike([*now, *_kept(sitting.launches)]) is None)
    if alike or not sittings:
        return alike, ""
    before = median([trip for sitting in sittings for trip in _kept(sitting.launches)])
    return (), f"the cores were {digits(median(now))} ns apart, {digits(before)} ns in the baseline; {_MODES}"


def _kept(launches: Iterable[LaunchValues]) -> list[float]:
    return [launch.values[DISTANCE] for launch in launches if DISTANCE in launch.values]
