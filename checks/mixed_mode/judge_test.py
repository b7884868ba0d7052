"""Wrong shares and late threads with their place, through `assess`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment
from tenken.model.record import Record, Table, Validity, Value
from tenken.model.verdict import Axis, Verdict
from tenken.store.judges import load_judges

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["mixed_mode"])
MS = 1e6


def record(wrong: Sequence[float] | None = None, late: Sequence[float] | None = None, cores_shared: bool = False) -> Record:
    """Two ranks; the numbers are those of rank 1."""
    part = b.Timed("multiple", np.concatenate([b.quiet(5 * MS, repetitions=5), b.quiet(5 * MS, repetitions=5)]), kind="comm")
    tables = []
    for name, numbers in (("wrong_shares", wrong), ("thread_entries", late)):
        if numbers is not None:
            columns = tuple(map(str, range(len(numbers))))
            tables.append(Table(name, "1", "lower", ("n0/1",), columns, (tuple(map(float, numbers)),)))
    proof = Validity("shares", float(wrong[0]) if wrong else 0.0, 0.0, 0.0, "max", "shares")
    made = b.record(part, check="mixed_mode", validity=(proof,))
    return replace(made, tables=tuple(tables), values=(Value("cores_shared", "1", float(cores_shared)),))


def judged(*records: Record) -> CaseAssessment:
    launched = [replace(one, path=one.path.replace("0001", f"{i:04d}")) for i, one in enumerate(records, 1)]
    run = b.run(b.case_run(*launched, of=b.check("mixed_mode", validity=())))
    return assess(run, b.machine(b.node("n0")), (), judges=JUDGES).cases[0]


@pytest.mark.parametrize(("row", "words"), [
    ((4, 3, 1, 0, 0, 0, 0), "thread 1 of rank 1 on n0 got 4 wrong shares in all; the first in mode multiple from thread 1 of "
                            "rank 0: it is the share of thread 0"),
    ((1, 0, 1, 0, 0, -1, 2), "in mode master_only from thread 1 of rank 0: it is 2 exchanges old"),
    ((1, 1, 0, 0, 7, -1, 0), "in mode funnelled from thread 0 of rank 0: word 7 is of no thread"),
])
def test_wrong_shares_have_rank_thread_and_mode(row: Sequence[float], words: str) -> None:
    case = judged(record(wrong=row))
    assert case.verdict is Verdict.INVALID
    (found,) = (one for one in case.findings if one.axis is Axis.VALIDITY)
    assert words in found.what and (found.where.host, found.where.rank) == ("n0", 1)


def test_a_thread_that_is_late_in_every_launch_is_named() -> None:
    late = record(late=(3, 0.0, 0.4, 5.2))
    (found,) = (one for one in judged(late, late).findings if one.axis is Axis.BALANCE)
    assert found.what == ("thread 2 of rank 1 on n0 begins its messages 5.2 us after the first thread, expected at most 3 us")
    early = record(late=(3, 0.0, 0.4, 1.0))
    shared = record(late=(3, 0.0, 0.4, 5.2), cores_shared=True)
    for records in ((late, early), (early, early), (shared, shared)):
        assert not [one for one in judged(*records).findings if one.axis is Axis.BALANCE]
