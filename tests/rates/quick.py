"""Runs `./tenken run quick` several times in a row: what was judged, and what load was beside (page.py makes the table).

PYTHONPATH=python:tests python3 tests/rates/quick.py [--runs N] [--loud N]
`--runs` wants the machine alone; `--loud` has a compiler at work beside. Every row is added to quick.json as soon as it is
measured, by the processor of the node.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

TREE = Path(__file__).resolve().parent.parent.parent
COMMAND = "./tenken run quick"
KEPT = Path(__file__).with_suffix(".json")
TITLES = {"quiet": "The machine alone", "loud": "A compiler beside"}


def once(runs: Path) -> dict[str, Any]:
    """results.json of one run."""
    before = set(runs.glob("*/results.json"))
    command = [str(TREE / "tenken"), "run", "quick", "--runs", str(runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    made = set(runs.glob("*/results.json")) - before
    if len(made) != 1:
        raise SystemExit(f"{COMMAND} left no results (exit code {done.returncode}): {done.stderr.strip()[-300:]}")
    return json.loads(made.pop().read_text(encoding="utf-8"))


@contextmanager
def compiler_beside() -> Iterator[None]:
    """One compiler at work, over and over, on whatever processor is free."""
    source = "#include <regex>\n#include <iostream>\nint main() { std::cout << std::regex_match(\"a\", std::regex(\"a\")); }"
    loop = "while :; do printf '%s' \"$0\" | c++ -O2 -x c++ -c -o /dev/null -; done"
    beside = subprocess.Popen(["sh", "-c", loop, source], start_new_session=True)
    try:
        yield
    finally:
        os.killpg(beside.pid, signal.SIGKILL)
        beside.wait()


def row(result: dict[str, Any]) -> tuple[str, ...]:
    cases = result["cases"]
    left = {case for one in result["unjudged"] for case in one["cases"]}
    bad = [f"{case['id']} {case['verdict']}" for case in cases if case["verdict"] != "OK"]
    return (
        result["started"], result["verdict"], str(result["exit_code"]), f"{len(cases) - len(left)} of {len(cases)}",
        f"{result['seconds']:.0f}", worst(cases, "steal"), worst(cases, "run_queue_wait"), worst(cases, "shared"), ", ".join(bad) or "-",
        ", ".join(case["id"] for case in cases if case["id"] in left) or "-" if 2 * len(left) < len(cases) else "most",
    )


def worst(cases: list[dict[str, Any]], name: str) -> str:
    known = [told for case in cases if case["trust"] and (told := case["trust"].get(name)) is not None]
    return f"{100 * max(known):.1f}" if known else "untold"


Rows = list[dict[str, Any]]
State = dict[str, dict[str, Rows]]  # by node, and by what was beside


def kept(result: dict[str, Any]) -> dict[str, Any]:
    """What of results.json the page tells."""
    return {"row": row(result), "verdicts": {case["id"]: case["verdict"] for case in result["cases"]}}


def node_of(result: dict[str, Any]) -> str:
    node = result["machine"]["nodes"][0]
    return f"{node['cpu']} ({node['core']}), {node['cores']} cores"


def read() -> State:
    state: State = json.loads(KEPT.read_text(encoding="utf-8"))
    return state


def contradicted(rows: Rows) -> list[str]:
    """Cases that were OK in one run and had a finding in another."""
    seen: dict[str, set[str]] = {}
    for one in rows:
        for case, verdict in one["verdicts"].items():
            seen.setdefault(case, set()).add(verdict)
    return [case for case, verdicts in seen.items() if "OK" in verdicts and verdicts & {"WARN", "FAIL", "INVALID", "ERROR"}]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--loud", type=int, default=0)
    typed = parser.parse_args()
    state = read()
    for name, times in (("quiet", typed.runs), ("loud", typed.loud)):
        for _ in range(times):
            with tempfile.TemporaryDirectory() as runs, compiler_beside() if name == "loud" else nullcontext():
                result = once(Path(runs))
            rows = state.setdefault(node_of(result), {}).setdefault(name, [])
            rows.append(kept(result))
            KEPT.write_text(json.dumps(state).replace('{"row"', '\n{"row"') + "\n", encoding="utf-8")  # a run a line
            print(name, *rows[-1]["row"], sep="  ", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
