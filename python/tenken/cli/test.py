"""`tenken test`: the door to Tenken's own tests, which lie in its source tree (tests/run)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from tenken.base.errors import TenkenError
from tenken.cli.places import TREE

TESTS = TREE / "tests"


def main(arguments: Sequence[str]) -> int:
    """The word `test`; its exit code is that of the tests."""
    if not (TESTS / "run").is_dir():
        raise TenkenError(f"{TESTS.parent} is an installed Tenken without tests; run ./tenken test in a tree of its sources.")
    sys.path.insert(0, str(TESTS))
    answer: int = importlib.import_module("run.word").main(arguments)
    return answer
