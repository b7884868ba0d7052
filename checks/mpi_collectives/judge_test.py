"""A rank that begins late, a rank whose bytes are wrong, launches in unlike modes, and reductions in the network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.launch.plan import select
from tenken.model.assessment import CaseAssessment
from tenken.model.check import ValiditySpec
from tenken.model.record import Record, Table, Validity, Work
from tenken.model.verdict import Axis, Verdict
from tenken.store.checkfile import load_checks
from tenken.store.judges import load_judges
from tenken.store.suitefile import load_suites

TREE = Path(__file__).resolve().parents[2]
JUDGES = load_judges([TREE / "checks"], ["mpi_collectives"])
COLUMNS = ("barrier", "bcast/4", "allreduce/4", "alltoall/4")


def timed(path: str, ns: float, ranks: int, of: str, at: int | None) -> b.Timed:
    return b.Timed(path, b.quiet(ns, ranks), "comm", Work(messages=1), of=of, at=at)


def last(more: Mapping[int, tuple[float, float]], ranks: int = 4, all_us: float = 0) -> Table:
    """What calls cost ranks that come last, 1 and 2 us and `all_us`: `more` of it in a barrier and a sum."""
    names = tuple(f"n0/{rank}/{rank + 8}" for rank in range(ranks))
    cells = tuple(tuple(all_us + us + of for us, of in zip((1, 2), more.get(rank, (0, 0)))) for rank in range(ranks))
    return Table("last", "us", "lower", names, ("barrier", "allreduce"), cells)


def record(
    late: Mapping[tuple[int, str], float] | None = None, wrong: Mapping[int, tuple[float, float]] | None = None, ranks: int = 4,
    modes: tuple[float, float] = (900, 920), nodes: int = 1, sum_ns: float = 3000, barrier_ns: float = 2500,
    cards: tuple[str, ...] = (), place: tuple[float, float] | None = None,
) -> Record:
    """`late`: (rank, operation or "all") -> us; `wrong`: rank -> bytes given, bytes got; `place`: on rank 0."""
    late, wrong = late or {}, wrong or {}
    names = tuple(f"n{rank % nodes}/{rank}/{rank + 8}" for rank in range(ranks))
    begun = tuple(tuple(0.04 + late.get((rank, name), 0) + late.get((rank, "all"), 0) for name in COLUMNS)
                  for rank in range(ranks))
    tables = (
        Table("begun", "us", "lower", names, COLUMNS, begun),
        Table("missed", "1", "lower", names, COLUMNS, tuple((0.0,) * 4 for _ in names)),
        Table("wrong", "B", "lower", names, ("given", "got"), tuple(wrong.get(rank, (0.0, 0.0)) for rank in range(ranks))),
    )
    if place is not None:
        tables += (Table("wrong_place", "1", "lower", names, ("size", "word"), (place, *(((0.0, 0.0),) * (ranks - 1)))),)
    bad = sum(sum(one) for one in wrong.values())
    made = b.record(
        timed("window_barrier", barrier_ns, ranks, "window_barrier", None),
        timed("window_allreduce/4", sum_ns, ranks, "window_allreduce", 4),
        check="mpi_collectives", hosts=[f"n{i}" for i in range(nodes)], cards=cards,
        values={"core_round_trip_before": ("ns", modes[0]), "core_round_trip_after": ("ns", modes[1]), "nodes": ("1", nodes)},
        validity=[Validity("alltoall", bad, 0, 0, "max", "every byte")],
    )
    return replace(made, tables=tables)


def judged(*records: Record) -> CaseAssessment:
    of = b.check("mpi_collectives", validity=(ValiditySpec("alltoall", 0.0, "every byte"),))
    launched = [replace(one, path=one.path.replace("0001", f"{i:04d}")) for i, one in enumerate(records, 1)]
    hosts = sorted({rank.host for one in records for rank in one.rank})
    return assess(b.run(b.case_run(*launched, of=of)), b.machine(*map(b.node, hosts)), (), judges=JUDGES).cases[0]


def test_equal_ranks_are_ok_and_a_reduction_on_one_node_is_not_offloaded() -> None:
    balance = b.axis(judged(record(), record()), Axis.BALANCE)
    assert balance.verdict is Verdict.OK
    told = "allreduce of one element 1.2 x a barrier: not offloaded as far as 1 node can show"
    assert balance.reason == f"4 ranks begin alike; {told}"


@pytest.mark.parametrize("ranks", [2, 4])
def test_a_rank_late_by_two_microseconds_is_named(ranks: int) -> None:
    slow = record({(ranks - 1, "all"): 2.0}, ranks=ranks)
    (finding,) = judged(slow, slow, record(ranks=ranks)).findings
    assert finding.what.startswith(f"rank {ranks - 1} (processor {ranks + 7} of n0) begins 2 us later than the other ranks, each")
    assert (finding.where.rank, finding.where.cpu) == (ranks - 1, ranks + 7)


def test_late_in_one_launch_of_three_or_in_one_operation_is_not_enough() -> None:
    slow = record({(3, "all"): 2.0})
    assert not judged(slow, record(), record()).findings
    once = record({(3, "barrier"): 2.0})
    assert not judged(once, once).findings


@pytest.mark.parametrize("ranks", [2, 4])
def test_a_rank_that_is_delayed_inside_of_calls_is_named(ranks: int) -> None:
    made = record(ranks=ranks)
    slow = replace(made, tables=(*made.tables, last({1: (5.0, 5.0)}, ranks)))
    (finding,) = judged(slow, slow, slow).findings
    assert finding.what == (
        "rank 1 (processor 9 of n0) is delayed inside of each call: 5 us more than other ranks that come last"
    )
    assert (finding.where.rank, finding.where.cpu) == (1, 9)


def test_between_cards_the_card_and_the_first_wrong_word_are_named() -> None:
    cards = ("GPU-0", "GPU-1", "GPU-2", "GPU-3")
    case = judged(record(wrong={3: (8.0, 0.0)}, cards=cards, place=(1024.0, 64.0)))
    (finding,) = [one for one in case.findings if one.axis is Axis.VALIDITY]
    assert finding.what == ("rank 3 (processor 11 of n0, card GPU-3) sent wrong bytes: 8; on rank 0 (processor 8 of n0, "
                            "card GPU-0) the first is word 64 of an operation of 1024 bytes")
    (finding,) = judged(*2 * (record({(3, "all"): 2.0}, cards=cards),)).findings
    assert finding.what.startswith("rank 3 (processor 11 of n0, card GPU-3) begins 2 us later")


@pytest.mark.parametrize("more", [(3.7, 5.0), (5.0, 3.7), (5.0, 0.0), (0.0, 0.0)])
def test_a_delay_inside_of_one_call_or_within_a_tree_is_not_named(more: tuple[float, float]) -> None:
    slow = replace(record(), tables=(*record().tables, last({1: more})))
    assert not judged(slow, slow).findings  # a round trip of 0.91 us for each of two levels is no delay


@pytest.mark.parametrize(("more", "named"), [(14.0, False), (16.0, True)])
def test_a_delay_is_named_from_half_of_the_call_on(more: float, named: bool) -> None:
    slow = replace(record(), tables=(*record().tables, last({1: (more, more)}, all_us=28.0)))
    assert bool(judged(slow, slow).findings) == named


def test_a_rank_that_waits_for_an_answer_through_a_slow_network_is_not_named() -> None:
    made = record(ranks=2, modes=(20_000, 20_000))
    far = replace(made, tables=(*made.tables, last({1: (20.0, 20.0)}, 2)))
    assert not judged(far, far).findings


def test_whose_bytes_are_wrong_is_named_and_no_rate_is_shown() -> None:
    case = judged(record(wrong={2: (300.0, 0.0), 0: (0.0, 100.0), 1: (0.0, 100.0)}))
    assert case.verdict is Verdict.INVALID
    assert case.findings[0].what == "rank 2 (processor 10 of n0) sent wrong bytes: 300"
    only_got = judged(record(wrong={1: (0.0, 8.0)}))
    assert only_got.findings[0].what == "rank 1 (processor 9 of n0) has wrong bytes in its results: 8"
    assert only_got.verdict is Verdict.INVALID


def test_wrong_bytes_stay_invalid_without_the_table() -> None:
    made = record(wrong={1: (0.0, 8.0)})
    case = judged(replace(made, tables=()))
    assert case.verdict is Verdict.INVALID and "alltoall" in case.findings[0].what


def test_unlike_modes_are_said_and_not_judged() -> None:
    steadiness = b.axis(judged(record(), record(modes=(900, 2900))), Axis.STEADINESS)
    assert steadiness.verdict is Verdict.NOT_JUDGED and "took 900 to 2900 ns" in steadiness.reason


@pytest.mark.parametrize(("sum_ns", "barrier_ns", "word"), [
    (1000, 900, ": offloaded, 1 us"), (3000, 900, ": not offloaded, the barrier is"), (3000, 2500, ": not offloaded, 3."),
])
def test_a_sum_that_messages_could_not_do_is_offloaded(sum_ns: float, barrier_ns: float, word: str) -> None:
    """8 nodes: three messages one after the other, of 0.5 us each."""
    made = record(ranks=8, nodes=8, modes=(1000, 1000), sum_ns=sum_ns, barrier_ns=barrier_ns)
    assert word in b.axis(judged(made, made), Axis.BALANCE).reason


def test_one_rank_and_strange_labels_are_not_judged() -> None:
    assert b.axis(judged(record(ranks=1)), Axis.BALANCE).verdict is Verdict.NOT_JUDGED
    made = record({(1, "all"): 2.0}, ranks=2)
    odd = tuple(replace(table, rows=("x", "n0/a/b")) for table in made.tables)
    assert b.axis(judged(replace(made, tables=odd)), Axis.BALANCE).verdict is Verdict.NOT_JUDGED
    assert np.isfinite(made.values[0].value)


def test_what_was_called_mpi_allreduce_is_found() -> None:
    """Suites, command lines, baselines and recorded runs of before name mpi_allreduce:all_cores."""
    checks = load_checks([TREE / "checks"])
    suites = load_suites([TREE / "suites"], checks)
    chosen = select(["mpi_allreduce:all_cores", "mpi_allreduce:all_cores_by_size"], checks, suites)
    assert [spec.name for _, spec in chosen.cases] == ["all_cores", "all_cores_by_size"]
    assert chosen.renamed[0] == ("mpi_allreduce:all_cores", "mpi_collectives:all_cores")
    # The key of baselines is the case as written: unchanged. So is what the two metrics of before measure.
    cases = {case.name: case for case in checks["mpi_collectives"].cases}
    assert (cases["all_cores"].variant, cases["all_cores"].parameters) == ("blocking", {})
    assert {"quick", "check"} <= set(cases["all_cores"].suites) and cases["all_cores_by_size"].suites == ("check",)
    metrics = {metric.name: (metric.section, metric.quantity) for metric in checks["mpi_collectives"].metrics}
    assert metrics["time"] == ("allreduce", "time_per_call") and metrics["barrier"] == ("barrier", "time_per_call")


def test_the_last_of_very_many_ranks_is_known_from_what_was_kept() -> None:
    made = record(ranks=8, nodes=8, modes=(1000, 1000), sum_ns=1000, barrier_ns=900)
    assert b.axis(judged(b.thin(made)), Axis.BALANCE) == b.axis(judged(made), Axis.BALANCE)
