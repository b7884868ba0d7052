"""Findings and sentences on two environments."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

from tenken.base.units import TOO_NOISY
from tenken.base.words import detectable, digits, duration, percent, plural
from tenken.judge.common import finding, kind_of
from tenken.judge.release.pairs import Answer, Judged
from tenken.model.assessment import CaseAssessment, Finding, Where
from tenken.model.comparison import CaseComparison, ComparisonPlan, PairedQuantity
from tenken.model.verdict import Axis, Verdict, severity

_MORE = 2  # times the pairs of a comparison that could not tell


def slower_findings(case_id: str, judged: Sequence[Judged], verdict: Verdict, plan: ComparisonPlan) -> list[Finding]:
    """A finding for each section that takes longer: the quantity that shows it most clearly."""
    clearest: dict[tuple[str, str | None], Judged] = {}
    for quantity in sorted((quantity for quantity in judged if quantity.slower), key=lambda judged: -judged.certainty):
        clearest.setdefault((kind_of(quantity.of.quantity), quantity.of.section or quantity.of.quantity), quantity)
    return [_finding(case_id, judged, verdict, plan) for judged in clearest.values()]


def broken_findings(case: CaseAssessment, other: CaseAssessment, plan: ComparisonPlan) -> list[Finding]:
    """Wrong answers, crashes and impossible figures of B, with the command that shows them again."""
    bad = (Verdict.INVALID, Verdict.ERROR)
    again = shlex.join(["./tenken", "run", case.id, "--environment", plan.environments[1], "--launches", "1"])
    there = any(finding.verdict in bad for finding in other.findings)
    note = f"; {plan.environments[0]} fails here too: examine machine and check first" if there else ""
    return [replace(finding, what=finding.what + note, next_command=again) for finding in case.findings if finding.verdict in bad]


def missing_finding(case_id: str, why: str, plan: ComparisonPlan) -> Finding:
    return finding(
        Axis.VALIDITY, Verdict.WARN, case_id, f"cannot be run in {plan.environments[1]}: {why}", "before any launch",
        next_command=shlex.join(["./tenken", "build"]),
    )


def alike(judged: Sequence[Judged]) -> str:
    """The sentence of a case that is as fast as before."""
    times = [quantity.of.detectable for quantity in judged if quantity.is_time and quantity.answer is not Answer.NOT_JUDGED]
    faster = sum(quantity.of.word == "faster" for quantity in judged)
    gains = f"; {faster} faster" if faster else ""
    return f"answers right, no time worse{gains}; {would_find(times)}"


def would_find(effects: Sequence[float]) -> str:
    """The joint meaning of these effects, the smallest that each quantity would have shown."""
    return f"smallest detectable slowdown: {detectable(min(effects), max(effects))}"


def unseen(judged: Sequence[Judged]) -> str:
    blind = [quantity.of for quantity in judged if quantity.is_time and quantity.answer is Answer.NOT_JUDGED]
    if not blind:
        return "answers right, but no pair of launches has times to compare"
    worst = max(blind, key=lambda of: of.detectable)
    more = f" ({plural(len(blind), 'such time')})" if len(blind) > 1 else ""
    if worst.detectable > TOO_NOISY:
        return f"not enough evidence: {_name(worst)} is too noisy to show a slowdown{more}; more pairs are needed"
    seen = f"not enough evidence: smallest detectable slowdown of {_name(worst)} is {detectable(worst.detectable)}"
    return f"{seen}{more}; more pairs are needed"


def seems(judged: Sequence[Judged]) -> str:
    """The quantity that is not proved slower, and yet not likely alike."""
    seeming = (quantity for quantity in judged if quantity.answer is Answer.SEEMS_SLOWER)
    worst = max(seeming, key=lambda quantity: quantity.certainty).of
    return f"not enough evidence, but {_name(worst)} seems {_slower(worst)}; more pairs are needed"


def more_pairs(case_ids: Sequence[str], plan: ComparisonPlan, pairs: int) -> str:
    """The command that compares these cases again, with more launches."""
    return shlex.join(["./tenken", "compare-env", *plan.environments, *case_ids, "--launches", str(_MORE * max(pairs, 3))])


def named(cases: Sequence[CaseComparison], most: int = 3) -> str:
    shown = [case.id for case in cases[:most]]
    return ", ".join(shown) + (f" and {len(cases) - most} more" if len(cases) > most else "")


def worst_of(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: (-severity(finding.verdict), -(finding.ratio or 0.0))))


def _finding(case_id: str, judged: Judged, verdict: Verdict, plan: ComparisonPlan) -> Finding:
    of = judged.of
    low, high = of.interval
    made = finding(
        Axis.CHANGE,
        verdict,
        case_id,
        f"{_name(of)}: {_figure(of, of.second)} instead of {_figure(of, of.first)}, {_slower(of)}",
        f"shift over {plural(of.pairs, 'pair')} of launches, ratio of times {digits(of.ratio)} "
        f"(95 %: {digits(low)} to {digits(high)}); smallest detectable slowdown: {detectable(of.detectable)}",
        section=of.section,
        measured=of.second,
        expected=of.first,
        unit=of.unit,
        where=Where(section=of.section),
        next_command=more_pairs([case_id], plan, of.pairs),
    )
    return replace(made, ratio=of.ratio)


def _slower(of: PairedQuantity) -> str:
    low, high = (percent(max(ratio - 1.0, 0.0)).removesuffix(" %") for ratio in of.interval)
    amount = f"{percent(of.ratio - 1.0)} ({low} to {high})"
    return f"{amount} slower" if kind_of(of.quantity) == "time" else f"{amount} more of the time of the section"


def _name(of: PairedQuantity) -> str:
    kind, name = of.quantity.split(":", 1)
    return {"loss": "loss of ", "jitter": "jitter of "}.get(kind, "") + name


def _figure(of: PairedQuantity, value: float) -> str:
    if kind_of(of.quantity) != "time":
        return percent(value)
    return duration(value) if of.unit == "ns" else f"{digits(value)} {of.unit}"
