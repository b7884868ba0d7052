"""The Wilson operator of xacc/examples/lqcd on one rank: by xacc and serial over by hand, in turn in one process.

    python3 benchmarks/xacc_lqcd_operator.py [--lattices 8 12] [--processes 10] [--turns 300] [--flags=-O3\\ -march=native]

The three programs are those of the check xacc_lqcd, linked together (xacc_lqcd_operator.c). They take turns in an order that is drawn
anew, so that load meets all of them alike. Pages lie elsewhere in each process, so the process is the unit: printed are the median
and the quartiles over processes of the medians of ratios, the same of the ratios of least times, and the instructions of the loop over sites.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECK, EXAMPLES = ROOT / "checks" / "xacc_lqcd", ROOT / "xacc" / "examples" / "lqcd"
sys.path[:0] = [str(CHECK), str(ROOT / "benchmarks")]

import programs  # noqa: E402
from in_turn import MPI as ENVIRONMENT  # noqa: E402
from in_turn import processor  # noqa: E402

XACC = str(ROOT / "xacc" / "xacc")
SOURCES = {"xacc": "nowait_{0}", "serial": "serial_{0}", "hand": "hand_{0}_1x1"}
HEADERS = [f"-I{CHECK}", f"-I{ROOT / 'xacc' / 'src' / 'xacc' / 'runtime'}"]
_SERIAL = (("#define VERSION", '#include "version.h"\n#define TELL(begins) if (xacc_lqcd_told) xacc_lqcd_told("operator", begins);\n#define VERSION'),
           ("Spinor in[NT][NZ][NY][NX]) {\n", "Spinor in[NT][NZ][NY][NX]) { TELL(1)\n"),
           ("}\n\n/* out = f in", "TELL(0) }\n\n/* out = f in"))


def called(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{shlex.join(command)} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def build(folder: Path, sites: int, flags: list[str]) -> None:
    programs.LATTICES = {str(sites): (sites,) * 4}
    with contextlib.redirect_stdout(None):
        programs.main(EXAMPLES, folder)
    for name, pattern in SOURCES.items():
        text = (folder / f"xacc_lqcd_{pattern.format(sites)}.c").read_text(encoding="utf-8")
        text = re.sub(r"#define VERSION .*", f"#define VERSION version_{name}", text)
        (folder / f"{name}.c").write_text(programs.replaced(text, _SERIAL) if name == "serial" else text, encoding="utf-8")
        compiler = [XACC, "cc", '-DXACC_GROUP="xacc"', "-Wno-unknown-pragmas"] if name == "xacc" else ["mpicc", "-std=gnu11"]
        called([*compiler, "-c", f"{name}.c", "-o", f"{name}.o", *flags, *HEADERS], folder)
    called(["mpicc", "-O2", *HEADERS, str(ROOT / "benchmarks" / "xacc_lqcd_operator.c"), *(f"{name}.o" for name in SOURCES), "runtime.a",
            "-o", "turns", "-lm"], folder)


def instructions(folder: Path, name: str) -> int:
    """Of the innermost loop of the operator that has a thousand or more: that over x, with all hops."""
    found = re.search(r"<wilson>:\n(.*?)\n\n", called(["objdump", "-d", "--no-show-raw-insn", f"{name}.o"], folder) + "\n", re.DOTALL)
    lines = re.findall(r"^\s*([0-9a-f]+):\s+(\S+)(?:\s+([0-9a-f]+)\b)?", found.group(1) if found else "", re.MULTILINE)
    at = {address: number for number, (address, _, _) in enumerate(lines)}
    loops = [number - at[to] + 1 for number, (_, word, to) in enumerate(lines) if word.startswith("j") and at.get(to, number) < number]
    return min((length for length in loops if length >= 1000), default=0)


def row(name: str, values: list[float]) -> str:
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{name} | {middle:.3f} | {low:.3f} to {high:.3f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lattices", type=int, nargs="+", default=[8, 12], help="sites along each axis (8 12)")
    parser.add_argument("--processes", type=int, default=10, help="processes of each lattice (10)")
    parser.add_argument("--turns", type=int, default=300, help="turns of a process at 8^4; fewer in proportion on more sites (300)")
    parser.add_argument("--flags", default="-O3 -march=native", help="for the compiler")
    given = parser.parse_args()
    command = shlex.join(["python3", "benchmarks/xacc_lqcd_operator.py", *sys.argv[1:]])
    print(f"- Processor: {processor()}\n- Date: {datetime.date.today()}\n- Command: `{command}`")
    rows = []
    with tempfile.TemporaryDirectory(prefix="xacc-operator-") as name:
        folder = Path(name)
        called([XACC, "runtime", "-o", "runtime.a", *given.flags.split()], folder)
        for sites in given.lattices:
            build(folder, sites, given.flags.split())
            turns = max(20, given.turns * 8**4 // sites**4)
            found = [list(map(float, called(["taskset", "-c", str(min(os.sched_getaffinity(0))), "./turns", str(turns), str(seed)], folder).split()))
                     for seed in range(given.processes)]
            for at, over in ((0, "xacc"), (2, "serial")):
                medians, least = ([one[at + k] for one in found] for k in (0, 1))
                counts = f"{instructions(folder, over)} / {instructions(folder, 'hand')}"
                rows.append(f"| {row(f'{over} / hand, {sites}^4', medians)} | {row('', least).partition('| ')[2]} | {counts} |")
    print(f"- Load: {os.getloadavg()[1]:.1f} on {os.cpu_count()} processors\n")
    print("| seconds of the operator | median ratio | quartiles | ratio of least | quartiles | instructions a site |\n|---|---|---|---|---|---|")
    print("\n".join(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
