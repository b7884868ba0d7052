"""Copies of the tree in which errors are planted, and whether its tests see them."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
_PATIENCE_S = 1200  # what takes longer hangs, also beside others: the error is found
_HANGING_S = 40  # of one C++ test, instead of its own time limit
_BARE = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "TENKEN_UPDATE_GOLDEN")} | {
    "PYTHONDONTWRITEBYTECODE": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class DoesNotCompile(Exception):
    pass


class SameMachineCode(Exception):
    """The compiler makes the same of it, as of lines for another processor: no error was planted."""


def _run(command: Sequence[object], folder: Path) -> tuple[int, str]:
    """Exit code and output; 124 after too long a time, and then nothing of it is left."""
    with subprocess.Popen([str(word) for word in command], cwd=folder, env=_BARE, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          start_new_session=True) as process:
        try:
            return (process.communicate(timeout=_PATIENCE_S)[0], process.returncode)[::-1]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return 124, "no end"


class Scratch:
    """A copy of what `copied` names. `tests` are what the kind of tree calls its tests."""

    copied: tuple[str, ...] = ("python", "tests", "checks", "examples", "schema", "pyproject.toml")

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in self.copied:
            if (TREE / name).is_dir():
                shutil.copytree(TREE / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"), symlinks=True)
            else:
                folder.mkdir(parents=True, exist_ok=True)
                shutil.copy(TREE / name, folder / name)

    @contextmanager
    def planted(self, file: str, text: str) -> Iterator[None]:
        path = self.folder / file
        before = path.read_text(encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(before, encoding="utf-8")

    def failing(self, tests: Sequence[str], first: bool = True) -> list[str]:
        """Names of tests that fail, the first one alone or all; without any planted error there must be none."""
        raise NotImplementedError

    def own_tests(self, file: str) -> tuple[str, ...]:
        """All tests that a file's errors are looked for with, those most likely to see them first."""
        raise NotImplementedError


class PythonTree(Scratch):
    def failing(self, tests: Sequence[str], first: bool = True) -> list[str]:
        code, said = _run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(["-x"] if first else []), *tests],
                          self.folder)
        if code == 0:
            return []
        return re.findall(r"^(?:FAILED|ERROR) (?:\S*::)?(\S+)", said, re.MULTILINE) or [f"exit code {code}"]

    def own_tests(self, file: str) -> tuple[str, ...]:
        path, folder = Path(file), self.folder / Path(file).parent
        named = {f"{path.stem}_test.py", f"{folder.name}_{path.stem}_test.py"}
        package = self.folder.joinpath(*path.parts[:3])  # python/tenken/PACKAGE: what is in a folder of it is seen by all its tests
        tests = sorted(package.rglob("*_test.py"), key=lambda one: (one.name not in named, one.parent != folder, one.stat().st_size))
        return tuple(str(one.relative_to(self.folder)) for one in tests)


class CppTree(Scratch):
    """Built without optimisation and without the checks: what is asked is what the tests of cpp/ themselves see."""

    copied = ("cpp", "cmake", "benchmarks", "python", "tests", "CMakeLists.txt")

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        (folder / "checks").mkdir()
        rules = folder / "cmake" / "TenkenChecks.cmake"
        rules.write_text(re.sub(r"TIMEOUT \d+", f"TIMEOUT {_HANGING_S}", rules.read_text(encoding="utf-8")), encoding="utf-8")
        flags = ("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0", "-DCMAKE_CXX_FLAGS=-w", "-DTENKEN_TESTS=ON",
                 "-DTENKEN_ISA=portable")
        code, said = _run(["cmake", "-S", folder, "-B", folder / "build", *flags], folder)
        if code:
            raise SystemExit(f"mutations: the copy cannot be configured: {said[-2000:]}")
        self._without_error: str | None = None

    def failing(self, tests: Sequence[str], first: bool = True) -> list[str]:
        """`tests`: names of targets, such as measure_trust_test."""
        build = self.folder / "build"
        labels = sorted({name.partition("_")[0] for name in tests})
        targets = [f"tests_{one}" for one in labels]
        code, said = _run(["cmake", "--build", build, "-j", len(os.sched_getaffinity(0)), "--target", *targets], self.folder)
        if code:
            raise DoesNotCompile(said[-2000:])
        made = hashlib.sha256()
        for label in labels:
            for path in sorted((build / "cpp").glob(f"*{label}*")):
                if path.is_file():
                    made.update(path.read_bytes())
        if self._without_error == made.hexdigest():
            raise SameMachineCode
        self._without_error = self._without_error or made.hexdigest()
        stop = ["--stop-on-failure"] if first else []
        for name in tests:  # in their order
            code, said = _run(["ctest", "--test-dir", build, *stop, "-R", f"^{name}(_[0-9]+)?$"], self.folder)
            if code or "100% tests passed" not in said:
                return re.findall(r"^\s*\d+ - (\S+) \(", said, re.MULTILINE) or [f"exit code {code} of {name}"]
        return []

    def own_tests(self, file: str) -> tuple[str, ...]:
        path = self.folder / file
        named = {path.with_name(f"{path.stem}{kind}.cpp") for kind in ("_test", "_mpi_test")}
        beside = sorted(path.parent.glob("*_test.cpp"), key=lambda one: (one not in named, "_mpi_" in one.name, one.name))
        return tuple(f"{path.parent.name}_{one.stem}" for one in beside)
