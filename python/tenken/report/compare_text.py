"""A release decision on the terminal: decision, reasons, differences, next command, table."""

from __future__ import annotations

import re

from tenken.base import units
from tenken.base.words import plural
from tenken.model.assessment import Finding
from tenken.model.comparison import Comparison, Decision
from tenken.model.verdict import Verdict
from tenken.report import compared
from tenken.report.lines import phrases, text
from tenken.report.plain import clip, plain
from tenken.report.table import table

LINES = 24
_FINDINGS = 5  # shown before the table
_COLOURS = {Decision.RELEASE: "1;32", Decision.RESTRICT: "1;33", Decision.HOLD: "1;31", Decision.UNDECIDED: "1;36"}


def decision(found: Comparison, everything: bool = False, width: int = 100, colour: bool = False, page: bool = True) -> str:
    """At most 24 lines; `everything` gives all findings and quantities. `page`: whether report.html was written."""
    lines = [_head(found, width), *phrases("why", [plain(found.reason)], width, 3)]
    differ = compared.differences(found) or ["no recorded difference of environments, libraries or nodes"]
    lines += phrases("differ", differ, width, 99 if everything else 3)
    shown = found.findings if everything else found.findings[:_FINDINGS]
    for finding in shown:
        lines += _finding(finding, width, everything)
    if len(found.findings) > len(shown):
        lines += phrases("", [f"... and {len(found.findings) - len(shown)} more (--all)"], width)
    if found.findings:
        lines += phrases("next", [plain(found.findings[0].next_command)], width, 1)
    elif found.decision is Decision.UNDECIDED and found.state == "finished":
        a, b = map(plain, found.plan.environments)
        pairs = 2 * max((case.pairs for case in found.cases), default=0)
        lines += phrases("next", [f"./tenken compare-env {a} {b} {plain(found.plan.suite)} --launches {pairs}"], width)
    if found.state != "finished":
        lines += phrases("next", [f"./tenken compare-env --resume {plain(found.plan.name)}"], width, 1)
    last = _last(found, width, page)
    lines += ["", *_cases(found, width, 999 if everything else LINES - len(lines) - len(last) - 1)]
    if everything:
        rows = [compared.quantity_row(case.id, paired) for case in found.cases for paired in case.quantities]
        lines += ["", *table(compared.QUANTITIES, rows, 3)] if rows else []
        lines += [line for note in found.notes for line in phrases("note", [plain(note)], width)]
    plain_text = text([*lines, *last])
    word = found.decision.value.upper()
    return re.sub(rf"\b{word}\b", f"\x1b[{_COLOURS[found.decision]}m{word}\x1b[0m", plain_text, count=1) if colour else plain_text


def _head(comparison: Comparison, width: int) -> str:
    word = f"{'DRILL  ' if comparison.drill else ''}{comparison.decision.value.upper()}   "
    right = f"   {units.duration(comparison.seconds)}"
    state = "" if comparison.state == "finished" else f"   {plain(comparison.state)}"
    left = word + clip(compared.title(comparison), max(width - len(word + state + right), 20)) + state
    return f"{left}{right:>{max(width - len(left), len(right))}}"


def _finding(finding: Finding, width: int, everything: bool) -> list[str]:
    label = "restrict" if finding.verdict is Verdict.WARN else "hold"
    lines = phrases(label, [plain(finding.case_id), plain(finding.what)], width, 99 if everything else 2)
    return lines + (phrases("evidence", [plain(finding.evidence)], width) if everything else [])


def _cases(comparison: Comparison, width: int, room: int) -> list[str]:
    rows = [compared.case_row(case) for case in comparison.cases]
    more = [f"... {len(rows) - room + 2} more (--all)"] if len(rows) + 1 > room else []
    shown = rows[: max(room - 1 - len(more), 1)]
    lines = table(compared.CASES, shown, 4, width, ("answer", "A", "B"))
    return [clip(line, width) for line in lines] + more


def _last(comparison: Comparison, width: int, page: bool) -> list[str]:
    folder = plain(comparison.plan.folder)
    pairs = max((case.pairs for case in comparison.cases), default=0)
    runs = [f"{letter} {plain(run)}" for letter, run in zip("AB", comparison.plan.runs, strict=True)]
    shown = f"report   {folder}/report.html" if page else f"results  {folder}/results.json"
    return [
        *phrases("runs", [*runs, f"up to {plural(pairs, 'pair')} a case"], width, 2),
        f"{shown}   exit code {comparison.exit_code}",
    ]
