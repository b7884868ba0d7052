"""Rows and phrases of a comparison of two environments, shared by the terminal and the page."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, log1p

from tenken.base import units
from tenken.model.comparison import CaseComparison, Comparison, Decision, PairedQuantity
from tenken.model.difference import sentence
from tenken.report.plain import plain

CASES = ("case", "decision", "answer", "worst", "A", "B", "time B/A", "95 %", "detectable")
QUANTITIES = ("case", "quantity", "kind", "A", "B", "time B/A", "95 %", "detectable", "pairs", "answer")
SHORT = {Decision.RELEASE: "release", Decision.RESTRICT: "restrict", Decision.HOLD: "hold", Decision.UNDECIDED: "no evidence"}
UNJUDGED = "not enough evidence"


def title(comparison: Comparison) -> str:
    old, new = comparison.plan.environments
    return f"{plain(comparison.plan.suite)}: {plain(new)} (B) instead of {plain(old)} (A) on {plain(comparison.machine.name)}"


def case_row(case: CaseComparison) -> tuple[str, ...]:
    answer = case.answers[1] if case.answers[0] in ("right", case.answers[1]) else f"{case.answers[1]} (A: {case.answers[0]})"
    worst = nearest(case.quantities)
    figures = ("", *(units.NONE,) * 5) if worst is None else (name(worst), *_figures(worst, 2))
    return plain(case.id), SHORT[case.decision], answer, *figures


def quantity_row(case_id: str, of: PairedQuantity) -> tuple[str, ...]:
    return plain(case_id), name(of), of.kind, *_figures(of), str(of.pairs), of.word


def nearest(quantities: Sequence[PairedQuantity]) -> PairedQuantity | None:
    """What is slower, else the time that came nearest to being called so."""

    def key(of: PairedQuantity) -> tuple[bool, bool, bool, bool, float]:
        least = log1p(of.detectable)
        near = log(of.ratio) / least if least > 0 else -inf
        return of.word == "slower", is_time(of), of.word == "seems slower", of.word != UNJUDGED, near

    return max(quantities, key=key) if quantities else None


def name(of: PairedQuantity) -> str:
    kind, path = plain(of.quantity).split(":", 1)
    return {"loss": "loss of ", "jitter": "jitter of "}.get(kind, "") + path


def is_time(of: PairedQuantity) -> bool:
    return not of.quantity.startswith(("loss:", "jitter:"))


def value(of: PairedQuantity, figure: float) -> str:
    return units.quantity(figure, plain(of.unit), 3) if is_time(of) else units.percent(figure)


def differences(comparison: Comparison) -> list[str]:
    return [plain(sentence(difference)) for difference in comparison.differences]


def _figures(of: PairedQuantity, digits: int = 3) -> tuple[str, ...]:
    low, high = of.interval
    ratios = f"{of.ratio:.{digits}f}", f"{low:.{digits}f} to {high:.{digits}f}"
    figures = f"{units.bare_percent(of.detectable)} %" if of.detectable <= units.TOO_NOISY else "too noisy"
    return value(of, of.first), value(of, of.second), *ratios, figures
