"""A synthetic release decision for tests of what is printed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import builders as b
from tenken.model.assessment import Finding, Where
from tenken.model.baseline import Difference
from tenken.model.comparison import CaseComparison, CheckComparison, Comparison, ComparisonPlan, Decision, PairedQuantity
from tenken.model.verdict import Axis, Verdict

PLAN = ComparisonPlan(
    "20261121T080000Z-compare-quick-1a2b", "/runs/20261121T080000Z-compare-quick-1a2b", "quick", "2026-11-21T08:00:00Z", 7,
    ("gcc12", "gcc13"), ("20261121T080000Z-quick-A-1a2b", "20261121T080000Z-quick-B-3c4d"), ("dgemm",), 96,
)
FLAGS = Difference("flags", "none", "-ffp-contract=off", (), "gcc12", ("compute", "memory"))


def quantity(name: str = "metric:rate", ratio: float = 1.0, word: str = "alike", **changes: Any) -> PairedQuantity:
    base = PairedQuantity(
        name, "multiply", "compute", "GFLOP/s", "higher", "compute", word, 45.2, 45.2 / ratio, ratio,
        (ratio * 0.98, ratio * 1.02), 0.064, 6, 0.03,
    )
    return replace(base, **changes)


def case(name: str, decision: Decision = Decision.RELEASE, *quantities: PairedQuantity, **changes: Any) -> CaseComparison:
    base = CaseComparison(
        f"{name}:all_cores", name, decision, "answers right, no time worse", name in PLAN.essential, ("right", "right"), (),
        quantities or (quantity(), quantity("loss:multiply", 1.01, unit="1", first=0.01, second=0.02)), 6,
    )
    return replace(base, **changes)


def finding(case_id: str, what: str, verdict: Verdict = Verdict.WARN, **changes: Any) -> Finding:
    base = Finding(
        Axis.CHANGE, verdict, what, case_id, "multiply", 40.0, 45.2, (None, None), "GFLOP/s", 1.13, Where(),
        "shift over 6 pairs of launches", f"./tenken compare-env gcc12 gcc13 {case_id} --launches 12",
    )
    return replace(base, **changes)


def comparison(decision: Decision = Decision.RELEASE, *cases: CaseComparison, **changes: Any) -> Comparison:
    shown = cases or (case("stream"), case("lqcd"))
    base = Comparison(
        PLAN, "finished", 125.0, decision, "answers right and no time worse in 2 cases", 0, False, b.machine(),
        tuple(CheckComparison(one.check, f"about {one.check}", one.decision, 1) for one in shown), shown,
        tuple(one for each in shown for one in each.findings), (FLAGS,), (),
    )
    return replace(base, **changes)
