"""The loop of the chains on a card as nvcc makes it: multiply-adds in registers alone; no card is needed.

check_loop.py NVCC TREE; exit code 1 with what else is in the loop.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

STEPS = 8 * 4  # chains, and steps of each in a loop (device/device.hpp)
COUNT = re.compile(r"(add|sub)\.[su]64|setp\.\w+\.[su]64|bra(\.uni)?")  # of the loops


def ptx(nvcc: str, tree: Path) -> str:
    folder = tree / "checks/fma_peak"
    with tempfile.TemporaryDirectory() as made:
        result = Path(made) / "kernel.ptx"
        include = ["-I", tree / "cpp", "-I", folder]
        command = [nvcc, "-std=c++17", "-O3", "-arch=compute_90", "-ptx", *include, folder / "kernel.cu", "-o", result]
        subprocess.run(command, check=True, timeout=300)
        return result.read_text(encoding="utf-8")


def longest_loop(text: str) -> list[str]:
    """The instructions of the longest stretch from a label to a branch back to it."""
    lines = [line.strip() for line in text.splitlines()]
    starts = {line[:-1]: place for place, line in enumerate(lines) if re.fullmatch(r"\$L\w+:", line)}
    loops: list[list[str]] = [[]]
    for place, line in enumerate(lines):
        back = re.search(r"\bbra\b.*?(\$L\w+);", line)
        if back and starts.get(back[1], place) < place:
            inside = (each for each in lines[starts[back[1]] + 1:place + 1] if each.endswith(";"))
            loops.append([re.sub(r"^@!?%p\d+\s+", "", each).split()[0].rstrip(";") for each in inside])
    return max(loops, key=len)


def main(nvcc: str, tree: Path) -> int:
    text = ptx(nvcc, tree)
    failures = 0
    for letter, kind in (("d", "f64"), ("f", "f32")):
        entries = [part for part in re.split(r"(?=\.entry )", text) if re.match(rf"\.entry \w*ChainsI{letter}E", part)]
        loop = longest_loop(entries[0]) if len(entries) == 1 else []
        fused = loop.count(f"fma.rn.{kind}")
        others = {name for name in loop if name != f"fma.rn.{kind}" and not COUNT.fullmatch(name)}
        if fused == 0 or fused % STEPS != 0 or others:
            failures += 1
            print(f"FAILED {kind}: {fused} multiply-adds in the loop, a multiple of {STEPS} expected; beside them {sorted(others)}")
    print(f"{2 - failures} passed, {failures} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
