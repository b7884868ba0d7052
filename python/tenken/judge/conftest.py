"""Every finding that any test of the judge provokes says its figures in one unit, and they bear out what it says; and
every answer is as it was (tests/answers.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from answers import Answers

from tenken.judge import assess, contract, health, release
from tenken.judge.common import findings
from tenken.model.assessment import Finding
from tenken.model.verdict import Axis


def _checked(**fields: Any) -> Finding:
    one = Finding(**fields)
    low, high = one.band
    if one.axis is Axis.VALIDITY:
        return one  # a proof has a tolerance, and its figure the unit that its sentence says
    if one.measured is not None:
        assert one.unit, f"a figure without unit: {one}"
        within = (low is None or one.measured >= low) and (high is None or one.measured <= high)
        assert (low is None and high is None) or not within, f"within the band that it should miss: {one}"
        assert one.expected is None or one.measured == 0 or 1e-6 < abs(one.expected / one.measured) < 1e6, f"two units: {one}"
    else:
        assert low is None and high is None and one.expected is None, f"a limit without a figure: {one}"
    return one


@pytest.fixture(autouse=True)
def _findings_bear_themselves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "Finding", _checked)


_ANSWERS = ((assess, "Assessment"), (release, "Comparison"), (contract, "Contract"), (health, "HealthResult"))
_answers_of = cache(Answers)


@pytest.fixture(autouse=True)
def _answers_stay_as_they_were(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    given: list[object] = []

    def kept(made: Callable[..., object]) -> Callable[..., object]:
        def answer(*words: Any, **fields: Any) -> object:
            given.append(made(*words, **fields))
            return given[-1]

        return answer

    for module, name in _ANSWERS:
        monkeypatch.setattr(module, name, kept(getattr(module, name)))
    yield
    monkeypatch.undo()
    _answers_of(request.module.__name__.rpartition(".")[2]).check(request.node.name, given)
