from __future__ import annotations

import builders as b
import numpy as np

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment
from tenken.report.draw.space import heat, nodes, slowdown


def case(hosts: int, each: int = 2, slow: int | None = None) -> CaseAssessment:
    names = [f"n{i:03d}" for i in range(hosts)]
    sections = []
    for part in range(4):
        ns = b.quiet(1e6 * (part + 1), hosts * each, 6, seed=part).astype(float)
        if slow is not None:
            ns[slow::hosts] *= 1.25
        sections.append(b.Timed(f"cg/part{part}", np.rint(ns).astype(np.int64)))
    record = b.record(*sections, hosts=names)
    return assess(b.run(b.case_run(record)), b.machine(*(b.node(name) for name in names)), ()).cases[0]


def test_the_slow_node_is_shaded_named_and_ringed() -> None:
    found = case(64, slow=17)
    assert 0.2 < slowdown(found)["n017"] < 0.3 and abs(slowdown(found)["n001"]) < 0.02
    drawing = nodes(found, ["n017"])
    assert ">n017" in drawing and "+25 %" in drawing and "named: n017" in drawing
    assert "named: none" in nodes(found, [])


def test_one_node_has_no_grid_and_one_rank_no_map() -> None:
    assert nodes(case(1), []) == "" and heat(case(1, each=1), []) == ""
    assert "rank 1" in heat(case(1, each=2), [])


def test_too_many_ranks_are_shown_node_by_node_and_stay_small() -> None:
    drawing = heat(case(100, slow=40), ["n040"])
    assert "nodes against sections" in drawing and "n040" in drawing
    assert len(drawing) < 200_000


def test_hostile_host_names_are_text() -> None:
    found = case(2)
    evil = "<script>alert(1)</script>"
    drawing = nodes(found, [evil])
    assert "<script" not in drawing
