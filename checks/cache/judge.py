"""Caches found from the curve of latencies beside those that the kernel tells."""

from __future__ import annotations

from math import isfinite

import numpy as np

from tenken.judge.common import digits, size
from tenken.model.assessment import AxisResult
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.record import Record
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict
from tenken.stats.cache_levels import CacheLevel, cache_levels

TABLE = "latency"  # a row for each working set in bytes, a column for each page size
BEST_PAGES = ("huge", "base")  # the first that was measured: large pages leave the walks of the page table out
AGREE = 0.3  # of the size that the kernel tells


def judge(of: ToJudge) -> OwnJudgement:
    """The speed axis of a curve: the caches that are there. Of a single working set the general judgement stands."""
    curve = _curve(of.measured)
    if curve is None:
        return OwnJudgement()
    sizes, latency, pages = curve
    record = of.measured[0].record
    found = cache_levels(sizes, latency, _value(record, "chased_round_bytes") or np.inf)
    kernel = [value.value for value in sorted(record.values, key=lambda one: one.name) if value.name.startswith("kernel_cache/")]
    told = f"{_in_words(found)}; by the kernel {', '.join(map(size, kernel)) or 'unknown'} ({pages} pages)"
    same = len(found) == len(kernel) and all(abs(one.bytes / by - 1) <= AGREE for one, by in zip(found, kernel, strict=True))
    if same:
        return OwnJudgement(axes=(AxisResult(Axis.SPEED, Verdict.OK, f"caches {told}"),))
    reason = f"caches {told}: a hypervisor may report other caches, a cache may be partitioned or shared with other load"
    return OwnJudgement(axes=(AxisResult(Axis.SPEED, Verdict.NOT_JUDGED, reason),))


def _curve(measured: tuple[Measured, ...]) -> tuple[np.ndarray, np.ndarray, str] | None:
    """Working sets, latencies (the least of the launches: load only lengthens) and the pages they were on."""
    sizes: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    layers = []
    for table in (table for each in measured for table in each.record.tables if table.name == TABLE):
        sizes, columns = sizes or table.rows, columns or table.columns
        if table.values is not None and (table.rows, table.columns) == (sizes, columns):
            layers.append([[np.nan if cell is None else cell for cell in row] for row in table.values])
    pages = next((one for one in BEST_PAGES if one in columns), None)
    if not layers or pages is None or not all(size.isascii() and size.isdigit() for size in sizes):
        return None
    latency = np.min(np.array(layers)[:, :, columns.index(pages)], axis=0)
    known = np.isfinite(latency) & (latency > 0)
    return np.array([float(size) for size in sizes])[known], latency[known], pages


def _in_words(found: tuple[CacheLevel, ...]) -> str:
    if not found:
        return "none found"
    caches = ", ".join(f"{size(one.bytes)} ({digits(one.before)} ns)" for one in found)
    return f"found: {caches}, memory ({digits(found[-1].behind)} ns)"


def _value(record: Record, name: str) -> float | None:
    return next((one.value for one in record.values if one.name == name and isfinite(one.value)), None)
