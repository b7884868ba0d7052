"""Runs `./tenken run quick` several times in a row and writes docs/quick-runs.md: what was judged, and what load was beside.

PYTHONPATH=python:tests python3 tests/rates/quick_runs.py [--runs N]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

TREE = Path(__file__).resolve().parent.parent.parent
COMMAND = "./tenken run quick"
HEAD = ("started", "verdict", "exit code", "judged", "seconds", "steal [%]", "run-queue wait [%]", "cases not OK")


def once(runs: Path) -> dict[str, Any]:
    """results.json of one run."""
    before = set(runs.glob("*/results.json"))
    command = [str(TREE / "tenken"), "run", "quick", "--runs", str(runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    made = set(runs.glob("*/results.json")) - before
    if len(made) != 1:
        raise SystemExit(f"{COMMAND} left no results (exit code {done.returncode}): {done.stderr.strip()[-300:]}")
    return json.loads(made.pop().read_text(encoding="utf-8"))


def row(result: dict[str, Any]) -> tuple[str, ...]:
    cases = result["cases"]
    left = {case for one in result["unjudged"] for case in one["cases"]}
    bad = [f"{case['id']} {case['verdict']}" for case in cases if case["verdict"] != "OK"]
    return (
        result["started"], result["verdict"], str(result["exit_code"]), f"{len(cases) - len(left)} of {len(cases)}",
        f"{result['seconds']:.0f}", worst(cases, "steal"), worst(cases, "run_queue_wait"), ", ".join(bad) or "-",
    )


def worst(cases: list[dict[str, Any]], name: str) -> str:
    known = [case["trust"][name] for case in cases if case["trust"] and case["trust"][name] is not None]
    return f"{100 * max(known):.1f}" if known else "untold"


def page(results: list[dict[str, Any]]) -> str:
    lines = [" | ".join(HEAD), " | ".join("-" for _ in HEAD), *(" | ".join(row(one)) for one in results)]
    table = "\n".join(f"| {line} |" for line in lines)
    enough = sum(int(a) >= 0.9 * int(b) for a, _, b in (row(one)[3].split() for one in results))
    node = results[0]["machine"]["nodes"][0]
    return f"""# Quick runs in a row

Made by `tests/rates/quick_runs.py`; do not edit. {node['cpu']}, {node['cores']} cores, {datetime.now(timezone.utc):%Y-%m-%d}, `{COMMAND}`.
Steal and run-queue wait are the worst of any case of that run, in percent of its timed wall.
At least nine cases in ten were judged in {enough} of {len(results)} runs.

{table}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--out", type=Path, default=TREE / "docs" / "quick-runs.md")
    typed = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tenken-quick-runs-") as folder:
        results = [once(Path(folder)) for _ in range(typed.runs)]
    typed.out.write_text(page(results), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
