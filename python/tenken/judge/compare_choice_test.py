"""Which pairs count."""

from __future__ import annotations

import builders as b
import pytest

from tenken.judge.compare_choice import chosen_pairs, disturbed_pairs
from tenken.model.record import Trust
from tenken.model.run import CaseRun

MACHINE = b.machine(b.node(exclusive=False))
LOADED, WORSE = b.trust(run_queue_wait_ns=10**8), b.trust(steal_ns=3 * 10**8)
SHAKEN = b.Timed("s", b.quiet(1e6, noise=0.4))


def case_run(*trusts: Trust | None, repeats: dict[int, int] = {}, timed: b.Timed = b.fma(1e10)) -> CaseRun:  # noqa: B006
    """A launch for each; None where it crashed. `repeats`: number -> number that it repeats."""
    records = [b.record(timed, launch=i, trusts=one) for i, one in enumerate(trusts, start=1) if one is not None]
    launches = [
        b.launch(i, "demo:a", "crashed" if one is None else "done", confirms=repeats.get(i))
        for i, one in enumerate(trusts, start=1)
    ]
    return b.case_run(*records, launches=launches)


def disturbed(first: CaseRun, second: CaseRun) -> tuple[int, ...]:
    return disturbed_pairs((b.run(first), b.run(second)), MACHINE)


def chosen(first: CaseRun, second: CaseRun) -> list[int]:
    sides = [[one.number for one in side.launches] for side in chosen_pairs(first, second)]
    assert sides[0] == sides[1]
    return sides[0]


def test_a_pair_is_disturbed_where_one_side_met_load() -> None:
    quiet = case_run(b.trust(), b.trust(), b.trust())
    assert disturbed(quiet, quiet) == ()
    assert disturbed(case_run(b.trust(), LOADED, b.trust()), case_run(b.trust(), b.trust(), WORSE)) == (2, 3)


def test_an_environment_that_is_unsteady_by_itself_is_not_called_disturbed() -> None:
    assert disturbed(case_run(b.trust()), case_run(b.trust(), timed=SHAKEN)) == ()


def test_a_pair_is_made_again_once() -> None:
    twice = case_run(LOADED, LOADED, repeats={2: 1})
    assert disturbed(twice, twice) == ()


@pytest.mark.parametrize(("again", "number"), [(b.trust(), 2), (LOADED, 1), (WORSE, 1)])
def test_of_the_two_the_cleaner_counts_on_both_sides(again: Trust, number: int) -> None:
    assert chosen(case_run(b.trust(), b.trust(), repeats={2: 1}), case_run(LOADED, again, repeats={2: 1})) == [number]


def test_half_a_pair_is_none() -> None:
    assert chosen(case_run(b.trust(), b.trust(), b.trust()), case_run(b.trust(), None, b.trust())) == [1, 3]
    assert disturbed(case_run(LOADED), case_run(None)) == ()


def test_a_repeat_that_broke_leaves_the_first() -> None:
    first = case_run(b.trust(), b.trust(), repeats={2: 1})
    assert chosen(first, case_run(LOADED, None, repeats={2: 1})) == [1]
