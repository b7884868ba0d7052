"""Public programs of the language's first compiler: how many compile unmodified and are right at their own number of ranks.

python3 conformance.py FOLDER [--only WORD] [--write]

FOLDER is a copy of github.com/omni-compiler/omni-compiler with tests/ and samples/. --write puts the table into docs/conformance.md.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
PAGE = TREE / "docs" / "conformance.md"
GLOBAL = "align array async bcast gblock gmove inquiry intrinsic loop reduction shadow-reflect structure task template_fix util".split()
ACC = [f"{form}/{name}" for form in ("C-Round", "C-Square") for name in ("array", "gmove", "others", "parallel", "shadow-reflect")]
VERDICTS = ("right", "refused", "wrong", "crash", "compiler", "not run")
MEANINGS = """`refused` ends with a sentence of ours, at compile time or when it runs; `wrong` is another result than the
program expects; `crash` is a signal or no end in 90 s; `compiler` is a message of the C compiler or the
linker; `not run` needs more memory than 8 GB. What is wrong in these programs: [differences](differences.md)."""
ENVIRONMENT = {
    **os.environ, "PYTHONPATH": str(TREE / "src"), "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMP_NUM_THREADS": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
}
_BAD = re.compile(r"\bERROR\b|Error *!|\bFAIL|UNSUCCESSFUL|Failed Validation", re.IGNORECASE)


@dataclass(frozen=True)
class Program:
    group: str
    name: str
    files: tuple[Path, ...]
    ranks: int
    flags: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # its arguments
    plain: tuple[Path, ...] = ()  # compiled by mpicc
    large: bool = False


def ranks_of(path: Path, makefile: str) -> int:
    """As its Makefile runs it; else the product of its nodes, 4 for a *."""
    run = re.search(rf"-n +(\d+) .*\./{re.escape(path.stem)}\.x", makefile)
    if run:
        return int(run.group(1))
    text = path.read_text(encoding="latin-1")
    shapes = re.findall(r"pragma xmp nodes \w*([\[(].*)", text)
    if not shapes or "*" in shapes[0]:
        return 4
    known = dict(re.findall(r"(?:int|define) +(\w+) *=? *(\d+)", text))
    return math.prod(int(known.get(n, n)) for n in re.findall(r"\w+", shapes[0]))


def suite(group: str, folder: Path, flags: tuple[str, ...]) -> list[Program]:
    if not folder.is_dir():
        return []
    makefile = (folder / "Makefile").read_text() if (folder / "Makefile").is_file() else ""
    more = (folder / "chk" / "chk.c",) if (folder / "chk" / "chk.c").is_file() else ()
    found = []
    for path in sorted(folder.glob("*.c")):
        files, plain = (path, *more), ()
        if group == "util" and path.stem == "mpi_xmp":
            files, plain = (folder / "sub" / "ixmp_sub.c",), (path,)
        elif group == "util":
            plain = (folder / "sub" / "sub_mpi.c",)
        found.append(Program(group, path.stem, files, ranks_of(path, makefile), flags, plain=plain))
    return found


def npb(folder: Path, work: Path, name: str, words: tuple[str, ...]) -> Path:
    """A copy with the header that the benchmark's own program writes for a class."""
    copy = work / f"{name}-{len(list(work.iterdir()))}"
    shutil.copytree(folder, copy)
    subprocess.run(["cc", "-w", "-o", "setparams", "setparams.c"], cwd=copy / "sys", check=True)
    subprocess.run(["../sys/setparams", name, *words], cwd=copy / name.upper(), check=True, capture_output=True)
    return copy


def samples(root: Path, work: Path) -> list[Program]:
    xmp, xacc = root / "samples" / "XMP", root / "samples" / "XACC"
    acc = ("--acc", "-foffload=disable")
    found = [
        Program("samples", "Laplace", (xmp / "Laplace" / "xmp_laplace.c",), 4),
        Program("samples", "STREAM-dynamic", (xmp / "STREAM" / "STREAM-dynamic.c",), 2, ("-fopenmp",), ("100000",)),
        Program("samples", "STREAM-static", (xmp / "STREAM" / "STREAM-static.c",), 1, ("-fopenmp", "-mcmodel=medium"), large=True),
        Program("samples", "STREAM of XACC", (xacc / "STREAM" / "STREAM.c",), 2, ("-fopenmp", *acc), ("100000", "0.5")),
        Program("samples", "Himeno", (xmp / "HIMENO" / "HIMENO-C" / "himeno.c",), 4, ("-DSMALL", "-DNDX=2", "-DNDY=2")),
        Program("samples", "Himeno of XACC", (xacc / "HIMENO-C" / "Global-view" / "himeno.c",), 4,
                (*acc, "-DSIZE_S", "-DNDX=2", "-DNDY=2", "-DNDZ=1")),
    ]
    ep = npb(xmp / "NPB-EP", work, "ep", ("S",))
    found.append(Program("samples", "EP", (ep / "EP" / "ep.c", *(ep / "common" / f"{n}.c" for n in ("c_randdp", "c_print_results", "wtime", "c_timers"))),
                         4, (f"-I{ep / 'common'}",)))
    for name, base, flags in (("CG", xmp / "NPB-CG" / "Global-view", ()), ("CG of XACC", xacc / "NPB" / "Global-view", acc)):
        cg = npb(base, work, "cg", ("4", "S"))
        found.append(Program("samples", name, (cg / "CG" / "cg.c", *(cg / "common" / f"{n}.c" for n in ("c_print_results", "randdp", "c_timers"))),
                             4, flags))
    return found


def programs(root: Path, work: Path) -> list[Program]:
    found = [p for name in GLOBAL for p in suite(name, root / "tests" / "XMP" / "global-view" / name / "C", ())]
    for name in ACC:
        found += suite(f"XACC/{name}", root / "tests" / "XACC" / name, ("--acc", "-foffload=disable"))
    return found + samples(root, work)


def build(program: Program, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    objects = []
    for path in program.plain:
        objects.append(str(folder / f"{path.stem}.o"))
        subprocess.run(["mpicc", "-w", f"-I{TREE / 'src' / 'xacc' / 'runtime'}", "-c", str(path), "-o", objects[-1]], check=True)
    return subprocess.run([sys.executable, "-m", "xacc", "cc", *map(str, program.files), *objects, "-w", "-O1", *program.flags, *more,
                           "-o", str(folder / "program"), "--diagnostics-format=json"],
                          env=ENVIRONMENT, capture_output=True, text=True, errors="replace", timeout=300, check=False)


def run(program: Program, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["timeout", "-s", "KILL", "90", "mpirun", "-n", str(program.ranks), "./program", *program.words], cwd=folder,
                          env=ENVIRONMENT, capture_output=True, text=True, errors="replace", timeout=100, check=False)


def judge(program: Program, work: Path) -> tuple[str, str]:
    with tempfile.TemporaryDirectory(dir=work) as name:
        folder = Path(name)
        built = build(program, folder)
        if built.returncode:
            return first_error(built.stderr)
        if program.large:
            return "not run", ""
        done = run(program, folder)
        text = done.stdout + done.stderr
        ended = done.returncode == 0 or (done.returncode < 128 and re.search(r"\bvoid\s+main\b", program.files[0].read_text(encoding="latin-1")))
        if ended and not _BAD.search(text):
            return "right", ""
        if why := sentence(done.stderr):
            return "refused", f"when it runs: {why}"
        signal = next((line.strip() for line in text.splitlines() if "signal" in line.lower()), "")
        found = ("crash", signal or "no end in 90 s") if signal or done.returncode >= 128 else \
                ("wrong", next((line.strip() for line in text.splitlines() if _BAD.search(line)), f"exit {done.returncode}"))
        if "--acc" not in program.flags and build(program, folder, "--check").returncode == 0 and (why := sentence(run(program, folder).stderr)):
            return found[0], f"with --check: {why}"
        return found


def sentence(text: str) -> str:
    """The message with which a rank ended the program."""
    found = re.search(r"error: rank \d+: (.*)$", text, re.MULTILINE)
    return found.group(1) if found else ""


def first_error(text: str) -> tuple[str, str]:
    """The first error of ours, or of the C compiler."""
    decoder, at = json.JSONDecoder(), text.find("[")
    while at >= 0:
        try:
            for one in decoder.raw_decode(text, at)[0]:
                if one["level"] == "error":
                    return "refused", one["message"]
        except (ValueError, TypeError, KeyError):
            pass
        at = text.find("[", at + 1)
    return "compiler", next((line.strip() for line in text.splitlines() if "error" in line or "undefined" in line or "Traceback" in line), text[-200:])


def page(results: list[tuple[Program, str, str]]) -> str:
    count: dict[str, Counter[str]] = {}
    for program, verdict, _ in results:
        for group in (program.group, "all"):
            count.setdefault(group, Counter())[verdict] += 1
    count["all"] = count.pop("all")
    lines = ["# Public programs of the language's first compiler", "",
             "`xacc/tests/conformance.py FOLDER --write` made this page from the global-view C programs of `omni-compiler/omni-compiler`.",
             "They are compiled unmodified and run at their own number of ranks. The programs are not kept here.", "", MEANINGS, "",
             "| directory | programs | " + " | ".join(VERDICTS) + " |", "|---" * (2 + len(VERDICTS)) + "|"]
    for group, found in count.items():
        lines.append(f"| {group} | {sum(found.values())} | " + " | ".join(str(found[v]) for v in VERDICTS) + " |")
    lines += ["", "## Not right", "", "| program | | why |", "|---|---|---|"]
    lines += [f"| {p.group}/{p.name} | {verdict} | {why.replace('|', '/')[:160]} |" for p, verdict, why in results if verdict != "right"]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="conformance-") as name:
        work = Path(name)
        chosen = [p for p in programs(given.folder.resolve(), work) if given.only in f"{p.group}/{p.name}"]
        with ThreadPoolExecutor(given.jobs) as pool:
            found = pool.map(lambda p: judge(p, work), chosen)
            results = []
            for program, (verdict, why) in zip(chosen, found, strict=True):
                why = why.replace(f"{given.folder.resolve()}/", "")
                results.append((program, verdict, why))
                print(f"{program.group}/{program.name} ({program.ranks}): {verdict} {why}", flush=True)
    text = page(results)
    if given.write:
        PAGE.write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
