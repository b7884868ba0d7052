"""The odd card is named with its clock and the reason of the driver; cards that are alike and steady are OK."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import builders as b

from tenken.judge.assess import assess
from tenken.model.assessment import AxisResult, Finding
from tenken.model.record import Table
from tenken.model.verdict import Axis, Verdict
from tenken.store.judges import load_judges

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["gpu_evenness"])
SECONDS = 20


def judged(ends: list[tuple[float, float]], *more: Table) -> tuple[AxisResult, tuple[Finding, ...]]:
    """Cards whose rates go evenly from the first to the second number."""
    cards = tuple(f"{i}" for i in range(len(ends)))
    rows = tuple(tuple(first + (last - first) * i / (SECONDS - 1) for first, last in ends) for i in range(SECONDS))
    table = Table("rate", "GFLOP/s", "higher", tuple(f"t {i + 1} s" for i in range(SECONDS)), cards, rows)
    record = replace(b.record(b.fma(40e9, path="burn"), check="gpu_evenness"), tables=(table, *more))
    run = b.run(b.case_run(record, of=b.check("gpu_evenness", validity=())))
    case = assess(run, b.machine(b.node()), (), judges=JUDGES).cases[0]
    return next(one for one in case.axes if one.axis is Axis.BALANCE), case.findings


def test_like_cards_are_ok() -> None:
    axis, findings = judged([(6500, 6500), (6400, 6400), (6600, 6000)])
    assert axis.verdict is Verdict.OK and axis.reason == "3 cards compute at 6300 to 6500 GFLOP/s" and not findings


def test_one_card_is_not_compared() -> None:
    axis, findings = judged([(6500, 6500)])
    assert axis.verdict is Verdict.NOT_JUDGED and "one card, at 6500 GFLOP/s" in axis.reason and not findings


def test_the_slow_card_is_named_with_clock_and_reason() -> None:
    clock = Table("clock", "GHz", "higher", ("t 1 s",), ("0", "1", "2"), ((1.98, 1.41, 1.98),))
    reasons = Table("reasons", "%", "lower", ("0", "1", "2"), ("heat", "power limit"), ((0.0, 0.0), (5.0, 80.0), (0.0, 0.0)))
    axis, (finding,) = judged([(6500, 6500), (4600, 4600), (6500, 6500)], clock, reasons)
    assert axis.verdict is Verdict.WARN and finding.where.host == "n0"
    assert finding.what == ("card 1 of n0 computes at 4600 GFLOP/s, the other cards at 6500 GFLOP/s; clock 1.41 GHz, others "
                            "1.98 GHz; power limit in 80 % of the readings")


def test_a_card_that_falls_is_named() -> None:
    (finding,) = judged([(6500, 6500), (7500, 5500)])[1]
    assert finding.axis is Axis.STEADINESS and finding.what.startswith("card 1 of n0 falls from 7447 to 5553 GFLOP/s")


def test_a_card_with_memory_errors_is_named() -> None:
    columns = ("repair pending", "repair failed", "uncorrected errors")
    memory = Table("memory", "1", "lower", ("0", "1"), columns, ((0.0, 0.0, 0.0), (1.0, None, 2.0)))
    axis, (finding,) = judged([(6500, 6500), (6500, 6500)], memory)
    assert axis.verdict is Verdict.OK and finding.axis is Axis.STEADINESS and finding.verdict is Verdict.WARN
    assert finding.what == ("card 1 of n0 has 2 uncorrected memory errors since its driver was loaded and waits for a reset to "
                            "replace faulty memory")
    assert finding.next_command == "nvidia-smi -q -i 1 -d ECC,ROW_REMAPPER,PAGE_RETIREMENT"


def test_cards_without_errors_have_no_finding() -> None:
    columns = ("repair pending", "repair failed", "uncorrected errors")
    assert not judged([(6500, 6500)], Table("memory", "1", "lower", ("0",), columns, ((0.0, None, 0.0),)))[1]
