"""`tenken node-check` with fake check programs: one line and its exit code; a prolog that never stands in the way."""

from __future__ import annotations

import dataclasses
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import assessments
from fake_build import fake_build
from tenken.base.errors import TenkenError
from tenken.cli import here, node_check, node_measure, places
from tenken.judge.health import DrainRules, judge_health
from tenken.launch.limited import now
from tenken.launch.shares import NO_TIME
from tenken.model.assessment import Assessment
from tenken.model.health import Health
from tenken.report import plugin

WELL = Health(0, 0, 0, 50 << 30, 100 << 30, "tsc")


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch):
    """Makes the measurement answer what a test wants."""

    def does(answer: Assessment | Exception, rules: DrainRules = DrainRules()) -> None:
        def fake(*_arguments: object) -> tuple[Assessment, Health, Health]:
            if isinstance(answer, Exception):
                raise answer
            return answer, WELL, WELL

        monkeypatch.setattr(node_measure, "measure", fake)
        monkeypatch.setattr(node_check, "began", now)
        monkeypatch.setattr(node_measure, "read_rules", lambda path: rules)

    return does


def test_one_line_and_the_exit_code_of_plugins(measured, capsys: pytest.CaptureFixture[str]) -> None:
    measured(assessments.ok())
    assert node_check.main([]) == 0
    measured(assessments.bad())
    assert node_check.main([]) == 2
    measured(TenkenError("no build here"))
    assert node_check.main([]) == 3
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" - ")[0] for line in lines if " - " in line] == ["OK", "CRITICAL", "UNKNOWN"]
    assert lines[-1].endswith("no build here")


def test_a_prolog_drains_only_by_rule(measured, capfd: pytest.CaptureFixture[str]) -> None:
    measured(assessments.drill())
    assert node_check.main(["--prolog"]) == 0
    assert "no [drain] rules" in capfd.readouterr().err
    measured(assessments.drill(), DrainRules(wrong_answer=True))
    assert node_check.main(["--prolog"]) == 1
    assert capfd.readouterr().out.startswith("DRAIN - ")
    measured(assessments.ok(), DrainRules(wrong_answer=True))
    assert node_check.main(["--prolog"]) == 0


@pytest.mark.parametrize("trouble", [TenkenError("no build"), RuntimeError("a mistake"), OSError(28, "disk full")])
def test_a_prolog_lets_the_node_go_on_after_its_own_troubles(
    trouble: Exception, measured, capsys: pytest.CaptureFixture[str]
) -> None:
    measured(trouble, DrainRules(wrong_answer=True))
    assert node_check.main(["--prolog"]) == 0
    assert capsys.readouterr().out.startswith("UNKNOWN - ")
    assert node_check.main(["--prolog", "--nonsense"]) == 0
    assert "the node goes on" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "code"), [([], 3), (["--prolog"], 0)])
@pytest.mark.parametrize("step", ["", "stream:all_cores"])
def test_at_the_limit_it_is_unknown_and_nothing_stays(
    words: list[str], code: int, step: str, tmp_path: Path, measured, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    measured(assessments.ok(), DrainRules(wrong_answer=True))
    scratch = Path("/dev/shm/tenken-0123456789abcdef")

    def stuck(_machine: object, _extent: object, _begin: float, tell: Callable[[str], None], place: Path) -> None:
        launch = place / "20260101T000000Z-node-check-0000/launches/0001-stream.all_cores"
        launch.mkdir(parents=True)
        (launch.parent.parent / "run.json").write_text("{}")
        scratch.mkdir(exist_ok=True)
        started = {"schema": "tenken.started/1", "id": "0123456789abcdef", "started": "2026-01-01T00:00:00Z"}
        (launch / "started.json").write_text(json.dumps(started))
        if step:
            tell(step)
        time.sleep(600)

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(node_measure, "measure", stuck)
    monkeypatch.setattr(node_check, "began", lambda: now() - 26.5 if not words else now() - 2.7)
    assert node_check.main(words) == code
    lines = capfd.readouterr().out.splitlines()
    during = f"during {step}" if step else "before the first launch"
    assert len(lines) == 1 and lines[0].startswith("UNKNOWN - ") and f"was reached {during}: " in lines[0]
    assert list(tmp_path.iterdir()) == [] and not scratch.exists()


def test_the_help_and_a_wrong_option_are_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        node_check.main(["--help"])
    assert "30 s" in capsys.readouterr().out
    with pytest.raises(TenkenError, match="unknown option '--timeout'"):
        node_check.main(["--timeout", "5"])


def test_the_cases_are_run_one_after_the_other_and_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    built = fake_build(tmp_path / "build", "fma_peak", "stream", "dgemm", "same_answer")
    monkeypatch.setattr(node_measure, "newest_build", lambda tree, named, checks: built)
    steps: list[str] = []
    long = dataclasses.replace(node_check.PROLOG, limit_s=600.0)
    assessment, _, _ = node_measure.measure(None, long, now(), steps.append, tmp_path)
    assert [case.id for case in assessment.cases] == ["same_answer:all_cores", "fma_peak:all_cores"]
    assert steps == ["same_answer:all_cores", "fma_peak:all_cores", "judging"]
    assert all(launch.status == "done" for case in assessment.cases for launch in case.launches)


def test_where_start_took_the_time_nothing_is_launched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = fake_build(tmp_path / "build", "fma_peak", "stream", "dgemm", "same_answer", "hpl")
    monkeypatch.setattr(node_measure, "newest_build", lambda tree, named, checks: built)
    assessment, before, after = node_measure.measure(None, node_check.WHOLE, now() - 22.5, lambda step: None, tmp_path)
    assert {case.reason for case in assessment.cases} == {NO_TIME}
    assert plugin.line("n0", assessment, judge_health(before, after))[1] == 3


@pytest.mark.parametrize("extent", [node_check.WHOLE, node_check.PROLOG])
def test_the_cases_of_a_suite_fit_into_its_limit(extent: node_check.Extent) -> None:
    checks, suites = here.catalogue()
    selected = node_measure._selected(extent, checks, suites)
    assert selected[0][0].name == "same_answer"  # a wrong answer counts most
    assert len(selected) * extent.seconds + extent.ending_s < extent.limit_s == suites[extent.suite].budget_s


@pytest.mark.parametrize(("cards", "more"), [(0, []), (2, ["gpu_evenness:short"])])
def test_a_node_with_cards_runs_their_cases_too(cards: int, more: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_measure, "cuda_devices", lambda: cards)
    checks, suites = here.catalogue()
    named = {extent: [f"{check.name}:{spec.name}" for check, spec in node_measure._selected(extent, checks, suites)]
             for extent in (node_check.WHOLE, node_check.PROLOG)}
    assert [name for name in named[node_check.WHOLE] if name.startswith("gpu")] == more == named[node_check.WHOLE][5:]
    assert len(named[node_check.PROLOG]) == 2


def test_without_a_build_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = here.catalogue()
    monkeypatch.setattr(here, "catalogue", lambda: found)
    monkeypatch.setattr(places, "TREE", tmp_path)
    with pytest.raises(TenkenError, match="no build in .* runs on this node; make one on it: ./tenken build$"):
        node_measure.measure(None, node_check.WHOLE, now(), lambda step: None, tmp_path)
