"""Is the memory of one NUMA node read slower by its own cores than that of the others by theirs?"""

from __future__ import annotations

from statistics import median

from tenken.judge.common import digits, finding, plural
from tenken.model.assessment import AxisResult, Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.record import Table
from tenken.model.verdict import Axis, Verdict

TABLE = "numa_pairs"  # rows "cores of NODE", columns "NODE KIND", GB/s
SLOW = 0.85  # of the median of the others: memory of like nodes differs by less, noise included


def judge(of: ToJudge) -> OwnJudgement:
    """The balance axis, where threads of several NUMA nodes read their own memory."""
    tables = [table for each in of.measured for table in each.record.tables if table.name == TABLE]
    own: dict[int, list[float]] = {}
    for table in tables:
        for node, rate in _own_rates(table).items():
            own.setdefault(node, []).append(rate)
    if len(own) < 2:
        return OwnJudgement()
    rates = {node: median(values) for node, values in own.items()}
    host = of.measured[0].record.rank[0].host
    findings: list[Finding] = []
    for node, rate in rates.items():
        others = median(other for name, other in rates.items() if name != node)
        if rate < SLOW * others:
            what = (f"memory node {node} of {host} is slow: its cores read {digits(rate)} GB/s, cores of other nodes read "
                    f"{digits(others)} GB/s from local memory")
            findings.append(finding(
                Axis.BALANCE, Verdict.WARN, of.case.id, what, f"medians of {plural(len(tables), 'launch')}, each node alone",
                measured=others / rate, expected=1.0, band=(None, 1 / SLOW), unit="slow/equal nodes",
                where=Where(host=host, numa=node)))
    worst = AxisResult(Axis.BALANCE, Verdict.WARN, findings[0].what) if findings else None
    low, high = digits(min(rates.values())), digits(max(rates.values()))
    alike = f"{len(rates)} NUMA nodes read {low} to {high} GB/s from local memory"
    return OwnJudgement(axes=(worst or AxisResult(Axis.BALANCE, Verdict.OK, alike),), findings=tuple(findings))


def _own_rates(table: Table) -> dict[int, float]:
    """Of each NUMA node with cores the rate from its own memory."""
    rates: dict[int, float] = {}
    columns = {label.split(" ")[0]: place for place, label in enumerate(table.columns)}
    for label, row in zip(table.rows, table.values or (), strict=False):
        node = label.rsplit(" ", 1)[-1]
        rate = row[columns[node]] if node in columns else None
        if rate is not None and 0 < rate < float("inf") and node.isascii() and node.isdigit():
            rates[int(node)] = rate
    return rates
