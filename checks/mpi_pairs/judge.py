"""All pairs by rounds: is it a node, the path between two, or what a group of nodes shares, where their paths agree?"""

from __future__ import annotations

from math import exp, log

import numpy as np

from tenken.judge.common import digits, duration, finding, isolating, percent, plural
from tenken.model.assessment import AxisResult, Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.limits import PATH_EFFECT, PATH_ERROR
from tenken.model.record import Record
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict
from tenken.stats.pairs import FEWEST_ENDS, Fit, pair_table
from tenken.stats.space import Array
from tenken.stats.tournament import partner_of, rounds_of
from tenken.stats.tree import guilty_in_tree, tree_of

MOST_NAMED = 4  # paths or ends named singly


def judge(of: ToJudge) -> OwnJudgement:
    """The balance axis: not ranks are compared, but pairs."""
    axis, findings = _balance(of.run, of.case.id, of.measured)
    return OwnJudgement(axes=(axis,), findings=tuple(findings))


def _balance(run: str, case_id: str, measured: tuple[Measured, ...]) -> tuple[AxisResult, list[Finding]]:
    first = measured[0].record
    ranks = participants(first)
    if any(each.record.summaries for each in measured):
        reason = "too many samples for the record, and summaries do not name the partners: use fewer ranks"
        return AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, reason), []
    if len(ranks) < FEWEST_ENDS:
        reason = f"{plural(len(ranks), 'end')}: at least {FEWEST_ENDS} are needed to separate a bad end from a bad path"
        return AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, reason), []
    findings: list[Finding] = []
    for section in first.sections:
        tables = [table for each in measured if (table := pair_times(each.record, section.path)) is not None]
        if len(tables) != len(measured) or any(table.shape != tables[0].shape for table in tables):
            continue
        findings += _judge_section(run, case_id, first, section.path, np.median(tables, axis=0), len(tables))
    if findings:
        return AxisResult(Axis.BALANCE, Verdict.WARN, findings[0].what), findings
    count = len(ranks) * (len(ranks) - 1) // 2
    return AxisResult(Axis.BALANCE, Verdict.OK, f"{count} pairs of {len(ranks)} alike"), []


def participants(record: Record) -> list[int]:
    """Ranks that met others, in order: player numbers of the tournament."""
    return sorted({series.rank for series in record.series if len(series.repetition) > 1})


def pair_times(record: Record, path: str) -> Array | None:
    """(n, n) ns a message between participants in one section, both directions and all sweeps together.

    Repetition k of a launch is round k modulo the number of rounds (checks/mpi_pairs/README.md).
    """
    ids = {section.id for section in record.sections if section.path == path}
    ranks = participants(record)
    n = len(ranks)
    player = {rank: i for i, rank in enumerate(ranks)}
    rounds = rounds_of(n)
    pairs, times = [], []
    for series in record.series:
        if series.section not in ids:
            continue
        me = player[series.rank]
        for repetition, calls, ns in zip(series.repetition, series.calls, series.ns, strict=True):
            other = partner_of(me, rounds[repetition % len(rounds)], n) if repetition >= 0 else None
            if other is not None and calls > 0 and ns > 0:
                pairs.append((me, other))
                times.append(ns / calls)
    return pair_table(n, np.array(pairs), np.array(times)) if pairs else None


def _judge_section(run: str, case_id: str, record: Record, path: str, table: Array, launches: int) -> list[Finding]:
    tree = tree_of(table)
    fit = tree.fit
    klass = "latency" if path.startswith("latency") else "bandwidth"
    in_tree = guilty_in_tree(tree, PATH_ERROR / 2, log(PATH_EFFECT[klass]))
    guilt = in_tree.guilt
    ranks = participants(record)
    hosts = {rank.rank: rank.host for rank in record.rank}
    several = len({hosts[rank] for rank in ranks}) > 1
    met = np.isfinite(table).sum() // 2

    def name(end: int) -> str:
        return hosts[ranks[end]] if several else f"rank {ranks[end]}"

    def slower(what: str, ratio: float, limit: float, where: Where, suspects: list[str]) -> Finding:
        return finding(
            Axis.BALANCE, Verdict.WARN, case_id, f"{path}: {what}",
            f"median polish of {met} pairs in {plural(launches, 'launch')}; paths differ by {percent(guilt.spread)}",
            section=path, measured=ratio, expected=1.0, band=(None, limit), unit="slow/equal peers", where=where,
            next_command=isolating(run, case_id, without=suspects if several else ()),
        )

    found = []
    for group in in_tree.groups[:MOST_NAMED]:
        members, other = ([name(end) for end in each] for each in (group.members, group.other))
        where = Where(group=tuple(members))
        share = "that share a part of the network" if group.outside else "that lie together"
        what = f"{len(members)} ends {share} ({members[0]} to {members[-1]}) take "
        what += f"{percent(exp(group.effect) - 1)} longer to "
        if other:
            what += f"the {len(other)} of {other[0]} to {other[-1]}: the link between both groups"
        elif not group.outside:
            what += "each other: their shared link"
        elif group.inside:
            what += "all ends: their shared link"
        else:
            what += "all other ends, but not to each other: their uplink"
        suspects = [] if 2 * len(members) > len(ranks) else [hosts[ranks[end]] for end in group.members]
        told_of = f"{what} ({plural(group.paths, 'path')} agree)"
        found.append(slower(told_of, exp(group.effect), PATH_EFFECT[klass], where, suspects))
    for end in guilt.ends[:MOST_NAMED]:
        ratio = exp(fit.end[end])
        where = Where(host=hosts[ranks[end]], rank=None if several else ranks[end])
        what = (f"{name(end)} is a bad end: {percent(ratio - 1)} longer to all other ends, "
                f"{digits(float(guilt.end_score[end]))} standard errors, limit {digits(guilt.end_limit)}")
        found.append(slower(what, ratio, PATH_EFFECT[klass], where, [hosts[ranks[end]]]))
    for i, j in guilt.paths[:MOST_NAMED]:
        what = (f"the path {name(i)} - {name(j)} is bad: {duration(float(table[i, j]))} a message, its two ends explain "
                f"{duration(_expected(fit, i, j) * float(tree.like[i, j]))}; each end is normal with other partners")
        where = Where(host=hosts[ranks[i]], rank=None if several else ranks[i], to_host=hosts[ranks[j]],
                      to_rank=None if several else ranks[j])
        found.append(slower(what, exp(fit.path[i, j]), exp(guilt.path_limit), where, [hosts[ranks[j]]]))
    left = sum(len(each[MOST_NAMED:]) for each in (in_tree.groups, guilt.ends, guilt.paths))
    if left:
        what = f"{left} more bad groups, ends or paths: {len(guilt.ends)} ends and {len(guilt.paths)} paths in all"
        found.append(slower(what, exp(guilt.path_limit), exp(guilt.path_limit), Where(), []))
    return found


def _expected(fit: Fit, i: int, j: int) -> float:
    return exp(fit.level + fit.end[i] + fit.end[j])
