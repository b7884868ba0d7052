"""Caches found beside those of the kernel, through `assess`: both are shown where they differ."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import builders as b
import numpy as np

from tenken.judge.assess import assess
from tenken.model.assessment import AxisResult
from tenken.model.record import Table
from tenken.model.verdict import Axis, Verdict
from tenken.store.judges import load_judges

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["cache"])
SIZES = [int(64 * round(2 ** (12 + step / 4) / 64)) for step in range(65)]


def speed(kernel: tuple[float, ...], loud: int | None = None, pages: tuple[str, ...] = ("base", "huge")) -> AxisResult:
    """Two launches of a node whose caches hold 48 KiB, 2 MiB and 30 MiB; `loud`: one working set met other load."""
    latency = np.full(len(SIZES), 2.0)
    for at, step in ((48 << 10, 4.0), (2 << 20, 30.0), (30 << 20, 90.0)):
        latency += step * (np.array(SIZES) > at)
    records = []
    for launch in (1, 2):
        figures = latency.copy()
        if loud is not None and launch == 1:
            figures[loud] *= 20
        cells = tuple((one,) * len(pages) for one in figures.tolist())
        table = Table("latency", "ns", "lower", tuple(map(str, SIZES)), pages, cells)
        values = {f"kernel_cache/{level}": ("B", one) for level, one in enumerate(kernel, 1)}
        values |= {"chased_round_bytes": ("B", 2.0**25)}
        record = b.record(b.fma(40e9, path="latency"), check="cache", launch=launch, values=values)
        records.append(replace(record, tables=(table,)))
    run = b.run(b.case_run(*records, of=b.check("cache", validity=())))
    case = assess(run, b.machine(b.node()), (), judges=JUDGES).cases[0]
    return next(one for one in case.axes if one.axis is Axis.SPEED)


def test_caches_that_agree_with_the_kernel_are_ok() -> None:
    found = speed((48 << 10, 2 << 20, 32 << 20), loud=20)
    assert found.verdict is Verdict.OK and "; by the kernel 48 KiB, 2 MiB, 32 MiB (huge pages)" in found.reason
    assert "found: 4" in found.reason and "memory (126 ns)" in found.reason


def test_a_hypervisor_that_lies_is_not_judged_and_both_are_shown() -> None:
    found = speed((48 << 10, 2 << 20, 260 << 20))
    assert found.verdict is Verdict.NOT_JUDGED and "260 MiB" in found.reason and "hypervisor" in found.reason
    assert speed((48 << 10, 32 << 20)).verdict is Verdict.NOT_JUDGED


def test_small_pages_do_where_no_others_were_measured() -> None:
    assert "(base pages)" in speed((48 << 10, 2 << 20, 32 << 20), pages=("base",)).reason
    assert speed((), pages=("else",)).reason.startswith("measured; not judged")
