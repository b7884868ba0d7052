"""A delayed communicator of a launch on four ranks is named by the judge; for `check_program.py`."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from programs import SANITIZED, Program

TREE = Path(__file__).resolve().parents[2]
SECTION = "iteration/fft_inverse/alltoall1"
LAUNCHES = 4  # at most
ROWS_OF_TWO = ["--cut_off", "6", "--kpoints", "1,1,1", "--converge", "false", "--grid", "1,1,4", "--rows", "2",
               "--repetitions", "7"]


def named_where_delayed(program: Program) -> None:
    """The ranks 2 and 3 are the last row. On fewer than four cores the ranks wait for processors: as other load this
    excuses communicators, so that the judge of the check is asked directly. Other load may hide the delay in a launch."""
    if 4 not in program.counts or SANITIZED:
        return
    sys.path[:0] = [str(TREE / "python"), str(TREE / "tests")]
    named: list[str] = []
    for _ in range(LAUNCHES):
        launch = _launched(program, ["--fault", "delayed_communicator"])
        named = [words for words in _of_check(launch) if SECTION in words]
        if named:
            break
    assert len(named) == 1, named
    assert named[0].startswith("communicator 1 of axis columns (counted from 0; ranks 2 and 3 on "), named
    assert not _of_run(_launched(program, [])), "no communicator was delayed"


def _launched(program: Program, more: list[str]) -> Any:
    """A case with the record of a launch."""
    import builders  # noqa: PLC0415  # NumPy, which few tests of programs need

    from tenken.store.record import read_record  # noqa: PLC0415
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.jsonl"
        done = program.start(4, ["--record", str(path), *ROWS_OF_TWO, *more])
        assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr}"
        record = replace(read_record(path), path="/runs/r/launches/0001-planewave.a/record.jsonl")
    return builders.case_run(record, of=builders.check("planewave", validity=()))


def _of_check(case: Any) -> list[str]:
    """The communicators that the judge of the check names."""
    from tenken.model.judgement import ToJudge  # noqa: PLC0415
    from tenken.model.run import Measured  # noqa: PLC0415
    from tenken.store.judges import load_judges  # noqa: PLC0415
    judge = load_judges([TREE / "checks"], ["planewave"])["planewave"]
    launches = tuple(Measured(launch, record) for launch, record in zip(case.launches, case.records, strict=True))
    return [finding.what for finding in judge(ToJudge("r", case.check, case.case, launches)).findings]


def _of_run(case: Any) -> list[str]:
    """Those that the run names, after other load."""
    import builders  # noqa: PLC0415

    from tenken.judge.assess import assess  # noqa: PLC0415
    from tenken.store.judges import load_judges  # noqa: PLC0415
    (host,) = {rank.host for rank in case.records[0].rank}
    judges = load_judges([TREE / "checks"], ["planewave"])
    (found,) = assess(builders.run(case), builders.machine(builders.node(host)), (), judges=judges).cases
    return [finding.what for finding in found.findings if "communicator" in finding.what]
