"""Wrong halos with their place, through `assess`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment
from tenken.model.record import Record, Table, Validity
from tenken.model.verdict import Axis, Verdict
from tenken.store.judges import load_judges

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["halo_paths"])
MS = 1e6


def record(*wrong: Sequence[float]) -> Record:
    """Two ranks; `wrong` are the numbers of ranks 0, 1, ..."""
    part = b.Timed("fill", np.concatenate([b.quiet(5 * MS, repetitions=5), b.quiet(5 * MS, repetitions=5)]))
    tables = [Table("exchange_times", "us", "lower", ("64 blocks",), ("pack", "window"), ((3.0, 2.0),))]
    if wrong:
        rows = tuple(f"n0/{rank}" for rank in range(len(wrong)))
        tables.append(Table("wrong_halos", "1", "lower", rows, tuple("abcdefg"), tuple(tuple(map(float, row)) for row in wrong)))
    proof = Validity("halos", float(sum(row[0] for row in wrong)), 0.0, 0.0, "max", "halos")
    return replace(b.record(part, check="halo_paths", validity=(proof,)), tables=tuple(tables))


def judged(one: Record) -> CaseAssessment:
    run = b.run(b.case_run(one, of=b.check("halo_paths", validity=())))
    return assess(run, b.machine(b.node("n0")), (), judges=JUDGES).cases[0]


def test_right_halos_are_no_finding() -> None:
    assert not [one for one in judged(record()).findings if one.axis is Axis.VALIDITY]


@pytest.mark.parametrize(("row", "words"), [
    ((5, 1, 1, 0, 17, 1, 2), "rank 0 on n0 got 5 wrong values in all; the first by route window from rank 1, plane xz, "
                             "lower halo, value 17: of 2 samples before"),
    ((1, 0, 2, 1, 0, 1, 0), "route pack from rank 1, plane yz, upper halo, value 0: of no earlier sample"),
    ((1, 9, 0, 1, 0, 1, 1), "route unknown from rank 1, plane xy, upper halo, value 0: of 1 sample before"),
])
def test_wrong_halos_have_rank_neighbour_route_and_plane(row: Sequence[float], words: str) -> None:
    case = judged(record(row))
    assert case.verdict is Verdict.INVALID
    (found,) = (one for one in case.findings if one.axis is Axis.VALIDITY)
    assert words in found.what and (found.where.host, found.where.rank) == ("n0", 0)
