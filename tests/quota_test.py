"""A real CPU quota of 50 %: the medians do not see it, the loss does."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tenken.cli.answer import machine_of
from tenken.judge.assess import assess
from tenken.judge.change import judge_changes
from tenken.judge.common import prepare, quantities_of
from tenken.judge.launch_set import following_clock
from tenken.model.baseline import Baseline, Sitting
from tenken.model.machine import Machine
from tenken.model.record import Record
from tenken.model.run import CaseRun, Run
from tenken.model.verdict import Axis, Verdict
from tenken.store.runfolder import RunFolder
from whole_tool import TREE, environment, run_folder, tenken

CASE = ("run", "fma_peak:one_core", "--set", "seconds=0.6")
PERIOD_US = 100_000
V1, V2 = Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")


@pytest.fixture
def half() -> Iterator[Path]:
    """The file of a control group with half a processor, into which a process writes its id."""
    first = (V1 / "cpu.cfs_quota_us").exists()
    group = (V1 if first else V2) / f"tenken-test-{os.getpid()}"
    try:
        group.mkdir()
        if first:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (group / "cpu.cfs_quota_us").write_text(str(PERIOD_US // 2))
        else:
            (group / "cpu.max").write_text(f"{PERIOD_US // 2} {PERIOD_US}")
    except OSError as error:
        group.rmdir() if group.is_dir() else None
        pytest.skip(f"no control group can be made here: {error}")
    yield group / ("tasks" if first else "cgroup.procs")
    group.rmdir()


def without_counters(record: Record) -> Record:
    """As on a system that tells nothing of throttling, waiting or stealing."""
    def blind(rank):  # type: ignore[no-untyped-def]
        none = dict.fromkeys(("run_queue_wait_ns", "steal_ns", "throttled_ns", "migrations"))
        return replace(rank, trust=replace(rank.trust, frequency_hz=(), **none))

    return replace(record, rank=tuple(blind(rank) for rank in record.rank))


def read(runs: Path, blind: bool = False) -> Run:
    run = RunFolder(run_folder(runs)).read()

    def blinded(case: CaseRun) -> CaseRun:
        return replace(case, records=tuple(without_counters(record) for record in case.records))

    return replace(run, cases=tuple(blinded(case) for case in run.cases)) if blind else run


def accepted(days: Sequence[Run], machine: Machine) -> dict[str, Baseline]:
    """What `tenken baseline accept` would keep of them."""
    kept = [quantities_of(prepare(run.name, run.cases[0], machine), machine) for run in days]
    quantities = {one.name: one for some, _ in kept for one in some}
    sittings = [Sitting(run.name, run.started, (), {}, launches) for run, (_, launches) in zip(days, kept, strict=True)]
    return {CASE[1]: Baseline("here", CASE[1], "00000000", tuple(quantities.values()), tuple(sittings))}


@pytest.mark.skipif("TENKEN_QUOTA" not in os.environ, reason="needs a machine of our own: ./tenken test --long")
def test_a_quota_of_one_half_is_found(tmp_path: Path, half: Path) -> None:
    for day in range(3):
        assert tenken(*CASE, runs=tmp_path / f"day{day}").code in (0, 1, 3, 4)
    slowed = tmp_path / "slowed"
    command = ["sh", "-c", f'echo $$ > {half}; exec "$0" "$@"', str(TREE / "tenken"), *CASE, "--runs", str(slowed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, env=environment(), check=False)
    assert done.returncode == 1, done.stderr

    run = read(slowed)
    assert "throttled by a CPU quota" in assess(run, *machine_of(run)).cases[0].reason

    # Blind to every counter, on a node of our own: by the loss limit, and against the baseline.
    run = read(slowed, blind=True)
    machine, _ = machine_of(run)
    machine = replace(machine, nodes=tuple(replace(node, exclusive=True) for node in machine.nodes))
    case = assess(run, machine, ()).cases[0]
    assert any(one.axis is Axis.STEADINESS and "interruptions added" in one.what for one in case.findings)
    days = [read(tmp_path / f"day{day}", blind=True) for day in range(3)]
    cases = tuple(prepare(run.name, one, machine) for one in run.cases)
    before = accepted(days, machine)
    found = judge_changes(cases, machine, before, run.name, following_clock(cases, before, (), machine))[CASE[1]]
    called = {one.quantity for one in found.summaries if one.verdict in (Verdict.WARN, Verdict.FAIL)}
    assert any(name.startswith("loss:") for name in called), [(one.quantity, one.value, one.expected) for one in found.summaries]
