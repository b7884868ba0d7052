"""Plants every error of tests/mutations.toml in a copy of the tree and sees whether the tests catch it.

PYTHONPATH=python:tests python3 tests/mutations.py [NAME…]; ./tenken test --long runs it. A line for each: passed = caught.
"""

from __future__ import annotations

import sys
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scratch_trees import TREE, CppTree, DoesNotCompile, PythonTree, SameMachineCode, Scratch


def caught(tree: Scratch, mutation: Mapping[str, Any]) -> list[str]:
    """Names of the tests that fail with the error planted in the copy `tree`, which is left as it was."""
    file, old = mutation["file"], mutation["old"]
    text = (tree.folder / file).read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise SystemExit(f"mutations: {file} does not hold exactly once: {old}")
    with tree.planted(file, text.replace(old, mutation["new"])):
        try:
            return tree.failing(mutation["tests"], first=False)
        except (DoesNotCompile, SameMachineCode) as none:
            raise SystemExit(f"mutations: {file}: {type(none).__name__}: {mutation['new']}\n{none}") from None


def main(names: list[str]) -> int:
    known = tomllib.loads((TREE / "tests" / "mutations.toml").read_text(encoding="utf-8"))
    mutations = {name: one for name, one in known.items() if isinstance(one, dict) and name in (names or known)}
    if unknown := set(names) - set(mutations):
        raise SystemExit(f"mutations: there is no {', '.join(sorted(unknown))} in tests/mutations.toml")
    missed = 0
    for kind, suffix in ((PythonTree, ".py"), (CppTree, "pp")):
        of_kind = {name: one for name, one in mutations.items() if one["file"].endswith(suffix)}
        if not of_kind:
            continue
        with tempfile.TemporaryDirectory() as folder:
            tree = kind(Path(folder))
            if failing := tree.failing(sorted({test for one in of_kind.values() for test in one["tests"]})):
                raise SystemExit(f"mutations: {failing[0]} fails without any error planted")
            for name, mutation in of_kind.items():
                found = caught(tree, mutation)
                missed += not found
                by = f" by {len(found)}: {', '.join(found[:4])}" if found else " by no test"
                print(f"mutation: {name} ({mutation['what']}), caught{by}: {'passed' if found else 'FAILED'}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
