"""Plants errors in a copy of the tree and prints which of them the tests detect (a line each: passed = detected).

python3 tests/mutations.py [NAME…] plants those of tests/mutations.toml, as ./tenken test --long does. --drawn 20 --seed COMMIT
changes an operator or a constant in 20 lines of product Python outside the judge, and runs the tests of the package of each,
then those of the other packages.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
KNOWN = TREE / "tests" / "mutations.toml"
LIMIT_S = 1200  # an error with which the tests have no end is detected
BARE = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "TENKEN_UPDATE_GOLDEN")} | {
    "PYTHONDONTWRITEBYTECODE": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
OPPOSITE = {ast.Add: ast.Sub, ast.Mult: ast.Div, ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.Eq: ast.NotEq, ast.Is: ast.IsNot,
            ast.In: ast.NotIn, ast.And: ast.Or}
OPPOSITE |= {new: old for old, new in OPPOSITE.items()}


def run(folder: Path, *command: object) -> bool:
    """Whether it succeeds in the copy."""
    with subprocess.Popen(list(map(str, command)), cwd=folder, env=BARE, start_new_session=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            return process.wait(LIMIT_S) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return False


def succeed(folder: Path, tests: Sequence[str]) -> bool:
    """Files of Python tests; or C++ tests such as measure_trust_test, which are built without optimisation."""
    if tests[0].endswith(".py"):
        return run(folder, sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests)
    build = folder / "build" / "planted"
    flags = ("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0", "-DTENKEN_TESTS=ON", "-DTENKEN_ISA=portable")
    if not (build / "CMakeCache.txt").exists() and not run(folder, "cmake", "-G", "Ninja", "-S", folder, "-B", build, *flags):
        raise SystemExit("mutations: the copy cannot be configured")
    if not run(folder, "ninja", "-C", build, *{f"tests_{name.partition('_')[0]}" for name in tests}):
        raise SystemExit("mutations: a planted error does not compile")
    return all(run(folder, "ctest", "--test-dir", build, "--no-tests=error", "-R", f"^{name}(_[0-9]+)?$") for name in tests)


def named(names: Sequence[str]) -> Iterator[tuple[str, str, str, list[str]]]:
    """Words, file, new text and tests of each error of the list, or of those that are named."""
    for name, error in tomllib.loads(KNOWN.read_text(encoding="utf-8")).items():
        text = (TREE / error["file"]).read_text(encoding="utf-8")
        if text.count(error["old"]) != 1:
            raise SystemExit(f"mutations: {error['file']} does not contain exactly once: {error['old']}")
        if name in (names or [name]):
            yield f"{name} ({error['what']})", error["file"], text.replace(error["old"], error["new"]), error["tests"]


def change(node: ast.AST) -> bool:
    """Changes the operator or the constant of a node in its place; False where it has none."""
    match node:
        case ast.BinOp(op=sign) | ast.BoolOp(op=sign) | ast.AugAssign(op=sign) if type(sign) in OPPOSITE:
            node.op = OPPOSITE[type(sign)]()
        case ast.Compare(ops=[sign, *others]) if type(sign) in OPPOSITE:
            node.ops = [OPPOSITE[type(sign)](), *others]
        case ast.Constant(value=bool() | int() | float() as value):
            node.value = not value if isinstance(value, bool) else value + 1
        case _:
            return False
    return True


def changeable(tree: ast.AST) -> set[int]:
    """Lines with an operator or a constant; not of decorators, such as frozen=True, whose change no result shows."""
    decorators = {of.lineno for node in ast.walk(tree) for of in getattr(node, "decorator_list", ())}
    return {node.lineno for node in ast.walk(tree) if change(node)} - decorators


def drawn(count: int, seed: str) -> Iterator[tuple[str, str, str, list[str]]]:
    """As `named`; each line once."""
    product = TREE / "python" / "tenken"
    files = [path for path in sorted(product.rglob("*.py")) if not path.stem.endswith(("_test", "conftest", "__main__"))
             and path.relative_to(product).parts[0] != "judge"]
    lines = sorted({(path, line) for path in files for line in changeable(ast.parse(path.read_text(encoding="utf-8")))})
    for path, line in random.Random(seed).sample(lines, count):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        next(node for node in ast.walk(tree) if getattr(node, "lineno", 0) == line and change(node))
        package = product / path.relative_to(product).parts[0]
        tests = sorted(product.rglob("*_test.py"), key=lambda test: (
            package not in test.parents, path.stem not in test.stem, test.parent != path.parent, test))
        file = str(path.relative_to(TREE))
        shown = path.read_text(encoding="utf-8").splitlines()[line - 1].strip()
        yield f"{file}:{line} {shown}", file, ast.unparse(tree), [str(test.relative_to(TREE)) for test in tests]


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--drawn", type=int, metavar="COUNT")
    parser.add_argument("--seed", default="", metavar="COMMIT")
    typed = parser.parse_args(words)
    errors = list(drawn(typed.drawn, typed.seed) if typed.drawn else named(typed.names))
    found = 0
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "tree"
        shutil.copytree(TREE, folder, symlinks=True, ignore=lambda at, _: (".git", "build", "runs") if Path(at) == TREE else ())
        for tests in sorted({tuple(sorted(tests)) for *_, tests in errors}):
            if not succeed(folder, tests):
                raise SystemExit(f"mutations: without a planted error a test fails of {', '.join(tests)}")
        for words, file, text, tests in errors:
            (folder / file).write_text(text, encoding="utf-8")
            seen = not succeed(folder, tests)
            shutil.copy(TREE / file, folder / file)
            found += seen
            print(f"mutation: {words}: {'passed' if seen else 'FAILED'}", flush=True)
    print(f"planted errors: {len(errors)}{f' lines drawn by {typed.seed}' if typed.drawn else ''}, {found} detected")
    return 0 if typed.drawn or found == len(errors) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
