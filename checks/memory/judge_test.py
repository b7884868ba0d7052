"""A memory node that its own cores read slowly is named; remote pairs and other kinds of memory are not compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import builders as b

from tenken.judge.assess import assess
from tenken.model.assessment import AxisResult, Finding
from tenken.model.record import Table
from tenken.model.verdict import Axis, Verdict
from tenken.store.judges import load_judges

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["memory"])


def judged(*own: float) -> tuple[AxisResult, tuple[Finding, ...]]:
    """Nodes with these rates from their own memory, half of it from the others', ten times from a fast node without cores."""
    n = len(own)
    rows = tuple(tuple([own[i] if i == j else own[j] / 2 for j in range(n)] + [10 * own[i]]) for i in range(n))
    table = Table("numa_pairs", "GB/s", "higher", tuple(f"cores of {i}" for i in range(n)),
                  (*(f"{i} main" for i in range(n)), f"{n} fast"), rows)
    records = [replace(b.record(b.fma(40e9, path="pair"), check="memory", launch=launch), tables=(table,)) for launch in (1, 2)]
    case = assess(b.run(b.case_run(*records, of=b.check("memory", validity=()))), b.machine(b.node()), (), judges=JUDGES).cases[0]
    return next(one for one in case.axes if one.axis is Axis.BALANCE), case.findings


def test_like_nodes_are_ok() -> None:
    axis, findings = judged(100, 97, 103, 99)
    assert axis.verdict is Verdict.OK and axis.reason == "4 NUMA nodes read 97 to 103 GB/s from local memory"
    assert not findings


def test_the_slow_node_is_named() -> None:
    axis, (finding,) = judged(100, 97, 50, 99)
    assert axis.verdict is Verdict.WARN and (finding.where.host, finding.where.numa) == ("n0", 2)
    assert finding.what == ("memory node 2 of n0 is slow: its cores read 50 GB/s, cores of other nodes read 99 GB/s "
                            "from local memory")


def test_one_node_has_nobody_to_be_compared_with() -> None:
    assert judged(100)[0].verdict is Verdict.NOT_JUDGED
