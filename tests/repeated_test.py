"""The rule by which runs of micro-benchmarks are said to repeat (benchmarks/repeated.py)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))
import repeated as r

LATENCY = r.Figure("barrier", "us", "latency", lambda lines: lines[0]["figure"])
WORK = r.Figure("chain", "ns", "fixed work", LATENCY.read)


def record(figure: float, waited: float = 0, trip: float | None = None, clock: float = 3e9) -> list[dict[str, Any]]:
    trust = {"run_queue_wait_ns": waited, "steal_ns": None, "wall_ns": 100, "frequency_hz": [clock, clock, 9e9]}
    lines = [{"type": "header", "figure": figure}, {"type": "rank", "trust": trust}]
    return lines + ([] if trip is None else [{"type": "value", "name": "core_round_trip_before", "value": trip}])


def outcome(*records: list[dict[str, Any]], of: r.Figure = LATENCY) -> r.Outcome:
    return r.outcome(of, [[one] for one in records])


def test_the_farthest_run_decides() -> None:
    assert outcome(record(1), record(1.04), record(0.99)).end == r.REPEATS
    assert outcome(record(1), record(1.06), record(0.99)).end == r.DIFFERS


def test_a_run_is_the_median_of_its_launches() -> None:
    found = r.outcome(LATENCY, [[record(1), record(9), record(1.02)], [record(1), record(1), record(0.1)]])
    assert found.runs == (1.02, 1) and found.end == r.REPEATS


def test_what_a_set_met_excuses_it_and_is_named() -> None:
    loud = outcome(record(1), record(1.06, waited=3), record(1))
    assert loud.end == r.EXCUSED and loud.met == ("others' load took up to 3 %",)
    assert outcome(record(1), record(1.06, waited=2), record(1)).end == r.DIFFERS, "two per cent are quiet"
    modes = outcome(record(1, trip=50), record(2, trip=200), record(1, trip=50))
    assert modes.end == r.EXCUSED and modes.met == ("cores 50 to 200 ns apart",)
    assert outcome(record(1, trip=50), record(2, trip=52), record(1, trip=50)).end == r.DIFFERS, "one mode"
    clocks = outcome(record(1), record(1.04, clock=2.9e9), record(1), of=WORK)
    assert clocks.end == r.EXCUSED and clocks.met == ("clocks of 2.90 to 3.00 GHz",)
    assert outcome(record(1), record(1.04, clock=2.92e9), record(1), of=WORK).end == r.DIFFERS, "explains 2.7 of 3 per cent"
    assert outcome(record(1, trip=50), record(1.04, trip=90), record(1), of=WORK).end == r.DIFFERS, "cores do not matter"
    assert outcome(record(1), record(1.06, clock=2e9), record(1)).end == r.DIFFERS, "nor does the clock between them"


@pytest.mark.parametrize("repeats, excused, word", [
    (5, 0, "yes"), (4, 1, "yes"), (4, 0, "yes"), (3, 1, "with those excused"), (0, 5, "with those excused"), (3, 0, "no"),
    (2, 1, "no"),
])
def test_a_figure_holds_where_four_of_five_sets_repeat(repeats: int, excused: int, word: str) -> None:
    ends = [r.REPEATS] * repeats + [r.EXCUSED] * excused + [r.DIFFERS] * (5 - repeats - excused)
    assert r.holds(ends) == word


def test_the_table_counts_the_excused_apart() -> None:
    good, loud = outcome(record(1), record(1)), outcome(record(1), record(1.3, waited=50), record(1))
    *_, line, total = r.of_all([[good], [good], [good], [good], [loud]])
    assert line == "| barrier | 5 % | 4 of 5 | 1 | 0 | 0.0 % | yes |"
    assert total == "| all | | 4 of 5 | 1 | 0 | | |"


def test_a_proof_that_does_not_hold_ends_the_runs() -> None:
    proof = {"type": "validity", "name": "sum", "value": 1, "expected": 0, "limit": 0, "mode": "max"}
    with pytest.raises(SystemExit, match="proof sum does not hold"):
        r.require_proofs("this", [proof])
    r.require_proofs("this", [proof | {"value": 0}, proof | {"value": 2, "expected": 2, "mode": "abs"}])


def test_programs_are_missed_before_anything_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    (tmp_path / "here").touch(mode=0o755)
    monkeypatch.setattr(sys, "argv", ["runs.py", "--build", str(tmp_path)])
    assert r.checked(r.parser(None), ["here"]).build == tmp_path
    with pytest.raises(SystemExit):
        r.checked(r.parser(None), ["here", "by/hand"])
    assert f"`cmake --build {tmp_path} --target hand` makes them" in capsys.readouterr().err
