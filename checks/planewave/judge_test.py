"""The slow communicator of an axis with its number, ranks and hosts, through `assess`. Slow ranks and noise are none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import AxisResult, CaseAssessment, Finding
from tenken.model.record import Record, Table, TableSummary, Work
from tenken.model.verdict import Axis, Verdict
from tenken.store.judges import load_judges

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["planewave"])
MS = 1e6
BANDS, ROWS, COLUMNS = 2, 2, 2  # 8 ranks: four communicators of the axes bands, rows and columns, two of waves
RANKS = BANDS * ROWS * COLUMNS
AXES = ("k", "bands", "waves", "rows", "columns")
INVERSE1, INVERSE2 = "iteration/fft_inverse/alltoall1", "iteration/fft_inverse/alltoall2"
DIRECT1, DIRECT2 = "iteration/fft_direct/alltoall1", "iteration/fft_direct/alltoall2"
WSW, BCAST = "iteration/gs/wsw_allreduce", "iteration/gs/bcast1"
LINES, ALL = "iteration/fft_inverse/lines", "iteration/density_allreduce"
OF = {INVERSE1: "columns", DIRECT2: "columns", INVERSE2: "rows", DIRECT1: "rows", WSW: "waves", BCAST: "bands"}
HOSTS = ("n0", "n1", "n2", "n3")  # two ranks each: the ranks of a row share a node


def number(axis: str, rank: int) -> int:
    column, row, band = rank % COLUMNS, rank // COLUMNS % ROWS, rank // (ROWS * COLUMNS)
    return {"bands": row * COLUMNS + column, "waves": band, "rows": band * COLUMNS + column,
            "columns": band * ROWS + row}[axis]


def communicators() -> Table:
    values = tuple((None, *(float(number(axis, rank)) for axis in AXES[1:])) for rank in range(RANKS))
    rows = tuple(f"{HOSTS[rank // 2]}/{rank}" for rank in range(RANKS))
    return Table("communicators", "number of the communicator", "lower", rows, AXES, values, form="ranks")


def last(late: Mapping[int, float], axis: str, rank: int) -> float:
    """When the last rank of the communicator of `rank` arrives."""
    return max(late.get(other, 0.0) for other in range(RANKS) if number(axis, other) == number(axis, rank))


def record(
    slow: Mapping[tuple[str, int], float] | None = None, late: Mapping[int, float] | None = None,
    ms: float = 10.0, noise: float = 0.005, seed: int = 1, work: Mapping[str, Mapping[int, int]] | None = None,
    repetitions: int = 20, launch: int = 1, wait_ns: Mapping[int, int] | None = None,
    table: Table | None = communicators(),
) -> Record:
    """`slow`: (section, number) -> times the usual `ms`. `late`: rank -> ms more in the lines; the other ranks of
    its communicators wait for it. In the last section all ranks wait for the last. `work`: section -> rank ->
    bytes. `wait_ns`: rank -> time in the run queue."""
    slow, late, work, wait_ns = slow or {}, late or {}, work or {}, wait_ns or {}
    chance = np.random.default_rng(seed)
    timed = [b.Timed("iteration", b.quiet(100 * MS, RANKS, repetitions), leaf=False)]
    lines = MS * np.array([30 + late.get(rank, 0.0) for rank in range(RANKS)])[:, None]
    timed.append(b.Timed(LINES, np.rint(lines * chance.lognormal(0, noise, (RANKS, repetitions))).astype(np.int64)))
    waiting = dict(late)
    for path, axis in OF.items():
        own = np.array([ms * slow.get((path, number(axis, rank)), 1.0) for rank in range(RANKS)])
        together = {one: chance.lognormal(0, noise, repetitions) for one in range(RANKS)}
        for other in range(RANKS):  # whoever waited is late itself
            own[other] += last(waiting, axis, other) - waiting.get(other, 0.0)
        waiting = {rank: last(waiting, axis, rank) for rank in range(RANKS)}
        ns = np.array([own[rank] * together[number(axis, rank)] for rank in range(RANKS)])
        timed.append(b.Timed(path, np.rint(MS * ns).astype(np.int64), kind="comm", work=Work(bytes_read=1000)))
    spent = sum(each.ns for each in timed[1:])
    timed.append(b.Timed(ALL, spent.max(axis=0) - spent + round(2 * MS), kind="comm"))
    trusts = {rank: b.trust(run_queue_wait_ns=wait_ns.get(rank, 0)) for rank in range(RANKS)}
    made = b.record(*timed, check="planewave", launch=launch, trusts=trusts)
    placed = tuple(replace(one, host=HOSTS[one.rank // 2]) for one in made.rank)
    paths = {one.id: one.path for one in made.sections}
    series = tuple(
        replace(one, work=tuple(Work(bytes_read=work[paths[one.section]].get(one.rank, 1000)) for _ in one.ns))
        if paths[one.section] in work else one for one in made.series
    )
    return replace(made, rank=placed, series=series, tables=(table,) if table else ())


def judged(*records: Record) -> CaseAssessment:
    run = b.run(b.case_run(*records, of=b.check("planewave")))
    machine = b.machine(*(b.node(host) for host in HOSTS))
    return assess(run, machine, (), judges=JUDGES).cases[0]


def balance(of: CaseAssessment) -> AxisResult:
    return next(one for one in of.axes if one.axis is Axis.BALANCE)


def named(of: Finding) -> tuple[str | None, str]:
    return of.section, of.what.split(" (")[0]


def test_equal_communicators_are_ok_with_the_largest_ratio_of_each_axis() -> None:
    case = judged(record())
    assert (case.verdict, balance(case).verdict, case.findings) == (Verdict.OK, Verdict.OK, ())
    ends = balance(case).reason.split("; ")[-1]
    assert ends.startswith("communicators of an axis take up to 1")
    assert [axis for axis in OF.values() if f"({axis})" not in ends] == [] and "(k)" not in ends


def test_the_slow_communicator_of_the_paper_has_axis_number_ranks_and_host() -> None:
    """PHASE, FFT_D/alltoall1 of paper 002: 153.9 s in the communicator with the slow node, 15.5 s in the others."""
    case = judged(record({(DIRECT2, 2): 153.9 / 15.5}, ms=15.5, noise=0.0))
    (found,) = case.findings
    assert found.what == ("communicator 2 of axis columns (counted from 0; ranks 4 and 5 on n2) takes 154 ms in "
                          "iteration/fft_direct/alltoall2, 9.93 times the others of this axis (15.5 ms)")
    assert (found.axis, found.verdict, balance(case).reason) == (Axis.BALANCE, Verdict.WARN, found.what)
    assert (found.where.host, found.where.rank, found.where.section) == ("n2", None, DIRECT2)
    assert found.next_command.endswith(f"--section {DIRECT2} --without n2")


@pytest.mark.parametrize(("section", "of", "words"), [
    (INVERSE2, 3, "communicator 3 of axis rows (counted from 0; ranks 5 and 7 on n2 and n3)"),
    (WSW, 1, "communicator 1 of axis waves (counted from 0; ranks 4 to 7 on n2 and n3)"),
    (BCAST, 0, "communicator 0 of axis bands (counted from 0; ranks 0 and 4 on n0 and n2)"),
])
def test_each_axis_has_its_own_sections(section: str, of: int, words: str) -> None:
    (found,) = judged(record({(section, of): 4.0})).findings
    assert found.what.startswith(f"{words} takes") and found.where.host is None
    assert found.section == section


def test_two_axes_are_two_findings_the_slower_first() -> None:
    found = judged(record({(INVERSE1, 0): 3.0, (DIRECT1, 1): 5.0})).findings
    assert [named(one) for one in found] == [(DIRECT1, "communicator 1 of axis rows"),
                                             (INVERSE1, "communicator 0 of axis columns")]


@pytest.mark.parametrize(("factor", "findings"), [(1.45, 0), (1.55, 1)])
def test_slower_begins_at_one_and_a_half(factor: float, findings: int) -> None:
    case = judged(record({(INVERSE1, 1): factor}))
    assert len(case.findings) == findings
    assert ("1.45 (columns)" in balance(case).reason) is (findings == 0)


def test_a_slow_rank_is_named_and_no_communicator() -> None:
    """All ranks that share a communicator with rank 5 wait for it, and rank 5 waits for no rank."""
    case = judged(record(late={5: 20.0}))
    assert case.findings and all("communicator" not in one.what for one in case.findings)
    assert case.findings[0].what.startswith("rank 5 on n2") and case.findings[0].where.rank == 5
    assert balance(case).reason == case.findings[0].what


def test_a_slow_rank_beside_a_slow_communicator_is_named_too() -> None:
    found = judged(record({(INVERSE1, 0): 6.0}, late={5: 20.0})).findings
    assert named(found[0]) == (INVERSE1, "communicator 0 of axis columns")
    assert any(one.where.rank == 5 for one in found[1:])


def test_ranks_that_wait_for_a_slow_communicator_are_no_slow_communicator() -> None:
    """Half of the ranks wait in the next section for the ranks of two slow communicators, as long as these took."""
    one = record({(INVERSE1, 1): 3.0, (INVERSE1, 3): 3.0})
    added = {INVERSE2: 20 * MS, ALL: -20 * MS}
    more = {each.id: added[each.path] for each in one.sections if each.path in added}
    waits = [replace(each, ns=tuple(ns + round(more[each.section]) for ns in each.ns))
             if each.section in more and number("columns", each.rank) % 2 == 0 else each for each in one.series]
    found = judged(replace(one, series=tuple(waits))).findings
    assert [named(each) for each in found] == [(INVERSE1, f"communicator {slow} of axis columns") for slow in (1, 3)]


def test_more_work_explains_more_time() -> None:
    heavy = {INVERSE1: {0: 3000, 1: 3000}}
    assert judged(record({(INVERSE1, 0): 3.0}, work=heavy)).findings == ()
    (found,) = judged(record({(INVERSE1, 0): 9.0}, work=heavy, noise=0.0)).findings
    assert "takes 90 ms in iteration/fft_inverse/alltoall1, 3 times the others of this axis (30 ms)" in found.what


def test_noise_is_that_of_the_others_with_as_much_work() -> None:
    """1.6 times the others a byte, with repetitions that overlap theirs: no finding."""
    heavy = {INVERSE1: {0: 3000, 1: 3000}}
    assert judged(record({(INVERSE1, 0): 4.8}, work=heavy, noise=0.25, seed=5)).findings == ()
    assert len(judged(record({(INVERSE1, 0): 4.8}, work=heavy, noise=0.02)).findings) == 1


def test_calls_stand_for_work_where_a_section_states_no_bytes() -> None:
    none = {WSW: dict.fromkeys(range(RANKS), 0)}
    plain = record({(WSW, 1): 3.0}, work=none)
    section = next(each.id for each in plain.sections if each.path == WSW)
    more = tuple(replace(each, calls=tuple(3 for _ in each.calls)) if each.section == section and each.rank >= 4 else each
                 for each in plain.series)
    assert len(judged(plain).findings) == 1 and judged(replace(plain, series=more)).findings == ()


def test_a_difference_below_a_hundredth_of_the_iteration_is_no_finding() -> None:
    assert judged(record({(INVERSE1, 0): 3.0}, ms=0.4)).findings == ()  # 0.8 ms of 100
    assert len(judged(record({(INVERSE1, 0): 3.0}, ms=0.6)).findings) == 1


@pytest.mark.parametrize("seed", range(30))
def test_noise_is_no_slow_communicator(seed: int) -> None:
    found = judged(record(noise=0.4, repetitions=7, seed=seed)).findings
    assert not [one.what for one in found if "communicator" in one.what]


@pytest.mark.parametrize(("slow", "findings"), [((1, 1), 1), ((1, None), 0), ((1, 0), 0), ((1, 1, None), 1)])
def test_more_than_half_of_the_launches_show_the_same_communicator(slow: tuple[int | None, ...], findings: int) -> None:
    records = [record({} if one is None else {(INVERSE1, one): 4.0}, launch=i, seed=i) for i, one in enumerate(slow, 1)]
    assert len(judged(*records).findings) == findings


def test_other_load_that_can_explain_the_time_excuses_the_communicator() -> None:
    waits = {4: 20 * 40_000_000}  # of rank 4: all that its communicator took more
    case = judged(record({(INVERSE1, 2): 5.0}, wait_ns=waits))
    assert balance(case).verdict is Verdict.NOT_JUDGED and not [one for one in case.findings if one.axis is Axis.BALANCE]
    assert "communicator 2 of axis columns" in balance(case).reason and "other load can explain up to" in balance(case).reason


def test_load_that_explains_a_part_alone_excuses_no_communicator() -> None:
    """200 ms in all are 20 repetitions of the usual 10 ms, and an eighth of those of the slow communicator."""
    case = judged(record({(INVERSE2, 3): 8.0}, wait_ns={5: 20 * 10_000_000}))
    found = [one for one in case.findings if one.axis is Axis.BALANCE]
    assert [named(one) for one in found] == [(INVERSE2, "communicator 3 of axis rows")]


@pytest.mark.parametrize(("table", "reason"), [
    (None, "communicators not compared: the record has no table communicators"),
    (replace(communicators(), values=None, summary=TableSummary(40, 8, 0.0, 1.0, 3.0, ())),
     "communicators not compared: the table communicators is larger than a record may have"),
    (replace(communicators(), values=tuple((None,) * 5 for _ in range(RANKS))),
     "communicators not compared: no axis has two of them"),
    (replace(communicators(), values=tuple((None, None, 0.0, None, None) for _ in range(RANKS))),
     "communicators not compared: no axis has two of them"),
    (replace(communicators(), rows=communicators().rows[:7], values=(communicators().values or ())[:7]),
     "communicators not compared: the table communicators lacks ranks"),
])
def test_without_members_nothing_is_compared_and_the_reason_is_given(table: Table | None, reason: str) -> None:
    case = judged(record(table=table))
    assert case.verdict is Verdict.OK and balance(case).reason.endswith(f"; {reason}")


@pytest.mark.parametrize(("repetitions", "ms"), [(6, 10.0), (20, 0.005)])
def test_few_repetitions_and_short_sections_compare_nothing(repetitions: int, ms: float) -> None:
    reason = balance(judged(record({(INVERSE1, 0): 3.0}, repetitions=repetitions, ms=ms))).reason
    assert reason.endswith("; communicators not compared: their sections have fewer than 7 repetitions or take less than 20 us")


def test_a_single_rank_has_the_general_reason_alone() -> None:
    one = b.record(b.fma(40e9), check="planewave")
    case = assess(b.run(b.case_run(one, of=b.check("planewave"))), b.machine(), (), judges=JUDGES).cases[0]
    assert balance(case).reason == "a single rank cannot be compared"
