"""Known faults on the smallest case that they affect, 20 times each, and clean runs beside: is the check-up right?

PYTHONPATH=tests python3 tests/drills/drills.py [--only NAME …] [--times N] writes docs/drills.md; it wants the machine alone.
Results are kept in --state, so that drills can be run one after another; --more adds runs to those that are there. A quota needs
a control group of processors that can be written.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from whole_tool import TREE, environment

HERE = Path(__file__).resolve().parent
COMMAND = "PYTHONPATH=tests python3 tests/drills/drills.py"
V1, V2 = Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")
PERIOD_US = 100_000
DGEMM, PEAK, CORE, MPI = "dgemm:one_and_all_cores", "fma_peak:all_cores", "fma_peak:one_core", "mpi_pt2pt:pair"
RANKS = ("dgemm:rank_per_core", "--set", "n=256")
SHORT = ("--set", "seconds=0.4")
ONCE = (*SHORT, "--launches", "1")
SITTINGS, MOST_SITTINGS = 5, 20  # of the baseline that slower MPI calls are held against; and tried on a busy node
REFUSED = 3  # exit code of `baseline accept` where no case was accepted


class Missing(Exception):
    """What a drill needs is not here."""


@dataclass(frozen=True)
class Drill:
    title: str
    words: tuple[str, ...]  # of `tenken run`
    around: Callable[[Path], tuple[Sequence[str], dict[str, str]]]  # command in front and variables, from a folder for files
    found: Callable[[dict[str, Any]], bool]  # in results.json
    least: int  # of 20 to be found (or right)
    baseline: bool = False


def said(*words: str) -> Callable[[dict[str, Any]], bool]:
    """A finding at least as bad as WARN names all of `words`."""
    return lambda result: any(
        one["verdict"] in ("WARN", "FAIL") and all(word in one["what"] for word in words) for one in result["findings"]
    )


def slower(result: dict[str, Any]) -> bool:
    return any(one["axis"] == "change" and "slower" in one["what"] for one in result["findings"])


def core_untouched(result: dict[str, Any]) -> bool:
    """The case that makes no MPI call while it is timed stays OK, and was judged for change."""
    core = next(one for one in result["cases"] if one["id"] == CORE)
    return core["verdict"] == "OK" and bool(core["changes"])


def on_rank_1(result: dict[str, Any]) -> bool:
    """That rank 1 loses time, and no finding about steadiness that has another place or none."""
    found = [one["where"]["rank"] for one in result["findings"] if one["axis"] == "steadiness"]
    return bool(found) and set(found) == {1}


def no_failure(result: dict[str, Any]) -> bool:
    return result["verdict"] not in ("FAIL", "INVALID", "ERROR")


def nothing(_: Path) -> tuple[Sequence[str], dict[str, str]]:
    return (), {}


def reference_blas(folder: Path) -> tuple[Sequence[str], dict[str, str]]:
    """In the place of the BLAS that was linked, by whichever name; LAPACK with it, which NumPy would look for in OpenBLAS."""
    found = {one: next(Path("/usr/lib").glob(f"*/{one}/lib{one}.so.3"), None) for one in ("blas", "lapack")}
    names = {"libblas.so.3": found["blas"], "libopenblas.so.0": found["blas"], "liblapack.so.3": found["lapack"]}
    if None in found.values():
        raise Missing("no reference BLAS and LAPACK beside the optimised ones (Debian: libblas3 liblapack3)")
    place = folder / "reference"
    place.mkdir(exist_ok=True)
    for name, library in names.items():
        (place / name).unlink(missing_ok=True)
        (place / name).symlink_to(str(library))
    return (), {"LD_LIBRARY_PATH": str(place)}


def preloaded(name: str, **variables: str) -> Callable[[Path], tuple[Sequence[str], dict[str, str]]]:
    """A library from the source of that name beside this file, in every program of the run, and variables that it reads."""
    def around(folder: Path) -> tuple[Sequence[str], dict[str, str]]:
        library = folder / f"{name}.so"
        if not library.exists():
            subprocess.run(["mpicc", "-O2", "-fopenmp", "-shared", "-fPIC", "-o", str(library), str(HERE / f"{name}.c")], check=True)
        return (), {"LD_PRELOAD": str(library), **variables}

    return around


def beside(name: str) -> Callable[[Path], tuple[Sequence[str], dict[str, str]]]:
    """A program from the source of that name beside this file, which ends with the run."""
    def around(folder: Path) -> tuple[Sequence[str], dict[str, str]]:
        program = folder / name
        subprocess.run(["cc", "-O2", "-o", str(program), str(HERE / f"{name}.c")], check=True)
        try:
            tried = subprocess.run([str(program)], capture_output=True, text=True, check=False, timeout=0.5)
        except subprocess.TimeoutExpired:
            return ("sh", "-c", f'{program} & "$0" "$@"'), {}
        raise Missing(tried.stderr.strip())

    return around


def quota(_: Path) -> tuple[Sequence[str], dict[str, str]]:
    """150 % of a processor, in a control group that the starting shell joins."""
    first = (V1 / "cpu.cfs_quota_us").exists()
    group = (V1 if first else V2) / "tenken-drill"
    try:
        group.mkdir(exist_ok=True)
        if first:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (group / "cpu.cfs_quota_us").write_text(str(PERIOD_US * 3 // 2))
        else:
            (group / "cpu.max").write_text(f"{PERIOD_US * 3 // 2} {PERIOD_US}")
    except OSError as error:
        raise Missing(f"no control group can be made here: {error}") from error
    tasks = group / ("tasks" if first else "cgroup.procs")
    return ("sh", "-c", f'echo $$ > {tasks}; exec "$0" "$@"'), {}


def masked(_: Path) -> tuple[Sequence[str], dict[str, str]]:
    """Half of what a scheduler granted: its variables as Slurm sets them, and a mask of the step."""
    all_here = sorted(os.sched_getaffinity(0))
    if len(all_here) < 2:
        raise Missing("one processor: nothing to mask")
    half = ",".join(map(str, all_here[: len(all_here) // 2]))
    host = os.uname().nodename
    return ("taskset", "-c", half), {
        "SLURM_JOB_ID": "1", "SLURM_JOB_NODELIST": host, "SLURM_NNODES": "1", "SLURM_JOB_CPUS_PER_NODE": str(len(all_here)),
    }


DRILLS = {
    "blas": Drill("reference BLAS", (DGEMM, *ONCE), reference_blas, said("of peak", "reference BLAS"), 19),
    "mpi": Drill("MPI calls slowed by 30 %", (MPI, *SHORT), preloaded("slow_mpi", SLOWED_BY="0.3"), slower, 17, baseline=True),
    "core": Drill("MPI calls slowed by 10 %: the case without any stays OK", (MPI, CORE, *SHORT),
                  preloaded("slow_mpi", SLOWED_BY="0.1"), core_untouched, 19, baseline=True),
    "quota": Drill("CPU quota of 150 %", (PEAK, *ONCE), quota, said("throttled by a CPU quota"), 19),
    "mask": Drill("half of the granted cores masked", (PEAK, *ONCE), masked, said("that the scheduler granted may be used"), 19),
    "rank": Drill("rank 1 stopped for 20 % of the time", (*RANKS, "--set", "seconds=1", "--launches", "2"), preloaded("stop_rank"),
                  on_rank_1, 19),
    "entry": Drill("thread 1 delayed by 2 us at the entry of barriers", ("omp_overheads:all_cores", *SHORT, "--launches", "2"),
                   preloaded("delayed"), said("thread 1 of rank 0", "delayed at the entry of barrier"), 19),
    "inside": Drill("rank 1 delayed by 5 us inside of calls", ("mpi_collectives:all_cores", *SHORT, "--launches", "2"),
                    preloaded("delayed"), said("rank 1 ", "delayed inside of each call"), 19),
    "rhythm": Drill("a real-time thread of 100 us on the last core, 100 times a second",
                    ("noise:all_cores", "--set", "seconds=2", "--launches", "2"), beside("rhythm"), said("interrupted 100 times a second"), 19),
    "clean": Drill("nothing planted: no FAIL", (MPI, PEAK, *SHORT), nothing, no_failure, 20, baseline=True),
}


def baselines(folder: Path, runs: Path) -> Path:
    """Of the drill whose runs lie in `runs`."""
    return folder / "baselines" / runs.name


def once(drill: Drill, folder: Path, runs: Path, planted: bool = True) -> dict[str, Any]:
    """results.json of one run, a sitting of its own."""
    front, variables = drill.around(folder) if planted else ((), {})
    command = [*front, str(TREE / "tenken"), "run", *drill.words, "--runs", str(runs), "--baselines", str(baselines(folder, runs))]
    if "SLURM_JOB_ID" in variables:
        command += ["--on", "local"]
    before = set(runs.glob("*/results.json"))
    variables["TENKEN_SITTING"] = f"drill-{secrets.token_hex(4)}"
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=environment(**variables),
                          stdin=subprocess.DEVNULL)
    made = set(runs.glob("*/results.json")) - before
    if len(made) != 1:
        raise SystemExit(f"{' '.join(command)}: no results (exit code {done.returncode}): {done.stderr.strip()[-400:]}")
    found: dict[str, Any] = json.loads(made.pop().read_text(encoding="utf-8"))
    return found


def accept(drill: Drill, folder: Path, runs: Path) -> None:
    """Clean sittings of the cases of a drill, accepted once. A busy node refuses some: others are measured in their place."""
    done, cases = folder / f"accepted-{runs.name}", sum(":" in word for word in drill.words)
    if done.exists():
        return
    for _ in range(MOST_SITTINGS):
        run = once(drill, folder, runs, planted=False)["run"]
        words = ["baseline", "accept", run, "--drill", "--runs", str(runs), "--baselines", str(baselines(folder, runs)), "--yes"]
        said = subprocess.run([str(TREE / "tenken"), *words], capture_output=True, text=True, check=False, env=environment(),
                              stdin=subprocess.DEVNULL)
        if said.returncode not in (0, REFUSED):
            raise SystemExit(f"{' '.join(words)}: exit code {said.returncode}: {said.stderr.strip()[-400:]}")
        sittings = [len(list(case.glob("*.json"))) for case in baselines(folder, runs).glob("*/*")]
        if len(sittings) == cases and min(sittings) >= SITTINGS:
            done.touch()
            return
    raise Missing(f"too busy a node: {MOST_SITTINGS} clean sittings gave no {SITTINGS} of each case")


def drilled(name: str, times: int, folder: Path, results: list[dict[str, Any]]) -> dict[str, Any]:
    """`results` with `times` more, and on what they were made."""
    drill, runs = DRILLS[name], folder / "runs" / name
    runs.mkdir(parents=True, exist_ok=True)
    try:
        drill.around(folder)
        if drill.baseline:
            accept(drill, folder, runs)
        for _ in range(times):
            result = once(drill, folder, runs)
            results.append({"found": drill.found(result), "verdict": result["verdict"], "seconds": result["seconds"],
                            "what": [one["what"] for one in result["findings"]][:3]})
            how = "as wanted" if results[-1]["found"] else "NOT as wanted"
            print(f"{name}: {how}, {result['verdict']}, {result['seconds']:.1f} s", flush=True)
            shutil.rmtree(runs / result["run"], ignore_errors=True)
    except Missing as missing:
        return {"missing": str(missing)}
    node = result["machine"]["nodes"][0]
    today = f"{datetime.now(timezone.utc):%Y-%m-%d}"
    return {"results": results, "node": f"{node['cpu']}, {plural(node['cores'])}", "date": today}


def enough(drill: Drill, results: list[dict[str, Any]]) -> bool:
    return sum(one["found"] for one in results) >= drill.least * len(results) / 20


def plural(cores: int) -> str:
    return f"{cores} core" + ("" if cores == 1 else "s")


def row(name: str, of: dict[str, Any]) -> str:
    drill = DRILLS[name]
    typed = f"`./tenken run {' '.join(drill.words)}`"
    if "missing" in of:
        return f"| {drill.title} | {typed} | not run: {of['missing']} | {drill.least} | | | |"
    results = of["results"]
    verdicts = sorted({one["verdict"] for one in results})
    counted = ", ".join(f"{verdict} {sum(one['verdict'] == verdict for one in results)}" for verdict in verdicts)
    longest = max(one["seconds"] for one in results)
    return (f"| {drill.title} | {typed} | {sum(one['found'] for one in results)} of {len(results)} | {drill.least} | {counted} | "
            f"{longest:.1f} | {of['node']}, {of['date']} |")


def page(state: dict[str, Any], before: str) -> str:
    """`before`: the page as it is, whose rows stay where a drill was not made anew."""
    old = {name: line for line in before.splitlines() for name in DRILLS if line.startswith(f"| {DRILLS[name].title} |")}
    rows = "\n".join(row(name, state[name]) if name in state else old[name] for name in DRILLS if name in state or name in old)
    return f"""# Drills

Made by `{COMMAND}`; do not edit. A known fault was planted around a whole run of the smallest case that it
affects; found is a WARN or FAIL that names it (of MPI calls: the case is slower than the baseline of {SITTINGS} clean
sittings). Of clean runs right is that nothing FAILs; of a case beside a fault, that it was held against its baseline and is OK.

| planted | command | found | wanted of 20 | verdicts | longest [s] | processor, date |
| --- | --- | --- | --- | --- | --- | --- |
{rows}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=sorted(DRILLS), default=list(DRILLS))
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--more", action="store_true", help="beside the results that are kept, not in their place")
    parser.add_argument("--state", type=Path, default=Path(tempfile.gettempdir()) / "tenken-drills", help="baselines and results")
    parser.add_argument("--out", type=Path, default=TREE / "docs" / "drills.md")
    typed = parser.parse_args()
    typed.state.mkdir(parents=True, exist_ok=True)
    kept = typed.state / "state.json"
    state: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    for name in typed.only:
        kept_results = state.get(name, {}).get("results", []) if typed.more else []
        state[name] = drilled(name, typed.times, typed.state, kept_results)
        kept.write_text(json.dumps(state), encoding="utf-8")
    before = typed.out.read_text(encoding="utf-8") if typed.out.exists() else ""
    typed.out.write_text(page(state, before), encoding="utf-8")
    missed = [name for name in typed.only if not enough(DRILLS[name], state[name].get("results", []))]
    told = f"; missed: {', '.join(missed)}" if missed else ""
    print(f"drills: {len(typed.only) - len(missed)} of {len(typed.only)} as wanted{told}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
