"""`tenken test`: runs the tests of Tenken itself and counts them."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.cli import options, places
from tenken.cli.progress import Progress
from tenken.cli.test_steps import CI, LONG, PLAIN, Context, Counts
from tenken.model.errors import TenkenError


def main(arguments: Sequence[str]) -> int:
    """The word `test`; returns 0 where tests ran and all passed, else 1. The last line has the counts."""
    parser = options.Parser("test", "Run Tenken's own tests.")
    parser.add_argument("--ci", action="store_true", help="in a clean root, and with Clang, MPICH, sanitizers, fuzzers and lint")
    parser.add_argument("--long", action="store_true", help="the proofs that take hours, instead")
    parser.add_argument("--only", metavar="STEP", help="only steps whose name holds STEP")
    typed = parser.parse(arguments)
    steps = LONG if typed.long else CI if typed.ci else PLAIN
    if typed.only:
        steps = tuple(step for step in steps if typed.only in step.name)
    progress = Progress()
    context = Context(places.TREE, places.TREE / "build" / "test", progress)
    context.folder.mkdir(parents=True, exist_ok=True)
    total = Counts()
    for step in steps:
        progress(f"test     {step.name} ...", False)
        try:
            counts = step.run(context)
        except TenkenError as error:
            counts = Counts(failed=1, failures=(f"{step.name}: {error}",))
        progress(f"test     {step.name}: {counts}")
        total += counts
    for name in total.failures:
        print(f"FAILED {name}")
    if total.failures:
        print(f"logs in {context.folder}")
    if total.passed + total.failed == 0:
        print("no test was executed")
    print(total)
    return 0 if total.passed and not total.failed else 1
