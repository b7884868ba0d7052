from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest

import builders
from tenken.base.errors import RecordError, TenkenError
from tenken.model.check import CaseSpec, Parameter, Plot, Study, StudyAxis
from tenken.model.run import CaseRun, Launch
from tenken.model.study import StudyPoint, StudyRun
from tenken.store.runfolder import ABANDONED, RunFolder, find_run, launch_folder, list_runs

RECORD = builders.record(builders.fma(40e9))
CHECK = builders.check(metrics=[builders.metric("double", "double")])
AT = datetime(2026, 11, 21, 8, 0, 0, tzinfo=timezone.utc)


def plan(launches: int = 2) -> CaseRun:
    planned = [
        builders.launch(number, status="planned", seconds=None, started=None) for number in range(1, launches + 1)
    ]
    return replace(builders.case_run(RECORD, of=CHECK, launches=planned), records=())


def create(tmp_path: Path, *cases: CaseRun, suite: str = "quick") -> RunFolder:
    return RunFolder.create(
        tmp_path / "runs", suite, cases or (plan(),), seed=7, environment={"name": "gcc"}, started=AT
    )


def done(folder: RunFolder, launch: Launch) -> Path:
    folder.write_launch(launch)
    return builders.write_record(folder.path / launch.folder / "record.jsonl", RECORD)


def test_a_new_run_is_named_after_time_and_suite_and_reads_as_planned(tmp_path: Path) -> None:
    folder = create(tmp_path)
    assert re.fullmatch(r"20261121T080000Z-quick-[0-9a-f]{4}", folder.path.name)
    assert (folder.path / ".reserve").exists()
    run = folder.read()
    assert (run.state, run.seed, run.suite, run.started) == ("planned", 7, "quick", "2026-11-21T08:00:00Z")
    assert run.cases == (plan(),)
    assert run.notes == ()


def test_studies_are_kept_as_planned(tmp_path: Path) -> None:
    axes = (StudyAxis("mix", {"ranks": [1, 2], "threads": [2, 1]}), StudyAxis("n", {"n": "1..8"}))
    shown = Plot("curve", "n", ("double",), "mix", None, ("x",), ())
    study = Study("sweep", "t", "q", CaseSpec("sweep", "plain", {"seconds": 0.5}, 1, "fill", 2, 20.0, ()), axes, shown)
    points = (StudyPoint("a-n1", "demo:sweep/a-n1", {"mix": "a", "n": 1}), StudyPoint("b", "demo:sweep/b", {}, "too large"))
    planned = (StudyRun("demo", study, points),)
    folder = RunFolder.create(tmp_path / "runs", "demo:sweep", (plan(),), 7, {}, studies=planned)
    assert folder.read().studies == planned
    assert launch_folder(7, "demo:sweep/a-n1") == "launches/0007-demo.sweep.a-n1"


@pytest.mark.parametrize(("given", "precision"), [
    ({"kind": "fast"}, "single"), ({"kind": "slow"}, "single"), ({}, "single"), ({"n": 5, "kind": "slow"}, "double"),
    ({"n": 5, "kind": "fast"}, "single"),
])
def test_a_run_whose_parameters_chose_the_precision_keeps_it(tmp_path: Path, given: dict[str, object], precision: str) -> None:
    """Before records said it, check.toml named the parameters. Defaults count: kind = slow, n = 4."""
    parameters = (Parameter("kind", "choice", "slow", "m"), Parameter("n", "int", 4, "m"))
    metrics = [builders.metric(name, name) for name in ("double", "other")]
    check = builders.check(metrics=metrics, parameters=parameters)
    planned = replace(plan(), check=check)
    folder = create(tmp_path, replace(planned, case=replace(planned.case, parameters=given)))
    path = folder.path / "run.json"
    plain = json.loads(path.read_text())
    plain["cases"][0]["check"]["metrics"][0]["single_where"] = [{"kind": "fast"}, {"kind": "slow", "n": 4}]
    path.write_text(json.dumps(plain))
    assert [metric.precision for metric in folder.read().cases[0].check.metrics] == [precision, "double"]


def test_a_run_of_several_names_gets_a_plain_folder_name(tmp_path: Path) -> None:
    folder = create(tmp_path, suite="fma_peak:one_core ../x")
    assert re.fullmatch(r"20261121T080000Z-fma_peak-one_core-..-x-[0-9a-f]{4}", folder.path.name)
    assert folder.read().suite == "fma_peak:one_core ../x"


def test_finished_launches_are_read_with_their_records(tmp_path: Path) -> None:
    folder = create(tmp_path)
    path = done(folder, builders.launch(1))
    case = folder.read().cases[0]
    assert [launch.status for launch in case.launches] == ["done", "planned"]
    assert case.records == (replace(RECORD, path=str(path)),)
    assert case.unreadable == ()


def test_the_state_is_written_again_without_touching_launches(tmp_path: Path) -> None:
    folder = create(tmp_path)
    done(folder, builders.launch(1))
    folder.write_run(replace(folder.read(), state="finished", seconds=3.5))
    run = folder.read()
    assert (run.state, run.seconds) == ("finished", 3.5)
    assert run.cases[0].launches[0].status == "done"


def test_launches_beyond_the_plan_belong_to_their_case(tmp_path: Path) -> None:
    folder = create(tmp_path)
    for launch in (builders.launch(1), builders.launch(2), builders.launch(3, confirms=1)):
        done(folder, launch)
    case = folder.read().cases[0]
    assert [(launch.number, launch.confirms) for launch in case.launches] == [(1, None), (2, None), (3, 1)]
    assert len(case.records) == 3


def test_one_bad_record_is_a_sentence_and_the_rest_is_kept(tmp_path: Path) -> None:
    folder = create(tmp_path)
    path = done(folder, builders.launch(1))
    path.write_bytes(path.read_bytes()[:-30])
    done(folder, builders.launch(2))
    case = folder.read().cases[0]
    assert len(case.records) == 1 and case.records[0].path.endswith("0002-demo.a/record.jsonl")
    assert len(case.unreadable) == 1 and "0001-demo.a/record.jsonl" in case.unreadable[0]


def test_a_missing_record_of_a_finished_launch_is_a_sentence(tmp_path: Path) -> None:
    folder = create(tmp_path)
    folder.write_launch(builders.launch(1))
    assert "cannot read" in folder.read().cases[0].unreadable[0]


def test_a_record_of_another_check_is_refused(tmp_path: Path) -> None:
    folder = create(tmp_path)
    folder.write_launch(builders.launch(1))
    builders.write_record(folder.path / "launches/0001-demo.a/record.jsonl", replace(RECORD, check="stream"))
    case = folder.read().cases[0]
    assert case.records == () and "written by stream on 1 ranks, expected demo on 1" in case.unreadable[0]


def test_a_bad_launch_file_is_a_sentence_of_its_case(tmp_path: Path) -> None:
    folder = create(tmp_path)
    done(folder, builders.launch(1))
    (folder.path / "launches/0001-demo.a/launch.json").write_text("{")
    case = folder.read().cases[0]
    assert "launch.json: not JSON" in case.unreadable[0]
    assert case.launches[0].status == "interrupted"


def test_a_launch_that_never_came_to_an_end_is_interrupted(tmp_path: Path) -> None:
    folder = create(tmp_path)
    (folder.path / "launches/0001-demo.a/pages").mkdir(parents=True)
    launches = folder.read().cases[0].launches
    assert [(launch.status, launch.reason) for launch in launches] == [("interrupted", ABANDONED), ("planned", "")]


def test_launches_of_nobody_are_noted(tmp_path: Path) -> None:
    folder = create(tmp_path)
    folder.write_launch(builders.launch(5, "other:b"))
    (folder.path / "launches/0009-x.y").mkdir()
    (folder.path / "launches/0009-x.y/launch.json").write_text("[]")
    done(folder, builders.launch(1))
    shutil.copytree(folder.path / "launches/0001-demo.a", folder.path / "launches/0007-demo.a")
    run = folder.read()
    assert len(run.notes) == 3
    assert "launches/0005-other.b: launch of other:b, which this run did not plan" in run.notes
    assert any("0009-x.y/launch.json: expected an object" in note for note in run.notes)
    assert any("0007-demo.a/launch.json: belongs to launches/0001-demo.a" in note for note in run.notes)
    assert len(run.cases[0].launches) == 2


def test_a_broken_plan_is_refused(tmp_path: Path) -> None:
    folder = create(tmp_path)
    (folder.path / "run.json").write_text('{"schema": "tenken.run/2"}')
    with pytest.raises(RecordError, match="run.json: 'suite' is missing"):
        folder.read()


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(TenkenError, match="cannot make the run folder .*choose a folder that you can write to"):
        create(tmp_path)


def test_runs_are_found_by_path_prefix_and_last(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    names = ["20261121T080000Z-quick-aaaa", "20261121T090000Z-quick-bbbb", "20261122T080000Z-check-cccc"]
    source = create(tmp_path).path
    for name in names:
        shutil.copytree(source, runs / name)
    shutil.rmtree(source)
    (runs / "notes").mkdir()
    assert [path.name for path in list_runs(runs)] == names
    assert find_run(runs, "last").name == names[2]
    assert find_run(runs, "20261122").name == names[2]
    assert find_run(runs, str(runs / names[0])) == runs / names[0]
    with pytest.raises(TenkenError, match="'20261121' fits 2 runs: .*aaaa, .*bbbb; type more of it"):
        find_run(runs, "20261121")
    with pytest.raises(
        TenkenError, match="no run '20261121T08000Z-quick-aaaa' in .*did you mean 20261121T080000Z-quick-aaaa"
    ):
        find_run(runs, "20261121T08000Z-quick-aaaa")
    with pytest.raises(TenkenError, match="no run '' in"):
        find_run(runs, "")
    with pytest.raises(TenkenError, match="no runs in .*start one with"):
        find_run(tmp_path / "empty", "last")


def test_the_folder_of_a_launch() -> None:
    assert launch_folder(12, "fma_peak:one_core") == "launches/0012-fma_peak.one_core"


def test_a_time_beyond_all_floats_is_refused(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "runs", "demo", (plan(),), 7, {})
    path = folder.path / "run.json"
    path.write_text(path.read_text().replace('"seconds": null', f'"seconds": 1{"0" * 400}'))
    with pytest.raises(RecordError, match="seconds"):
        folder.read()
