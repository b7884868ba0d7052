"""Synthetic assessments: whole answers of the judge, for everything that prints them. Deterministic, no NumPy.

The figures are those of a plausible two-core node and, for `wide`, of 64 nodes with 16 ranks each; nothing was
measured.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tenken.judge.completeness import run_verdict, unjudged
from tenken.model.assessment import (
    Assessment, AxisResult, CaseAssessment, Ceiling, CeilingFraction, Finding, MetricSummary, RankTime, SectionSummary,
    Trusted, ValidityResult, Where,
)
from tenken.model.machine import Machine, Node
from tenken.model.record import Validity
from tenken.model.run import Launch, RankState
from tenken.model.verdict import EXIT_NOTHING_JUDGED, Axis, Verdict, exit_code, severity

PEAK = Ceiling("peak double", "measured", 112.4e9, "16 flop/cycle x 3.51 GHz x 2 cores")
PEAK_ONE = Ceiling("peak double", "measured", 58.5e9, "16 flop/cycle x 3.66 GHz x 1 core")
PEAK_SINGLE = Ceiling("peak single", "measured", 224.8e9, "32 flop/cycle x 3.51 GHz x 2 cores")
MEMORY = Ceiling("memory", "measured", 39.4e9, "stream:memory read, median of 2 launches")
NETWORK = Ceiling("network", "spec", 12.5e9, "100 Gbit/s a node, 1 node", "2026-10-02")
NODE = Node("n01", "zen4-2c", "AMD EPYC 9B14", "zen4", 16.0, 32.0, 2, 4, 8 << 30, 32 << 20, None, virtual="kvm")
ENVIRONMENT = {
    "name": "gcc-openmpi-x86-64-v4", "compiler": "g++ (Debian 12.2.0-14) 12.2.0", "mpi": "Open MPI 4.1.4",
    "flags": "-O3 -march=native -fopenmp", "isa": "avx512", "libraries": {"blas": "OpenBLAS 0.3.21"},
}


def ranks(
    count: int, median_ns: float, slow: dict[int, float] | None = None, per_node: int = 16
) -> tuple[RankTime, ...]:
    """`count` ranks around `median_ns`; `slow` multiplies single ones."""
    noise = random.Random(count)
    result = []
    for rank in range(count):
        time = median_ns * noise.gauss(0.985, 0.006) * (slow or {}).get(rank, 1.0)
        result.append(RankTime(rank, f"n{rank // per_node + 1:02d}", time, 0.985 * time, 1.04 * time))
    return tuple(result)


def section(
    path: str, median_ns: float, *, kind: str = "compute", leaf: bool = True, at: int | None = None, share: float = 0.0,
    flop: float = 0.0, bytes_moved: float = 0.0, messages: float = 0.0, roofs: Sequence[Ceiling] = (),
    per_rank: tuple[RankTime, ...] | None = None, valid: bool = True, launches: int = 2, repetitions: int = 300,
    mad: float = 0.004, loss: float = 0.012,
) -> SectionSummary:
    """A section whose rates and fractions agree with its work, time and roofs."""
    noise = random.Random(path)
    per_rank = per_rank or ranks(2, median_ns)
    times = [rank.median_ns for rank in per_rank]
    strip = tuple(
        tuple(median_ns * (1 + abs(noise.gauss(0, 2 * mad)) + (0.3 if noise.random() < loss / 0.3 else 0))
              for _ in range(min(repetitions // launches, 400)))
        for _ in range(launches))
    seconds = median_ns / 1e9
    rates = {"flop": flop / seconds, "byte": bytes_moved / seconds}
    bound = [(roof, rates["flop" if roof.name.startswith("peak") else "byte"]) for roof in roofs]
    fractions = [(roof, rate, rate / roof.value) for roof, rate in bound if rate]
    top = max((fraction for *_, fraction in fractions), default=0)
    return SectionSummary(
        path, kind, leaf, at, False, launches, repetitions, 1, median_ns, mad * median_ns, loss, mad, share,
        max(times) / (sum(times) / len(times)), 1.05, max(per_rank, key=lambda rank: rank.median_ns).rank, per_rank,
        strip, flop, bytes_moved, messages, rates["flop"] if flop and valid else None,
        rates["byte"] if bytes_moved and valid else None,
        (flop / bytes_moved if bytes_moved else math.inf) if flop else None,
        tuple(
            CeilingFraction(roof, rate, fraction, fraction == top) for roof, rate, fraction in fractions
        ) if valid else (),
    )


def metric(name: str, of: str | None, value: float | None, unit: str, quantity: str = "flop_rate",
           roof: tuple[Ceiling, float] | None = None, at: int | None = None, klass: str = "compute") -> MetricSummary:
    better = "lower" if quantity.startswith("time") else "higher"
    return MetricSummary(
        name, of, at, quantity, unit, better, klass, value, None if value is None else 0.006 * value, 2,
        roof[1] if roof else None, roof[0] if roof else None, None, None,
    )


def validity(
    name: str, value: float, expected: float, limit: float, mode: str = "rel", holds: bool = True
) -> ValidityResult:
    return ValidityResult(
        Validity(name, value, expected, limit, mode, "recomputed by the plain reference kernel"), holds, 1
    )


def finding(axis: Axis, verdict: Verdict, case_id: str, of: str | None, what: str, *, where: Where = Where(),
            measured: float | None = None, expected: float | None = None, unit: str = "",
            band: tuple[float | None, float | None] = (None, None)) -> Finding:
    share = measured / expected if measured is not None and expected else None
    return Finding(axis, verdict, what, case_id, of, measured, expected, band, unit, share, where,
                   "median over 2 launches, 300 repetitions", f"tenken run {case_id} --launches 5")


def case(case_id: str, sections: Iterable[SectionSummary], metrics: Iterable[MetricSummary], *,
         verdict: Verdict = Verdict.OK, reason: str = "every judged axis is within its limits",
         findings: Sequence[Finding] = (), checks: Sequence[ValidityResult] = (), ranks: int = 2, threads: int = 1,
         fault: str | None = None, launches: Sequence[Launch] | None = None, disturbed: str = "") -> CaseAssessment:
    check, _, name = case_id.partition(":")
    by_axis = {item.axis: AxisResult(item.axis, item.verdict, item.what) for item in reversed(findings)}
    absent = {Axis.CHANGE: "no baseline", **({Axis.BALANCE: "one rank"} if ranks == 1 else {})}
    axes = tuple(by_axis.get(axis) or AxisResult(axis, Verdict.NOT_JUDGED if axis in absent else Verdict.OK,
                                                 absent.get(axis, "within its limits")) for axis in Axis)
    if verdict is Verdict.NOT_JUDGED:  # nothing was measured, or its times met load
        kept = (Axis.VALIDITY,) if disturbed else ()
        axes = tuple(item if item.axis in kept else AxisResult(item.axis, verdict, reason, ground=True) for item in axes)
    return CaseAssessment(
        case_id, check, f"The {check} check", f"How fast is {check} here?", "one pass of every section", "best",
        {"size": name, "kappa": 0.15}, ranks, threads, verdict, reason, fault, axes, tuple(findings),
        tuple(checks) or (validity("residual", 3.1e-12, 0.0, 1e-8, "abs"),), tuple(sections), tuple(metrics), (),
        Trusted(
            bool(disturbed), disturbed, Where("n01", 0) if disturbed else Where(), 0.031 if disturbed else 0.002, 0.0,
            0.0, 0, 3.51, 0.004, (3.5, 3.52), None, 21.4, False,
        ),
        tuple(launches) if launches is not None else tuple(
            Launch(n, case_id, "done", f"launches/{n:04d}", 0) for n in (1, 2)
        ),
        9.1,
    )


def run(
    cases: Sequence[CaseAssessment], *, suite: str = "quick", machine: Machine | None = None, state: str = "finished",
    drill: bool = False, notes: Sequence[str] = ("frequency is read from the tick loop: no counter is readable",),
) -> Assessment:
    verdict = run_verdict(cases)
    findings = sorted((item for case in cases for item in case.findings), key=lambda item: -severity(item.verdict))
    name = f"20261121T074000Z-{suite}-3fa9"
    code = exit_code(verdict) if state == "finished" else EXIT_NOTHING_JUDGED
    return Assessment(name, f"runs/{name}", suite, state, "2026-11-21T07:40:00Z", 72.4, verdict, code, drill,
                      machine or Machine("zen4-vm", (NODE,)), ENVIRONMENT, tuple(cases), tuple(findings), tuple(notes), unjudged=unjudged(cases))


def fma_peak(name: str, roof: Ceiling, threads: int) -> CaseAssessment:
    one = ranks(1, 300e3)
    flop = 0.994 * roof.value * 300e-6
    double = section("double", 300e3, flop=flop, roofs=(roof,), share=0.5, per_rank=one)
    single = section("single", 301e3, flop=1.98 * flop, share=0.5, per_rank=one,
                     roofs=(replace(roof, name="peak single", value=2 * roof.value),))
    metrics = [
        metric(
            part.path, part.path, part.flop_rate / 1e9, "GFLOP/s",
            roof=(part.ceilings[0].ceiling, part.ceilings[0].fraction),
        )
        for part in (double, single)
    ]
    return case(f"fma_peak:{name}", (double, single), metrics, ranks=1, threads=threads)


def stream(**more: object) -> CaseAssessment:
    moved = 384 << 20
    sections = [
        section(
            name, moved * factor / MEMORY.value * 1e9, flop=flop, bytes_moved=moved, roofs=(PEAK, MEMORY), share=0.25
        )
        for name, factor, flop in (
            ("copy", 1.06, 0), ("scale", 1.07, moved / 16), ("add", 1.03, moved / 24), ("triad", 1.02, moved / 12)
        )
    ]
    metrics = [
        metric(
            part.path, part.path, part.byte_rate / 1e9, "GB/s", "byte_rate", (MEMORY, part.byte_rate / MEMORY.value),
            klass="memory",
        )
        for part in sections
    ]
    return case("stream:memory", sections, sorted(metrics, key=lambda item: item.name != "triad"), **more)


def dgemm(fraction: float = 0.887, **more: object) -> CaseAssessment:
    flop = 2 * 1500**3
    parts = [
        section(
            f"dgemm/{n}", flop / (fraction * PEAK.value * n / 2) * 1e9, at=n, flop=flop, share=0.5,
            per_rank=ranks(1, 68e6), bytes_moved=4 * 8 * 1500**2,
            roofs=(replace(PEAK, value=PEAK.value * n / 2, formula=f"16 flop/cycle x 3.51 GHz x {n} cores"), MEMORY),
            repetitions=40,
        )
        for n in (1, 2)
    ]
    metrics = [
        metric("dgemm", "dgemm", part.flop_rate / 1e9, "GFLOP/s", roof=(part.ceilings[0].ceiling, fraction), at=part.at)
        for part in parts
    ]
    return case("dgemm:square", parts, metrics, ranks=1, threads=2, **more)


def pingpong(**more: object) -> CaseAssessment:
    sizes = [8 * 4**k for k in range(10)]
    parts = [
        section(f"exchange/{n}", 600 + n / 9.1, kind="comm", at=n, bytes_moved=2 * n, messages=2, share=0.1)
        for n in sizes
    ]
    metrics = [
        metric("latency", "exchange", part.median_ns / 2e3, "us", "time_per_call", at=part.at, klass="latency")
        for part in parts
    ]
    metrics += [
        metric("rate", "exchange", part.byte_rate / 1e9, "GB/s", "byte_rate", at=part.at, klass="bandwidth")
        for part in parts
    ]
    return case("mpi_pt2pt:default", parts, metrics, **more)


def lqcd(
    name: str = "small", scale: float = 1.0, count: int = 2, slow: dict[int, float] | None = None, valid: bool = True,
    **more: object,
) -> CaseAssessment:
    """The application: a tree of sections with compute, communication and reductions."""
    size = 16 * 8**3 * scale * count / 2
    roofs = tuple(replace(roof, value=roof.value * count / 2) for roof in (PEAK, MEMORY))
    rows = (("cg/operator", 1.9e6, 2784, 5184, "compute", 0.62), ("cg/pack", 0.27e6, 48, 1152, "compute", 0.05),
            ("cg/communication", 0.42e6, 0, 768, "comm", 0.14), ("cg/axpy", 0.31e6, 144, 1152, "compute", 0.10),
            ("cg/dot", 0.15e6, 96, 384, "compute", 0.05), ("cg/norm", 0.12e6, 48, 192, "compute", 0.04))
    parts = [
        section(
            path, ns * scale, kind=kind, flop=flop * size,
            bytes_moved=moved * size if kind == "compute" else moved * 64.0, messages=8.0 if kind == "comm" else 0,
            share=share, valid=valid, roofs=roofs if kind == "compute" else (NETWORK,),
            per_rank=ranks(count, ns * scale, slow if path == "cg/operator" else None),
        )
        for path, ns, flop, moved, kind, share in rows
    ]
    top = section("cg", 3.06e6 * scale, leaf=False, per_rank=ranks(count, 3.06e6 * scale))
    operator = parts[0]
    value = operator.flop_rate and operator.flop_rate / 1e9
    metrics = (
        metric(
            "operator", "cg/operator", value, "GFLOP/s",
            roof=(operator.ceilings[-1].ceiling, operator.ceilings[-1].fraction) if valid else None,
        ),
        metric("iteration", "cg", top.median_ns / 1e6 if valid else None, "ms", "time"),
    )
    checks = more.pop(
        "checks",
        (
            validity("true_residual", 2.6e-9, 0.0, 1e-8, "max"), validity("plaquette", 0.5937, 0.5937, 1e-10),
            validity("gamma5_hermiticity", 8e-16, 0.0, 1e-12, "max"),
        ),
    )
    return case(f"lqcd:{name}", (top, *parts), metrics, checks=checks, ranks=count, **more)


def ok() -> Assessment:
    """All is well: eight cases on one virtual node."""
    allreduce = replace(pingpong(), id="mpi_allreduce:default", check="mpi_allreduce")
    peaks = [fma_peak("one_core", PEAK_ONE, 1), fma_peak("all_cores", PEAK, 2)]
    return run([*peaks, stream(), dgemm(), pingpong(), allreduce, lqcd("small"), lqcd("large", 8.0)])


def crash() -> Launch:
    states = [
        RankState(rank, f"n{rank // 2 + 1:02d}", 4100 + rank, "timing", "cg/communication", 118, 300)
        for rank in range(8)
    ]
    states[5] = replace(states[5], section="cg/operator", repetitions=117)
    return Launch(
        7, "lqcd:large", "crashed", "launches/0007-lqcd-large", 137, "SIGKILL", "rank 5 was killed by signal 9", None,
        3.2, ("mpirun noticed that process rank 5 exited on signal 9 (Killed).",), tuple(states),
    )


def bad() -> Assessment:
    """Every verdict there is, on four nodes."""
    nodes = Machine(
        "cluster-a", tuple(replace(NODE, host=f"n{i:02d}", virtual=None, exclusive=True) for i in range(1, 5))
    )
    balance = finding(
        Axis.BALANCE, Verdict.FAIL, "lqcd:weak", "cg/operator",
        "rank 37 takes 2.67 ms for cg/operator where the others take 1.87 ms: the slowest node sets the pace of all",
        where=Where("n03", 37, "cg/operator"), measured=1.42, expected=1.0, band=(None, 1.05),
    )
    slow = finding(
        Axis.SPEED, Verdict.WARN, "dgemm:square", "dgemm/2",
        "47.8 % of the peak, where at least 80 % is usual for a matrix product of this size", measured=53.7,
        expected=89.9, unit="GFLOP/s", band=(89.9, None),
    )
    wrong = finding(
        Axis.VALIDITY, Verdict.INVALID, "lqcd:small", None,
        "true_residual is 0.031, at most 1e-08 is allowed: the answer is wrong, so no rate is given", measured=0.031,
        expected=0.0, band=(None, 1e-8),
    )
    load = "another process took 3.1 % of the processor time on n01; the machine is shared"
    return run(
        [
            fma_peak("all_cores", PEAK, 2), stream(verdict=Verdict.NOT_JUDGED, reason=load, disturbed=load),
            dgemm(0.478, verdict=Verdict.WARN, reason=slow.what, findings=[slow]), pingpong(),
            lqcd("weak", count=64, slow={37: 1.42}, verdict=Verdict.FAIL, reason=balance.what, findings=[balance]),
            lqcd(
                "small", valid=False, verdict=Verdict.INVALID, reason=wrong.what, findings=[wrong],
                checks=(
                    validity("true_residual", 0.031, 0.0, 1e-8, "max", holds=False),
                    validity("plaquette", math.nan, 0.5937, 1e-10, holds=False),
                ),
            ),
            case(
                "lqcd:large", (), (), verdict=Verdict.ERROR, reason="launch 7 crashed: rank 5 was killed by signal 9",
                launches=[crash()], ranks=8,
            ),
        ],
        suite="check", machine=nodes,
    )


def drill() -> Assessment:
    """A run with a fault put in on purpose, and the check-up finds it."""
    wrong = finding(
        Axis.VALIDITY, Verdict.INVALID, "lqcd:small", None, "plaquette is 0.5921, 0.5937 is expected", measured=0.5921,
        expected=0.5937,
    )
    return run(
        [
            lqcd(
                "small", valid=False, verdict=Verdict.INVALID, reason=wrong.what, findings=[wrong], fault="link_sign",
                checks=(validity("plaquette", 0.5921, 0.5937, 1e-10, holds=False),),
            )
        ],
        suite="lqcd", drill=True,
    )


def interrupted() -> Assessment:
    """Stopped by Ctrl-C in the third case; what was finished is kept."""
    stopped = replace(crash(), status="interrupted", signal="SIGINT", reason="stopped by Ctrl-C")
    return run(
        [
            stream(), dgemm(),
            case(
                "lqcd:large", (), (), verdict=Verdict.NOT_JUDGED, reason="stopped by Ctrl-C before it ended",
                launches=[stopped], ranks=8,
            ),
        ],
        state="interrupted",
    )


def nothing() -> Assessment:
    """Nothing could be judged."""
    return run(
        [
            case(
                "dgemm:square", (), (), verdict=Verdict.NOT_JUDGED, reason="needs cblas, and none was found",
                launches=(),
            )
        ]
    )


def wide(count: int = 1024) -> Assessment:
    """Many ranks, one slow node, and more findings than fit on a screen."""
    nodes = Machine("big", tuple(replace(NODE, host=f"n{i:02d}", cores=16, cpus=32) for i in range(1, count // 16 + 1)))
    slow = {rank: 1.3 + 0.01 * (rank % 16) for rank in range(512, 528)}
    items = [
        finding(
            Axis.BALANCE, Verdict.FAIL, f"lqcd:size{i}", "cg/operator",
            f"rank {513 + i} takes 1.4x the time of the others", where=Where("n33", 513 + i, "cg/operator"),
            measured=1.4, expected=1.0, band=(None, 1.05),
        )
        for i in range(24)
    ]
    first = replace(items[0], case_id="lqcd:weak", what="the 16 ranks of n33 take 1.3x to 1.45x the time of the others")
    return run([lqcd("weak", count=count, slow=slow, verdict=Verdict.FAIL, reason=first.what, findings=[first])]
               + [lqcd(f"size{i}", count=1024 if i == 0 else 2, verdict=Verdict.FAIL, reason=item.what, findings=[item])
                  for i, item in enumerate(items)],
               suite="evaluate", machine=nodes)


HOSTILE = "\x1b[31mn<script>alert(1)</script>&\u202e\"'$\\frac{\x07\n{{7*7}}"


def hostile() -> Assessment:
    """Host names, sections, reasons and notes that try to break a terminal, a page, XML or an exposition."""
    node = replace(NODE, host=HOSTILE, cpu=HOSTILE)
    per_rank = tuple(replace(rank, host=HOSTILE) for rank in ranks(2, 1e6))
    part = section(HOSTILE, 1e6, flop=1e6, bytes_moved=1e6, roofs=(PEAK, MEMORY), share=1.0, per_rank=per_rank)
    item = finding(Axis.BALANCE, Verdict.FAIL, f"evil:{HOSTILE}", HOSTILE, HOSTILE, where=Where(HOSTILE, 0, HOSTILE))
    broken = replace(
        crash(), last_lines=(HOSTILE,), reason=HOSTILE, ranks=tuple(replace(r, host=HOSTILE) for r in crash().ranks)
    )
    return run(
        [
            case(
                f"evil:{HOSTILE}", (part,), (metric(HOSTILE, HOSTILE, 1.0, HOSTILE),), verdict=Verdict.FAIL,
                reason=HOSTILE, findings=[item], launches=[broken],
            )
        ],
        machine=Machine(HOSTILE, (node,)), notes=(HOSTILE,),
    )


ALL = {
    "ok": ok, "bad": bad, "drill": drill, "interrupted": interrupted, "nothing": nothing, "wide": wide,
    "hostile": hostile,
}
