"""Synthetic studies, for everything that prints or draws them: a volume study and a strong scaling one on 64 cores."""

from __future__ import annotations

from dataclasses import replace

import assessments
from tenken.model.assessment import Assessment, Beside, TopicResult
from tenken.model.check import Plot
from tenken.model.study import CacheMark, LeftOut, PlottedMetric, PointFigure, PointResult, SectionTime, StudyAssessment
from tenken.model.verdict import Verdict

RATE = PlottedMetric("solver", "GFLOP/s", "higher")
_KIB, _MIB = 1 << 10, 1 << 20
_LATTICES = ([2, 2, 2, 2], [4, 4, 4, 4], [4, 4, 8, 8], [8, 8, 8, 8], [8, 8, 16, 16], [16, 16, 16, 16], [16, 16, 32, 32], [32, 32, 32, 32])


def figure(value: float | None, spread: float = 0.03, **more: object) -> PointFigure:
    """A figure of three launches with that relative spread on both sides."""
    low, high = (None, None) if value is None else (value * (1 - spread), value * (1 + spread))
    base = PointFigure("solver", value, low, high, 0 if value is None else 3, None, None, None, False)
    return replace(base, **more)


def point(study: str, name: str, places: dict[str, object], x: float | str, shown: PointFigure, *, cores: int = 1,
          verdict: Verdict = Verdict.OK, disturbed: str = "") -> PointResult:
    return PointResult(name, f"lqcd:{study}/{name}", places, cores, x, verdict, disturbed, (shown,))


def volume() -> StudyAssessment:
    """Rates fall from cache level to cache level; one point was disturbed, one gave a wrong answer."""
    points = []
    for threads in (1, 64):
        for lattice in _LATTICES:
            sites = lattice[0] * lattice[1] * lattice[2] * lattice[3]
            moved = 2880.0 * sites
            fill = min(1.0, sites / (48 * threads))
            level = sum(moved > size * threads for size in (32 * _KIB, 512 * _KIB)) + (moved > 256 * _MIB)
            value = threads**0.93 * fill * (9.8, 8.4, 6.1, 2.6)[level]
            name = f"{'x'.join(map(str, lattice))}-threads{threads}"
            wrong = name == "8x8x16x16-threads64"
            points.append(point(
                "volume", name, {"lattice": lattice, "threads": threads}, moved,
                figure(None if wrong else value, best=name == "16x16x16x16-threads64"), cores=threads,
                verdict=Verdict.INVALID if wrong else Verdict.OK,
                disturbed="run-queue wait 9 %" if name == "8x8x8x8-threads1" else "",
            ))
    plot = Plot("curve", "value:working_set_bytes", ("solver",), "threads", None, ("x", "y"), ("caches",))
    caches = tuple(
        CacheMark(name, cores, size * (1 if name == "L3" else cores))
        for name, size in (("L1", 32 * _KIB), ("L2", 512 * _KIB), ("L3", 256 * _MIB)) for cores in (1, 64)
    )
    return StudyAssessment(
        "lqcd:volume", "Solver against the lattice", "How does the rate fall from cache level to cache level?",
        {"lattice": "", "threads": ""}, "lattice", plot, "B", (RATE,), tuple(points),
        (LeftOut("64x64x64x64-threads1", "too little memory"), LeftOut("64x64x64x64-threads64", "too little memory")),
        caches,
    )


def strong() -> StudyAssessment:
    """Small lattices stop to gain early (Amdahl's law with a part of 8, 2 and 0.4 %)."""
    points = []
    for lattice, serial in (([8, 8, 8, 8], 0.08), ([16, 16, 16, 16], 0.02), ([32, 32, 32, 32], 0.004)):
        for ranks in (1, 2, 4, 8, 16, 32, 48, 64):
            gain = 1 / (serial + (1 - serial) / ranks)
            name = f"ranks{ranks}-{'x'.join(map(str, lattice))}"
            points.append(point(
                "ranks", name, {"ranks": ranks, "lattice": lattice}, float(ranks),
                figure(7.9 * gain, 0.02, speed_up=gain, efficiency=gain / ranks, best=name == "ranks64-32x32x32x32"),
                cores=ranks, disturbed="steal 6 %" if name == "ranks16-8x8x8x8" else "",
            ))
    plot = Plot("strong", "ranks", ("solver",), "lattice", None, (), ())
    return StudyAssessment(
        "lqcd:ranks", "Ranks, strong scaling", "How much faster do more ranks solve the same lattice?",
        {"ranks": "", "lattice": ""}, "ranks", plot, "", (RATE,), tuple(points), (), (),
    )


def variants() -> StudyAssessment:
    """One line over an axis without numbers."""
    values = {"scalar": 2.1, "compiler": 7.7, "explicit": 9.9, "one_site_per_lane": 8.8}
    points = tuple(
        point("variants", name, {"variant": name}, name, figure(value, best=value == 9.9)) for name, value in values.items()
    )
    plot = Plot("curve", "variant", ("solver",), None, None, (), ())
    return StudyAssessment("lqcd:variants", "Variants of the kernel", "Which variant is the fastest?", {"variant": ""},
                           "variant", plot, "", (RATE,), points, (), ())


def heat() -> StudyAssessment:
    """Ranks against threads on 8 cores: what is oversubscribed was left out, one point disturbed, one wrong."""
    points = []
    for ranks in (1, 2, 4, 8):
        for threads in (1, 2, 4, 8):
            if ranks * threads > 8:
                continue
            name, value = f"ranks{ranks}-threads{threads}", 8.0 * (ranks * threads) ** 0.9 / (1 + 0.1 * threads)
            wrong = name == "ranks2-threads4"
            points.append(point(
                "grid", name, {"ranks": ranks, "threads": threads}, float(ranks),
                figure(None if wrong else value, best=name == "ranks8-threads1"), cores=ranks * threads,
                verdict=Verdict.INVALID if wrong else Verdict.OK, disturbed="steal 6 %" if name == "ranks1-threads8" else "",
            ))
    plot = Plot("heat", "ranks", ("solver",), "threads", None, (), ())
    return StudyAssessment("lqcd:grid", "Ranks against threads", "How should 8 cores be divided?", {"ranks": "", "threads": ""},
                           "ranks", plot, "", (RATE,), tuple(points), (LeftOut("ranks8-threads8", "more than 8 cores"),), ())


def stack() -> StudyAssessment:
    """Computation shrinks with the ranks, waiting and sums grow; eleven sections, so that the smallest are one."""
    points = []
    for ranks in (1, 2, 4, 8):
        times = [("solve/operator", "compute", 8e6 / ranks), ("solve/axpy", "compute", 2e6 / ranks),
                 ("solve/wait", "wait", 3e5 * ranks**0.5), ("solve/reduction", "comm", 1e5 * ranks), ("write", "io", 2e5)]
        times += [(f"small/{number}", "compute", 1e4 * (number + 1)) for number in range(6)]
        wrong = ranks == 4
        points.append(replace(
            point("time", f"ranks{ranks}", {"ranks": ranks}, float(ranks),
                  figure(None if wrong else 8.0 * ranks, best=ranks == 8), cores=ranks,
                  verdict=Verdict.INVALID if wrong else Verdict.OK, disturbed="steal 6 %" if ranks == 2 else ""),
            sections=() if wrong else tuple(SectionTime(*one) for one in times),
        ))
    plot = Plot("stack", "ranks", ("solver",), None, None, (), ())
    return StudyAssessment("lqcd:time", "Where the time goes", "What grows with the ranks?", {"ranks": ""}, "ranks", plot, "",
                           (RATE,), tuple(points), (), ())

def run(*studies: StudyAssessment) -> Assessment:
    """A run of these studies with a case for each point."""
    cases = []
    for study in studies:
        for one in study.points:
            case = assessments.stream(verdict=one.verdict, disturbed=one.disturbed) if one.verdict is Verdict.OK else (
                assessments.lqcd(valid=False, verdict=one.verdict, reason="plaquette is 0.5921, 0.5937 is expected")
            )
            cases.append(replace(case, id=one.case_id, check="lqcd"))
    return replace(assessments.run(cases, suite=" ".join(study.id for study in studies)), studies=studies)


def evaluation() -> Assessment:
    """Cases and studies under two topics, one of them with a case and a study that were not measured."""
    absent = replace(
        assessments.case("io_throughput:posix", (), (), verdict=Verdict.NOT_JUDGED, launches=(),
                         reason="no folder named: --set root=DIR"), check="io_throughput")
    left = replace(variants(), id="lqcd:left", points=(), left_out=(LeftOut("all points", "it does not fit into the 600 s"),))
    swept = run(volume(), strong())
    cases = (assessments.stream(), assessments.dgemm(), absent, *swept.cases)
    beside = Beside("stream:memory", "triad", "20.1 GB/s", 92.0, "ito-b", "133 GB/s", "86", "STREAM, triad, 1 GiB", "size, ranks")
    return replace(
        assessments.run(cases, suite="evaluate"), studies=(*swept.studies, left),
        topics=(
            TopicResult("memory", "Memory", "What does memory deliver?", ("stream:memory", "lqcd:volume"), (beside,)),
            TopicResult("rest", "The rest", "What else?", ("dgemm:square", "io_throughput:posix", "lqcd:ranks", "lqcd:left")),
            TopicResult("none", "Nothing", "Of what this run has nothing?", ("absent:case",)),
        ),
    )
