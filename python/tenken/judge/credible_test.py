from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import builders as b
import pytest
from sittings import QUANTITIES, sitting

from tenken.judge.credible import credible, dated
from tenken.model.baseline import Baseline, LaunchValues, Sitting

NOW = "2026-11-21T09:00:00Z"
RUN = b.run(started="2026-11-21T08:00:00Z")


def day(number: int, rate: float = 30.0, **changes: object) -> Sitting:
    return replace(sitting(f"run{number}", f"2026-11-{number:02d}T08:00:00Z", rate + 0.01 * number), **changes)


def told(of: Sequence[Sitting], cases: Sequence[str] = ("demo:a",)) -> tuple[tuple[Sitting, ...], tuple[str, ...]]:
    baseline = Baseline("toy", "demo:a", "00000000", QUANTITIES, tuple(of))
    kept, notes = credible(dict.fromkeys(cases, baseline), RUN, NOW)
    return kept[cases[0]].sittings, notes


def rates(of: Sequence[Sitting]) -> list[int]:
    """How many launches of each sitting have the metric."""
    return [sum("metric:triad" in one.values for one in each.launches) for each in of]


def test_sound_sittings_are_left_as_they_are() -> None:
    given = tuple(day(number) for number in (1, 2, 3))
    assert told(given) == (given, ())
    assert told(()) == ((), ()) and told(given[:1]) == (given[:1], ())
    assert told([day(1), day(2, rate=4.0), day(3, rate=33.0)])[1] == (), "a wide spread is noise, not a wrong figure"


def test_old_sittings_are_named_and_count() -> None:
    old = day(1, started="2026-05-01T08:00:00Z")
    edge = day(2, started="2026-05-25T08:00:01Z")  # not quite 180 days
    kept, notes = told([old, edge, day(3)], ("demo:a", "demo:b"))
    assert kept == (old, edge, day(3))
    assert notes == (
        "demo:a, demo:b: 1 of 3 accepted sittings older than 180 days (the oldest 204, run1); slow changes since then count "
        "as a difference: accept newer sittings (./tenken baseline accept RUN)",
    )


@pytest.mark.parametrize(("started", "what"), [
    ("2026-11-21T10:00:01Z", "in the future (a clock was or is wrong)"), ("2999-01-01T00:00:00Z", "in the future"),
    ("2026-19-39T29:00:00Z", "not a date"),
])
def test_a_date_that_cannot_be_is_named_and_its_figures_count(started: str, what: str) -> None:
    wrong = day(3, started=started)
    kept, (note,) = told([day(1), day(2), wrong])
    assert kept[-1] == wrong and f"accepted sitting run3 is dated {started}, {what}" in note
    assert not dated(wrong, NOW) and dated(day(1), NOW)


def test_a_later_sitting_is_no_wonder_to_an_old_run() -> None:
    later = day(21, started="2026-11-21T09:30:00Z")
    assert dated(later, NOW) and told([day(20), later])[1] == ()


def test_sittings_alike_to_the_last_digit_count_once() -> None:
    copy = day(1, id="copied", started="2026-11-05T08:00:00Z")
    kept, (note,) = told([day(1), day(2), copy])
    assert [one.id for one in kept] == ["run1", "run2"] and "run1 and copied have identical figures" in note
    last = replace(copy.launches[-1], values={"metric:triad": 30.0, "time:triad": copy.launches[-1].values["time:triad"]})
    assert told([day(1), replace(copy, launches=(*copy.launches[:-1], last))])[1] == ()
    few = [day(number, launches=(LaunchValues(1, {"metric:triad": 30.0, "loss:triad": 0.0}),)) for number in (1, 2)]
    assert told(few)[1] == (), "one figure may be the same twice"


def test_a_value_ten_times_the_others_is_named_and_not_averaged() -> None:
    wild = day(3)
    wild = replace(wild, launches=tuple(
        replace(one, values={**one.values, "metric:triad": 1000 * one.values["metric:triad"]}) for one in wild.launches
    ))
    kept, (note,) = told([day(1), day(2), wild])
    assert rates(kept) == [3, 3, 0] and all("time:triad" in one.values for one in kept[2].launches)
    assert "accepted sitting run3: metric:triad is 30060 GB/s, the other sittings have 30.1. Figures" in note, note


def test_one_wild_launch_leaves_the_others_of_its_sitting() -> None:
    odd = day(2)
    first = replace(odd.launches[0], values={**odd.launches[0].values, "metric:triad": 3.0})
    kept, (note,) = told([day(1), replace(odd, launches=(first, *odd.launches[1:])), day(3)])
    assert rates(kept) == [3, 2, 3] and "run2: metric:triad is 3 GB/s" in note
    alone, (note,) = told([replace(odd, launches=(first, *odd.launches[1:]))])
    assert rates(alone) == [2] and "run2" in note, "of a single sitting its launches are held against each other"


def test_of_two_that_are_ten_times_apart_neither_is_believed() -> None:
    kept, notes = told([day(1), day(2, rate=900.0)])
    assert rates(kept) == [0, 0] and len(notes) == 2


def test_loss_may_be_nought_or_a_hundred_times_as_much() -> None:
    lossy = day(3)
    lossy = replace(lossy, launches=tuple(replace(one, values={**one.values, "loss:triad": 5.0}) for one in lossy.launches))
    assert told([day(1), day(2), lossy])[1] == ()
