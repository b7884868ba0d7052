"""A made-up run of very many ranks, through the documented format, and what it costs to write and to show it.

    PYTHONPATH=tests:python python3 benchmarks/scale.py --ranks 10000 --make FOLDER     the run, with all samples of all ranks
    PYTHONPATH=tests:python python3 benchmarks/scale.py --program build/dev/benchmarks/record_speed > docs/scale.md

One rank is slower than the others in all computation, another is interrupted now and then.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import builders
import numpy as np

from tenken.launch.plan import plan
from tenken.model.check import Case
from tenken.model.record import Section, Trust
from tenken.model.run import CaseRun
from tenken.store.runfolder import RunFolder

TREE = Path(__file__).resolve().parent.parent
RANKS, SECTIONS, REPETITIONS, LAUNCHES, ON_A_NODE = 10_000, 10, 100, 2, 128
SLOW, INTERRUPTED = 0.17, 0.53  # which of the ranks, as a part of all
SLOWER, NOISE, TICK = 1.12, 0.01, 400_000  # of the slow rank; of a sample; ns of the shortest section
FREQUENCIES = 24  # samples of the clock of each rank


def kinds(sections: int) -> list[str]:
    return ["comm" if i % 5 == 4 else "compute" for i in range(sections)]


def header(ranks: int, sections: int, number: int) -> dict[str, object]:
    base = builders.record(builders.Timed("a", np.ones((1, 1))), check="demo", case="many", launch=number)
    lines = builders.record_lines(replace(base, sections=tuple(
        Section(i, f"solve/part{i}", kind, True, f"solve/part{i}") for i, kind in enumerate(kinds(sections)))))
    return {**lines[0], "ranks": ranks, "launch": f"{number:016x}"}


def rank_line(rank: int, random: np.random.Generator) -> str:
    trust = Trust(10**9, 10**9 - 5, int(random.integers(0, 20_000)), 0, 0, 0, 3, 0)
    counters = {name: getattr(trust, name) for name in Trust.__slots__ if "frequency" not in name}
    clock = random.integers(2_999_000_000, 3_001_000_000, FREQUENCIES).tolist()
    return json.dumps({
        "type": "rank", "rank": rank, "host": host(rank), "cpus": [rank % ON_A_NODE], "numa": [rank % ON_A_NODE // 16],
        "threads": [{"thread": 0, "cpu_begin": rank % ON_A_NODE, "cpu_end": rank % ON_A_NODE}], "place": rank, "bound": True,
        "pages": [{"node": 0, "pages": 4096}], "trust": {**counters, "frequency_hz": clock},
    }, separators=(",", ":"))


def host(rank: int) -> str:
    return f"n{rank // ON_A_NODE:04d}"


def times(rank: int, ranks: int, sections: int, repetitions: int, random: np.random.Generator) -> np.ndarray:
    """ns of shape (sections, repetitions)."""
    base = TICK * (1 + np.arange(sections))[:, None]
    ns = base * (1 + NOISE * random.standard_normal((sections, repetitions)))
    compute = np.array([kind == "compute" for kind in kinds(sections)])
    if rank == int(SLOW * ranks):
        ns[compute] *= SLOWER
    if rank == int(INTERRUPTED * ranks):
        ns[compute, ::20] *= 3
    return np.maximum(ns, 1).astype(np.int64)


def lines(ranks: int, sections: int, repetitions: int, number: int) -> Iterator[str]:
    """The record with all samples, as check programs write one."""
    random = np.random.default_rng(number)
    yield json.dumps(header(ranks, sections, number))
    numbers, calls = ",".join(map(str, range(repetitions))), ",".join(["1"] * repetitions)
    work = '{"flop":1000000,"bytes_read":2000000,"bytes_written":1000000,"messages":0}'
    for rank in range(ranks):
        yield rank_line(rank, random)
        for section, ns in enumerate(times(rank, ranks, sections, repetitions, random).tolist()):
            yield (f'{{"type":"series","rank":{rank},"section":{section},"repetition":[{numbers}],"calls":[{calls}],'
                   f'"ns":[{",".join(map(str, ns))}],"work":{work}}}')
    yield tail()
    yield json.dumps({"type": "end", "lines": 3 + ranks * (1 + sections)})


def tail() -> str:
    return '{"type":"validity","name":"answer","value":1.0,"expected":1.0,"limit":1e-9,"mode":"abs","source":"made up"}'


def make(runs: Path, ranks: int, sections: int, repetitions: int, launches: int, program: str | None = None) -> tuple[Path, list]:
    """A finished run in the folder `runs`, and what the writer `program` said of each of its records."""
    check = builders.check("demo")
    case = Case("demo", "many", "plain", {}, ranks, 1, launches, 60.0)
    folder = RunFolder.create(runs, "many", plan([CaseRun(case, check, (), ())], seed=1), 1, {"name": "gcc-openmpi"})
    machine = json.loads((TREE / "tests/frozen/turbo-reference-blas/machine.json").read_text())
    hosts, node = [host(rank) for rank in range(0, ranks, ON_A_NODE)], machine["nodes"][0]
    cores = [{**node["topology"]["cores"][0], "id": i, "cpus": [i]} for i in range(ON_A_NODE)]
    cpus = list(range(ON_A_NODE))
    node = {**node, "topology": {**node["topology"], "cores": cores, "online": cpus, "usable": cpus}}
    machine["nodes"] = [{**node, "host": name} for name in hosts]
    (folder.path / "machine.json").write_text(json.dumps(machine))
    said = []
    for number, launch in enumerate(folder.read().cases[0].launches, start=1):
        place = folder.path / launch.folder
        place.mkdir(parents=True)
        if program is None:
            with open(place / "record.jsonl", "w", encoding="ascii") as file:
                file.writelines(line + "\n" for line in lines(ranks, sections, repetitions, number))
        else:
            said.append(written_by(program, place, ranks, sections, repetitions, number))
        folder.write_launch(replace(launch, status="done", returncode=0, seconds=1.0, id=f"{number:016x}"))
    folder.write_run(replace(folder.read(), state="finished", seconds=10.0))
    return folder.path, said


def written_by(program: str, place: Path, ranks: int, sections: int, repetitions: int, number: int) -> dict[str, float]:
    """The same through the writer of check programs, which is given what it would have gathered."""
    (place / "head").write_text(json.dumps({**header(ranks, sections, number), "schema": "tenken.record/2"}) + "\n")
    (place / "tail").write_text(tail() + "\n")
    command = [program, *map(str, (ranks, sections, repetitions, number, place / "head", place / "tail", place / "record.jsonl"))]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def shown(folder: Path) -> tuple[float, float, float, str]:
    """Seconds on the wall, of the processor, and GB of `./tenken show`, and the first line of its answer."""
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(TREE / "tenken"), "show", str(folder)], capture_output=True, text=True, check=False)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert done.stdout, done.stderr
    return wall, used, after.ru_maxrss * 1024 / 1e9, done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in (("ranks", RANKS), ("sections", SECTIONS), ("repetitions", REPETITIONS), ("launches", LAUNCHES)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--make", type=Path, metavar="FOLDER", help="only make the run, with all samples of all ranks")
    parser.add_argument("--program", default="build/dev/benchmarks/record_speed", help="the writer")
    typed = parser.parse_args()
    size = typed.ranks, typed.sections, typed.repetitions, typed.launches
    if typed.make:
        print(make(typed.make, *size)[0])
        return
    print(page(size, typed.program))


def page(size: tuple[int, int, int, int], program: str) -> str:
    ranks, sections, repetitions, launches = size
    rows = []
    with tempfile.TemporaryDirectory() as place:
        for name, writer in (("of the writer", program), ("with all samples", None)):
            folder, said = make(Path(place) / name.replace(" ", "-"), *size, writer)
            largest = max(path.stat().st_size for path in folder.glob("launches/*/record.jsonl")) / 1e6
            wall, used, memory, out = shown(folder)
            slow = f"rank {int(SLOW * ranks)} " in out
            writing = f"{max(one['seconds'] for one in said):.2f} s" if said else "-"
            rows.append(f"| {name} | {largest:.0f} MB | {writing} | {wall:.1f} s | {used:.1f} s | {memory:.2f} GB | "
                        f"{'named' if slow else 'not named'} |")
    model = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), "unknown processor")
    return "\n".join([
        "# Very many ranks", "",
        f"{ranks} ranks x {sections} sections x {repetitions} repetitions, {launches} launches. Made by",
        f"`PYTHONPATH=tests:python python3 {' '.join(['benchmarks/scale.py', *sys.argv[1:]])}` on {date.today()}, {model};",
        "do not edit.", "",
        "| records | largest | rank 0 writes the gathered samples | `./tenken show`, wall | processor | memory | the slow rank |",
        "|---|---:|---:|---:|---:|---:|---|", *rows, "",
        "The first row is a record of a check program with too many samples for all ranks. The second record",
        "has every sample, as records of other origin may. The time of `show` includes Python's start, the",
        "judge and the printing.",
    ])


if __name__ == "__main__":
    main()
