"""`tenken node-check` with fake check programs: one line and its exit code; a prolog that never stands in the way."""

from __future__ import annotations

from pathlib import Path

import assessments
import pytest
from fake_build import fake_build

from tenken.cli import here, node_check, places
from tenken.judge.health import DrainRules
from tenken.launch.plan import select
from tenken.model.assessment import Assessment
from tenken.model.errors import TenkenError
from tenken.model.health import Health

WELL = Health(0, 0, 0, 50 << 30, 100 << 30, "tsc")


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch):
    """Makes the measurement answer what a test wants."""

    def does(answer: Assessment | Exception, rules: DrainRules = DrainRules()) -> None:
        def fake(*_arguments: object) -> tuple[Assessment, Health, Health]:
            if isinstance(answer, Exception):
                raise answer
            return answer, WELL, WELL

        monkeypatch.setattr(node_check, "_measure", fake)
        monkeypatch.setattr(node_check, "read_rules", lambda path: rules)

    return does


def test_one_line_and_the_exit_code_of_plugins(measured, capsys: pytest.CaptureFixture[str]) -> None:
    measured(assessments.ok())
    assert node_check.main([]) == 0
    measured(assessments.bad())
    assert node_check.main([]) == 2
    measured(TenkenError("no build here"))
    assert node_check.main([]) == 3
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" - ")[0] for line in lines] == ["OK", "CRITICAL", "UNKNOWN"]
    assert lines[2].endswith("no build here")


def test_a_prolog_drains_only_by_rule(measured, capsys: pytest.CaptureFixture[str]) -> None:
    measured(assessments.drill())
    assert node_check.main(["--prolog"]) == 0
    assert "no [drain] rules" in capsys.readouterr().err
    measured(assessments.drill(), DrainRules(wrong_answer=True))
    assert node_check.main(["--prolog"]) == 1
    assert capsys.readouterr().out.startswith("DRAIN - ")
    measured(assessments.ok(), DrainRules(wrong_answer=True))
    assert node_check.main(["--prolog"]) == 0


@pytest.mark.parametrize("trouble", [TenkenError("no build"), RuntimeError("a mistake"), OSError(28, "disk full")])
def test_a_prolog_lets_the_node_go_on_after_its_own_troubles(
    trouble: Exception, measured, capsys: pytest.CaptureFixture[str]
) -> None:
    measured(trouble, DrainRules(wrong_answer=True))
    assert node_check.main(["--prolog"]) == 0
    assert "the node goes on" in capsys.readouterr().err
    assert node_check.main(["--prolog", "--nonsense"]) == 0


def test_the_cases_are_run_one_after_the_other_and_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    built = fake_build(tmp_path / "build", "fma_peak", "stream", "dgemm", "same_answer")
    monkeypatch.setattr(node_check, "newest_build", lambda tree, named, checks: built)
    assessment, _, _ = node_check._measure(None, node_check.PROLOG_SUITE, 0.1, 20.0)
    assert [case.id for case in assessment.cases] == ["same_answer:all_cores", "fma_peak:all_cores"]
    assert all(launch.status == "done" for case in assessment.cases for launch in case.launches)


@pytest.mark.parametrize(("suite", "limit_s", "all_s"), [
    (node_check.SUITE, node_check._LIMIT_S, 28), (node_check.PROLOG_SUITE, node_check._PROLOG_LIMIT_S, 4),
])
def test_all_cases_together_end_in_time_however_many_a_suite_has(
    suite: str, limit_s: float, all_s: float, tmp_path: Path
) -> None:
    checks, suites = here.catalogue()
    selected = select([suite], checks, suites).cases
    built = fake_build(tmp_path / "build", *{check.name for check, _ in selected})
    planned = node_check._cases(here.look(None), selected, 0.1, limit_s, built)
    assert len(planned) == len(selected) and sum(one.case.timeout_s for one in planned) <= all_s


def test_without_a_build_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = here.catalogue()
    monkeypatch.setattr(here, "catalogue", lambda: found)
    monkeypatch.setattr(places, "TREE", tmp_path)
    with pytest.raises(TenkenError, match="no build in .* runs on this node; make one on it: ./tenken build$"):
        node_check._measure(None, node_check.SUITE, 0.1, 1.0)
