"""Small faults put into right programs: what --check reports of them when they run is mostly a message at compile time already."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import pytest
from random_programs import program

from xacc_harness import PROGRAMS, SUITE, TREE, Xacc, header

_COUNT = int(os.environ.get("XACC_MUTANTS", "20"))
_FEW = 20
_LEAST = 0.85
_REPORTED = ("is not on this node", "belongs to another node", "since the last reflect")
_SUBSCRIPT = re.compile(r"\[\s*([A-Za-z_]\w*)\s*(?:[-+]\s*\d+\s*)?\]")


def sources() -> list[Path]:
    """Right programs with halos; not those that say why the proofs do not follow theirs."""
    found = [p for p in [*PROGRAMS.glob("*.c"), *SUITE.glob("*.c"), TREE / "examples" / "heat.c"] if not header(p, "with") and not header(p, "unproved")]
    return sorted(p for p in found if "reflect" in p.read_text(encoding="latin-1"))


def lines_with(text: str, word: str) -> list[int]:
    return [k for k, line in enumerate(text.split("\n")) if re.match(rf"\s*#pragma xmp {word}", line)]


def offset(text: str, rng: random.Random) -> str | None:
    """One added to a subscript of a distributed array that is read."""
    aligned = " ".join(re.findall(r"#pragma xmp align (.*)", text))
    names = set(re.findall(r"[A-Za-z_]\w*", aligned)) - {"with", "shadow"}
    places = []
    for use in re.finditer(r"\b([A-Za-z_]\w*)((?:\[[^\[\]\n]*\])+)(?!\s*(?:=(?!=)|\[|;))", text):
        line = text[text.rfind("\n", 0, use.start()) + 1 : use.start()]
        if use.group(1) in names and "#" not in line and not re.match(r"\s*(?:int|double|float|long)\b", line):
            places += [use.start(2) + s.end() - 1 for s in _SUBSCRIPT.finditer(use.group(2))]
    at = rng.choice(places) if places else None
    return None if at is None else f"{text[:at]} + 1{text[at:]}"


def without_reflect(text: str, rng: random.Random) -> str | None:
    found = [k for k in lines_with(text, "reflect") if "reflect_init" not in text.split("\n")[k] and "async" not in text.split("\n")[k]]
    lines = text.split("\n")
    if found:
        lines[rng.choice(found)] = ""
    return "\n".join(lines) if found else None


def narrower(text: str, rng: random.Random) -> str | None:
    """A width of reflect or a shadow is one less."""
    places = [m.start() + d.start() for m in re.finditer(r"\bwidth\([^)\n]*\)|\bshadow (?:\w+ ?)?(?:\[[\d:]+\])+", text)
              for d in re.finditer(r"[1-9]", m.group())]
    at = rng.choice(places) if places else None
    return None if at is None else f"{text[:at]}{int(text[at]) - 1}{text[at + 1:]}"


def another_axis(text: str, rng: random.Random) -> str | None:
    places = [m for m in re.finditer(r"#pragma xmp loop.* on \w+\[([^\[\]]+)\]\[([^\[\]]+)\]", text) if m.group(1) != m.group(2)]
    if not places:
        return None
    m = rng.choice(places)
    return text[: m.start(1)] + m.group(2) + "][" + m.group(1) + text[m.end(2) :]


def drawn(number: int) -> tuple[str, str, list[int], list[str]] | None:
    """A mutant: its kind, its text, numbers of ranks, flags."""
    rng = random.Random(number)
    kind = (offset, without_reflect, narrower, another_axis)[number % 4]
    if rng.random() < 0.5:
        text = kind(program(number, 1, proved=True), rng)
        return None if text is None else (kind.__name__, text, [4, 3], [])
    path = rng.choice(sources())
    text = kind(path.read_text(encoding="latin-1"), rng)
    ranks = [int(n) for n in header(path, "ranks").split()] or [4]
    return None if text is None else (f"{kind.__name__} {path.name}", text, [n for n in ranks[::-1] if n > 1][:2], header(path, "flags").split())


def judged(xacc: Xacc, text: str, ranks: list[int], flags: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[bool, bool]:
    """A message at compile time; a report of --check, which the short tests assume where there is a message."""
    (xacc.folder / "program.c").write_text(text, encoding="latin-1")
    told = bool(re.search(r": (?:error|warning): ", xacc.cc("program.c", "--emit", "-o", "out.c", *flags).stderr))
    if told and _COUNT <= _FEW:
        return True, True
    with monkeypatch.context() as patch:
        patch.setattr("xacc.translate.prove", lambda *_: None)
        built = xacc.cc("program.c", "-o", "program", "--check", "-O0", *flags)
    reported = built.returncode == 0 and any(word in xacc.run("./program", n).stderr for n in ranks for word in _REPORTED)
    return told, reported


def test_what_check_reports_is_told_at_compile_time(xacc: Xacc, monkeypatch: pytest.MonkeyPatch) -> None:
    reported, missed = 0, []
    mutants = [m for number in range(2 * _COUNT) if (m := drawn(number)) is not None][:_COUNT]
    for kind, *one in mutants:
        told, bad = judged(xacc, *one, monkeypatch)
        reported += bad
        missed += [kind] if bad and not told else []
    print(f"{reported} of {len(mutants)} are reported by --check, without a message before: {missed}")
    assert reported > _COUNT / 4 and len(missed) <= (1 - _LEAST) * reported, missed
