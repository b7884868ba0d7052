"""Plants errors drawn by operator and seed over every function of cpp/measure and of the judge; writes docs/mutations-*.md.

./tenken test --long runs it whole; by hand: PYTHONPATH=python:tests python3 tests/drawn_mutations.py --only judge --count 20
--seed 7 --out /tmp. In pieces: --kept FILE --seconds 100, again and again until it is done; after tests were added, --again.
Errors that change nothing are listed with a reason in tests/mutations.toml ([[equivalent]]).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from threading import Lock

from mutants import OPERATORS, Mutant, draw, mutants_of
from rates.bounds import rate
from scratch_trees import TREE, CppTree, DoesNotCompile, PythonTree, SameMachineCode, Scratch

LEAST_SHARE = 0.9
_NOT_PLANTED = {one.__name__ for one in (DoesNotCompile, SameMachineCode)}


@dataclass(frozen=True)
class Part:
    name: str
    folder: str
    tree: type[Scratch]
    count: int
    suffixes: tuple[str, ...]


PARTS = (
    Part("measure", "cpp/measure", CppTree, 80, (".cpp", ".hpp")),
    Part("judge", "python/tenken/judge", PythonTree, 120, (".py",)),
)


@dataclass
class Result:
    part: Part
    functions: int
    possible: int
    found: list[tuple[Mutant, str]] = field(default_factory=list)
    missed: list[Mutant] = field(default_factory=list)
    not_compiled: int = 0
    equivalent: int = 0
    missed_at_first: int = 0  # before tests were added, or it was seen that it changes nothing
    left_out: bool = False  # the time did not last for all

    @property
    def tried(self) -> int:
        return len(self.found) + len(self.missed)

    @property
    def enough(self) -> bool:
        return self.tried > 0 and len(self.found) >= LEAST_SHARE * self.tried


def sources(part: Part) -> list[str]:
    files = sorted((TREE / part.folder).rglob("*"))
    return [str(one.relative_to(TREE)) for one in files
            if one.suffix in part.suffixes and not one.stem.endswith("_test") and one.stem != "conftest"
            and (one.stem != "__init__" or "\ndef " in one.read_text(encoding="utf-8"))]


def equivalents() -> list[Mapping[str, str]]:
    return tomllib.loads((TREE / "tests" / "mutations.toml").read_text(encoding="utf-8")).get("equivalent", [])


def is_equivalent(one: Mutant, text: str, known: Sequence[Mapping[str, str]]) -> bool:
    """Of a file's line; `to` names what becomes of it, without it `operator` says which errors there change nothing."""
    _, line, after = one.lines(text)
    return any(entry["file"] == one.file and entry["line"] == line and
               (entry["to"] == after if "to" in entry else entry["operator"] == one.operator) for entry in known)


class Kept:
    """What became of planted errors, a line each, so that a run can be done in pieces; without a path it is forgotten."""

    def __init__(self, path: Path | None = None, again: bool = False) -> None:
        """`again`: what no test found is planted once more."""
        self._path = path
        self.begun = path is not None and path.exists() and not again
        lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
        known = {Mutant(*one): by for *one, by in map(json.loads, lines)}
        self._missed = {Mutant(*one) for *one, by in map(json.loads, lines) if not by}
        self._known = {one: by for one, by in known.items() if by or not again}

    def by(self, one: Mutant) -> str | None:
        """Which test found it ("" for none), or the name of the exception that planting it raised; None where it is not known."""
        return self._known.get(one)

    def missed(self, one: Mutant) -> bool:
        """Whether no test found it in an earlier piece, whatever was found since."""
        return one in self._missed

    def keep(self, one: Mutant, by: str) -> None:
        if self._path:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([*astuple(one), by]) + "\n")


def planted(tree: Scratch, one: Mutant, text: str) -> str:
    try:
        with tree.planted(one.file, one.planted(text)):
            return next(iter(tree.failing(tree.own_tests(one.file))), "")
    except (DoesNotCompile, SameMachineCode) as none:
        return type(none).__name__


def tried(
    part: Part, trees: Sequence[Scratch], count: int, seed: int, kept: Kept | None = None, seconds: float = math.inf
) -> Result:
    """Plants `count` errors that compile, side by side in the trees; none any more after `seconds`."""
    kept, deadline = kept or Kept(), time.monotonic() + seconds
    texts = {file: (TREE / file).read_text(encoding="utf-8") for file in sources(part)}
    mutants = [one for file in texts for one in mutants_of(TREE / file, file)]
    result = Result(part, len({(one.file, one.function) for one in mutants}), len(mutants))
    drawn, known, lock = draw(mutants, seed), equivalents(), Lock()
    free: SimpleQueue[Scratch] = SimpleQueue()
    for tree in trees:
        free.put(tree)
    promised = 0

    def next_one() -> Mutant | None:
        nonlocal promised
        with lock:
            while promised < count and (one := next(drawn, None)) is not None:
                result.missed_at_first += kept.missed(one)
                if not is_equivalent(one, texts[one.file], known):
                    promised += 1
                    return one
                result.equivalent += 1
        return None

    def worker(_: int) -> None:
        nonlocal promised
        tree = free.get()
        while (one := next_one()) is not None:
            by = kept.by(one)
            if by is None and time.monotonic() > deadline:
                result.left_out = True
                break
            if by is None:
                by = planted(tree, one, texts[one.file])
                with lock:
                    kept.keep(one, by)
            with lock:
                if by in _NOT_PLANTED:
                    promised -= 1
                    result.not_compiled += by == DoesNotCompile.__name__
                    result.equivalent += by == SameMachineCode.__name__
                    continue
                if by:
                    result.found.append((one, by))
                else:
                    result.missed.append(one)
            number, before, after = one.lines(texts[one.file])
            print(f"{part.name} {result.tried}: {one.file}:{number} {one.operator}: {before}  ->  {after}: "
                  f"{'found by ' + by if by else 'MISSED'}", flush=True)

    with ThreadPoolExecutor(len(trees)) as pool:
        list(pool.map(worker, range(len(trees))))
    return result


def page(result: Result, seed: int, command: str) -> str:
    return "\n".join(_page(result, seed, command)) + "\n"


def _page(one: Result, seed: int, command: str) -> Iterator[str]:
    yield f"# Planted errors in {one.part.folder}, and how many of them the tests find\n"
    yield "Made by `./tenken test --long` (tests/drawn_mutations.py); do not edit."
    yield f"`{command}`, {datetime.now(UTC):%Y-%m-%d}, seed {seed}."
    yield "One error at a time is planted in a copy of the tree: first one in each function in an order of chance, of a chance"
    yield "operator, then a second one. Only the tests beside the code are run. In brackets: 95 % bounds (Wilson).\n"
    yield "| functions | possible errors | planted | found | share | did not compile | known to change nothing |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    share = rate(len(one.found), one.tried)
    cells = (one.functions, one.possible, one.tried, len(one.found), share, one.not_compiled, one.equivalent)
    yield f"| {' | '.join(map(str, cells))} |"
    if one.missed_at_first > len(one.missed):
        first = one.tried - one.missed_at_first
        yield f"\nAt first {first} of {one.tried} found, {rate(first, one.tried)}; then tests were added for what was missed,"
        yield "and it was planted again (`--again`); what of it changes nothing stands in tests/mutations.toml."
    yield "\nBy operator, found of planted:\n"
    yield f"| {' | '.join(OPERATORS)} |"
    yield f"|{' --- |' * len(OPERATORS)}"
    found = Counter(mutant.operator for mutant, _ in one.found)
    missed = Counter(mutant.operator for mutant in one.missed)
    yield f"| {' | '.join(f'{found[name]} of {found[name] + missed[name]}' for name in OPERATORS)} |"
    yield "\nNot found:\n" if one.missed else "\nNot found: none."
    for mutant in sorted(one.missed):
        number, before, after = mutant.lines((TREE / mutant.file).read_text(encoding="utf-8"))
        yield f"- `{mutant.file}:{number}` {mutant.operator}: `{before}` becomes `{after}`"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=[part.name for part in PARTS])
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--beside", type=int, default=min(4, os.cpu_count() or 1), help="copies of the tree for Python")
    parser.add_argument("--kept", type=Path, help="with --only: results so far, read and added to")
    parser.add_argument("--again", action="store_true", help="plant again what no test found")
    parser.add_argument("--seconds", type=float, default=math.inf, help="plant none any more after so many; the same words go on")
    parser.add_argument("--out", type=Path, default=TREE / "docs", help="folder of the pages")
    given = parser.parse_args(words)
    results = []
    for part in PARTS:
        if given.only not in (None, part.name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            copies = 1 if part.tree is CppTree else given.beside
            trees = [part.tree(Path(folder) / str(i)) for i in range(copies)]
            kept = Kept(given.kept, given.again)
            if not kept.begun and (failing := trees[0].failing(trees[0].own_tests(f"{part.folder}/any"))):
                raise SystemExit(f"mutations: {failing[0]} fails without any error planted")
            result = tried(part, trees, given.count or part.count, given.seed, kept, given.seconds)
        if result.left_out:
            print(f"drawn mutations: {part.name}: {len(result.found)} of {result.tried} found so far; go on with the same words")
            return 1
        results.append(result)
        print(f"drawn mutations: {part.name}: {len(result.found)} of {result.tried} found: "
              f"{'passed' if result.enough else 'FAILED'}", flush=True)
        count = given.count or part.count
        command = f"python3 tests/drawn_mutations.py --only {part.name} --count {count} --seed {given.seed}"
        text = page(result, given.seed, command)
        (given.out / f"mutations-{part.name}.md").write_text(text, encoding="utf-8")
    return 0 if all(one.enough for one in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
