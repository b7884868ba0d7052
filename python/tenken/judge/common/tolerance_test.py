"""A record cannot lower its own bar."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isnan, nan

import builders as b
import pytest

from tenken.judge.assess import assess
from tenken.judge.common.validity import evaluated
from tenken.model.assessment import Assessment
from tenken.model.check import Check, Parameter, ValiditySpec
from tenken.model.record import Record, Validity
from tenken.model.verdict import Verdict

PARAMETERS = (
    Parameter("start", "choice", "hot", "how links begin", choices=("hot", "cold")),
    Parameter("lattice", "ints", [4, 4, 4, 8], "sites"),
    Parameter("file", "path", "", "links"),
    Parameter("in_cache", "flag", True, "small"),
    Parameter("tolerance", "float", 1e-8, "asked"),
)
CHECK = b.check(metrics=[b.metric("rate", "double")], parameters=PARAMETERS)


def proved(limit: float, value: float = 0.0, **of: object) -> Validity:
    return Validity("answer", value, 0.0, limit, "max", "by construction")


def judged(*records: Record, check: Check = CHECK) -> Assessment:
    return assess(b.run(b.case_run(*records, of=check)), b.machine(), ())


def with_tolerance(tolerance: float | str, when: float | str = 1.0) -> Check:
    return replace(CHECK, validity=(ValiditySpec("answer", tolerance, "by construction", when),))


def record(*proofs: Validity, **more: object) -> Record:
    return b.record(b.fma(40e9), validity=proofs, **more)


def test_a_recorded_limit_can_only_tighten() -> None:
    wide = judged(record(proved(10.0, 1.0)))
    assert wide.verdict is Verdict.INVALID and "should be at most 1e-09" in wide.findings[0].what
    assert wide.cases[0].validity[0].validity.limit == 1e-9, "what is shown is the limit that counted"
    assert judged(record(proved(1e-12, 1e-10))).verdict is Verdict.INVALID
    assert judged(record(proved(1e-12, 1e-13))).cases[0].axes[0].verdict is Verdict.OK


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("max(1e-12, start.hot * 5 / sqrt(108 * lattice.0 * lattice.3))", 5 / (108 * 32) ** 0.5),
        ("1e-12 + start.cold", 1e-12),
        ("file.given * 1e-2", 0.0),
        ("tolerance * in_cache", 1e-8),
        ("4e-16 * (repetitions + 2) * ranks * threads", 4e-16 * 42),
        ("deviation * 5", 2.5),
    ],
)
def test_a_tolerance_is_an_expression(text: str, value: float) -> None:
    assert evaluated(text, CHECK, {}, record(values={"deviation": ("1", 0.5)})) == pytest.approx(value, rel=1e-12)


def test_parameters_are_those_of_the_plan() -> None:
    liar = replace(record(), parameters={"tolerance": 1.0}, values=())
    assert evaluated("tolerance", CHECK, {}, liar) == 1e-8
    assert evaluated("tolerance", CHECK, {"tolerance": 1e-6}, liar) == 1e-6


@pytest.mark.parametrize("tolerance", ["nothing", "1/0", "deviation", "start", "", "inf", "-1", nan, inf, -1.0])
def test_a_tolerance_without_a_value_proves_nothing(tolerance: float | str) -> None:
    found = judged(record(proved(1.0)), check=with_tolerance(tolerance))
    assert found.verdict is Verdict.INVALID


def test_a_named_value_that_is_not_finite_gives_no_tolerance() -> None:
    assert isnan(evaluated("deviation", CHECK, {}, record(values={"deviation": ("1", nan)})))


@pytest.mark.parametrize("text", ["deviation", "max(1, deviation)", "start.hot * deviation", "min(2, deviation)", "-deviation"])
def test_a_value_that_the_record_lacks_has_no_value(text: str) -> None:
    assert isnan(evaluated(text, CHECK, {}, record()))


def test_a_value_that_the_record_lacks_is_not_needed_where_it_is_switched_off() -> None:
    assert evaluated("max(1e-12, start.cold * 5 * deviation)", CHECK, {}, record()) == 1e-12


def test_a_proof_is_only_promised_where_it_says_so() -> None:
    assert judged(record(), check=with_tolerance(1e-9)).verdict is Verdict.INVALID
    assert judged(record(), check=with_tolerance(1e-9, "start.cold")).verdict is not Verdict.INVALID
    assert judged(record(), check=with_tolerance(1e-9, "start.hot")).verdict is Verdict.INVALID
    assert judged(record(), check=with_tolerance(1e-9, "unknown")).verdict is Verdict.INVALID, "not excused by a mistake"


@pytest.mark.parametrize("value", [nan, inf, -inf])
@pytest.mark.parametrize("name", ["answer_of_it", "odd_core/0/0/fma", "cores_compared", "working_set_bytes", "rate"])
def test_what_is_not_finite_is_invalid_before_anything_reads_it(name: str, value: float) -> None:
    values = {"odd_core/0/1/fma": ("1", 1.0), name: ("1", value)}
    found = judged(record(proved(1e-9), values=values))
    assert found.cases[0].verdict is Verdict.INVALID
    assert any(f"the recorded {name} is" in one.what for one in found.cases[0].findings)


def test_an_odd_record_is_an_error_of_its_own_case(monkeypatch: pytest.MonkeyPatch) -> None:
    good, odd = b.record(b.fma(40e9), case="good"), b.record(b.fma(40e9), case="odd", values={"trap": ("1", 1.0)})
    import tenken.judge.common.sections as sections

    real = sections.launch_sections
    monkeypatch.setattr(sections, "launch_sections", lambda one, *timed: 1 // 0 if one.record.values else real(one))
    check = replace(CHECK, parameters=())
    found = assess(b.run(b.case_run(good, of=check), b.case_run(odd, of=check)), b.machine(), ())
    by_id = {case.id: case for case in found.cases}
    assert by_id["demo:odd"].verdict is Verdict.ERROR and "cannot be judged (ZeroDivisionError" in by_id["demo:odd"].reason
    assert by_id["demo:good"].axes[0].verdict is Verdict.OK
