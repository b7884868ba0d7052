"""Synthetic machines, records and runs for tests. Every default is a quiet, right, balanced measurement."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenken.model.assessment import AxisResult, CaseAssessment
from tenken.model.check import Case, Check, MetricSpec, Provides, SectionSpec, ValiditySpec
from tenken.model.machine import Machine, Node
from tenken.model.record import Card, Clock, Environment, Rank, Record, Section, Series, Thread, Trust, Validity, Value, Work
from tenken.model.run import CaseRun, Launch, Run
from tenken.model.verdict import Axis
from tenken.store.files import to_plain
from tenken.store.samples import Samples, thinned

GHZ = 3.0e9
SECOND = 10**9
MEMORY = Provides("memory", by="working_set_bytes")


def node(host: str = "n0", **changes: Any) -> Node:
    """A quiet exclusive node: 4 cores of 16 flop a cycle in double, 32 MiB of L3, 40 GB/s by its specification."""
    base = Node(
        host=host,
        node_class="toy",
        cpu="Toy CPU",
        core="toy",
        flop_per_cycle_double=16.0,
        flop_per_cycle_single=32.0,
        cores=4,
        cpus=4,
        memory_bytes=16 << 30,
        l3_bytes=32 << 20,
        memory_rate_spec=40e9,
        exclusive=True,
    )
    return replace(base, **changes)


def machine(*nodes: Node) -> Machine:
    return Machine("toy", nodes or (node(),))


@dataclass(frozen=True)
class Timed:
    """One section as timed: `ns` of shape (ranks, repetitions)."""

    path: str
    ns: NDArray[np.int64]
    kind: str = "compute"
    work: Work = Work()
    calls: int = 1
    leaf: bool = True
    of: str | None = None
    at: int | None = None
    once: bool = False
    precision: str | None = None


def quiet(ns: float, ranks: int = 1, repetitions: int = 40, noise: float = 0.005, seed: int = 1) -> NDArray[np.int64]:
    """Times around `ns` with normal `noise` (fraction), of shape (ranks, repetitions)."""
    scatter = np.random.default_rng(seed).normal(0, noise, (ranks, repetitions))
    return np.rint(ns * (1 + scatter)).astype(np.int64)


def fma(rate: float, ranks: int = 1, path: str = "double", ms: float = 1.0, **more: Any) -> Timed:
    """A section that does `rate` flop/s, summed over its ranks, in passes of `ms` milliseconds."""
    return Timed(path, quiet(ms * 1e6, ranks), work=Work(flop=round(rate * ms * 1e-3 / ranks)), **more)


def triad(rate: float, ranks: int = 1, path: str = "triad", ms: float = 1.0, **more: Any) -> Timed:
    """A section that moves `rate` bytes/s, summed over its ranks, two thirds of them read."""
    share = round(rate * ms * 1e-3 / ranks / 3)
    return Timed(path, quiet(ms * 1e6, ranks), work=Work(bytes_read=2 * share, bytes_written=share), **more)


def trust(**changes: Any) -> Trust:
    base = Trust(
        wall_ns=SECOND,
        cpu_ns=SECOND,
        run_queue_wait_ns=0,
        steal_ns=0,
        throttled_ns=0,
        migrations=0,
        involuntary_switches=0,
        major_faults=0,
        frequency_hz=(GHZ,) * 5,
    )
    return replace(base, **changes)


def proof(name: str = "answer", value: float = 1.0, limit: float = 1e-9, mode: str = "abs") -> Validity:
    return Validity(name, value, 1.0, limit, mode, "the answer is 1 by construction")


def record(
    *sections: Timed,
    check: str = "demo",
    case: str = "a",
    launch: int = 1,
    threads: int = 1,
    hosts: Sequence[str] = ("n0",),
    trusts: Mapping[int, Trust] | Trust | None = None,
    values: Mapping[str, tuple[str, float]] | None = None,
    validity: Sequence[Validity] | None = None,
    fault: str | None = None,
    cards: Sequence[str] = (),
) -> Record:
    """A record with as many ranks as the first section has rows; rank r runs on hosts[r % len(hosts)], where `cards` are
    given on cards[r % len(cards)]."""
    ranks = sections[0].ns.shape[0] if sections else 1
    by_rank = trusts if isinstance(trusts, Mapping) else {rank: trusts or trust() for rank in range(ranks)}
    return Record(
        path=f"/runs/r/launches/{launch:04d}-{check}.{case}/record.jsonl",
        check=check,
        variant="plain",
        parameters={"n": 100},
        environment=Environment("gcc-openmpi", "g++ 12", "Open MPI 4", "-O3", "avx2", True, {"blas": "openblas"}),
        ranks=ranks,
        threads=threads,
        clock=Clock("tsc", 0.4, 1e-7),
        timer_overhead_ns=20.0,
        sections=tuple(
            Section(i, one.path, one.kind, one.leaf, one.of or one.path, one.at, one.precision) for i, one in enumerate(sections)
        ),
        fault=fault,
        started="2026-11-21T08:00:00Z",
        rank=tuple(
            Rank(
                r,
                hosts[r % len(hosts)],
                (r,),
                (0,),
                tuple(Thread(t, r, r) for t in range(threads)),
                by_rank.get(r, trust()),
                card=Card(cards[r % len(cards)], "NVIDIA X", len(set(cards)), 0) if cards else None,
            )
            for r in range(ranks)
        ),
        series=tuple(_series(i, one, rank) for i, one in enumerate(sections) for rank in range(one.ns.shape[0])),
        values=tuple(Value(name, unit, value) for name, (unit, value) in (values or {}).items()),
        validity=tuple((proof(),) if validity is None else validity),
    )


def _series(index: int, one: Timed, rank: int) -> Series:
    ns = tuple(int(value) for value in one.ns[rank])
    repetitions = (-1,) if one.once else tuple(range(len(ns)))
    return Series(rank, index, repetitions, (one.calls,) * len(ns), ns, (one.work,) * len(ns))


def metric(
    name: str, section: str | None, quantity: str = "flop_rate", unit: str = "GFLOP/s", klass: str = "compute",
    ceiling: str = "flop", better: str = "higher", by: str | None = None, precision: str = "double",
    provides: Provides | None = None,
) -> MetricSpec:  # fmt: skip
    return MetricSpec(name, section, quantity, unit, better, klass, ceiling, by, precision, provides=provides)


def bytes_metric(
    name: str = "triad", section: str = "triad", by: str | None = None, provides: Provides | None = None
) -> MetricSpec:
    return metric(name, section, "byte_rate", "GB/s", "memory", "memory", by=by, provides=provides)


def check(
    name: str = "demo", metrics: Sequence[MetricSpec] = (), sections: Sequence[SectionSpec] = (), **changes: Any
) -> Check:
    base = Check(
        name=name,
        title=f"{name} of the toy machine",
        question="Does it work?",
        repetition="one pass",
        variants=("plain",),
        faults=(),
        requires=(),
        parameters=(),
        sections=tuple(sections),
        metrics=tuple(metrics),
        validity=(ValiditySpec("answer", 1e-9, "by construction"),),
        cases=(),
        folder=f"/tree/checks/{name}",
    )
    return replace(base, **changes)


def launch(number: int = 1, case_id: str = "demo:a", status: str = "done", **changes: Any) -> Launch:
    base = Launch(
        number=number,
        case_id=case_id,
        status=status,
        folder=f"launches/{number:04d}-{case_id.replace(':', '.')}",
        returncode=0 if status == "done" else None,
        started="2026-11-21T08:00:00Z",
        seconds=1.5,
    )
    return replace(base, **changes)


def case_run(
    *records: Record, of: Check | None = None, launches: Sequence[Launch] | None = None, **changes: Any
) -> CaseRun:
    """A case with these records, a done launch each unless `launches` are given; `changes` are for the Case."""
    first = records[0] if records else record()
    name = first.path.split("/")[-2].split(".")[1]
    case = Case(
        check=first.check,
        name=name,
        variant="plain",
        parameters={"n": 100},
        ranks=first.ranks,
        threads=first.threads,
        launches=max(len(records), 1),
        timeout_s=20.0,
    )
    case = replace(case, **changes)
    if launches is None:
        launches = [launch(int(one.path.split("/")[-2][:4]), case.id) for one in records]
    return CaseRun(case, of or check(first.check), tuple(launches), records)


def run(*cases: CaseRun, **changes: Any) -> Run:
    base = Run(
        name="20261121T080000Z-quick-1a2b",
        folder="/runs/r",
        suite="quick",
        state="finished",
        started="2026-11-21T08:00:00Z",
        seed=7,
        seconds=12.0,
        environment={"name": "gcc-openmpi"},
        cases=cases,
    )
    return replace(base, **changes)


def record_lines(of: Record) -> list[dict[str, Any]]:
    """`of` as the lines of its record.jsonl."""
    header: dict[str, Any] = {"type": "header", "schema": "tenken.record/1"}
    for name in (
        "check",
        "variant",
        "parameters",
        "environment",
        "ranks",
        "threads",
        "clock",
        "timer_overhead_ns",
        "fault",
        "started",
    ):
        header[name] = to_plain(getattr(of, name))
    header["sections"] = [
        {key: value for key, value in to_plain(section).items() if value is not None} for section in of.sections
    ]
    for name in ("placement", "thread_level", "counters"):
        if getattr(of, name) is not None:
            header[name] = to_plain(getattr(of, name))
    lines = [header]
    kinds: Iterable[tuple[str, Iterable[Any]]] = (
        ("rank", of.rank), ("series", of.series), ("value", of.values), ("validity", of.validity),
        ("table", of.tables),
    )
    for kind, items in kinds:
        lines += [{"type": kind, **_without_none(to_plain(item), kind)} for item in items]
    return [*lines, {"type": "end", "lines": len(lines) + 1}]


def _without_none(plain: dict[str, Any], kind: str) -> dict[str, Any]:
    """What a program leaves out; the values of a table are null where it has a summary."""
    return {key: value for key, value in plain.items() if value is not None or (kind, key) == ("table", "values")}


def write_lines(path: Path, lines: Sequence[Mapping[str, Any]]) -> Path:
    """Write `lines` as a record file, making its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def write_record(path: Path, of: Record) -> Path:
    return write_lines(path, record_lines(of))


def thin(of: Record) -> Record:
    """`of` as if its samples were too many: summaries, and the samples of the ranks that stand out."""
    samples = [
        Samples("", one.rank, one.section, one.repetition, one.calls, np.array(one.ns, dtype=np.int64), one.work)
        for one in of.series
    ]
    summaries, kept = thinned(samples, of.ranks)
    return replace(of, summaries=summaries, series=tuple(one.series() for one in kept))


def axis(of: CaseAssessment, which: Axis) -> AxisResult:
    """The answer of a case on one axis."""
    return next(each for each in of.axes if each.axis is which)
