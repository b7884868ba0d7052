"""Wrong files and late operations with their place, the spread of repetitions, through `assess`."""

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

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["metadata"])
MS = 1e6
STEADY = ((1000.0, 5000.0, 4000.0, 2000.0), (1020.0, 5000.0, 4000.0, 2000.0), (1010.0, 5000.0, 4000.0, 2000.0))
ROW = "ext4, 200 files of 0 bytes a rank in a shared folder"


def record(
    rates: Sequence[Sequence[float]] = STEADY, late: Sequence[float] | None = None, wrong: Sequence[float] | None = None,
) -> Record:
    """Two ranks; `late` and `wrong` are the numbers of rank 1."""
    parts = [b.Timed(name, np.concatenate([b.quiet(ms * MS, repetitions=3), b.quiet(ms * MS, repetitions=3)]), kind="io")
             for name, ms in (("create", 50), ("stat", 5), ("read", 9), ("remove", 20))]
    rows = tuple(tuple(map(float, row)) for row in rates)
    names = tuple(f"repetition {i}" for i in range(len(rows)))
    tables = [Table("operations_per_second", "op/s", "higher", names, ("create", "stat", "read", "remove"), rows),
              Table("entries", "1", "higher", (ROW,), ("files of all ranks",), ((400.0,),))]
    for name, numbers in (("late_operations", late), ("wrong_files", wrong)):
        if numbers is not None:
            columns = tuple(map(str, range(len(numbers))))
            tables.append(Table(name, "1", "lower", ("n0/1",), columns, (tuple(map(float, numbers)),)))
    proof = Validity("files", float(wrong[0]) if wrong else 0.0, 0.0, 0.0, "max", "files")
    return replace(b.record(*parts, check="metadata", validity=(proof,)), tables=tuple(tables))


def judged(*records: Record) -> CaseAssessment:
    launched = [replace(one, path=one.path.replace("0001", f"{i:04d}")) for i, one in enumerate(records, 1)]
    run = b.run(b.case_run(*launched, of=b.check("metadata", validity=())))
    return assess(run, b.machine(b.node("n0")), (), judges=JUDGES).cases[0]


def test_steady_repetitions_are_ok_and_the_files_are_shown() -> None:
    case = judged(record(), record())
    assert case.verdict is Verdict.OK
    assert b.axis(case, Axis.STEADINESS).reason == f"repetitions of create differ by 1.98 % of their median; {ROW}"
    assert b.axis(case, Axis.SPEED).verdict is Verdict.NOT_JUDGED


def test_a_spread_above_30_percent_is_no_figure_over_all_launches() -> None:
    slower = tuple((create, stat, read / 2, remove) for create, stat, read, remove in STEADY)
    steady = b.axis(judged(record(), record(slower)), Axis.STEADINESS)
    assert steady.verdict is Verdict.NOT_JUDGED and steady.ground
    assert steady.reason.startswith("repetitions of read differ by 66.7 % of their median, and at most 30 %")
    one = b.axis(judged(record(STEADY[:1])), Axis.STEADINESS)
    assert one.verdict is Verdict.NOT_JUDGED and one.reason.startswith("fewer than two repetitions")


@pytest.mark.parametrize(("kind", "phase", "words"), [
    (0, 2, "rank 1 on n0, phase read, file f.0.100: offset 8: it has bytes that no rank wrote (2 wrong files in all passes)"),
    (1, 2, "file f.0.100: offset 8: nothing was read"),
    (2, 2, "file f.0.100: offset 8: stale data of launch 77"),
    (3, 2, "file f.0.100: offset 8: data of file f.3.5"),
    (4, 1, "phase stat, file f.0.100: it has 0 bytes, expected 3901"),
    (5, 1, "phase stat, file f.0.100: it is missing"),
    (6, 3, "phase remove, file f.0.100: it is left after removal"),
    (7, 0, "rank 1 on n0 lists an entry that no rank made, in the folders of rank 0"),
])
def test_wrong_files_have_host_rank_phase_and_file(kind: int, phase: int, words: str) -> None:
    case = judged(record(wrong=(2, kind, phase, 0, 100, 8, 77, 3, 5, 0, 3901)))
    assert case.verdict is Verdict.INVALID
    (found,) = (one for one in case.findings if one.axis is Axis.VALIDITY)
    assert words in found.what and (found.where.host, found.where.rank) == ("n0", 1)


def late(**shares: float) -> tuple[float, ...]:
    numbers = [sum(100 * share for share in shares.values())]
    for phase in ("create", "stat", "read", "remove"):
        numbers += [100 * shares.get(phase, 0), 100, 31, 42]
    return (*numbers, 0)


def test_late_operations_of_every_launch_are_named_with_their_file() -> None:
    case = judged(record(late=late(stat=0.2)), record(late=late(stat=0.2)))
    (found,) = (one for one in case.findings if one.axis is Axis.STEADINESS)
    assert found.what == ("20 % of the stat operations of rank 1 on n0 were late, expected at most 15 %; "
                          "the longest took 31 ms, file f.0.42")
    assert b.axis(case, Axis.STEADINESS).verdict is Verdict.WARN
    (create,) = (one for one in judged(record(late=late(create=0.2))).findings if one.axis is Axis.STEADINESS)
    assert "create operations of rank 1" in create.what and "file f.1.42" in create.what


def test_few_late_operations_and_those_of_a_single_launch_are_no_finding() -> None:
    for records in ([record(late=late(stat=0.1))], [record(late=late(stat=0.2)), record()]):
        assert b.axis(judged(*records), Axis.STEADINESS).verdict is Verdict.OK
