from __future__ import annotations

import pytest

from tenken.model.contract import Held, Requirement, RequirementResult
from tenken.report.topics import measured

TOY = Requirement("1", "", "toy:a", "rate", 10.0, "GB/s")


@pytest.mark.parametrize(("value", "best", "said"), [
    (8.0, None, "8 GB/s"), (8.0, 8.00001, "8 GB/s"), (8.0, 12.0, "8 GB/s to 12 GB/s"), (8.0, 8e9, "8 GB/s or more"),
    (13.0, 1e-9, "13 GB/s or less"), (None, None, "-"),
])
def test_a_figure_that_another_load_bounds(value: float | None, best: float | None, said: str) -> None:
    assert measured(RequirementResult(TOY, Held.NOT_JUDGED, "", "higher", value, best, "", "")) == said
