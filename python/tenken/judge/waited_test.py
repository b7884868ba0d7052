"""What ranks that waited for a processor show is no ground to call a case steady or even."""

from __future__ import annotations

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import Assessment, AxisResult
from tenken.model.limits import LOSS, WAITED
from tenken.model.machine import Band
from tenken.model.verdict import Axis, Verdict

SHARED = b.machine(b.node("n0", exclusive=False), b.node("n1", exclusive=False))
CHECK = b.check(metrics=[b.metric("double", "double")])
MS = 1_000_000


def waiting(part: float, *, ranks: int = 2, repetitions: int = 20, flop: int = 0, bands: tuple[Band, ...] = ()) -> Assessment:
    """A steady and even case whose ranks waited for `part` of the wall time."""
    section = b.Timed("double", np.full((ranks, repetitions), MS), work=b.Work(flop=flop))
    record = b.record(section, trusts=b.trust(run_queue_wait_ns=round(part * b.SECOND)))
    return assess(b.run(b.case_run(record, of=CHECK)), SHARED, bands)


def axes(of: Assessment) -> dict[Axis, AxisResult]:
    return {each.axis: each for each in of.cases[0].axes}


def test_the_limit_is_the_wait_that_can_hide_the_loss_that_is_a_finding() -> None:
    assert WAITED / (1 - 2 * WAITED) == pytest.approx(LOSS)


@pytest.mark.parametrize("part", [0.5, 0.97])
def test_a_case_that_waited_is_right_and_its_times_are_not_judged(part: float) -> None:
    answer = waiting(part)
    assert (answer.verdict, answer.exit_code) == (Verdict.NOT_JUDGED, 3)
    case = answer.cases[0]
    assert case.right and not case.steady and not case.complete
    assert all(axes(answer)[name].ground for name in (Axis.BALANCE, Axis.STEADINESS))
    assert answer.unjudged[0].what.startswith("the node was busy: 1 case")


def test_little_waiting_takes_nothing_away() -> None:
    answer = waiting(0.9 * WAITED)
    assert answer.verdict is Verdict.OK and answer.cases[0].steady and answer.cases[0].complete
    assert not waiting(1.1 * WAITED).cases[0].steady


def test_too_few_repetitions_for_a_spread_are_a_loss_of_ground_where_ranks_waited() -> None:
    assert axes(waiting(0.9, repetitions=3))[Axis.STEADINESS].ground
    quiet = waiting(0.0, ranks=1, repetitions=3)
    assert not axes(quiet)[Axis.STEADINESS].ground and quiet.verdict is Verdict.NOT_JUDGED
    assert quiet.cases[0].complete, "nothing was taken away"


def test_a_rate_within_its_band_as_measured_is_right_whatever_the_load() -> None:
    answer = waiting(0.9, ranks=1, flop=round(0.95 * 48e6), bands=(Band("*", "demo.double", 0.9, None, "ceiling", "s"),))
    assert axes(answer)[Axis.SPEED].verdict is Verdict.OK and answer.cases[0].verdict is Verdict.OK
    assert not answer.cases[0].complete and answer.verdict is Verdict.INCOMPLETE


def starved(*statuses: str, **changes: object) -> Assessment:
    """A case with a launch of each of these ends; those that are done have a record."""
    launches = [b.launch(n, status=status, reason="no end within 30 s" if status == "starved" else "", **changes)
                for n, status in enumerate(statuses, 1)]
    done = [n for n, status in enumerate(statuses, 1) if status == "done"]
    records = [b.record(b.Timed("double", np.full((2, 20), MS)), launch=n) for n in done]
    return assess(b.run(b.case_run(*records, of=CHECK, launches=launches)), SHARED, ())


def test_a_launch_that_found_no_processor_accuses_nobody() -> None:
    answer = starved("starved", needs_s=120.4)
    assert answer.verdict is Verdict.NOT_JUDGED and answer.findings == ()
    assert answer.cases[0].reason == "launch 1 was ended: no end within 30 s" and not answer.cases[0].complete
    assert answer.unjudged[0].next_command == "./tenken run demo:a --timeout 121"


def test_the_launches_beside_it_are_judged() -> None:
    answer = starved("starved", "done", needs_s=120.0)
    assert answer.verdict is Verdict.OK and answer.cases[0].complete


def test_a_launch_that_hung_is_an_error_beside_it() -> None:
    assert starved("starved", "hung").verdict is Verdict.ERROR
