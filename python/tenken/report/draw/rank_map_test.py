from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

import builders as b
from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment
from tenken.model.record import Table
from tenken.report import captions, html
from tenken.report.draw.bars import mapped, rank_maps

GRID = Table("ranks", "1", "lower", ("y 0", "y 1"), ("x 0", "x 1", "x 2"), ((0.0, 1.0, 2.0), (3.0, 4.0, 5.0)), form="ranks")
ABSORB = (9.25, 4.25, 9.75, 8.25, 4.75, 8.25)  # ms


def case(*tables: Table) -> CaseAssessment:
    def ms(each: tuple[float, ...]) -> np.ndarray:
        return np.rint(1e6 * np.array(each)[:, None] * np.ones(20)).astype(np.int64)

    record = replace(b.record(b.Timed("step/kernel", ms((12.0,) * 6)), b.Timed("step/absorb", ms(ABSORB))), tables=tables)
    return assess(b.run(b.case_run(record)), b.machine(b.node(cores=8, cpus=8)), ()).cases[0]


def test_each_rank_is_shaded_at_its_place_by_its_time() -> None:
    found = case(GRID)
    assert [one.path for one in mapped(found)] == ["step/absorb", "step/kernel"]  # the uneven section first
    absorb, _ = rank_maps(found)
    figures = re.findall(r">\s*(\d\.\d\d)\s*<", absorb)
    assert figures[:6] == [f"{time:.2f}" for time in ABSORB]  # row by row
    assert "step/absorb  (ms)" in absorb and "y 1" in absorb and "x 2" in absorb
    assert "step/absorb 1.31 (" in captions.rank_maps(mapped(found))


def test_only_a_record_with_places_of_ranks_has_maps() -> None:
    assert rank_maps(case()) == []
    assert rank_maps(case(replace(GRID, values=((0.0, 1.0, 2.0), (3.0, 4.0, 7.0)))))  # a rank that no section timed
    words = re.sub(r"<[^>]+>", " ", html.page(assess_page(case(GRID))))
    assert "Each cell a rank at its place in the cut box" in words and "ranks  (1)" not in words


def assess_page(found: CaseAssessment):  # the page of one case
    import assessments

    return assessments.run([found])
