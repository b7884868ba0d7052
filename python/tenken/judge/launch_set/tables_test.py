from __future__ import annotations

import math
from dataclasses import replace

import builders

from tenken.judge.launch_set.tables import MOST_CELLS, MOST_SAMPLES, assess_tables
from tenken.model.record import Table, TableSummary, WorstCell
from tenken.model.run import Measured


def measured(*tables: Table) -> Measured:
    return Measured(builders.launch(), replace(builders.record(builders.fma(1e9)), tables=tables))


def table(*rows: tuple[float | None, ...], better: str = "lower", name: str = "latency") -> Table:
    labels = tuple(f"rank {number}" for number in range(len(rows)))
    return Table(name, "us", better, labels, labels, tuple(rows))


def test_a_cell_is_the_median_of_the_launches_that_have_it() -> None:
    first, second, third = (table((None, one), (two, None)) for one, two in ((1.0, 2.0), (3.0, 4.0), (9.0, math.inf)))
    (found,) = assess_tables([measured(first), measured(second), measured(third)])
    assert found.values == ((None, 3.0), (3.0, None)) and (found.launches, found.block, found.median) == (3, 1, 3.0)
    (alone,) = assess_tables([measured(table((None, None), (None, None)))])
    assert alone.values == ((None, None), (None, None)) and alone.median is None and alone.worst == ()


def test_the_worst_cells_are_named_by_what_is_better() -> None:
    rows = ((1.0, 2.0), (7.0, 4.0))
    low, high = (assess_tables([measured(table(*rows, better=better))])[0] for better in ("lower", "higher"))
    assert [(one.row, one.column, one.value) for one in low.worst[:2]] == [("rank 1", "rank 0", 7.0), ("rank 1", "rank 1", 4.0)]
    assert [one.value for one in high.worst] == [1.0, 2.0, 4.0, 7.0]


def test_large_tables_are_thinned_to_the_worst_of_each_block() -> None:
    size = 2 * MOST_CELLS + 1
    rows = [[1.0] * size for _ in range(size)]
    rows[4][5] = 8.0
    (found,) = assess_tables([measured(table(*map(tuple, rows)))])
    assert found.block == 3 and len(found.values) == len(found.rows) == len(found.columns) == 43
    assert found.values[1][1] == 8.0 and found.rows[1] == "rank 3"
    assert sum(cell == 1.0 for row in found.values for cell in row) == 43 * 43 - 1
    (fast,) = assess_tables([measured(table(*map(tuple, rows), better="higher"))])
    assert {cell for row in fast.values for cell in row} == {1.0}


def test_tables_of_unlike_shape_or_name_stay_apart_and_a_summary_keeps_its_worst() -> None:
    two, one = table((1.0, 2.0), (3.0, 4.0)), table((5.0,))
    assert [len(found.values) for found in assess_tables([measured(two), measured(one)])] == [2, 1]
    large = replace(two, name="large", values=None, summary=TableSummary(4, 0, 1.0, 2.5, 4.0, (WorstCell(1, 0, 4.0),)))
    found = assess_tables([measured(two, large)])[1]
    assert (found.values, found.median, found.worst[0].row, found.worst[0].value) == ((), 2.5, "rank 1", 4.0)


def of_form(form: str, rows: int, columns: int) -> Table:
    values = tuple(tuple(-1.0 * (row * columns + column) for column in range(columns)) for row in range(rows))
    labels = [tuple(f"{name} {number}" for number in range(count)) for name, count in (("t", rows), ("x", columns))]
    return Table("trace", "m/s", "lower", *labels, values, form=form)


def test_signed_values_are_sampled_and_have_no_worst() -> None:
    rows = MOST_SAMPLES["curves"][0] + 1
    (found,) = assess_tables([measured(of_form("curves", rows, 3))])
    assert (found.form, found.block, len(found.rows), found.worst, found.median) == ("curves", 2, 257, (), None)
    assert found.rows[:2] == ("t 0", "t 2") and found.values[1] == (-6.0, -7.0, -8.0)
    (plane,) = assess_tables([measured(of_form("field", 130, 60))])
    assert (len(plane.rows), len(plane.columns)) == (65, 60) and plane.values[1][1] == -121.0
    (whole,) = assess_tables([measured(of_form("field", 128, 128))])
    assert len(whole.values) == len(whole.values[0]) == 128


def test_a_wrong_answer_shows_its_curves_and_fields_and_no_figure_of_speed() -> None:
    of = measured(table((1.0,)), *(replace(of_form(form, 2, 2), name=form) for form in ("ranks", "curves", "field", "figures")))
    assert [one.form for one in assess_tables([of])] == ["matrix", "ranks", "curves", "field", "figures"]
    assert [one.form for one in assess_tables([of], wrong=True)] == ["curves", "field"]
