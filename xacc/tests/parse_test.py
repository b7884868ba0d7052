"""The parser of directives on anything: a directive or a sentence, never an exception."""

from __future__ import annotations

import os
import random
from pathlib import Path

from xacc.messages import Messages
from xacc.find import parse_all
from xacc.text import Source

from xacc_harness import PROGRAMS

_COUNT = int(os.environ.get("XACC_FUZZ", "1500"))


def test_damaged_directives() -> None:
    rng = random.Random(1)
    lines = [line for path in sorted(PROGRAMS.glob("*.c")) for line in path.read_text(encoding="utf-8").splitlines() if "#pragma xmp" in line]
    words = ["(", ")", "[", "]", ":", "::", "*", ",", "/", "/periodic/", "\\\n", "/*", "//", '"', "'", "\xe9", "on", "=", "0x", "&&", ""]
    refused = 0
    for _ in range(_COUNT):
        text = rng.choice(lines)
        for _ in range(rng.randint(1, 4)):
            at, to = sorted((rng.randint(8, len(text)), rng.randint(8, len(text))))
            text = rng.choice((text[:at] + rng.choice(words) + text[at:], text[:at] + text[min(to, at + 5):], text[:to] + text[at:], text[:at]))
        messages = Messages()
        source = Source(Path("x.c"), "x.c", text)
        parse_all(source, messages, [], {})
        refused += messages.failed
        messages.render(False)
        messages.render(True)
    assert refused > _COUNT // 4
