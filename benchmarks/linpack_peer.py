"""Tenken's hpl against the HPL of HPC Challenge (`apt install hpcc`) and against dgemm, in turn on the same cores.

    python3 benchmarks/linpack_peer.py --build build/NAME [--pairs 7] [--order 8000] [--page checks/hpl/measured.md]

All run on 2 ranks with one thread each, bound to cores, with the same OpenBLAS (set OPENBLAS_CORETYPE where it chooses kernels that
do not suit the processor), in a grid of 1 x 2. hpcc's HPL runs with several block sizes, of which the best counts; hpl with its
default. A pair is: dgemm of order 3000 on both ranks at once, hpl, hpcc; every second pair the other way around. The rate of dgemm
is the sum over the ranks of the medians. A run of hpcc takes about a minute, most of it in parts that cannot be left out.
"""

from __future__ import annotations

import argparse
import datetime
import os
import re
import sys
import tempfile
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))

import hpcc_peer  # noqa: E402
from groundwork_speed import processor, row  # noqa: E402

BLOCKS = (96, 128, 192, 256)
DGEMM = 3000


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
    lines = hpcc_peer.tenken(build, folder, "hpl", "--n", str(order), "--p", "1", "--q", "2", "--repetitions", "1")
    whole = max(each[-1] for each in hpcc_peer.times(lines, "lu"))
    parts = {}
    for part in ("panel", "broadcast", "swap", "update", "solve"):
        parts[part] = max(each[-1] for each in hpcc_peer.times(lines, f"lu/{part}")) / whole
    return (2 / 3 * order + 1.5) * order**2 / (whole * 1e-9), parts


def dgemm_rate(build: Path, folder: Path) -> tuple[float, str]:
    lines = hpcc_peer.tenken(build, folder, "dgemm", "--n", str(DGEMM), "--teams", "1", "--repetitions", "2")
    library = next(iter(lines[0]["environment"]["libraries"].values())) if "libraries" in lines[0]["environment"] else ""
    return sum(2 * DGEMM**3 / (median(each) * 1e-9) for each in hpcc_peer.times(lines, "multiply/1")), library


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--order", type=int, default=8000)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    build = options.build.resolve()
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
