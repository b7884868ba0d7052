"""What the judge answered in its tests: tests/golden/judge/MODULE.txt, the sentences themselves and a sum of all the rest.

A test asks for what it is about; beside it every sentence, verdict and figure (to five digits) of its runs stays as it was,
or somebody reads the difference: TENKEN_UPDATE_GOLDEN=1 python3 -m pytest -n0 python/tenken/judge writes the files anew.
What the sum is of: TENKEN_ANSWERS=FOLDER writes it whole into files of that folder, to be compared between two commits.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path

import numpy as np

from tenken.model.assessment import Assessment, CaseAssessment, SectionSummary
from tenken.model.comparison import Comparison
from tenken.model.health import HealthResult

FOLDER = Path(__file__).parent / "golden" / "judge"
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


def lines(answer: object) -> Iterator[str]:
    """Of an answer, with its cases apart: what two answers of a test have in common is written once."""
    if not isinstance(answer, Assessment):
        yield told(answer)
        return
    yield told(dataclasses.replace(answer, cases=(), findings=(), studies=()))
    for case in answer.cases:
        yield from _of_case(case)
    for study in answer.studies:
        yield told(dataclasses.replace(study, points=()))
        yield from (told(point) for point in study.points)


def _of_case(case: CaseAssessment) -> Iterator[str]:
    parts = (case.axes, case.findings, case.metrics, case.changes, tuple(_short(one) for one in case.sections), case.tables)
    yield told(dataclasses.replace(case, axes=(), findings=(), sections=(), metrics=(), changes=(), tables=()))
    for part in parts:
        yield from (f"  {told(one)}" for one in part)


def _short(section: SectionSummary) -> SectionSummary:
    """Of many ranks those at the ends stand for all."""
    ranks = section.ranks if len(section.ranks) <= 4 else (*section.ranks[:2], *section.ranks[-2:])
    return dataclasses.replace(section, ranks=ranks)


def sentences(answer: object) -> Iterator[str]:
    """What is said of each case, and of each finding."""
    if isinstance(answer, Assessment):
        for case in answer.cases:
            yield f"{case.verdict.value}: {case.reason}"
            yield from (f"  {one.verdict.value}: {one.what}" for one in case.findings if one.what != case.reason)
    elif isinstance(answer, HealthResult):
        yield f"{answer.verdict.value}: {answer.sentence}"
    elif isinstance(answer, Comparison):
        yield f"{answer.decision.value}: {answer.reason}"


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
        whole = "".join(f"{line}\n" for line in dict.fromkeys(line for answer in given for line in lines(answer)))
        if folder := os.environ.get("TENKEN_ANSWERS"):
            (Path(folder) / f"{self._path.stem}.{test.replace('/', '_')[:120]}.txt").write_text(whole, encoding="utf-8")
        said = (line.replace("\n", "\\n") for answer in given for line in sentences(answer))
        found = list(dict.fromkeys(said))
        found += [f"sum {hashlib.sha256(whole.encode()).hexdigest()[:16]}"] if whole else []
        if os.environ.get("TENKEN_UPDATE_GOLDEN"):
            self._known[test] = found
            FOLDER.mkdir(parents=True, exist_ok=True)
            kept = {name: self._known[name] for name in sorted(self._known) if self._known[name]}
            text = "".join(f"== {name}\n" + "".join(f"{line}\n" for line in some) for name, some in kept.items())
            if text or self._path.exists():  # a module without answers has no file
                self._path.write_text(text, encoding="utf-8")
        advice = f"{self._path}; TENKEN_UPDATE_GOLDEN=1 writes it anew"
        assert found == self._known.get(test, []), advice
