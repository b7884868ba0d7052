"""The acceptance sheet of a contract in plain text, and the phrases that all reports share. Printable: no colours, no width."""

from __future__ import annotations

from collections import Counter

from tenken.base import units
from tenken.base.words import plural
from tenken.model.contract import ClauseResult, Contract, Held, RequirementResult
from tenken.report.lines import phrases, text
from tenken.report.plain import plain
from tenken.report.table import table

WIDTH = 100
_SHOWN = (Held.UNMET, Held.NOT_JUDGED, Held.WAIVED, Held.MET)  # worst first


def word(held: Held) -> str:
    return held.value.upper()


def tally(contract: Contract) -> str:
    """ "4 clauses: 1 not met, 3 met", worst first."""
    counts = Counter(clause.held for clause in contract.clauses)
    states = ", ".join(f"{counts[one]} {one.value}" for one in _SHOWN if counts[one])
    return f"{plural(len(contract.clauses), 'clause')}: {states}"


def waived(clause: ClauseResult) -> str:
    """The sentence on the waiver of a clause; "" without a waiver."""
    waiver = clause.waiver
    if waiver is None:
        return ""
    who = f"{plain(waiver.owner)}: {plain(waiver.reason)}"
    if clause.expired:
        return f"waiver expired on {waiver.expires} and counts no longer ({who})"
    if clause.held is Held.WAIVED:
        return f"waived until {waiver.expires} by {who}"
    idle = {Held.MET: "not needed any more", Held.UNMET: "a waiver does not cover a wrong answer",
            Held.NOT_JUDGED: "a clause that is not judged cannot be waived"}
    return f"waiver until {waiver.expires} ({who}): {idle[clause.held]}"


def limit(result: RequirementResult) -> str:
    of = result.requirement
    return f"{'>=' if result.better == 'higher' else '<='} {units.quantity(of.limit, of.unit)}"


def measured(result: RequirementResult) -> str:
    """The figure, as a bound where other load may have cost some of it."""
    unit = result.requirement.unit
    figure = units.quantity(result.value, unit)
    if result.value is None or result.at_best is None or units.quantity(result.at_best, unit) == figure:
        return figure
    if not units.BOUNDLESS * min(result.value, result.at_best) > max(result.value, result.at_best):
        return f"{figure} or {'more' if result.at_best > result.value else 'less'}"
    return f"{figure} to {units.quantity(result.at_best, unit)}"


def brief(contract: Contract) -> list[str]:
    """Sentences for reports of the run: the tally, then the waivers."""
    return [f"{word(contract.held)} {plain(contract.title)}: {tally(contract)}"] + [
        f"clause {plain(clause.clause)} {said}" for clause in contract.clauses if (said := waived(clause))
    ]


def contract_text(contract: Contract) -> str:
    """The verdict first, a table of all requirements, then clause by clause the wording, why, evidence, waiver and next."""
    drill = "DRILL  " if contract.drill else ""
    lines = [f"{drill}{word(contract.held)}   {plain(contract.title)}   {tally(contract)}"]
    lines.append(f"run {plain(contract.run)} on {plain(contract.machine)}, {units.moment(contract.started)}; "
                 f"waivers as of {contract.as_of}")
    rows = [
        (plain(clause.clause), word(requirement.held), plain(requirement.requirement.case), plain(requirement.requirement.metric),
         measured(requirement), limit(requirement))
        for clause in contract.clauses for requirement in clause.results
    ]
    lines += ["", *table(("clause", "state", "case", "metric", "measured", "limit"), rows, left=4)]
    for clause in contract.clauses:
        lines += ["", f"{plain(clause.clause)}   {word(clause.held)}"]
        for requirement in clause.results:
            lines += _requirement(requirement)
        lines += phrases("note", [waived(clause)], WIDTH, 9)
    lines += ["", f"exit code {contract.exit_code}"]
    return text(lines)


def _requirement(requirement: RequirementResult) -> list[str]:
    of = requirement.requirement
    return [
        *phrases("promised", [plain(of.text)], WIDTH, 20), *phrases("found", [plain(requirement.why)], WIDTH, 9),
        *phrases("evidence", [f"{plain(of.case)} {plain(of.metric)}", plain(requirement.evidence)], WIDTH, 9),
        *(phrases("next", [plain(requirement.next_command)], WIDTH, 2) if requirement.held is not Held.MET else []),
    ]
