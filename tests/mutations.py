"""Plants every error of tests/mutations.toml in a copy of the verdict code and sees whether the tests catch it.

PYTHONPATH=python:tests python3 tests/mutations.py [NAME…]; ./tenken test --long runs it. A line for each: passed = caught.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
COPIED = ("python", "tests", "pyproject.toml")


def caught(tree: Path, mutation: Mapping[str, object]) -> list[str]:
    """Names of the tests that fail with the error planted in the copy `tree`, which is left as it was."""
    path = tree / str(mutation["file"])
    text = path.read_text(encoding="utf-8")
    if text.count(str(mutation["old"])) != 1:
        raise SystemExit(f"mutations: {mutation['file']} does not hold exactly once: {mutation['old']}")
    path.write_text(text.replace(str(mutation["old"]), str(mutation["new"])), encoding="utf-8")
    try:
        done = _pytest(tree, mutation["tests"])
    finally:
        path.write_text(text, encoding="utf-8")
    return re.findall(r"^FAILED \S*::(\S+)", done.stdout, re.MULTILINE) if done.returncode == 1 else []


def _pytest(tree: Path, tests: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=tree, env=bare, capture_output=True, text=True, timeout=300, check=False)


def main(names: list[str]) -> int:
    mutations = tomllib.loads((TREE / "tests" / "mutations.toml").read_text(encoding="utf-8"))
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for name in COPIED:
            source = TREE / name
            if source.is_dir():
                shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, tree / name)
        whole = sorted({test for one in mutations.values() for test in one["tests"]})
        if _pytest(tree, whole).returncode:
            raise SystemExit("mutations: the tests fail without any error planted")
        for name in names or mutations:
            found = caught(tree, mutations[name])
            missed += not found
            by = f" by {len(found)}: {', '.join(found[:4])}" if found else " by no test"
            print(f"mutation: {name} ({mutations[name]['what']}), caught{by}: {'passed' if found else 'FAILED'}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
