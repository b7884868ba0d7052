"""Wrong files and late calls with their place, the spread of repetitions, through `assess`."""

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

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["staging"])
MS = 1e6
ROW = "one tree, read by every rank; from ext4, cache state of reads dropped; to tmpfs (in memory, no disk)"


def record(
    rates: Sequence[float] = (100.0, 104.0, 102.0), late: Sequence[float] | None = None, wrong: Sequence[float] | None = None,
    variant: str = "stage_in", into: str = "file_a_rank", second_ms: tuple[float, float] = (50, 20),
) -> Record:
    """Two ranks; `late` and `wrong` are the numbers of rank 1, `second_ms` the times of its read and write."""
    parts = [b.Timed(name, np.concatenate([b.quiet(ms * MS, repetitions=3), b.quiet(second * MS, repetitions=3)]), kind="io")
             for (name, ms), second in zip((("read", 50), ("write", 20)), second_ms, strict=True)]
    names = tuple(f"repetition {i}" for i in range(len(rates)))
    tables = [Table("rates", "MB/s", "higher", names, (variant,), tuple((float(one),) for one in rates)),
              Table("staged", "1", "higher", (ROW,), ("files of all ranks", "bytes of all ranks"), ((4.0, 400.0),))]
    for name, numbers in (("late_calls", late), ("wrong_files", wrong)):
        if numbers is not None:
            columns = tuple(map(str, range(len(numbers))))
            tables.append(Table(name, "1", "lower", ("n0/1",), columns, (tuple(map(float, numbers)),)))
    proof = Validity("files", float(wrong[0]) if wrong else 0.0, 0.0, 0.0, "max", "files")
    made = b.record(*parts, check="staging", validity=(proof,))
    return replace(made, tables=tuple(tables), variant=variant, parameters={**made.parameters, "into": into})


def judged(*records: Record) -> CaseAssessment:
    launched = [replace(one, path=one.path.replace("0001", f"{i:04d}")) for i, one in enumerate(records, 1)]
    run = b.run(b.case_run(*launched, of=b.check("staging", validity=())))
    return assess(run, b.machine(b.node("n0")), (), judges=JUDGES).cases[0]


def test_steady_repetitions_are_ok_and_the_row_is_shown() -> None:
    case = judged(record(), record())
    assert case.verdict is Verdict.OK
    assert b.axis(case, Axis.STEADINESS).reason == f"repetitions of stage_in differ by 3.92 % of their median; {ROW}"
    assert b.axis(case, Axis.SPEED).verdict is Verdict.NOT_JUDGED


def test_a_spread_above_30_percent_is_no_figure_over_all_launches() -> None:
    steady = b.axis(judged(record(), record((60.0, 61.0, 62.0))), Axis.STEADINESS)
    assert steady.verdict is Verdict.NOT_JUDGED and steady.ground


@pytest.mark.parametrize(("variant", "kind", "words"), [
    ("stage_in", 0, "comparing the files of rank 0: file f.7, offset 8: bytes that no rank wrote (2 wrong files in all passes)"),
    ("stage_in", 1, "file f.7, offset 8: nothing was read"),
    ("stage_in", 2, "file f.7, offset 8: stale data of launch 77"),
    ("checkpoint", 2, "file state.0, offset 8: stale data of pass 5 of launch 77, expected pass 7"),
    ("stage_in", 3, "file f.7, offset 8: data of another place of f.5"),
    ("stage_out", 3, "file out.0, offset 8: data of another place of out.3"),
    ("stage_in", 4, "file f.7: it has 0 bytes, expected 3901"),
    ("stage_out", 5, "file out.0: it is missing"),
    ("stage_in", 6, "the link is missing or has another target, in the copy of rank 0"),
    ("stage_in", 7, "an entry that is not in the tree, in the copy of rank 0"),
    ("checkpoint", 8, "file state.0.new is there after the rename"),
])
def test_wrong_files_have_host_rank_and_file(variant: str, kind: int, words: str) -> None:
    case = judged(record(variant=variant, wrong=(2, kind, 0, 7, 8, 77, 3, 5, 0, 3901)))
    assert case.verdict is Verdict.INVALID
    (found,) = (one for one in case.findings if one.axis is Axis.VALIDITY)
    assert words in found.what and (found.where.host, found.where.rank) == ("n0", 1)


def test_one_file_of_all_ranks_has_one_name() -> None:
    (found,) = judged(record(variant="stage_out", into="one_file", wrong=(1, 0, 1, 7, 8, 0, 0, 0, 0, 0))).findings
    assert "comparing the files of rank 1: file out, offset 8" in found.what


def test_late_calls_of_every_launch_are_named_with_their_place() -> None:
    late = (20, 20, 100, 31, 42, 0, 100, 0.1, 1)
    (found,) = (one for one in judged(record(late=late), record(late=late)).findings if one.axis is Axis.STEADINESS)
    assert found.what == ("20 % of the write calls of rank 1 on n0 were late, expected at most 15 %; "
                          "the longest took 31 ms, file f.42")
    (found,) = (one for one in judged(record(variant="checkpoint", late=late)).findings if one.axis is Axis.STEADINESS)
    assert found.what.endswith("31 ms, offset 42")
    assert b.axis(judged(record(late=late), record()), Axis.STEADINESS).verdict is Verdict.OK


def test_ranks_are_compared_by_all_their_calls_on_files() -> None:
    """The file system serialises calls: rank 1 waits longer in one section and shorter in the other."""
    balance = b.axis(judged(record(second_ms=(35, 35)), record(second_ms=(35, 35))), Axis.BALANCE)
    assert balance.verdict is Verdict.OK and balance.reason.startswith("no rank needs more than 1 times the time of")
    slow = record(second_ms=(60, 60))
    case = judged(slow, slow)
    (found,) = (one for one in case.findings if one.axis is Axis.BALANCE)
    assert found.what == "rank 1 on n0 needs 1.71 times the time of the others in calls on files, expected at most 1.5"
    assert case.verdict is Verdict.WARN and (found.where.host, found.where.rank) == ("n0", 1)
    assert b.axis(judged(slow, record()), Axis.BALANCE).verdict is Verdict.OK
