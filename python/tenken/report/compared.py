"""Figures side by side in text: two environments, reference systems and runs, a figure through time."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from math import inf, log, log1p

from tenken.base import units
from tenken.base.units import NONE, number
from tenken.base.words import plural
from tenken.model.assessment import Finding
from tenken.model.baseline import History, HistoryPoint, sentence
from tenken.model.comparison import CaseComparison, Comparison, Decision, PairedQuantity
from tenken.model.machine import Block, Cell, Systems
from tenken.model.verdict import Verdict
from tenken.report.plain import clip, phrases, plain, table, text

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


# A release decision on the terminal: decision, reasons, differences, next command, table.

LINES = 24
_FINDINGS = 5  # shown before the table
_COLOURS = {Decision.RELEASE: "1;32", Decision.RESTRICT: "1;33", Decision.HOLD: "1;31", Decision.UNDECIDED: "1;36"}


def decision(found: Comparison, everything: bool = False, width: int = 100, colour: bool = False, page: bool = True) -> str:
    """At most 24 lines; `everything` gives all findings and quantities. `page`: whether report.html was written."""
    lines = [_head(found, width), *phrases("why", [plain(found.reason)], width, 3)]
    differ = differences(found) or ["no recorded difference of environments, libraries or nodes"]
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
        rows = [quantity_row(case.id, paired) for case in found.cases for paired in case.quantities]
        lines += ["", *table(QUANTITIES, rows, 3)] if rows else []
        lines += [line for note in found.notes for line in phrases("note", [plain(note)], width)]
    plain_text = text([*lines, *last])
    word = found.decision.value.upper()
    return re.sub(rf"\b{word}\b", f"\x1b[{_COLOURS[found.decision]}m{word}\x1b[0m", plain_text, count=1) if colour else plain_text


def _head(comparison: Comparison, width: int) -> str:
    word = f"{'DRILL  ' if comparison.drill else ''}{comparison.decision.value.upper()}   "
    right = f"   {units.duration(comparison.seconds)}"
    state = "" if comparison.state == "finished" else f"   {plain(comparison.state)}"
    left = word + clip(title(comparison), max(width - len(word + state + right), 20)) + state
    return f"{left}{right:>{max(width - len(left), len(right))}}"


def _finding(finding: Finding, width: int, everything: bool) -> list[str]:
    label = "restrict" if finding.verdict is Verdict.WARN else "hold"
    lines = phrases(label, [plain(finding.case_id), plain(finding.what)], width, 99 if everything else 2)
    return lines + (phrases("evidence", [plain(finding.evidence)], width) if everything else [])


def _cases(comparison: Comparison, width: int, room: int) -> list[str]:
    rows = [case_row(case) for case in comparison.cases]
    more = [f"... {len(rows) - room + 2} more (--all)"] if len(rows) + 1 > room else []
    shown = rows[: max(room - 1 - len(more), 1)]
    lines = table(CASES, shown, 4, width, ("answer", "A", "B"))
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


# Reference systems side by side, in plain text.

MOST_VALUES = 8


def systems_text(systems: Systems) -> str:
    """The titles, the specification, a table for each application, and footnotes."""
    names = systems.names
    lines = [plain(f"{name}: {title}") for name, title in zip(names, systems.titles, strict=True)]
    over = [f"{name}/{names[0]}" for name in names[1:]]
    lines += ["", "Specification"]
    lines += table(
        ["", *names, *over],
        [[line.name, *(cell.value if cell else NONE for cell in line.cells), *map(_ratio, line.ratios[1:])]
         for line in systems.specification], left=1 + len(names),
    )
    for block in systems.blocks:
        lines += ["", *_block(block, systems, over)]
    if systems.footnotes:
        lines += ["", *(f"[{place}] {sentence}" for place, sentence in enumerate(systems.footnotes, start=1))]
    lines += ["", "Figures as printed; % is of peak, recomputed from value and peak (of times: from the work that all agree on),",
              "of a run of its measured ceiling.",
              "Shown, never judged. Sources: docs/references.md"]
    return "\n".join(lines) + "\n"


def _block(block: Block, systems: Systems, over: list[str]) -> list[str]:
    size = f", {block.size}" if block.size else ""
    lines = [plain(f"{block.application}{size} [{block.unit}]{f': {block.basis}' if block.basis else ''}")]
    headings = [""]
    for name in systems.names:
        headings += [name, "% printed", "%"]
    rows = [
        [line.name, *(part for cell in line.cells for part in _cell(cell)), *map(_ratio, line.ratios[1:])] for line in block.lines
    ]
    lines += table([*headings, *over], rows)
    for note in (*block.apart, *block.notes):
        lines += textwrap.wrap(plain(note), 130, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    return lines


def _cell(cell: Cell | None) -> tuple[str, str, str]:
    if cell is None:
        return NONE, NONE, NONE
    values = cell.value.split()
    value = cell.value
    if len(values) > MOST_VALUES:  # a line of a matrix: all of them are in --json
        value = f"{len(values)} values, {min(values, key=float)} to {max(values, key=float)}"
    marks = "".join(f" [{place}]" for place in cell.footnotes)
    return value + marks, cell.percent_printed or NONE, NONE if cell.percent is None else f"{cell.percent:.2f}"


def _ratio(ratio: float | None) -> str:
    return NONE if ratio is None else f"{number(ratio, 3)}x"


# A history in text: a sparkline and a table.

_BLOCKS, _ASCII = "▁▂▃▄▅▆▇█", "_.-=+*%#"
_NEWEST = 60  # points of a sparkline
_CHANGES = 60  # columns of the sentence on changes


def sparkline(values: Sequence[float | None], ascii_only: bool = False) -> str:
    """One character for each value, from the least to the greatest; a blank where there is none."""
    marks = _ASCII if ascii_only else _BLOCKS
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)

    def mark(value: float | None) -> str:
        if value is None:
            return " "
        return marks[len(marks) // 2 if high == low else round((value - low) / (high - low) * (len(marks) - 1))]

    return "".join(mark(value) for value in values)


def lines(history: History, ascii_only: bool = False) -> list[str]:
    """Heading, sparkline and a row for each point; sentences on impossible times and all changes below."""
    kind, _, name = history.name.partition(":")
    what = plain(name) if kind == "metric" else f"{kind}:{plain(name)}"
    unit = "" if history.unit == "1" else f"{'s' if history.unit == 'ns' else plain(history.unit)}, "
    head = f"{plain(history.case_id)}/{what}   {unit}{history.better} is better   "
    newest = [point.value for point in history.points[-_NEWEST:]]
    result = [head + f"{plain(history.node_class)} {history.case_hash}", sparkline(newest, ascii_only)]
    headings = ("started", "run", "median +- MAD", "verdict", "accepted")
    rows = [
        (_moment(point), plain(point.run), _value(point, history.unit), plain(point.verdict) or units.NONE,
         "yes" if point.accepted else "no") for point in history.points
    ]
    changes = ["changed", *(clip(plain("; ".join(_changes_at(point))), _CHANGES) for point in history.points)]
    result += [f"{line}  {said}".rstrip() for line, said in zip(table(headings, rows, 2), changes, strict=True)]
    if any(point.disturbed for point in history.points):
        result.append("~ measured under other load: a time is an upper bound, a rate a lower bound")
    for point in history.points:
        if point.doubt:
            result.append(f"{plain(point.run)}: its time cannot be right: {plain(point.doubt)}")
        if len("; ".join(point.changes)) > _CHANGES:
            result += [f"{plain(point.run)}: {plain(change)}" for change in point.changes]
    return result


def _changes_at(point: HistoryPoint) -> tuple[str, ...]:
    return ((f"formerly {point.formerly}",) if point.formerly else ()) + point.changes


def _moment(point: HistoryPoint) -> str:
    return plain(point.started)[:16].replace("T", " ") + (" ?" if point.doubt else "")


def _value(point: HistoryPoint, unit: str) -> str:
    show = units.median_mad_ns if unit == "ns" else units.median_mad
    return show(point.value, point.spread) + " ~" * point.disturbed
