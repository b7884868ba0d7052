"""Rates of what the counters counted, and bytes of memory beside the stated work."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import builders as b
import pytest

from tenken.judge.launch_set.tables import assess_counters
from tenken.model.assessment import CountersAssessment
from tenken.model.check import Check
from tenken.model.record import CountedSection, Counters
from tenken.model.run import Measured

# Ten samples of 2 ms on each of two ranks of two threads, memory counted by one of them.
COUNTED = CountedSection(
    section=0, samples=20, dropped=0, ns=40_000_000, processor_ns=72_000_000, instructions=120_000_000, cycles=60_000_000,
    l2_misses=2_000_000, last_level_misses=1_000_000, memory_samples=10, memory_read=90e6, memory_written=30e6,
    flop=80_000_000, bytes_read=80_000_000, bytes_written=40_000_000,
)
MEMORY_BOUND = b.check(metrics=[b.bytes_metric()])


def measured(*counted: CountedSection, launch: int = 1, **changes: Any) -> Measured:
    counters = Counters(**({"problem": None, "memory_ranks": 1, "sections": counted} | changes))
    record = replace(b.record(b.triad(10e9, ranks=2), threads=2), counters=counters)
    return Measured(b.launch(launch), record)


def assessed(*launches: Measured, check: Check = MEMORY_BOUND, uncached: bool = True, wrong: bool = False) -> CountersAssessment:
    found = assess_counters(launches, check, uncached, wrong)
    assert found is not None
    return found


def test_rates_are_counts_of_all_ranks_by_the_time_of_one() -> None:
    (row,) = assessed(measured(COUNTED)).rows
    assert (row.path, row.samples, row.dropped) == ("triad", 20, 0)
    assert row.flop_rate == pytest.approx(80e6 / 20e-3)
    assert row.instruction_rate == pytest.approx(120e6 / 20e-3)
    assert row.instructions_per_cycle == 2.0
    assert row.l2_miss_rate == pytest.approx(2e6 * 64 / 20e-3)
    assert row.last_level_miss_rate == pytest.approx(1e6 * 64 / 20e-3)
    assert row.memory_rate == pytest.approx(12e6 / 2e-3)  # of one sample
    assert row.busy == pytest.approx(0.9)  # of two threads of two ranks for 20 ms: 80 ms


def test_lines_are_those_of_the_record_and_what_is_not_counted_stays_empty() -> None:
    none = replace(COUNTED, l2_misses=None, last_level_misses=None, memory_samples=0, memory_read=None, memory_written=None,
                   flop=0)
    (row,) = assessed(measured(none)).rows
    assert (row.l2_miss_rate, row.last_level_miss_rate, row.memory_rate, row.flop_rate) == (None, None, None, None)
    (row,) = assessed(measured(COUNTED, line_bytes=256)).rows
    assert row.l2_miss_rate == pytest.approx(2e6 * 256 / 20e-3)


def test_the_median_over_launches_counts() -> None:
    launches = [measured(replace(COUNTED, instructions=n * 10**6), launch=n) for n in (1, 2, 9)]
    (row,) = assessed(*launches).rows
    assert row.samples == 60 and row.instruction_rate == pytest.approx(2e6 / 20e-3)


def test_what_was_not_permitted_is_one_sentence() -> None:
    sentence = "not permitted: /proc/sys/kernel/perf_event_paranoid says 4"
    refused = [measured(launch=n, problem=sentence) for n in (1, 2)]
    assert assessed(*refused) == CountersAssessment(sentence, (), ())
    assert len(assessed(*refused, measured(COUNTED)).rows) == 1  # one launch counted


def test_counters_that_were_off_are_nothing() -> None:
    plain = Measured(b.launch(), b.record(b.triad(10e9)))
    assert assess_counters([plain], MEMORY_BOUND, True, False) is None
    assert len(assessed(plain, measured(COUNTED)).rows) == 1


def test_dropped_samples_late_threads_and_uncounted_memory_are_notes() -> None:
    found = assessed(measured(replace(COUNTED, dropped=5), late_threads=2, memory_problem="not named: x"), uncached=False)
    assert found.rows[0].dropped == 5
    assert found.notes == (
        "5 of 25 samples are left out: their counters were not on all the time, OpenMP started a new thread, or another "
        "sample lay inside",
        "2 threads started during the timed part and are not counted",
        "memory: not named: x",
    )
    (row,) = assessed(measured(replace(COUNTED, samples=0, ns=0, dropped=9))).rows
    assert (row.samples, row.dropped, row.instruction_rate, row.busy) == (0, 9, None, None)


def test_a_wrong_answer_has_no_rates() -> None:
    found = assessed(measured(COUNTED), wrong=True)
    assert (found.rows, found.notes) == ((), ())


# Stated: 12 MB a sample of both ranks, of them 4 MB written: with write-allocate up to 16 MB.
@pytest.mark.parametrize(
    ("moved", "note"),
    [
        (12.0, ""), (16.0, ""), (10.9, ""), (17.5, ""),
        (10.7, "triad: counted 10,700,000 bytes, stated 12,000,000; with write-allocate at most 16,000,000"),
        (17.7, "triad: counted 17,700,000 bytes, stated 12,000,000; with write-allocate at most 16,000,000"),
    ],
)  # fmt: skip
def test_bytes_beyond_the_write_allocate_are_a_sentence(moved: float, note: str) -> None:
    one = replace(COUNTED, memory_read=moved * 8e6, memory_written=moved * 2e6)
    assert assessed(measured(one)).notes == ((note,) if note else ())


def test_a_section_that_only_reads_has_no_write_allocate() -> None:
    one = replace(COUNTED, bytes_read=120_000_000, bytes_written=0, memory_read=140e6, memory_written=0)
    assert assessed(measured(one)).notes == ("triad: counted 14,000,000 bytes, stated 12,000,000",)


def test_bytes_of_several_nodes_are_those_of_all() -> None:
    two = replace(COUNTED, memory_samples=20, memory_read=120e6, memory_written=40e6)  # 8 MB a sample and node
    found = assessed(measured(two, memory_ranks=2))
    assert found.notes == () and found.rows[0].memory_rate == pytest.approx(16e6 / 2e-3)


def test_bytes_are_compared_only_where_they_come_from_memory() -> None:
    far = measured(replace(COUNTED, memory_read=900e6))
    assert len(assessed(far).notes) == 1
    assert assessed(far, uncached=False).notes == ()
    assert assessed(far, check=b.check(metrics=[b.metric("rate", "triad")])).notes == ()
