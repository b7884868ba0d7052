"""Which cores lie together, and which pair or core is slower than those that lie as it does."""

from __future__ import annotations

from math import exp, log

import numpy as np

from tenken.judge.common import digits, finding, percent, plural
from tenken.model.assessment import AxisResult, Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict
from tenken.stats.clusters import Level, expected, levels
from tenken.stats.pairs import FEWEST_ENDS, guilty_pairs, median_polish
from tenken.stats.space import Array

TABLE = "sequence"  # labels SOCKET.CACHE.CORE.PROCESSOR
PLACES = ((2, "core"), (1, "shared cache"), (0, "socket"))  # part of the label, closest first
ERROR = 1e-3  # a healthy table is blamed so often
EFFECT = 0.25  # least that is named
UNLIKE = 1.5  # launches whose pairs differ by this factor met another mode of the virtual machine
MOST_NAMED = 4


def judge(of: ToJudge) -> OwnJudgement:
    """The balance axis: pairs against pairs that lie as they do; steadiness only where launches are of unlike modes."""
    tables, labels = _tables(of.measured)
    if not tables:
        return OwnJudgement(axes=(AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, "no pair of cores was measured"),))
    modes = [float(np.nanmedian(table)) for table in tables]
    low, high = min(modes), max(modes)
    alike = [table for table, mode in zip(tables, modes, strict=True) if mode <= UNLIKE * low]  # unlike modes are never averaged
    host = of.measured[0].record.rank[0].host
    balance, findings = _balance(of.case.id, host, np.median(alike, axis=0), labels, len(alike))
    if high <= UNLIKE * low:
        return OwnJudgement(axes=(balance,), findings=tuple(findings))
    told = ", ".join(f"{digits(mode)}" for mode in modes)
    reason = (f"launches ran in different core-to-core modes (median round trips of {told} ns); "
              "pairs are judged in the faster mode")
    steadiness = AxisResult(Axis.STEADINESS, Verdict.NOT_JUDGED, reason, ground=True)
    return OwnJudgement(axes=(balance, steadiness), findings=tuple(findings))


def _tables(measured: tuple[Measured, ...]) -> tuple[list[Array], tuple[str, ...]]:
    """(n, n) ns of each launch that compared the same cores as the first one."""
    found: list[Array] = []
    labels: tuple[str, ...] = ()
    for table in (table for each in measured for table in each.record.tables if table.name == TABLE):
        labels = labels or table.rows
        if table.values is None or table.rows != labels or table.columns != labels:
            continue
        cells = [[np.nan if cell is None or not 0 < cell < np.inf else cell for cell in row] for row in table.values]
        if np.isfinite(cells).any():
            found.append(np.array(cells))
    return found, labels


def _balance(
    case_id: str, host: str, table: Array, labels: tuple[str, ...], launches: int
) -> tuple[AxisResult, list[Finding]]:
    found = levels(table)
    told = "; ".join(_named(level, labels) for level in found)
    if len(labels) < FEWEST_ENDS:
        reason = f"{told}: at least {FEWEST_ENDS} cores are needed to separate a slow core from a slow pair"
        return AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, reason), []
    like = expected(table, found)
    fit = median_polish(table / like)
    guilt = guilty_pairs(fit, ERROR, log(1 + EFFECT))
    evidence = f"medians of {plural(launches, 'launch')}, each pair compared with pairs of the same distance; {told}"

    def told_of(what: str, ratio: float, cpu: int) -> Finding:
        return finding(Axis.BALANCE, Verdict.WARN, case_id, what, evidence, measured=ratio, expected=1.0,
                       band=(None, 1 + EFFECT), unit="slow/equal pairs", where=Where(host=host, cpu=cpu))

    findings = [
        told_of(f"processor {_cpu(labels[end])} of {host} is far from all others: round trips take "
                f"{percent(exp(fit.end[end]) - 1)} longer", exp(float(fit.end[end])), _cpu(labels[end]))
        for end in guilt.ends[:MOST_NAMED]
    ]
    findings += [
        told_of(f"the pair of processors {_cpu(labels[i])} and {_cpu(labels[j])} of {host} is slow: "
                f"{digits(float(table[i, j]))} ns a round trip, pairs of the same distance take {digits(float(like[i, j]))} ns",
                float(table[i, j] / like[i, j]), _cpu(labels[i]))
        for i, j in guilt.paths[:MOST_NAMED]
    ]
    if findings:
        return AxisResult(Axis.BALANCE, Verdict.WARN, findings[0].what), findings
    return AxisResult(Axis.BALANCE, Verdict.OK, told), []


def _named(level: Level, labels: tuple[str, ...]) -> str:
    """One level in words: how many groups, what they share by the kernel's word, how far apart their members are."""
    sizes = sorted({len(group) for group in level.groups})
    of = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    if len(level.groups) == 1:
        return f"{plural(len(level.groups[0]), 'core')} {digits(level.inside)} ns apart"
    return f"{plural(len(level.groups), 'group')} of {of} ({_shared(level, labels)}) {digits(level.inside)} ns apart"


def _shared(level: Level, labels: tuple[str, ...]) -> str:
    """What members of each group share and no two groups do; groups that the kernel does not know are said to be so."""
    for part, name in PLACES:
        keys = [{_part(labels[member], part) for member in group} for group in level.groups]
        if all(len(key) == 1 for key in keys) and len(set.union(*keys)) == len(keys):
            return f"same {name}"
    return "unknown to the kernel"


def _part(label: str, part: int) -> str:
    # Of what lies inside a socket the socket is part of the name.
    return ".".join(label.split(".")[: part + 1])


def _cpu(label: str) -> int:
    last = label.rsplit(".", 1)[-1]
    return int(last) if last.isascii() and last.isdigit() else -1
