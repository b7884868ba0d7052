"""What the judge answered in its tests: tests/golden/judge/MODULE.txt, sentences, figures of findings, totals of all the rest.

A test asks for what it is about; beside it every sentence, verdict and figure (to five digits) of its runs stays as it was,
or somebody reads the difference: TENKEN_UPDATE_GOLDEN=1 python3 -m pytest -n0 python/tenken/judge writes the files anew.
"""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum
from math import exp, isfinite, log
from pathlib import Path

import numpy as np

from tenken.model.assessment import Assessment, Finding
from tenken.model.comparison import Comparison
from tenken.model.health import HealthResult

TREE = Path(__file__).resolve().parent.parent
FOLDER = TREE / "tests" / "golden" / "judge"
_LEFT_OUT = {"machine", "environment", "launches", "validity", "strip_ns", "parameters", "title", "question", "plan", "folder",
             "histories", "offers", "values", "contract", "differences"}  # given to the judge, or told by others of its answers


def told(what: object) -> str:
    """A value in one line: numbers to five digits, fields that are empty or what they nearly always are left out."""
    if isinstance(what, Enum):
        return what.value
    if dataclasses.is_dataclass(what):
        fields = ((field.name, getattr(what, field.name)) for field in dataclasses.fields(what))
        return "(" + " ".join(f"{name}={told(value)}" for name, value in fields if _is_told(name, value)) + ")"
    if isinstance(what, dict):
        return "{" + " ".join(f"{name}:{told(value)}" for name, value in what.items()) + "}"
    if isinstance(what, (tuple, list, set, frozenset)):
        parts = [told(one) for one in what]
        return "[" + " ".join(sorted(parts) if isinstance(what, (set, frozenset)) else parts) + "]"
    if isinstance(what, (float, np.floating)):
        return f"{what + 0.0:.5g}"
    return str(what)


def _is_told(name: str, value: object) -> bool:
    empty = value is None or value is False or (isinstance(value, (str, tuple, dict)) and not value)
    return not empty and (name not in _LEFT_OUT or isinstance(value, int))


def sentences(answer: object) -> Iterator[str]:
    """What is said of each case, and of each finding."""
    if isinstance(answer, Assessment):
        for case in answer.cases:
            own = next((one for one in case.findings if one.what == case.reason), None)
            yield f"{case.verdict.value}: {case.reason}{_figures(own)}"
            yield from (f"  {one.verdict.value}: {one.what}{_figures(one)}" for one in case.findings if one is not own)
    elif isinstance(answer, HealthResult):
        yield f"{answer.verdict.value}: {answer.sentence}"
    elif isinstance(answer, Comparison):
        yield f"{answer.decision.value}: {answer.reason}"


def _figures(of: Finding | None) -> str:
    """Where, figures, evidence and next command of a finding."""
    names = ("axis", "section", "measured", "expected", "band", "unit", "ratio", "where", "evidence", "next_command", "explained_by")
    known = ((name, getattr(of, name)) for name in names) if of else ()
    parts = " ".join(f"{name}={told(value)}" for name, value in known if _is_told(name, value))
    return f" ({parts})" if parts else ""


class Totals:
    """What answers hold beside the sentences: of a field how many figures and their geometric mean, of a choice how often.

    A figure that differs by 0.1 % moves the mean of hundreds visibly, whatever the units of the others.
    """

    def __init__(self, answers: Iterable[object]) -> None:
        self._figures: dict[str, list[float]] = {}
        self._choices: Counter[str] = Counter()
        for answer in answers:
            self._add("", answer)

    def _add(self, name: str, value: object) -> None:
        if dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                of = getattr(value, field.name)
                if field.name not in _LEFT_OUT or isinstance(of, int):
                    self._add(field.name, of)
        elif isinstance(value, dict):
            for of in value.values():
                self._add(name, of)
        elif isinstance(value, (tuple, list, set, frozenset)):
            for of in value:
                self._add(name, of)
        elif isinstance(value, (Enum, bool, np.bool_)):
            self._choices[value.value if isinstance(value, Enum) else name] += bool(value)
        elif isinstance(value, (int, float, np.number)) and isfinite(value):
            self._figures.setdefault(name, []).append(float(value))

    def __str__(self) -> str:
        parts = [f"{name} {count}" for name, count in sorted(self._choices.items()) if count]
        for name, figures in sorted(self._figures.items()):
            sizes = [abs(one) for one in figures if one]
            below, none = sum(one < 0 for one in figures), len(figures) - len(sizes)
            parts.append(f"{name} {len(figures)}" + (f", {below} below 0" if below else "") + (f", {none} of 0" if none else "")
                         + (f", mean {exp(sum(map(log, sizes)) / len(sizes)):.6g}" if sizes else ""))
        return "; ".join(parts)


class Answers:
    """Of the tests of one module."""

    def __init__(self, module: str) -> None:
        self._path = FOLDER / f"{module}.txt"
        self._known: dict[str, list[str]] = {}
        if self._path.exists():
            for line in self._path.read_text(encoding="utf-8").split("\n")[:-1]:
                if line.startswith("== "):
                    test = self._known.setdefault(line[3:], [])
                else:
                    test.append(line)

    def check(self, test: str, answers: Iterable[object]) -> None:
        given = list(answers)
        totals = str(Totals(given))
        said = (line.replace("\n", "\\n") for answer in given for line in sentences(answer))
        found = list(dict.fromkeys(said))
        found += [f"totals: {totals}"] if totals else []
        if os.environ.get("TENKEN_UPDATE_GOLDEN"):
            self._known[test] = found
            FOLDER.mkdir(parents=True, exist_ok=True)
            kept = {name: self._known[name] for name in sorted(self._known) if self._known[name]}
            text = "".join(f"== {name}\n" + "".join(f"{line}\n" for line in some) for name, some in kept.items())
            if text or self._path.exists():  # a module without answers has no file
                self._path.write_text(text, encoding="utf-8")
        advice = f"{self._path}; TENKEN_UPDATE_GOLDEN=1 writes it anew"
        assert found == self._known.get(test, []), advice
