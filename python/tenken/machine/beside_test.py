"""Runs as columns beside reference systems: what stands together, what is divided, and what is said where it is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import assessments
import builders as b
from tenken.machine.beside import column, with_runs
from tenken.machine.files import Files, MachineFile, read_cores, read_machine
from tenken.machine.side_by_side import side_by_side
from tenken.model.assessment import Assessment
from tenken.model.check import Check, Counterpart
from tenken.model.machine import Systems

MACHINES = Path(__file__).parents[3] / "machines"
TEXT = """name = "x"
reference = true
[node]
core = "zen4"
frequency_ghz = 1.0
cores = 1
sockets = 1
[[published]]
application = "App"
size = "{size}"
ranks = {ranks}
cores_a_rank = 1
source = "s"
statistic = "{statistic}"
sections = [{{id = 101, name = "kernel", kind = "whole", rate = "{rate}"}}]
"""


def reference(folder: Path, **changes: Any) -> MachineFile:
    said = {"size": "n=4", "ranks": 2, "statistic": "median of 2 launches", "rate": "1e9", **changes}
    (folder / "x.toml").write_text(TEXT.format(**said), encoding="utf-8")
    return read_machine(folder / "x.toml")


def run(name: str = "toy:a", value: float | None = 3.0, **changes: Any) -> Assessment:
    metric = assessments.metric("rate", "kernel", value, "GFLOP/s")
    case = replace(assessments.case(name, (), (metric,)), parameters={"n": 4, "seconds": 2}, **changes)
    return assessments.run([case])


def checks(*rows: Counterpart, **more: Any) -> dict[str, Check]:
    made = b.check("toy", [b.metric("rate", "kernel", quantity="flop_rate", unit="GFLOP/s")])
    return {"toy": replace(made, published=rows or (Counterpart("rate", "App", "kernel"),), **more)}


def shown(machines: list[MachineFile | Assessment], known: dict[str, Check]) -> Systems:
    files = Files(read_cores(MACHINES / "cores.toml"), (), {})
    runs = {number: one for number, one in enumerate(machines) if isinstance(one, Assessment)}
    columns = [column(one, f"run{number}") if isinstance(one, Assessment) else one for number, one in enumerate(machines)]
    return with_runs(side_by_side(columns, files), columns, files, runs, known)


def test_a_figure_stands_beside_the_published_row_and_is_divided_where_all_agree(tmp_path: Path) -> None:
    found = shown([reference(tmp_path), run()], checks())
    block = found.blocks[0]
    assert (block.application, block.size, block.apart) == ("Beside App, 101 kernel", "n=4", ())
    [line] = block.lines
    assert line.name == "toy:a rate" and [cell.value for cell in line.cells if cell] == ["1e9", "3 GFLOP/s"]
    assert line.ratios == (None, pytest.approx(3.0))
    assert found.names == ("x", "run1")


@pytest.mark.parametrize(("published", "ours", "said"), [
    ({"size": "n=8"}, {}, "size (n=8 on x, n=4 on run1)"),
    ({"ranks": 64}, {}, "ranks (64 on x, 2 on run1)"),
    ({"statistic": "best of 5"}, {}, "statistic (best of 5 on x, median of 2 launches on run1)"),
    ({}, {"threads": 4}, "cores a rank (1 on x, 4 on run1)"),
    ({}, {"metrics": (assessments.metric("rate", "kernel", 3.0, "us", "time"),)}, "quantity (FLOP/s on x, us on run1)"),
])
def test_what_differs_is_named_and_not_divided(
    tmp_path: Path, published: dict[str, Any], ours: dict[str, Any], said: str
) -> None:
    block = shown([reference(tmp_path, **published), run(**ours)], checks()).blocks[0]
    assert block.apart == (f"not divided: they differ in {said}",)
    assert block.lines[0].ratios == (None, None)


def test_only_what_the_check_names_stands_beside(tmp_path: Path) -> None:
    other = shown([reference(tmp_path), run()], checks(Counterpart("rate", "App", "other")))
    assert [block.application for block in other.blocks] == ["App"] and not other.footnotes
    elsewhere = shown([reference(tmp_path), run()], checks(Counterpart("rate", "App", "kernel", at=8)))
    assert [block.application for block in elsewhere.blocks] == ["App"]


def test_a_note_of_the_check_stands_below_the_figures(tmp_path: Path) -> None:
    note = "The mapping is ours."
    found = shown([reference(tmp_path), run()], checks(Counterpart("rate", "App", "kernel", note=note)))
    assert found.blocks[0].apart[0] == note


def test_what_a_study_draws_counts_too(tmp_path: Path) -> None:
    from tenken.store.checkfile import read_check

    check = read_check(MACHINES.parent / "checks" / "elasticity")
    assert {one.application for one in check.counterparts} == {"GeoFEM-Cube/CG"} and not check.published


def test_a_run_without_the_check_is_told_what_would_measure_it(tmp_path: Path) -> None:
    found = shown([reference(tmp_path), run("other:a")], checks())
    [note] = found.footnotes
    assert note == "run1 has no case of toy, which is shown beside App, kernel: ./tenken run toy"


def test_a_wrong_answer_has_no_figure(tmp_path: Path) -> None:
    assert [one.application for one in shown([reference(tmp_path), run(value=None)], checks()).blocks] == ["App"]


def test_a_renamed_case_is_the_same_case(tmp_path: Path) -> None:
    found = shown([run("old:a"), run("toy:a", 6.0)], checks(formerly=("old",)))
    assert [block.application for block in found.blocks] == ["toy:a"]
    assert found.blocks[0].lines[0].ratios == (None, pytest.approx(2.0))


def test_runs_among_each_other_by_case_and_unit() -> None:
    slow, fast = run(), run(value=6.0)
    found = shown([slow, fast], checks())
    [block] = found.blocks
    assert (block.application, block.size, block.unit) == ("toy:a", "n=4", "GFLOP/s")
    assert block.lines[0].ratios == (None, pytest.approx(2.0))
    apart = shown([slow, run(value=6.0, ranks=8)], checks()).blocks[0]
    assert apart.apart == ("not divided: they differ in ranks (2 on run0, 8 on run1)",) and apart.lines[0].ratios == (None, None)


def test_a_disturbed_figure_has_a_footnote(tmp_path: Path) -> None:
    metric = replace(assessments.metric("rate", "kernel", 3.0, "GFLOP/s"), disturbed=True)
    found = shown([reference(tmp_path), run(metrics=(metric,))], checks())
    assert found.footnotes == ("run1: toy:a measured under other load: a bound",)
    cell = found.blocks[0].lines[0].cells[1]
    assert cell is not None and cell.footnotes == (1,)


def test_a_flop_rate_without_a_ceiling_is_of_the_peak_beside_it() -> None:
    found = shown([assessments.ok(), assessments.ok()], {})
    percents = {line.name: [cell.percent for cell in line.cells if cell] for block in found.blocks for line in block.lines}
    assert any(one and one[0] for one in percents.values())


def test_the_shipped_rows_exist() -> None:
    from tenken.machine.files import read_files
    from tenken.machine.side_by_side import same
    from tenken.store.checkfile import load_checks

    files = read_files([MACHINES])
    rows = {(one.application, row.name) for machine in files.machines.values() for one in machine.results for row in one.rows}
    for machine in files.machines.values():
        rows |= {(one.application, line.name) for one in machine.published for line in one.sections}
    named = [(check.name, one) for check in load_checks([MACHINES.parent / "checks"]).values() for one in check.counterparts]
    assert named
    for check, one in named:
        assert any(one.application == application and same(name, one.section) for application, name in rows), (check, one)
