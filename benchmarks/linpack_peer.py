"""Tenken's hpl against hpcc's HPL (`apt install hpcc`) and dgemm, hpcg's `best` against `reference`, in turn on the same cores.

    python3 benchmarks/linpack_peer.py --build build/NAME [--pairs 7] [--order 8000] [--page checks/hpl/measured.md]
    python3 benchmarks/linpack_peer.py --build build/NAME --hpcg [--pairs 7] [--cells 112] [--page checks/hpcg/measured.md]

For hpcg a pair is: `best` on one rank with two threads, `reference` on two ranks with half of the cells each; every second pair
the other way around. Rates are those of the metric `rate`: flop of 50 iterations over the time of a set. `best` runs with
`--read true`: after each iteration the values of its matrices are summed, at the rate that its compulsory bytes are held against.

Of hpl all run on 2 ranks with one thread each, bound to cores, with the same OpenBLAS (set OPENBLAS_CORETYPE where it chooses
kernels that do not suit the processor), in a grid of 1 x 2. hpcc's HPL runs with several block sizes, of which the best counts;
hpl with its default. A pair is: dgemm of order 3000 on both ranks at once, hpl, hpcc; every second pair the other way around.
The rate of dgemm is the sum over the ranks of the medians. A run of hpcc takes about a minute, most of it in parts that cannot
be left out.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent))

import hpcc_peer  # noqa: E402
from in_turn import bounds, processor  # noqa: E402

BLOCKS = (96, 128, 192, 256)
DGEMM = 3000


def row(name: str, ratios: list[float], target: str, floor: str) -> str:
    return f"| {name} | {bounds(ratios)} | {target} | {floor} |"


def hpcc_rate(folder: Path, order: int) -> tuple[float, int]:
    """flop/s of its best block size, and that block size."""
    text = hpcc_peer.INPUT.format(order=order)
    text = re.sub(r"^1 +number of NBs$", f"{len(BLOCKS)} number of NBs", text, flags=re.M)
    text = re.sub(r"^192 +NBs$", " ".join(map(str, BLOCKS)) + " NBs", text, flags=re.M)
    text = text.replace("0        look-ahead", "1        look-ahead")
    (folder / "hpccinf.txt").write_text(text)
    output = folder / "hpccoutf.txt"
    output.unlink(missing_ok=True)
    hpcc_peer.run([*hpcc_peer.MPIRUN, "hpcc"], folder)
    found = re.findall(r"^W\S+ +(\d+) +(\d+) +1 +2 +(\S+) +(\S+)$", output.read_text(), re.M)
    rates = {int(block): float(rate) * 1e9 for size, block, _, rate in found if int(size) == order}
    if set(rates) != set(BLOCKS) or "FAILED" in output.read_text().split("HPL", 2)[-1].split("finished", 1)[0]:
        sys.exit(f"hpcc did not run the block sizes {BLOCKS}; its output is {output}")
    best = max(rates, key=lambda block: rates[block])
    return rates[best], best


def hpl(build: Path, folder: Path, order: int) -> tuple[float, dict[str, float]]:
    """flop/s by the formula of HPL, and the share of each section in the time of the slower rank."""
    lines = hpcc_peer.tenken(build, "hpl", "--n", str(order), "--p", "1", "--q", "2", "--repetitions", "1")
    whole = max(each[-1] for each in hpcc_peer.times(lines, "lu"))
    parts = {}
    for part in ("panel", "broadcast", "swap", "update", "solve"):
        parts[part] = max(each[-1] for each in hpcc_peer.times(lines, f"lu/{part}")) / whole
    return (2 / 3 * order + 1.5) * order**2 / (whole * 1e-9), parts


def hpcg(build: Path, folder: Path, variant: str, cells: int, repetitions: int) -> dict[str, float]:
    """flop/s, iterations of a set, ratings; of `best` bytes/s of an iteration and of reading."""
    record = folder / f"hpcg-{variant}.jsonl"
    start = ["mpirun.openmpi", "-n", "1", "--bind-to", "none"] if variant == "best" else hpcc_peer.MPIRUN
    shape = [f"{cells},{cells},{cells}"] if variant == "best" else [f"{cells},{cells},{cells // 2}", "--grid", "1,1,2"]
    hpcc_peer.run([*start, str(build / "checks" / "hpcg" / "hpcg"), "--variant", variant, "--cells", *shape, "--threads",
                   "2" if variant == "best" else "1", "--read", "true" if variant == "best" else "false",
                   "--repetitions", str(repetitions), "--record", str(record)], folder)
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    for proof in (line for line in lines if line["type"] == "validity"):
        if not proof["value"] <= proof["limit"]:
            sys.exit(f"hpcg {variant}: the proof {proof['name']} does not hold: {proof['value']}")
    paths = {section["id"]: section["path"] for section in lines[0]["sections"]}
    times: dict[str, float] = {}
    flop = moved = 0.0
    for series in (line for line in lines if line["type"] == "series"):
        path = paths[series["section"]]
        each = [ns for repetition, ns in zip(series["repetition"], series["ns"], strict=True) if repetition >= 0]
        times[path] = max(times.get(path, 0.0), median(each) * 1e-9)
        work = series["work"][-1] if isinstance(series["work"], list) else series["work"]
        if path.startswith("cg/"):
            flop += work.get("flop", 0)
        if path.startswith("cg/") and not path.endswith(("halo", "reduction")):
            moved += work.get("bytes_read", 0) + work.get("bytes_written", 0)
        if path == "read":
            times["bytes of read"] = work["bytes_read"]
    found = {line["name"]: float(line["value"]) for line in lines if line["type"] == "value"}
    found["rate"] = flop / times["cg"]
    if "read" in times:
        found["moved"], found["read"] = moved / times["cg"], times["bytes of read"] / times["read"]
    return found | {path: seconds / times["cg"] for path, seconds in times.items() if path.startswith("cg/")}


def hpcg_page(build: Path, pairs: int, cells: int, repetitions: int) -> str:
    to_reference: list[float] = []
    to_read: list[float] = []
    both: dict[str, dict[str, float]] = {}
    shares: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        for pair in range(pairs):
            for variant in (("best", "reference") if pair % 2 == 0 else ("reference", "best")):
                both[variant] = hpcg(build, Path(name), variant, cells, repetitions)
            best, reference = both["best"], both["reference"]
            to_reference.append(best["rate"] / reference["rate"])
            to_read.append(best["moved"] / best["read"])
            for path in (path for path in best if path.startswith("cg/")):
                shares.setdefault(path, []).append(best[path])
            print(f"pair {pair + 1}: best {best['rate'] / 1e9:.2f}, reference {reference['rate'] / 1e9:.2f} GFLOP/s, ratio "
                  f"{to_reference[-1]:.3f}; best moves {best['moved'] / 1e9:.1f}, reads {best['read'] / 1e9:.1f} GB/s, "
                  f"share {to_read[-1]:.3f}", flush=True)
    command = f"python3 benchmarks/linpack_peer.py --build BUILD --hpcg --pairs {pairs} --cells {cells} " + \
        f"--repetitions {repetitions}"
    return "\n".join([
        "# hpcg, measured", "", "Made by `benchmarks/linpack_peer.py`; do not edit. No official results.", "",
        f"- Processor: {processor()}", f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
        f"- Command: `{command}`", "",
        f"{cells}^3 cells: `best` on 1 rank with 2 threads, `reference` on 2 ranks. Working set of `best` "
        f"{best['working_set_bytes'] / 1e6:.0f} MB; it takes {best['iterations']:.0f} iterations where the reference takes "
        f"{reference['iterations']:.0f}. In the last pair:", "",
        "| variant | rate, GFLOP/s | rating 3.x | rating 2.4 | set-up, s | optimization, s |",
        "| --- | --- | --- | --- | --- | --- |",
        *(f"| {variant} | {one['rate'] / 1e9:.2f} | {one['rating']:.2f} | {one['rating_24']:.2f} | {one['setup_seconds']:.2f} "
          f"| {one['optimization_seconds']:.2f} |" for variant, one in sorted(both.items())), "",
        "| ratio of rates | median | 95 % interval | target | floor |", "| --- | --- | --- | --- | --- |",
        row("best over reference", to_reference, "1.60", "1.35"),
        row("best: compulsory bytes over reading the same matrices", to_read, "0.75", "0.60"), "",
        "Share of the time of an iteration of `best` (medians):", "", "| section | share |", "| --- | --- |",
        *(f"| {path} | {100 * median(each):.1f} % |" for path, each in shares.items()), ""])


def dgemm_rate(build: Path, folder: Path) -> tuple[float, str]:
    lines = hpcc_peer.tenken(build, "dgemm", "--n", str(DGEMM), "--teams", "1", "--repetitions", "2")
    library = next(iter(lines[0]["environment"]["libraries"].values())) if "libraries" in lines[0]["environment"] else ""
    return sum(2 * DGEMM**3 / (median(each) * 1e-9) for each in hpcc_peer.times(lines, "multiply/1")), library


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--order", type=int, default=8000)
    parser.add_argument("--hpcg", action="store_true", help="hpcg instead of hpl")
    parser.add_argument("--cells", type=int, default=112, help="of hpcg on a side, a multiple of 16")
    parser.add_argument("--repetitions", type=int, default=10, help="iterations of hpcg that are timed")
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    build = options.build.resolve()
    if options.hpcg:
        if options.cells % 16:
            parser.error(f"--cells {options.cells}: two ranks need a multiple of 16, such as 112")
        text = hpcg_page(build, options.pairs, options.cells, options.repetitions)
        print(text)
        if options.page:
            options.page.write_text(text)
        return
    to_dgemm: list[float] = []
    to_hpcc: list[float] = []
    shares: dict[str, list[float]] = {}
    last: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for pair in range(options.pairs):
            steps = ["dgemm", "hpl", "hpcc"] if pair % 2 == 0 else ["hpcc", "hpl", "dgemm"]
            found: dict[str, float] = {}
            for step in steps:
                if step == "dgemm":
                    found[step], library = dgemm_rate(build, folder)
                elif step == "hpl":
                    found[step], parts = hpl(build, folder, options.order)
                    for part, share in parts.items():
                        shares.setdefault(part, []).append(share)
                else:
                    found[step], block = hpcc_rate(folder, options.order)
            to_dgemm.append(found["hpl"] / found["dgemm"])
            to_hpcc.append(found["hpl"] / found["hpcc"])
            last = found
            print(f"pair {pair + 1}: " + ", ".join(f"{step} {rate / 1e9:.1f}" for step, rate in found.items()) +
                  f" GFLOP/s (hpcc: NB {block}); hpl / dgemm {to_dgemm[-1]:.3f}, hpl / hpcc {to_hpcc[-1]:.3f}", flush=True)
    core = os.environ.get("OPENBLAS_CORETYPE")
    command = (f"OPENBLAS_CORETYPE={core} " if core else "") + \
        f"python3 benchmarks/linpack_peer.py --build BUILD --pairs {options.pairs} --order {options.order}"
    text = "\n".join([
        "# hpl, measured", "", "Made by `benchmarks/linpack_peer.py`; do not edit.", "",
        f"- Processor: {processor()}", f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
        f"- Command: `{command}`", f"- BLAS: {library}" if library else "", "",
        f"N = {options.order}, 2 ranks in a grid of 1 x 2. In the last pair: " +
        ", ".join(f"{step} {rate / 1e9:.1f}" for step, rate in last.items()) + " GFLOP/s.", "",
        "| ratio of rates | median | 95 % interval | target | floor |", "| --- | --- | --- | --- | --- |",
        row(f"hpl over dgemm of order {DGEMM}, both ranks at once", to_dgemm, "0.90", "0.83"),
        row("hpl over hpcc's HPL with the best of its block sizes " + ", ".join(map(str, BLOCKS)), to_hpcc, "1.05", "1.00"), "",
        "Share of the time, of the rank that spends most in it (medians):", "",
        "| section | share |", "| --- | --- |",
        *(f"| {part} | {100 * median(each):.1f} % |" for part, each in shares.items()), ""])
    print(text)
    if options.page:
        options.page.write_text(text)


if __name__ == "__main__":
    main()
