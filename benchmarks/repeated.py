"""Runs of checks repeated in sets: how far medians lie apart, what excuses it, and the page that says so. Used by *_runs.py.

A set is `--runs` rounds; in a round each check is launched `--launches` times, in turn, so that the launches of one check lie apart in
time. A figure of a run is what Tenken itself would report: the median over the launches of the median of each. A set repeats where no
run is farther from the median of its runs than the limit of that kind of figure. Where it does not, what the runs met is named: cores of
unlike round trips or clocks (by more than the limit), or others' load (run-queue wait, stolen time). Such sets are counted apart;
they are excused, not removed. A figure holds where four of five sets repeat. `--beside N` makes a loud hour: N processes that compute
and walk through memory meanwhile.
"""

from __future__ import annotations

import argparse
import datetime
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

DISTURBED = 0.02  # of the time: run-queue wait or stolen
LIMITS = {"fixed work": 0.03, "bandwidth inside L2": 0.03, "latency": 0.05, "latency inside L2": 0.05,
          "bandwidth of memory": 0.15, "bandwidth of messages": 0.15}
OF_A_CLOCK = ("fixed work", "bandwidth inside L2", "latency inside L2")
PART = 0.8  # of the sets: then a figure holds
REPEATS, EXCUSED, DIFFERS = "repeats", "excused", "does not repeat"
CPUS = len(os.sched_getaffinity(0))
BUSY = """
import os
parent, here, there = os.getppid(), bytearray(64 << 20), bytearray(64 << 20)
while os.getppid() == parent:
    sum(range(200000))
    here[:] = there
"""
Lines = list[dict[str, Any]]


@dataclass(frozen=True)
class Figure:
    name: str
    unit: str
    kind: str  # of LIMITS
    read: Callable[[Lines], float]


@dataclass(frozen=True)
class Outcome:
    """A figure of one set."""

    figure: Figure
    runs: tuple[float, ...]
    met: tuple[str, ...]  # what may excuse it

    @property
    def farthest(self) -> float:
        middle = median(self.runs)
        return max(abs(one / middle - 1) for one in self.runs)

    @property
    def limit(self) -> float:
        return LIMITS[self.figure.kind]

    @property
    def end(self) -> str:
        return REPEATS if self.farthest <= self.limit else EXCUSED if self.met else DIFFERS


def series(lines: Lines, path: str) -> dict[str, Any]:
    """The timed series of that section, of the first rank that has one."""
    number = next(one["id"] for one in lines[0]["sections"] if one["path"] == path)
    return next(line for line in lines if line["type"] == "series" and line["section"] == number and line["repetition"][0] >= 0)


def per_call(path: str) -> Callable[[Lines], float]:
    """Microseconds a call: median over repetitions."""
    def read(lines: Lines) -> float:
        one = series(lines, path)
        return median(ns / calls for ns, calls in zip(one["ns"], one["calls"], strict=True)) / 1000
    return read


def rate(path: str, way: str = "bytes_read") -> Callable[[Lines], float]:
    """Bytes a nanosecond: median over repetitions."""
    def read(lines: Lines) -> float:
        one = series(lines, path)
        work = one["work"] if isinstance(one["work"], list) else [one["work"]] * len(one["ns"])
        return median(each[way] / ns for each, ns in zip(work, one["ns"], strict=True))
    return read


def value(name: str) -> Callable[[Lines], float]:
    return lambda lines: float(next(line["value"] for line in lines if line["type"] == "value" and line["name"] == name))


def require_proofs(check: str, lines: Lines) -> None:
    """Ends the program where a proof of the record does not hold."""
    for line in (line for line in lines if line["type"] == "validity"):
        found, expected, limit = float(line["value"]), float(line["expected"]), float(line["limit"])
        if not (found if line["mode"] == "max" else abs(found - expected)) <= limit:
            sys.exit(f"{check}: the proof {line['name']} does not hold: {line['value']}")


def load(lines: Lines) -> float:
    """Share of the time that a thread waited for a processor or its processor was stolen: the worst rank."""
    return max(max(line["trust"].get(name) or 0 for name in ("run_queue_wait_ns", "steal_ns")) / line["trust"]["wall_ns"]
               for line in lines if line["type"] == "rank")


def clocks_ghz(lines: Lines) -> list[float]:
    """The median clock of each rank over the launch."""
    return [median(clocks) / 1e9 for line in lines if line["type"] == "rank" and (clocks := line["trust"].get("frequency_hz"))]


def round_trips(lines: Lines) -> list[float]:
    names = ("core_round_trip_before", "core_round_trip_after", "sequence_ns")
    return [line["value"] for line in lines if line["type"] == "value" and line["name"] in names]


def rounds(asked: argparse.Namespace, launches: Sequence[Callable[[], Lines]]) -> list[list[list[Lines]]]:
    """Records by run, check and launch; the checks of a run take turns."""
    found = []
    for _ in range(asked.runs):
        turns = [[launch() for launch in launches] for _ in range(asked.launches)]
        found.append([[turn[check] for turn in turns] for check in range(len(launches))])
    return found


def outcome(figure: Figure, runs: Sequence[Sequence[Lines]]) -> Outcome:
    """`runs`: records by run and launch."""
    records = [lines for run in runs for lines in run]
    unlike = 1 + LIMITS[figure.kind]
    trips = [trip for lines in records for trip in round_trips(lines)] if figure.kind == "latency" else []
    clocks = [clock for lines in records for clock in clocks_ghz(lines)] if figure.kind in OF_A_CLOCK else []
    met = []
    if trips and max(trips) > unlike * min(trips):
        met.append(f"cores {min(trips):.0f} to {max(trips):.0f} ns apart")
    if clocks and max(clocks) > unlike * min(clocks):
        met.append(f"clocks of {min(clocks):.2f} to {max(clocks):.2f} GHz")
    waited = max(map(load, records))
    if waited > DISTURBED:
        met.append(f"others' load took up to {100 * waited:.0f} %")
    return Outcome(figure, tuple(median(map(figure.read, run)) for run in runs), tuple(met))


def of_set(outcomes: Sequence[Outcome]) -> list[str]:
    text = ["| figure | unit | runs | farthest | limit | the set | met |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for one in outcomes:
        runs = ", ".join(f"{run:.4g}" for run in one.runs)
        text.append(f"| {one.figure.name} | {one.figure.unit} | {runs} | {100 * one.farthest:.1f} % | {100 * one.limit:.0f} % | "
                    f"{one.end} | {'; '.join(one.met) or 'quiet'} |")
    return text


def of_all(sets: Sequence[Sequence[Outcome]]) -> list[str]:
    """A line for each figure: in how many sets it repeats, and whether it holds."""
    holding = f"in {100 * PART:.0f} % of sets"
    text = [f"| figure | limit | repeats in | excused in | neither in | farthest, median of sets | {holding} |",
            "| --- | --- | --- | --- | --- | --- | --- |"]
    for each in zip(*sets, strict=True):
        ends = [one.end for one in each]
        text.append(f"| {each[0].figure.name} | {100 * each[0].limit:.0f} % | {ends.count(REPEATS)} of {len(ends)} | "
                    f"{ends.count(EXCUSED)} | {ends.count(DIFFERS)} | {100 * median(one.farthest for one in each):.1f} % | "
                    f"{holds(ends)} |")
    ends = [one.end for outcomes in sets for one in outcomes]
    return [*text, f"| all | | {ends.count(REPEATS)} of {len(ends)} | {ends.count(EXCUSED)} | {ends.count(DIFFERS)} | | |"]


def holds(ends: Sequence[str]) -> str:
    needed = PART * len(ends) - 1e-9
    if ends.count(REPEATS) >= needed:
        return "yes"
    return "with those excused" if ends.count(REPEATS) + ends.count(EXCUSED) >= needed else "no"


@contextmanager
def loud(processes: int) -> Iterator[None]:
    """So many processes beside, for as long as this lasts; they end by themselves where this one is gone."""
    started = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(processes)]
    try:
        yield
    finally:
        for one in started:
            one.kill()
            one.wait()


def caches() -> dict[int, int]:
    """Level -> bytes, as the kernel tells of the first processor."""
    found = {}
    for index in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        if (index / "type").read_text().strip() != "Instruction":
            found[int((index / "level").read_text())] = int((index / "size").read_text().strip().rstrip("K")) * 1024
    return found


def processor() -> str:
    model = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    sizes = ", ".join(f"L{level} {size // 1024} KiB" for level, size in sorted(caches().items()))
    return f"{model[1] if model else 'unknown'}, {CPUS} processors; by the kernel {sizes}"


def parser(description: str | None) -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    found.add_argument("--build", type=Path, required=True)
    found.add_argument("--runs", type=int, default=5, help="of each check in a set")
    found.add_argument("--sets", type=int, default=5)
    found.add_argument("--launches", type=int, default=3, help="of each run, whose figures are medians over them")
    found.add_argument("--seconds", type=float, default=0.5, help="of each launch")
    found.add_argument("--beside", type=int, default=0, metavar="N", help="processes that make the hour loud")
    found.add_argument("--page", type=Path, help="where to write; else it is printed")
    return found


def checked(found: argparse.ArgumentParser, programs: Iterable[str]) -> argparse.Namespace:
    """What was asked; `programs`, in the build folder, are missed before anything is measured."""
    asked = found.parse_args()
    if asked.runs < 2 or min(asked.sets, asked.launches) < 1 or asked.beside < 0:
        found.error("--runs must be 2 at least, --sets and --launches 1 at least and --beside no less than 0")
    asked.build = asked.build.resolve()
    if missing := sorted({Path(one).name for one in programs if not os.access(asked.build / one, os.X_OK)}):
        targets = " ".join(missing)
        found.error(f"--build {asked.build}: expected programs of a build with the tests, {targets} not there; "
                    f"`cmake --build {asked.build} --target {targets}` makes them")
    return asked


def page(title: str, script: str, asked: argparse.Namespace, facts: Sequence[str], one_set: Callable[[], list[Outcome]],
         last: Callable[[], list[str]]) -> None:
    """All sets, their table, and what `last` adds; written or printed."""
    options = f"--runs {asked.runs} --sets {asked.sets} --launches {asked.launches} --seconds {asked.seconds:g}"
    options += f" --beside {asked.beside}" if asked.beside else ""
    hour = (f"loud, made by {asked.beside} processes beside that compute and walk through memory" if asked.beside
            else "as the machine was")
    text = [f"# {title}", "", f"Made by `benchmarks/{script}`; do not edit.", "", f"- Processor: {processor()}", *facts,
            f"- Command: `python3 benchmarks/{script} --build BUILD {options}`", f"- Hour: {hour}", "",
            f"Each figure of a run is the median over {asked.launches} launches of the median of each. A set repeats where no run is",
            "farther from the median of its runs than the limit of the kind:", ", ".join(f"{kind} {100 * limit:.0f} %" for kind, limit in LIMITS.items()) + ".",
            "Where it does not, others' load excuses it, round trips between cores that differ by more than the limit (latencies) or",
            f"clocks that do ({', '.join(OF_A_CLOCK)}); they are named, and counted apart.", ""]
    sets, each = [], []
    with loud(asked.beside):
        for number in range(1, asked.sets + 1):
            start = datetime.datetime.now(datetime.timezone.utc)
            sets.append(one_set())
            heading = f"## Set {number}, {start:%Y-%m-%d %H:%M} UTC, load {os.getloadavg()[0]:.1f} at its end"
            each += [heading, "", *of_set(sets[-1]), ""]
        ending = last()
    text += ["## All sets", "", *of_all(sets), "", *ending, "", *each]
    if asked.page is None:
        print("\n".join(text))
    else:
        asked.page.parent.mkdir(parents=True, exist_ok=True)
        asked.page.write_text("\n".join(text), encoding="utf-8")


def barriers(what: str, rows: Sequence[tuple[float, float]]) -> list[str]:
    """The barrier as timed and by hand, (us, us) of each start."""
    ratio = median(check / hand for check, hand in rows)
    return ["## Barrier as timed and by hand", "",
            f"Medians of 301 rounds in turn, us a barrier: {what}, and a loop of 1,000 barriers.",
            "Target of the ratio: 0.95 to 1.05.", "", "| as timed | by hand | ratio |", "| --- | --- | --- |",
            *(f"| {check:.4f} | {hand:.4f} | {check / hand:.3f} |" for check, hand in rows), f"| | median | {ratio:.3f} |"]
