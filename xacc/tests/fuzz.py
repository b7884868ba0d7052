"""Fuzzing of the compiler: `fuzz.py SECONDS [SEED]`. Directives and whole programs of the tests, mutated, must be translated or refused with a
sentence; anything else is printed with its seed, and ends with code 1.
"""

from __future__ import annotations

import os
import random
import re
import sys
import tempfile
import time
import traceback
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TREE / "src"))

from xacc.driver import parse_flags, read_arguments  # noqa: E402
from xacc.find import parse_all, structural_macros  # noqa: E402
from xacc.messages import Messages, XaccError  # noqa: E402
from xacc.text import Source  # noqa: E402
from xacc.translate import Options, translate  # noqa: E402

_TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)
_WORDS = ("(", ")", "[", "]", "*", ":", "::", ",", "/", "=", "\\\n", "\n", '"', "'", "/*", "//", "0", "-1", "99999999999", "i", "p", "t", "a", "on", "onto",
          "with", "from", "width", "/periodic/", "/unbound/", "async(1)", "reduction(+:", "block", "cyclic(", "gblock(", "#pragma xmp ", "[:]", "[0:3]", "[::-1]",
          "gmove", "array on t[:]", "template_fix", "#if 0\n", "\xe4", "\0")
_PROGRAMS_EVERY = 20  # one whole program for so many sets of directives


def seeds() -> list[str]:
    files = [*sorted((TREE / "tests" / "programs").glob("*.c")), *sorted((TREE / "tests" / "suite").glob("*.c"))]
    return [p.read_text(encoding="latin-1") for p in files]


def mutated(text: str, others: list[str], chance: random.Random) -> str:
    tokens = _TOKEN.findall(text)
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        if not tokens:
            return chance.choice(_WORDS)
        at = chance.randrange(len(tokens))
        what = chance.randrange(6)
        if what == 0:
            del tokens[at : at + chance.choice((1, 1, 2, 5, 50))]
        elif what == 1:
            tokens.insert(at, chance.choice(_WORDS))
        elif what == 2:
            tokens[at] = chance.choice(tokens)
        elif what == 3:
            tokens[at : at + 1] = [tokens[at]] * chance.choice((2, 3, 40))
        elif what == 4:
            other = _TOKEN.findall(chance.choice(others))
            start = chance.randrange(len(other))
            tokens[at:at] = other[start : start + chance.randrange(1, 12)]
        elif tokens[at]:
            n = chance.randrange(len(tokens[at]))
            tokens[at] = tokens[at][:n] + chr(chance.randrange(1, 256)) + tokens[at][n + 1 :]
    return "".join(tokens)


def mutated_program(text: str, texts: list[str], lines: list[str], chance: random.Random) -> str:
    """Anywhere; or, so that the C stays C, in one directive."""
    found = list(re.finditer(r"#pragma xmp.*", text))
    if not found or chance.random() < 0.4:
        return mutated(text, texts, chance)
    one = chance.choice(found)
    return text[: one.start()] + mutated(one.group(), lines, chance) + text[one.end() :]


def directives(text: str) -> None:
    source = Source(Path("fuzz.c"), "fuzz.c", text)
    messages = Messages()
    parse_all(source, messages, [], structural_macros([source.blank]))
    messages.render(False)
    messages.render(True)


def program(text: str, folder: Path, flags: tuple[str, ...], chance: random.Random) -> None:
    path = folder / "fuzz.c"
    path.write_bytes(text.encode("latin-1"))
    options = Options(chance.random() < 0.7, chance.random() < 0.3, chance.random() < 0.3, chance.random() < 0.3, flags)
    messages = Messages()
    try:
        translate([Source.read(path)], options, messages)
    except XaccError:
        return
    messages.render(False)


def main(seconds: float, seed: int) -> int:
    chance, texts = random.Random(seed), seeds()
    lines = [line for text in texts for line in re.findall(r"#pragma xmp.*", text)]
    flags = tuple(parse_flags(read_arguments([str(TREE / "examples" / "heat.c")]), dict(os.environ)))
    end, rounds, wholes, worst = time.monotonic() + seconds, 0, 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            rounds += 1
            whole = rounds % _PROGRAMS_EVERY == 0
            text = mutated_program(chance.choice(texts), texts, lines, chance) if whole else "\n".join(mutated(chance.choice(lines), lines, chance) for _ in range(5))
            start = time.monotonic()
            try:
                if whole:
                    wholes += 1
                    program(text, Path(folder), flags, chance)
                else:
                    directives(text)
            except Exception:  # whatever is no sentence is a fault of the compiler
                traceback.print_exc()
                print(f"seed {seed}, round {rounds}:\n{text}")
                return 1
            worst = max(worst, time.monotonic() - start)
    print(f"{rounds} rounds, {wholes} of them whole programs; the slowest took {worst:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
