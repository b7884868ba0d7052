"""Every finding that any test of the judge provokes has its figures in one unit, and they are outside of its band."""

from __future__ import annotations

from typing import Any

import pytest

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
