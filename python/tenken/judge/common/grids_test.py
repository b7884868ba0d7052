"""The samples of a section: of records that hold all of them, and of those that hold a summary."""

from __future__ import annotations

from dataclasses import replace

import builders as b
import numpy as np
import pytest

from tenken.judge.common.grids import Grid, grids, rank_rows
from tenken.judge.common.sections import launch_sections
from tenken.model.record import Record, Work
from tenken.model.run import Measured

RANKS, REPETITIONS = 40, 20


def many(**more: object) -> Record:
    """Forty ranks of which the fifth is slow, a section of communication, and one timed once."""
    ns = b.quiet(1e6, RANKS, REPETITIONS, noise=0.002)
    ns[5] *= 2
    work = b.Work(flop=7, bytes_read=2, bytes_written=1, messages=3)
    return b.record(
        b.Timed("a", ns, work=work, calls=4), b.Timed("h", b.quiet(2e5, RANKS, REPETITIONS, seed=2), "comm"),
        b.Timed("s", b.quiet(9e6, RANKS, 1), once=True), **more,  # type: ignore[arg-type]
    )


def same(thin: Grid, whole: Grid) -> None:
    assert (thin.section, thin.once, thin.ranks, thin.complete) == (whole.section, whole.once, whole.ranks, whole.complete)
    for name in ("slowest", "calls", "work"):
        assert np.allclose(getattr(thin, name), getattr(whole, name)), name
    assert thin.rows is not None and whole.rows is not None
    for name in ("count", "sum", "median", "mad", "least", "low", "high", "outlying"):
        assert np.allclose(getattr(thin.rows, name), getattr(whole.rows, name)), name


def test_a_summary_holds_all_but_the_samples_of_ranks_that_do_not_stand_out() -> None:
    record = many()
    thin, whole = grids(b.thin(record)), grids(record)
    assert [one.section.path for one in thin] == ["a", "h", "s"] == [one.section.path for one in whole]
    for few, every in zip(thin, whole, strict=True):
        same(few, every)
        assert every.whole and every.kept == tuple(range(RANKS)) and 5 in few.kept and len(few.kept) < RANKS and not few.whole
        assert np.array_equal(few.ns, every.ns[list(few.kept)]) and not np.isnan(few.ns).any()
    assert [one.once for one in thin] == [False, False, True]
    assert whole[0].work.tolist() == [[7.0 * RANKS] * REPETITIONS, [3.0 * RANKS] * REPETITIONS, [3.0 * RANKS] * REPETITIONS]
    assert whole[0].calls.tolist() == [4.0] * REPETITIONS and whole[0].slowest.tolist() == whole[0].ns.max(axis=0).tolist()


def test_sections_of_a_summary_are_those_of_its_samples() -> None:
    record = many(trusts={3: b.trust(run_queue_wait_ns=5_000_000)})
    thin, whole = (launch_sections(Measured(b.launch(), each)) for each in (b.thin(record), record))
    for few, every in zip(thin, whole, strict=True):
        for name in ("path", "once", "repetitions", "calls", "median_ns", "loss", "jitter", "share", "imbalance",
            "slowest_rank", "flop", "bytes"):
            assert getattr(few, name) == pytest.approx(getattr(every, name)), name
        assert [(one.rank, one.host, one.median_ns) for one in few.ranks] == [(one.rank, one.host,
            pytest.approx(one.median_ns)) for one in every.ranks]


def test_a_record_with_summaries_has_no_other_sections() -> None:
    thin = b.thin(many())
    fewer = replace(thin, summaries=thin.summaries[:1])
    assert [one.section.path for one in grids(fewer)] == ["a"]
    outsider = replace(thin.series[0], rank=RANKS + 3)
    assert grids(replace(thin, series=(*thin.series, outsider)))[0].kept == grids(thin)[0].kept, "of a rank that took no part"


def test_samples_before_the_first_repetition_are_left_out_of_a_summary() -> None:
    thin = b.thin(many())
    first = next(one for one in thin.series if one.section == 0)
    more = replace(first, repetition=(-1, *first.repetition), ns=(99, *first.ns), calls=(1, *first.calls),
        work=(first.work[0], *first.work))
    found = grids(replace(thin, series=tuple(more if one is first else one for one in thin.series)))[0]
    assert np.array_equal(found.ns, grids(thin)[0].ns)
    alone = replace(first, repetition=(-1,), ns=(99,), calls=(1,), work=first.work[:1])
    left = grids(replace(thin, series=tuple(alone if one is first else one for one in thin.series)))[0]
    assert first.rank in grids(thin)[0].kept and first.rank not in left.kept


def test_ranks_of_different_repetitions_have_their_own_columns() -> None:
    record = b.record(b.Timed("a", np.array([[10, 20], [30, 40], [50, 60]])))
    first, second, third = record.series
    works = (Work(flop=1), Work(flop=2, bytes_read=5, messages=1))
    mixed = replace(record, series=(
        replace(third, repetition=(2, 3), calls=(7, 8)), replace(first, work=works, calls=(2, 3)), replace(second,
            repetition=(-1, 1), calls=(9, 5))))
    (found,) = grids(mixed)
    assert found.ranks == (0, 1, 2) and not found.complete and found.rows is None and not found.once
    nan = float("nan")
    assert np.array_equal(found.ns, [[10, 20, nan, nan], [nan, 40, nan, nan], [nan, nan, 50, 60]], equal_nan=True)
    assert found.slowest.tolist() == [10, 40, 50, 60] and found.calls.tolist() == [2, 5, 7, 8]
    assert found.work.tolist() == [[1, 2, 0, 0], [0, 5, 0, 0], [0, 1, 0, 0]]
    assert rank_rows(mixed, [found]) == {}


def test_figures_of_ranks_are_told_of_repeated_sections() -> None:
    record = many()
    timed = grids(record)
    found = rank_rows(record, timed)
    assert set(found) == {"a", "h"} and found["a"].ranks == tuple(range(RANKS)) and not found["a"].stretched.any()
    assert rank_rows(record, [replace(timed[0], complete=False), replace(timed[1], rows=None)]) == {}


def test_a_shared_core_stretches_repetitions_of_its_rank() -> None:
    """Of 10 ns to 20 at most where half is taken; where the samples of a rank were not kept nobody knows how far."""
    ns = np.full((3, 9), 10)
    ns[:2, 4] = 70
    record = b.record(b.Timed("a", ns), trusts={0: b.trust(shared_part=0.5), 1: b.trust(), 2: b.trust(shared_part=0.5)})
    timed = grids(record)
    assert rank_rows(record, timed)["a"].stretched.tolist() == [10.0, 0.0, 0.0]
    thin = replace(timed[0], kept=(0,), ns=timed[0].ns[:1])
    assert rank_rows(record, [thin])["a"].stretched.tolist() == [10.0, 0.0, np.inf]
    assert rank_rows(record, [replace(thin, kept=(), ns=thin.ns[:0])])["a"].stretched.tolist() == [np.inf, 0.0, np.inf]
