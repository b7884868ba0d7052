"""The judges that checks bring: `judge.py` in a check's folder, loaded by scan and required to be pure.

A judge is a function `judge(case: ToJudge) -> OwnJudgement` of the measured figures alone, a teller a function
`tell(study: StudyToTell) -> StudyTold`; a file has either or both. They import pure modules only, and while they run a file,
process or connection that they want is refused.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from tenken.base.errors import TenkenError
from tenken.model.judgement import Judge, OwnJudgement, StudyToTell, StudyTold, Teller, ToJudge

T = TypeVar("T")
FILE = "judge.py"
PURE_MODULES = frozenset((
    "__future__", "bisect", "collections", "dataclasses", "enum", "functools", "heapq", "itertools", "math", "numpy",
    "operator", "statistics", "typing",
))
PURE_PACKAGES = ("tenken.model", "tenken.stats", "tenken.judge")
_REFUSED = ("open", "os.", "subprocess.", "socket.", "shutil.", "tempfile.", "glob.", "pathlib.", "ctypes.", "webbrowser.")
_CODE = (".py", ".pyc", ".so")  # a module that NumPy loads late


class Impure(TenkenError):
    """A judge that reached for the world outside of its arguments."""


def load_judges(check_folders: Iterable[Path], names: Iterable[str]) -> dict[str, Judge]:
    """The judges of those of the checks `names` that bring a judge. A judge that cannot be loaded raises when it is called."""
    judges = {name: _judge(path) for name, path in _files(check_folders, names)}
    return {name: judge for name, judge in judges.items() if judge is not None}


def load_tellers(check_folders: Iterable[Path], names: Iterable[str]) -> dict[str, Teller]:
    """The tellers of those of the checks `names` that bring a teller; its judge reports a file that cannot be loaded."""
    tellers = {name: _teller(path) for name, path in _files(check_folders, names)}
    return {name: teller for name, teller in tellers.items() if teller is not None}


def _files(check_folders: Iterable[Path], names: Iterable[str]) -> list[tuple[str, Path]]:
    wanted = set(names)
    paths = [path for folder in check_folders for path in sorted(folder.glob(f"*/{FILE}"))]
    return [(path.parent.name, path) for path in paths if path.parent.name in wanted]


def impure_imports(source: str) -> list[str]:
    """Modules that a judge may not import, each with its line."""
    impure = []
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{'.' * node.level}{node.module or ''}"]
        impure += [f"line {node.lineno}: {name}" for name in names if not _pure(name)]
    return impure


def _pure(name: str) -> bool:
    return name.partition(".")[0] in PURE_MODULES or name.startswith(tuple(f"{package}." for package in PURE_PACKAGES))


def _judge(path: Path) -> Judge | None:
    """None where the file holds a teller alone."""
    try:
        functions = _load(path)
    except Exception as error:  # noqa: BLE001  # a file of its check alone
        sentence = str(error)

        def broken(case: ToJudge) -> OwnJudgement:
            raise TenkenError(sentence)

        return broken
    judge = functions.get("judge")

    def judged(case: ToJudge) -> OwnJudgement:
        return _guarded(lambda: judge(case))  # type: ignore[misc]

    return judged if judge else None


def _teller(path: Path) -> Teller | None:
    try:
        tell = _load(path).get("tell")
    except Exception:  # noqa: BLE001  # a file of its check alone
        return None

    def guarded(study: StudyToTell) -> StudyTold:
        return _guarded(lambda: tell(study))  # type: ignore[misc]

    return guarded if tell else None


def _load(path: Path) -> dict[str, Callable[..., Any]]:
    """Those of the functions `judge` and `tell` that the file has."""
    source = path.read_text(encoding="utf-8")
    impure = impure_imports(source)
    if impure:
        known = ", ".join((*sorted(PURE_MODULES), *PURE_PACKAGES))
        raise Impure(f"it is pure and may not import {impure[0]} (it may: {known})")
    module = ModuleType(f"tenken_judge_of_{path.parent.name}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    _guarded(lambda: exec(compile(source, str(path), "exec"), module.__dict__))
    functions = {name: module.__dict__[name] for name in ("judge", "tell") if callable(module.__dict__.get(name))}
    if not functions:
        raise TenkenError("it has no function judge(case)")
    return functions


class _Guard:
    """Refuses forbidden acts of a judge while it runs, by an audit hook, which once set stays set."""

    def __init__(self) -> None:
        self.running = False
        self.refused: list[str] = []
        self._set = False

    def set(self) -> None:
        if not self._set:
            sys.addaudithook(self._hook)
            self._set = True

    def _hook(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self.running or not event.startswith(_REFUSED):
            return
        if event == "open" and str(arguments[0]).endswith(_CODE) and arguments[1] in (None, "r", "rb"):
            return
        if event == "os.listdir":  # looking for such a module
            return
        self.refused.append(f"it is pure and may not reach outside: {event} {arguments[0] if arguments else ''}".strip())
        raise Impure(self.refused[-1])


_GUARD = _Guard()


def _guarded(call: Callable[[], T]) -> T:
    """The return of `call`; Impure where it reached outside, even if it caught the refusal."""
    _GUARD.set()
    _GUARD.refused.clear()
    writes_none = sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # of a module that the judge imports first: the hook refuses to write it
    _GUARD.running = True
    try:
        result = call()
    finally:
        _GUARD.running = False
        sys.dont_write_bytecode = writes_none
    if _GUARD.refused:
        raise Impure(_GUARD.refused[0])
    return result
