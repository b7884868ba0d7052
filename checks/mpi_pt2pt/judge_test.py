"""Wrong bytes by rank, a slow pair, a slow core of a scan, and launches in unlike modes, through `assess`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment
from tenken.model.record import Record, Table, Validity
from tenken.model.verdict import Axis, Verdict
from tenken.store.judges import load_judges

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["mpi_pt2pt"])
SIZES = (8, 1048576)
CARD_IDS = tuple(f"GPU-{i}" for i in range(8))
CARDS = Table("near_card", "1", "higher", ("hfi1_0",), tuple(map(str, range(8))), ((0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0),))
IRQS = Table("card_interrupts", "1", "lower", ("hfi1_0/57", "hfi1_0/58"), ("processor",), ((2.0,), (2.0,)))


def record(
    ranks: int = 8, slow: dict[int, float] | None = None, modes: tuple[float, float] = (60, 62),
    rates: dict[int, float] | None = None, tables: tuple[Table, ...] = (), halves: bool = False, wrong: int = 0,
    cards: tuple[str, ...] = (),
) -> Record:
    """`slow`: rank -> factor of its times; pairs are (0,1), (2,3), ... or halves; `rates`: of a scan, by core.

    `cards`: of each rank, which then exchanges between cards.
    """
    of = "card_" if cards else ""
    factors = [(slow or {}).get(rank, 1.0) for rank in range(ranks)]
    parts = [
        b.Timed(f"{of}{pattern}/{size}", np.concatenate([b.quiet(ns * factor, seed=rank) for rank, factor in enumerate(factors)]),
                kind="comm", of=f"{of}{pattern}", at=size)
        for pattern, ns in (("exchange", 1e5), ("one_way", 2e5), ("both_ways", 3e5)) for size in SIZES
    ]
    values = {"core_round_trip_before": ("ns", modes[0]), "core_round_trip_after": ("ns", modes[1])}
    values |= {f"core_bandwidth/{cpu}": ("GB/s", rate) for cpu, rate in (rates or {}).items()}
    proof = Validity("payload", float(wrong), 0.0, 0.0, "max", "bytes")
    made = b.record(*parts, check="mpi_pt2pt", values=values, validity=(proof,), cards=cards)
    return replace(made, tables=tables, parameters={"pairing": "halves" if halves else "neighbours"})


def judged(*records: Record, **changes: object) -> CaseAssessment:
    of = b.check("mpi_pt2pt", validity=())
    launched = [replace(one, path=one.path.replace("0001", f"{i:04d}")) for i, one in enumerate(records, 1)]
    run = b.run(b.case_run(*launched, of=of, **changes))
    return assess(run, b.machine(b.node("n0", cores=8, cpus=8)), (), judges=JUDGES).cases[0]


def test_equal_pairs_are_ok() -> None:
    balance = b.axis(judged(record(), record()), Axis.BALANCE)
    assert (balance.verdict, balance.reason) == (Verdict.OK, "4 pairs alike in 6 sizes and patterns")


@pytest.mark.parametrize(("halves", "slow", "pair"), [(False, (2, 3), (2, 3)), (True, (1, 5), (1, 5))])
def test_a_slow_pair_is_named_with_both_ranks(halves: bool, slow: tuple[int, int], pair: tuple[int, int]) -> None:
    one = record(slow=dict.fromkeys(slow, 2.0), halves=halves)
    findings = [each for each in judged(one, one).findings if each.axis is Axis.BALANCE]
    assert [(each.where.rank, each.where.to_rank) for each in findings] == [pair]
    a, b_ = pair
    assert findings[0].what.startswith(f"ranks {a} (n0) and {b_} (n0) exchange slowly: up to 2")
    assert "in 6 of 6 sizes and patterns" in findings[0].what


def test_two_pairs_and_oversubscribed_ones_are_left_to_the_general_judgement() -> None:
    slow = {2: 2.0, 3: 2.0}
    for case in (judged(record(4, slow)), judged(record(8, slow), oversubscribed=True)):
        assert not any("the pair of rank" in one.what for one in case.findings)


def test_wrong_bytes_are_invalid_and_their_rank_is_named() -> None:
    table = Table("wrong_bytes", "1", "lower", ("n0/3",), ("bytes",), ((5.0,),))
    case = judged(record(), record(tables=(table,), wrong=5))
    assert case.verdict is Verdict.INVALID
    (finding,) = [one for one in case.findings if one.axis is Axis.VALIDITY]
    assert finding.what == "wrong answer: rank 3 on n0 got 5 bytes that no rank sent"
    assert (finding.where.rank, finding.where.launch) == (3, 2)


def test_between_cards_the_card_and_the_first_wrong_word_are_named() -> None:
    table = Table("wrong_bytes", "1", "lower", ("n0/3",), ("bytes", "size", "message", "word"), ((5.0, 4096.0, 2.0, 17.0),))
    (finding,) = [one for one in judged(record(cards=CARD_IDS, tables=(table,), wrong=5)).findings if one.axis is Axis.VALIDITY]
    assert finding.what == ("wrong answer: rank 3 on n0, card GPU-3 got 5 bytes that no rank sent; "
                            "the first is in word 17 of message 2 of 4096 bytes")


def test_a_slow_pair_of_cards_is_named_with_both_cards() -> None:
    one = record(slow={2: 2.0, 3: 2.0}, cards=CARD_IDS)
    (finding,) = [each for each in judged(one, one).findings if each.axis is Axis.BALANCE]
    assert finding.what.startswith("ranks 2 (n0, card GPU-2) and 3 (n0, card GPU-3) exchange slowly: up to 2")


def test_a_failed_proof_without_a_name_is_still_invalid() -> None:
    assert judged(record(wrong=1)).verdict is Verdict.INVALID


def test_a_slow_core_is_named_with_the_cores_near_the_card_and_the_commands_that_move_interrupts() -> None:
    rates = {cpu: 8.4 for cpu in range(8)} | {2: 5.8, 5: 10.7}
    case = judged(record(2, rates=rates, tables=(CARDS, IRQS)))
    (finding,) = [one for one in case.findings if one.axis is Axis.BALANCE]
    assert finding.what.startswith("processor 2 of n0 sends slowly: 5.8 GB/s, 31 % less than the median over cores")
    assert "fastest: processors 5" in finding.what and "near hfi1_0: processors 4-7" in finding.what
    assert finding.where.cpu == 2
    assert finding.next_command == "echo 4 > /proc/irq/57/smp_affinity_list; echo 5 > /proc/irq/58/smp_affinity_list"


def test_equal_cores_are_ok_and_of_two_none_is_called_slow() -> None:
    assert b.axis(judged(record(2, rates=dict.fromkeys(range(4), 8.4))), Axis.BALANCE).verdict is Verdict.OK
    two = b.axis(judged(record(2, rates={0: 8.4, 1: 4.0})), Axis.BALANCE)
    assert two.verdict is Verdict.NOT_JUDGED and "4 to 8.4 GB/s" in two.reason


def test_unlike_modes_are_not_compared() -> None:
    assert b.axis(judged(record(), record(modes=(60, 200))), Axis.STEADINESS).verdict is Verdict.NOT_JUDGED
    assert "60 to 200 ns apart" in b.axis(judged(record(), record(modes=(60, 200))), Axis.STEADINESS).reason
    assert b.axis(judged(record(), record()), Axis.STEADINESS).verdict is Verdict.OK


def test_pairs_of_very_many_ranks_are_judged_by_what_was_kept_of_them() -> None:
    slow = judged(b.thin(record(slow=dict.fromkeys((2, 3), 2.0))))
    assert [(one.where.rank, one.where.to_rank) for one in slow.findings if one.axis is Axis.BALANCE] == [(2, 3)]
    balance = b.axis(judged(b.thin(record()), b.thin(record())), Axis.BALANCE)
    assert (balance.verdict, balance.reason) == (Verdict.OK, "4 pairs alike in 6 sizes and patterns")
