"""Does a card compute slower than the other cards, or does its rate fall?"""

from __future__ import annotations

from statistics import median

from tenken.judge.common import digits, finding, percent, plural
from tenken.model.assessment import AxisResult, Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.record import Record, Table
from tenken.model.verdict import Axis, Verdict

SLOW = 0.95  # of the median of the other cards: cards of one kind differ by a few percent under their power limit
FALLEN = 0.85  # of the first rate: a card that becomes warm loses less
END = 10  # parts of the time of which the first and the last are compared
OFTEN = 10.0  # percent of the readings in which a reason is worth a word
Columns = dict[str, list[float]]


def judge(of: ToJudge) -> OwnJudgement:
    """Of the last launch: balance, card against card, and steadiness, the end of the time against its start."""
    if not of.measured:
        return OwnJudgement()
    record = of.measured[-1].record
    series = _columns(record, "rate")
    if not series:
        return OwnJudgement()
    host = record.rank[0].host
    rates = {card: median(values) for card, values in series.items()}
    findings: list[Finding] = []

    def name(axis: Axis, card: str, what: str, rate: float, expected: float, part: float) -> None:
        findings.append(finding(
            axis, Verdict.WARN, of.case.id, what + _why(record, card),
            f"medians of seconds; launch {of.measured[-1].launch.number}", measured=rate, expected=expected,
            band=(part * expected, None), unit="GFLOP/s", where=Where(host=host),
            next_command=f"nvidia-smi -q -i {card.split(' ')[-1]} -d PERFORMANCE,POWER,TEMPERATURE"))

    for card, rate in rates.items():
        others = [other for key, other in rates.items() if key != card]
        if others and rate < SLOW * median(others):
            what = (f"card {card} of {host} computes at {digits(rate)} GFLOP/s, the other cards at {digits(median(others))} "
                    "GFLOP/s")
            name(Axis.BALANCE, card, what, rate, median(others), SLOW)
    for card, values in series.items():
        part = max(1, len(values) // END)
        first, last = median(values[:part]), median(values[-part:])
        if len(values) >= END and last < FALLEN * first:
            what = (f"card {card} of {host} falls from {digits(first)} to {digits(last)} GFLOP/s within "
                    f"{plural(len(values), 'interval')} of the launch")
            name(Axis.STEADINESS, card, what, last, first, FALLEN)
    findings += _of_memory(of, record, host)
    low, high = digits(min(rates.values())), digits(max(rates.values()))
    balance = AxisResult(Axis.BALANCE, Verdict.OK, f"{len(rates)} cards compute at {low} to {high} GFLOP/s")
    if len(rates) < 2:
        alone = f"one card, at {low} GFLOP/s: there is no other card to compare with"
        balance = AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, alone)
    bad = {one.axis: AxisResult(one.axis, Verdict.WARN, one.what) for one in reversed(findings)}  # the first of each axis
    return OwnJudgement(axes=tuple({Axis.BALANCE: balance, **bad}.values()), findings=tuple(findings))


def _of_memory(of: ToJudge, record: Record, host: str) -> list[Finding]:
    """Cards whose driver reports memory errors: today's answers were right, tomorrow's may not be."""
    table = next((table for table in record.tables if table.name == "memory" and table.values is not None), None)
    findings = []
    for card, row in zip(table.rows, table.values or (), strict=True) if table is not None else ():
        reported = dict(zip(table.columns, row, strict=True)) if table is not None else {}
        words = []
        if count := reported.get("uncorrected errors"):
            words.append(f"has {plural(int(count), 'uncorrected memory error')} since its driver was loaded")
        if reported.get("repair failed"):
            words.append("has a memory row that could not be replaced")
        if reported.get("repair pending"):
            words.append("waits for a reset to replace faulty memory")
        if words:
            findings.append(finding(
                Axis.STEADINESS, Verdict.WARN, of.case.id, f"card {card} of {host} {' and '.join(words)}",
                "the counters of the driver, read after the launch", where=Where(host=host),
                next_command=f"nvidia-smi -q -i {card.split(' ')[-1]} -d ECC,ROW_REMAPPER,PAGE_RETIREMENT"))
    return findings


def _columns(record: Record, name: str) -> Columns:
    """What was measured of each card, in the order of time."""
    table: Table | None = next((table for table in record.tables if table.name == name and table.values is not None), None)
    if table is None:
        return {}
    found = {card: [row[place] for row in table.values or ()] for place, card in enumerate(table.columns)}
    known = {card: [one for one in values if one is not None and 0 < one < float("inf")] for card, values in found.items()}
    return {card: values for card, values in known.items() if values}


def _why(record: Record, card: str) -> str:
    """The clock of the card beside that of the others, and the reasons that the driver gives."""
    words = ""
    clocks = {key: median(values) for key, values in _columns(record, "clock").items()}
    others = [clock for key, clock in clocks.items() if key != card]
    if card in clocks:
        words += f"; clock {digits(clocks[card])} GHz" + (f", others {digits(median(others))} GHz" if others else "")
    for reasons in (one for one in record.tables if one.name == "reasons" and card in one.rows and one.values is not None):
        shares = zip(reasons.columns, (reasons.values or ())[reasons.rows.index(card)], strict=False)
        often = [(reason, share) for reason, share in shares if share is not None and share >= OFTEN]
        words += "".join(f"; {reason} in {percent(share / 100)} of the readings" for reason, share in often)
    return words
