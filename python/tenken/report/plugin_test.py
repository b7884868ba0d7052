from __future__ import annotations

import re
from dataclasses import replace

import assessments
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenken.model.assessment import Assessment, AxisResult, CaseAssessment, Unjudged, Where
from tenken.model.health import HealthResult
from tenken.model.run import Launch
from tenken.model.verdict import Axis, Verdict, severity, worst
from tenken.report.plugin import line
from tenken.report.plugin_line import unknown

WELL = (HealthResult("tmp", Verdict.OK, "/tmp has 5 GiB free"), HealthResult("memory", Verdict.NOT_JUDGED, "no EDAC"))
CODES = {"OK": 0, "WARNING": 1, "CRITICAL": 2, "UNKNOWN": 3}
LOAD = "run-queue wait 96 % of the wall time on rank 0 (n01), limit 2 %"


def busy(case: CaseAssessment, verdict: Verdict = Verdict.NOT_JUDGED) -> CaseAssessment:
    """The case with right answers whose axes of time are all open because of load."""
    why = "other load can explain it"
    axes = tuple(
        one if one.axis is Axis.VALIDITY else AxisResult(one.axis, Verdict.NOT_JUDGED, why, True) for one in case.axes
    )
    assert case.trust
    trust = replace(case.trust, disturbed=True, reason=LOAD, where=Where("n01", 0))
    reason = "the answers are right; times not judged: other load"
    return replace(case, verdict=verdict, reason=reason, axes=axes, trust=trust)


def first(text: str) -> str:
    return text.split("\n")[0].split("|")[0]


def test_a_healthy_node_is_one_line_with_figures() -> None:
    text, code = line("n0", assessments.ok(), WELL)
    assert code == 0 and text.startswith("OK - n0: ") and "/tmp has 5 GiB free" in text and "EDAC" not in text
    assert text.count("|") == 1 and "\n" not in text
    assert "'fma_peak double [GFLOP/s]'=" in text.split("|")[1]


def test_the_worst_decides_and_is_named_first() -> None:
    full = (HealthResult("tmp", Verdict.WARN, "/tmp is full"),)
    text, code = line("n0", assessments.ok(), full)
    assert (code, first(text)) == (1, "WARNING - n0: /tmp is full ")
    memory = (HealthResult("memory", Verdict.FAIL, "2 uncorrectable memory errors"),)
    text, code = line("n0", assessments.ok(), full + memory)
    assert (code, first(text)) == (2, "CRITICAL - n0: 2 uncorrectable memory errors ")
    assert text.endswith("\ntmp: WARN: /tmp is full\nmemory: FAIL: 2 uncorrectable memory errors")
    text, code = line("n0", assessments.bad(), WELL)
    assert code == 2 and first(text).startswith("CRITICAL - n0: lqcd:small: true_residual is 0.031")
    assert "\nlqcd:weak: FAIL: rank 37 takes" in text and "\ndgemm:square: WARN: 47.8 % of the peak" in text


@pytest.mark.parametrize("name", ["nothing", "interrupted"])
def test_nothing_unmeasured_is_green(name: str) -> None:
    text, code = line("n0", getattr(assessments, name)(), WELL)
    assert code == 3 and text.startswith("UNKNOWN - n0: ")


@pytest.mark.parametrize("verdict", [Verdict.NOT_JUDGED, Verdict.OK])
def test_a_case_whose_times_are_all_open_is_unknown(verdict: Verdict) -> None:
    cases = assessments.ok().cases
    answer = assessments.run([busy(cases[0], verdict), *cases[1:]])
    text, code = line("n0", replace(answer, verdict=Verdict.OK), WELL)
    assert code == 3
    assert first(text) == f"UNKNOWN - n0: 1 of 8 cases not judged, all answers right: the node was busy: {LOAD} "
    text, code = line("n0", assessments.run([busy(case, verdict) for case in cases]), WELL)
    assert code == 3
    assert first(text).startswith("UNKNOWN - n0: 8 of 8 cases not judged, all answers right: the node was busy: ")


def test_an_axis_without_ground_takes_nothing_away() -> None:
    case, *rest = assessments.ok().cases
    assert any(one.verdict is Verdict.NOT_JUDGED and not one.ground for one in case.axes)
    assert line("n0", assessments.run([case, *rest]), WELL)[1] == 0


def test_a_wrong_answer_is_critical_whatever_the_load() -> None:
    wrong, other = assessments.drill().cases[0], assessments.ok().cases[0]
    trust = busy(wrong).trust
    text, code = line("n0", assessments.run([replace(wrong, trust=trust), busy(other)]), WELL)
    assert code == 2 and first(text).startswith("CRITICAL - n0: lqcd:small: plaquette is 0.5921")


def test_a_finding_that_holds_under_load_stays() -> None:
    slow = next(case for case in assessments.bad().cases if case.verdict is Verdict.WARN)
    text, code = line("n0", assessments.run([slow, busy(assessments.ok().cases[0])]), WELL)
    assert code == 1 and first(text).startswith("WARNING - n0: dgemm:square: 47.8 % of the peak")


def test_a_launch_that_lacked_a_processor_is_unknown() -> None:
    why = "other load: ranks waited for a processor 90 % of the time; no end within 5.2 s, its share of the time"
    lacking = assessments.case(
        "stream:all_cores", (), (), verdict=Verdict.NOT_JUDGED, reason=why,
        launches=[Launch(1, "stream:all_cores", "lacking", "launches/0001", reason=why)],
    )
    open_ = AxisResult(Axis.VALIDITY, Verdict.NOT_JUDGED, why, ground=True)
    lacking = replace(lacking, axes=(open_, *lacking.axes[1:]), validity=())
    text, code = line("n0", assessments.run([lacking, *assessments.ok().cases[:2]]), WELL)
    assert code == 3 and first(text).startswith("UNKNOWN - n0: 1 of 3 cases not judged: other load: ranks waited")


@pytest.mark.parametrize(("command", "shown"), [
    ("./tenken run stream:all_cores --launches 5", True), ("./tenken run 'a:b' c:d --yes", True),
    ("./tenken run --resume /tmp/tenken-node-check-1/run", False), ("./tenken rerun last --without n03", False),
    ("tenken run x", False), ("--timeout 56", False), ("", False),
])
def test_only_whole_commands_that_need_nothing_of_this_run_are_given(command: str, shown: bool) -> None:
    answer = assessments.run([busy(case) for case in assessments.ok().cases])
    cause = Unjudged("the node was busy", tuple(case.id for case in answer.cases), command)
    answer = replace(answer, unjudged=(cause,))
    text = line("n0", answer, WELL)[0]
    assert (f"\nnext: {command}" in text) is shown and text.count("next:") == shown


@pytest.mark.parametrize(("sentence", "kept"), [
    ("no end within 6 s; give it more time: --timeout 56", "no end within 6 s"),
    ("/tmp is full: free some space or use --runs DIR", "/tmp is full: free some space"),
    ("cannot make /x: no space; choose another folder (--runs DIR).", "cannot make /x: no space"),
    ("choose another folder (--runs DIR).", "choose another folder"),
    ("make all that is needed: ./tenken build hpl", "make all that is needed: ./tenken build hpl"),
])
def test_it_advises_no_option(sentence: str, kept: str) -> None:
    assert unknown("n0", sentence) == (f"UNKNOWN - n0: {kept}", 3)


def test_a_long_cause_is_cut_and_stands_whole_below() -> None:
    text, code = unknown("n0", "word " * 100 + "end")
    assert code == 3 and len(text.split("\n")[0]) < 200 and text.split("\n")[1].endswith("word end")


def test_hostile_names_cannot_forge_figures_or_lines() -> None:
    text, _ = line("n0|'x'=1\n", assessments.hostile(), WELL)
    assert text.count("|") <= 1 and all(re.match(r"CRITICAL - |evil:|next: ", each) for each in text.split("\n"))
    assert unknown("n0", "no build | x") == ("UNKNOWN - n0: no build / x", 3)


VERDICTS = st.sampled_from([verdict for verdict in Verdict if verdict is not Verdict.INCOMPLETE])
WORDS = st.text(max_size=300)


@st.composite
def answers(draw: st.DrawFn) -> Assessment:
    cases = []
    for number in range(draw(st.integers(0, 5))):
        axes = tuple(AxisResult(axis, draw(VERDICTS), draw(WORDS), draw(st.booleans())) for axis in Axis)
        case = assessments.case(
            f"check:{number}", (), (), verdict=draw(VERDICTS), reason=draw(WORDS), disturbed=draw(WORDS), launches=[],
        )
        cases.append(replace(case, axes=axes))
    return assessments.run(cases, state=draw(st.sampled_from(["finished", "interrupted"])))


@given(answers(), st.lists(st.builds(HealthResult, WORDS, VERDICTS, WORDS), max_size=4), WORDS)
def test_whatever_the_answer_the_format_holds(answer: Assessment, health: list[HealthResult], host: str) -> None:
    text, code = line(host, answer, health)
    assert CODES[text.partition(" - ")[0]] == code
    assert len(first(text)) <= 200 and text.count("|") <= 1 and "|" not in text.partition("\n")[2]
    verdicts = [case.verdict for case in answer.cases] + [one.verdict for one in health]
    found = severity(worst(verdicts))
    assert (code == 2) is (found > severity(Verdict.WARN)) and (code == 1) is (found == severity(Verdict.WARN))
    if code == 0:
        assert answer.state == "finished" and answer.cases
        assert Verdict.NOT_JUDGED not in [case.verdict for case in answer.cases]
        axes = [axis for case in answer.cases for axis in case.axes]
        assert not any(axis.ground and axis.verdict is Verdict.NOT_JUDGED for axis in axes)
