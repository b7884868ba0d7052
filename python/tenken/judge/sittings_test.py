from __future__ import annotations

from dataclasses import replace

import pytest

from sittings import QUANTITIES, sitting
from tenken.judge.sittings import first_runs, joined
from tenken.model.baseline import Baseline, Occasion, Sitting


def made(name: str, started: str, place: str = "boot a", named: str = "", rate: float = 30.0) -> Sitting:
    return replace(sitting(name, f"2026-11-{started}:00Z", rate), occasion=Occasion(place, named))


def baseline(*of: Sitting) -> Baseline:
    return Baseline("toy", "demo:a", "00000000", QUANTITIES, of)


@pytest.mark.parametrize(("runs", "expected"), [
    # five runs of one morning are one sitting, and six hours after the first another begins
    ((("a", "02T08:00"), ("b", "02T09:00"), ("c", "02T13:59"), ("d", "02T14:00"), ("e", "02T19:59")), "aaadd"),
    # the next day is another one, and each of a machine that is never switched off
    ((("a", "02T08:00"), ("b", "03T08:00"), ("c", "04T08:00")), "abc"),
    # another allocation or boot
    ((("a", "02T08:00", "slurm job 1"), ("b", "02T08:10", "slurm job 2"), ("c", "02T08:20", "slurm job 1")), "aba"),
    # where the place is not known (older files) every run stands for itself
    ((("a", "02T08:00", ""), ("b", "02T08:10", "")), "ab"),
    # named: by name alone, however long
    ((("a", "02T08:00", "boot a", "x"), ("b", "02T08:10", "boot a", "y"), ("c", "09T08:20", "boot b", "x")), "aba"),
    # a clock that went back: the older time begins the sitting
    ((("b", "02T08:00"), ("a", "02T07:00")), "aa"),
    ((("a", "02T08:00"), ("b", "31T08:00"), ("c", "32T08:00")), "abc"),
])
def test_a_sitting_ends_six_hours_after_its_first_run(runs: tuple[tuple[str, ...], ...], expected: str) -> None:
    first = first_runs(made(*one) for one in runs)
    assert "".join(first[name] for name in sorted(first)) == expected


def test_runs_of_one_sitting_are_joined_under_one_name_in_all_cases() -> None:
    one, two, three = made("one", "02T08:00"), made("two", "02T08:30", rate=31.0), made("three", "03T08:00")
    whole = joined({"demo:a": baseline(one, two, three), "demo:b": baseline(two, three)})
    assert [each.id for each in whole["demo:a"].sittings] == ["one", "three"]
    assert [each.id for each in whole["demo:b"].sittings] == ["one", "three"]
    assert whole["demo:a"].sittings[0].launches == (*one.launches, *two.launches)
    assert whole["demo:b"].sittings[0].launches == two.launches
    assert joined({}) == {}
