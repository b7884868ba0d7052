"""Small functions of the judge by themselves: tables, processors, commands, tolerances, quantities."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import builders as b
import numpy as np
import pytest

from tenken.judge import studies
from tenken.judge.common import prepare
from tenken.judge.common.findings import own_judgement, own_words
from tenken.judge.common.quantities import launch_values, quantities_of, values_to_judge
from tenken.judge.common.validity import evaluated, spec_of, tightened
from tenken.judge.common.unlike import jitter_limit, section_class
from tenken.judge.launch_set.tables import MOST_CELLS, assess_tables
from tenken.judge.launch_set.tables_test import measured as with_table
from tenken.judge.launch_set.tables_test import table
from tenken.judge.place.unsteady import by_rank_of
from tenken.judge.processors_test import measured as on_cpus
from tenken.judge.processors_test import study
from tenken.judge.started import completed
from tenken.model.check import Parameter, ValiditySpec
from tenken.model.judgement import OwnJudgement, StudyTold, StudyToTell, ToJudge
from tenken.model.limits import JITTER
from tenken.model.machine import Machine
from tenken.model.record import TableSummary, Validity, WorstCell
from tenken.model.run import Measured

MS = 1_000_000


# --- tables, processors, commands -------------------------------------------------------------------------------------


def test_five_worst_cells_of_those_that_are_known() -> None:
    (found,) = assess_tables([with_table(table((6.0, 2.0, None), (3.0, math.nan, 5.0), (1.0, 4.0, math.inf)))])
    assert [one.value for one in found.worst] == [6.0, 5.0, 4.0, 3.0, 2.0] and found.median == 3.5
    assert found.values == ((6.0, 2.0, None), (3.0, None, 5.0), (1.0, 4.0, None))
    (few,) = assess_tables([with_table(table((6.0, None), (None, 2.0)))])
    assert [(one.row, one.column, one.value) for one in few.worst] == [("rank 0", "rank 0", 6.0), ("rank 1", "rank 1", 2.0)]
    (ties,) = assess_tables([with_table(table((1.0, 1.0), (1.0, 1.0)))])
    assert [(one.row, one.column) for one in ties.worst] == [(f"rank {i}", f"rank {j}") for i in (0, 1) for j in (0, 1)]


@pytest.mark.parametrize(("size", "step"), [(MOST_CELLS, 1), (MOST_CELLS + 1, 2), (2 * MOST_CELLS, 2)])
def test_tables_are_thinned_from_the_most_cells_on(size: int, step: int) -> None:
    (found,) = assess_tables([with_table(table(*[(1.0,) * size] * size))])
    assert found.block == step and len(found.rows) == -(-size // step) and found.rows[1] == f"rank {step}"


def test_a_summary_is_that_of_the_newest_launch_with_five_worst() -> None:
    cells = tuple(WorstCell(i % 2, (i + 1) % 2, 9.0 - i) for i in range(7))
    first, last = (replace(table((1.0, 2.0), (3.0, 4.0)), values=None,
        summary=TableSummary(4, 0, 1.0, middle, 4.0, cells)) for middle in (2.0, 3.0))
    (found,) = assess_tables([with_table(first), with_table(last)])
    assert (found.median, found.launches, found.block, found.unit, found.better) == (3.0, 2, 0, "us", "lower")
    assert [one.value for one in found.worst] == [9.0, 8.0, 7.0, 6.0, 5.0]
    assert (found.worst[1].row, found.worst[1].column) == ("rank 1", "rank 0")


def test_eight_ranks_are_told_and_nine_are_too_many() -> None:
    assert studies.processors_of([on_cpus(*[[rank] for rank in range(8)])]) == "0|1|2|3|4|5|6|7"
    assert studies.processors_of([on_cpus([0, 2, 3, 5, 6, 7, 9])]) == "0,2-3,5-7,9" and studies.number_ranges([]) == ""
    assert studies.processors_of([on_cpus([0], [-1])]) == "0|" and studies.processors_of([]) == ""
    mixed = [on_cpus([1], [4], [3], hosts=("n0", "n1"))]
    assert studies.processors_of(mixed) == "1|3; 4"


def test_one_socket_is_told_of_the_largest_node_and_only_where_it_matters() -> None:
    nodes = Machine("m", (b.node(numa_nodes=1), b.node("n1", numa_nodes=2)))
    assert "its 2 NUMA nodes" in studies.socket_notes(study(placement=["scatter"]), nodes)[0]
    assert studies.socket_notes(study(placement=["compact"]), nodes) == ()
    assert studies.socket_notes(study(placement=["one_socket"]), nodes) != ()
    assert studies.socket_notes(study(placement=["scatter"]), Machine("m", (b.node(), b.node("n1", sockets=2)))) == ()


def test_options_that_a_command_has_are_not_repeated() -> None:
    started = {"on": "slurm", "nodes": 4, "chosen": "gcc13"}
    assert completed("./tenken run a:b --nodes 2", started) == "./tenken run a:b --nodes 2 --on slurm --environment gcc13"
    assert completed("do this, then ./tenken run a:b", started) == f"do this, then {completed('./tenken run a:b', started)}"
    of_site = {"chosen": "gcc13", "config": "/site"}
    assert completed("./tenken run a:b", of_site) == "./tenken run a:b --environment gcc13 --config /site"
    assert completed("./tenken run a:b", {"config": "/site"}) == "./tenken run a:b"
    assert completed("./tenken run a:b", {}) == "./tenken run a:b" == completed("./tenken run a:b", {"nodes": 1, "chosen": None})
    assert completed("./tenken rerun r a:b", {}) == completed("./tenken rerun r a:b", {"on": "local"}) == "./tenken rerun r a:b"
    assert completed("./tenken rerun r a:b", {"on": "x", "nodes": 3, "chosen": "e"}) == "./tenken rerun r a:b --on x"
    assert completed("./tenken runner a:b", started) == "./tenken runner a:b"


# --- tolerances, classes, own judges ----------------------------------------------------------------------------------


def test_the_stricter_of_two_limits_counts() -> None:
    def limit(own: float, tolerance: float | str, name: str = "answer/0") -> tuple[float, str]:
        check = b.check(validity=(ValiditySpec("answer", tolerance, "s"), ValiditySpec("answer/0/x", 5.0, "s")))
        found = tightened(Validity(name, 1.0, 1.0, own, "abs", "src"), check, {}, b.record(b.fma(1e9)))
        return found.limit, found.source

    assert limit(2.0, 1.0) == (1.0, "src") == limit(1.0, 2.0) and limit(2.0, 0.0) == (0.0, "src")
    assert limit(2.0, 1.0, "other") == (2.0, "src") == limit(2.0, 1.0, "answers")
    assert limit(9.0, 1.0, "answer/0/x/y") == (5.0, "src")
    assert limit(math.inf, 1.0) == (math.inf, "src"), "which no proof keeps"
    for tolerance in (-1.0, math.inf, "nothing"):
        value, source = limit(2.0, tolerance)
        assert math.isnan(value) and source == f"src; its tolerance '{tolerance}' has no value here"


def test_the_longest_name_that_fits_states_a_proof() -> None:
    check = b.check(validity=(ValiditySpec("a", 1.0, "s"), ValiditySpec("a/b/c", 3.0, "s"), ValiditySpec("a/b", 2.0, "s")))
    found = {name: spec_of(name, check) for name in ("a", "a/x", "a/b", "a/b/x", "a/b/c", "a/bc", "ab", "b")}
    assert {name: one.tolerance if one else None for name, one in found.items()} == {
        "a": 1.0, "a/x": 1.0, "a/b": 2.0, "a/b/x": 2.0, "a/b/c": 3.0, "a/bc": 1.0, "ab": None, "b": None}


@pytest.mark.parametrize(("text", "value"), [
    ("file.given", 1.0), ("list.0", 4.0), ("list.1", 8.0), ("list.2", None), ("list.x", None), ("list", None), ("mode.hot",
        1.0), ("mode.cold", 0.0),
    ("flag", 1.0), ("flag.x", None), ("n.x", 6.0), ("n", 7.0), ("ranks * threads", 3.0), ("start.x", None), ("0 * gone",
        0.0), ("gone * 0", None),
    ("2 * gone", None), ("1 / gone", None), ("gone + 1", None),
])  # fmt: skip
def test_names_in_an_expression(text: str, value: float | None) -> None:
    check = b.check(parameters=(
        Parameter("file", "path", "x.bin", "m"), Parameter("list", "ints", [4, 8], "m"), Parameter("mode", "choice", "hot", "m",
            choices=("hot", "cold")),
        Parameter("flag", "flag", True, "m"), Parameter("n", "int", 7, "m")))
    found = evaluated(text, check, {}, b.record(b.fma(1e9, 3), values={"n": ("1", 5.0), "n.x": ("1", 6.0)}))
    assert math.isnan(found) if value is None else found == value
    assert evaluated(0.25, check, {}, b.record(b.fma(1e9))) == 0.25


def test_the_class_of_a_section_is_the_most_lenient_of_its_metrics() -> None:
    section = prepare("r", b.case_run(b.record(b.fma(1e9, path="a"))), b.machine()).sections[0]
    mixed = b.check(metrics=[b.metric("c", "a"), b.metric("l", "a", klass="latency"), b.metric("m", "a", klass="memory"),
        b.metric("i", "x", klass="io")])
    assert section_class(section, mixed) == "latency" and jitter_limit(section, mixed) == JITTER["latency"]
    assert section_class(section, b.check()) == "memory" and section_class(replace(section, kind="comm"), b.check()) == "latency"
    assert section_class(section, b.check(metrics=[b.metric("c", "a")])) == "compute"


def test_a_judge_is_called_where_something_was_measured_and_its_error_told_in_full() -> None:
    case = b.case_run(b.record(b.fma(1e9)))
    of = ToJudge("r", case.check, case.case, (Measured(b.launch(), case.records[0]),))

    def silent(_: ToJudge) -> OwnJudgement:
        raise KeyError

    own, (found,) = own_judgement(silent, of)
    assert own == OwnJudgement() and found.what.endswith("checks/demo/judge.py failed: KeyError")
    assert (found.evidence, found.next_command) == ("the record was readable", "./tenken run demo:a --launches 1")
    assert own_judgement(None, of) == (OwnJudgement(), ()) == own_judgement(silent, replace(of, measured=()))
    told_ = StudyToTell(study(threads=[1]), (of,))
    assert own_words(None, "demo", told_) == StudyTold() == own_words(lambda _: 1 / 0, "demo",
        replace(told_, points=()))  # type: ignore[arg-type,return-value]
    assert own_words(silent, "demo", told_).notes[0].endswith("failed for this study: KeyError")  # type: ignore[arg-type]


# --- quantities, ranks ------------------------------------------------------------------------------------------------


def test_a_section_repeated_over_a_value_belongs_to_metrics_that_are() -> None:
    record = b.record(b.fma(2e9, path="x/8", of="x", at=8), b.fma(4e9, path="y"))
    measured = Measured(b.launch(), record)
    sections = prepare("r", b.case_run(record), b.machine()).sections
    assert set(launch_values(b.metric("m", "x", by="sizes"), measured, sections)) == {8}
    assert launch_values(b.metric("m", "x"), measured, sections) == {} == launch_values(b.metric("m", "y", by="sizes"),
        measured, sections)
    assert set(launch_values(b.metric("m", "y"), measured, sections)) == {None}


def test_names_and_units_of_quantities() -> None:
    check = b.check(metrics=[b.metric("rate", "a"), b.metric("sweep", "x", by="sizes")])
    record = b.record(b.fma(2e9, path="a"), b.fma(2e9, path="x/8", of="x", at=8), b.fma(2e9, path="c"),
        b.fma(2e9, path="w", kind="wait"))
    found, launches = quantities_of(prepare("r", b.case_run(record, of=check), b.machine()), b.machine())
    units = {one.name: (one.unit, one.better, one.klass) for one in found}
    assert units["metric:rate"] == ("GFLOP/s", "higher", "compute") and units["time:c"] == ("ns", "lower", "memory")
    assert {"metric:sweep/8", "loss:a", "jitter:a", "loss:x/8", "loss:c"} <= set(units)
    assert not {"time:a", "time:x/8", "time:w", "loss:w"} & set(units)
    assert launches[0].values["metric:rate"] == pytest.approx(2.0, rel=0.01)
    assert launches[0].values["time:c"] == pytest.approx(MS, rel=0.01)
    assert units["loss:a"] == ("elapsed/(n x median) - 1", "lower", "compute") and units["jitter:a"][0] == "MAD/median"


def test_loss_and_jitter_by_rank_are_those_of_sections_that_all_computed() -> None:
    ns = np.full((2, 20), MS)
    ns[1, 4] += 20 * MS
    sections = (b.Timed("a", ns), b.Timed("h", ns, "comm"), b.Timed("z", np.zeros((2, 20), dtype=int)))

    def of(**trust: Any) -> Any:
        made = prepare("r", b.case_run(b.record(*sections, trusts={1: b.trust(**trust)}), of=b.check()), b.machine())
        return by_rank_of(made, made.sections)

    found = of()
    assert found is not None and found.sections == ("a",) and found.limits == (JITTER["memory"],)
    assert found.loss.shape == (1, 2, 2) and found.loss[0].tolist() == [[0.0, 1.0], [0.0, 1.0]]
    assert found.jitter.tolist() == [[[0.0, 0.0]]]
    taken = of(run_queue_wait_ns=20 * MS)
    assert taken is not None and taken.loss[0, :, 1].max() == pytest.approx(0.0, abs=1e-9)
    alone = prepare("r", b.case_run(b.record(b.Timed("a", ns[:1])), of=b.check()), b.machine())
    assert by_rank_of(alone, alone.sections) is None


def test_an_unsteady_launch_with_counters_on_their_limits_is_judged_for_its_unsteadiness() -> None:
    ns = np.full((1, 40), MS)
    ns[0, ::2] *= 3
    shared = b.machine(b.node(exclusive=False))

    def kept(part: int) -> list[int]:
        record = b.record(b.Timed("a", ns), trusts=b.trust(steal_ns=b.SECOND // 50 + part))
        made = prepare("r", b.case_run(record), shared)
        found = values_to_judge(made, shared)
        return [len([name for name in one.values if name.startswith("time:")]) for one in found.launches]

    assert kept(0) == [1, 0] and kept(1) == [1], "times as bounds, and up to the limit loss and jitter by themselves"
