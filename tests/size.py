"""Prints how large the tree is: lines of product and tests, modules that `tenken show` loads and that one case passes through.

python3 tests/size.py [COMMIT] counts the lines of an older commit too.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TREE / "python"), str(TREE / "tests")]


def part(path: str) -> str:
    """The part of the tree that a file counts to; "" where its lines do not count."""
    if not path.endswith((".py", ".cpp", ".hpp", ".c", ".cu", ".toml", ".txt", ".json", ".html", ".sh", ".tsv", ".j2", ".css")):
        return ""
    if path.startswith(("tests/", "benchmarks/")) or path.endswith(("_test.py", "conftest.py", "_test.cpp", "check_program.py")):
        return "tests and benchmarks"
    if path.startswith("python/tenken/") and path.endswith(".py"):
        return "the judge" if path.startswith("python/tenken/judge/") else "other product Python"
    return ""


def lines(commit: str) -> dict[str, int]:
    """Lines of the files that git has in `commit`."""
    found: dict[str, int] = {}
    listed = subprocess.run(("git", "ls-tree", "-r", "--name-only", commit), cwd=TREE, capture_output=True, text=True, check=True)
    names = [name for name in listed.stdout.splitlines() if part(name)]
    asked = "".join(f"{commit}:{name}\n" for name in names).encode()
    texts = subprocess.run(("git", "cat-file", "--batch"), cwd=TREE, input=asked, capture_output=True, check=True).stdout
    for name in names:
        head, _, texts = texts.partition(b"\n")
        size = int(head.split()[-1])
        found[part(name)] = found.get(part(name), 0) + texts[:size].count(b"\n")
        texts = texts[size + 1:]
    return found


def loaded() -> set[str]:
    """Modules of Tenken that `tenken show` of a run loads."""
    script = ("import sys; from tenken.cli.main import main; main(['show', sys.argv[1]]); "
              "print(*(name for name in sys.modules if name.partition('.')[0] == 'tenken'))")
    shown = subprocess.run((sys.executable, "-c", script, TREE / "tests/frozen/turbo-reference-blas"), capture_output=True,
                           env={**os.environ, "PYTHONPATH": str(TREE / "python")}, text=True, check=True).stdout
    return set(shown.splitlines()[-1].split())


def visited() -> set[str]:
    """Modules of which a function runs while a case of two ranks and two launches is judged."""
    import builders

    from tenken.judge.assess import assess

    seen: set[str] = set()
    records = [builders.record(builders.fma(45e9, ranks=2), builders.triad(10e9, ranks=2), launch=number) for number in (1, 2)]
    run = builders.run(builders.case_run(*records))
    sys.setprofile(lambda frame, event, _: seen.add(frame.f_globals.get("__name__", "")) if event == "call" else None)
    assess(run, builders.machine(), ())
    sys.setprofile(None)
    return {name for name in seen if name.startswith("tenken.")}


if __name__ == "__main__":
    for commit in (*sys.argv[1:], "HEAD"):
        print(f"{commit}: " + ", ".join(f"{name} {count:,} lines" for name, count in sorted(lines(commit).items())))
    print(f"tenken show loads {len(loaded())} modules; a case passes through {len(visited())}")
