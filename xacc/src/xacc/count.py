"""xacc count: lines of source by kind, and what a parallel program changes in a serial one."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from xacc.messages import XaccError
from xacc.text import matching, without_comments

RULE = """Rule: comments and white space are taken out; lines that are empty then, or have only braces and semicolons, are not counted.
A directive that is continued counts as the lines that it takes. XACC: an xmp directive with the clause acc. MPI: a line that
names an MPI function. DSLOC: longest-match difference of these lines, files in the order given; of a run of n lines replaced
by m, min(n, m) are modified and the rest is added or deleted. Edited subscripts: those of deleted and modified lines that the
lines in their place do not have."""

KINDS = ("XMP", "XACC", "OpenACC", "OpenMP", "MPI", "other")
_DIRECTIVE = re.compile(r"#pragma(xmp|acc|omp)", re.IGNORECASE)
_CLAUSE_ACC = re.compile(r"\bacc\b")


@dataclass(frozen=True, slots=True)
class Line:
    """A counted line: its text without white space, what it is, and whether it is the first line of its directive."""

    text: str
    kind: str
    first: bool


def is_directive(line: Line) -> bool:
    return line.kind not in ("MPI", "other")


def read_lines(path: Path) -> list[Line]:
    """The counted lines of a file."""
    try:
        text = path.read_bytes().decode("latin-1")
    except OSError as error:
        raise XaccError(f"{path} cannot be read ({error.strerror}); give the name of a C file.") from None
    found, physical, at = [], without_comments(text).splitlines(), 0
    while at < len(physical):
        end = at
        while physical[end].rstrip().endswith("\\") and end + 1 < len(physical):
            end += 1
        logical = physical[at : end + 1]
        kind = _kind("".join(logical)) if logical[0].lstrip().startswith("#") else ""
        for n, line in enumerate(logical):
            squeezed = re.sub(r"\s", "", line)
            if squeezed.strip("{};"):
                found.append(Line(squeezed, kind or _kind(line), n == 0))
        at = end + 1
    return found


def _kind(text: str) -> str:
    directive = _DIRECTIVE.match(re.sub(r"\s", "", text))
    if not directive:
        return "MPI" if re.search(r"\bMPI_\w+\s*\(", text) else "other"
    word = directive.group(1).lower()
    clause = word == "xmp" and _CLAUSE_ACC.search(text.split("xmp", 1)[-1])
    return "XACC" if clause else {"xmp": "XMP", "acc": "OpenACC", "omp": "OpenMP"}[word]


def subscripts(text: str) -> Counter[str]:
    """How often each subscript expression occurs, nested ones too; white space is gone already."""
    closes = ((at, matching(text, at)) for at, character in enumerate(text) if character == "[")
    return Counter(text[at + 1 : close if close > 0 else len(text)] for at, close in closes)


@dataclass(frozen=True, slots=True)
class Difference:
    added: int
    deleted: int
    modified: int
    directives: int  # of the added lines
    edited: int  # subscripts

    @property
    def lines(self) -> int:
        return self.added + self.deleted + self.modified


def difference(serial: list[Line], parallel: list[Line]) -> Difference:
    """What it takes to come from the one to the other."""
    added = deleted = modified = directives = edited = 0
    matcher = SequenceMatcher(None, [x.text for x in serial], [x.text for x in parallel], autojunk=False)
    for what, a, b, c, d in matcher.get_opcodes():
        if what == "equal":
            continue
        old, new = serial[a:b], parallel[c:d]
        both = min(len(old), len(new))
        modified += both
        deleted += len(old) - both
        added += len(new) - both
        directives += max(0, sum(map(is_directive, new)) - sum(map(is_directive, old)))
        gone = subscripts("".join(x.text + "\n" for x in old)) - subscripts("".join(x.text + "\n" for x in new))
        edited += sum(gone.values())
    return Difference(added, deleted, modified, directives, edited)


def count(arguments: list[str]) -> int:
    """xacc count FILE, or SERIAL PARALLEL; each may be several files joined by commas."""
    if len(arguments) not in (1, 2) or any(a.startswith("-") for a in arguments):
        raise XaccError("count needs one program or two: xacc count SERIAL.c PARALLEL.c (several files of one: a.c,b.c).")
    programs = [[line for name in a.split(",") for line in read_lines(Path(name))] for a in arguments]
    width = max(len(a) for a in arguments)
    print(f"{'':{width}}  {'SLOC':>6} " + " ".join(f"{k:>8}" for k in KINDS) + " directives")
    for name, lines in zip(arguments, programs, strict=True):
        kinds = Counter(x.kind for x in lines)
        whole = sum(x.first and is_directive(x) for x in lines)
        print(f"{name:{width}}  {len(lines):6} " + " ".join(f"{kinds[k]:8}" for k in KINDS) + f" {whole:10}")
    if len(programs) == 2:
        d = difference(*programs)
        print(f"DSLOC {d.lines}: {d.added} added ({d.directives} of directives), {d.deleted} deleted, {d.modified} modified; "
              f"{d.edited} subscripts edited")
    print(RULE)
    return 0
