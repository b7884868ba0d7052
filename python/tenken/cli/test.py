"""`tenken test`: runs the tests of Tenken itself and counts them."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from tenken.cli import here, options, places, test_part, test_times
from tenken.cli.progress import Progress
from tenken.cli.test_steps import CI, LONG, PLAIN, Context, Counts, Step
from tenken.model.errors import TenkenError


def main(arguments: Sequence[str]) -> int:
    """The word `test`; returns 0 where tests ran and all passed, else 1. The last line has the counts."""
    parser = options.Parser("test", "Run Tenken's own tests.")
    parser.add_argument("--ci", action="store_true", help="in a clean root, and with Clang, MPICH, sanitizers, fuzzers and lint")
    parser.add_argument("--all", action="store_true", help="with --ci: all tests in every build, not only those of what "
                        f"changed in the last {test_part.COMMITS} commits and a third of the others")
    parser.add_argument("--long", action="store_true", help="the proofs that take hours, instead")
    parser.add_argument("--check", metavar="NAME", help="only the tests of this check")
    parser.add_argument("--only", metavar="STEP", help="only steps whose name holds STEP")
    parser.add_argument("--times", metavar="FILE", help="write the page of times by step and check into FILE")
    typed = parser.parse(arguments)
    steps = LONG if typed.long else CI if typed.ci else PLAIN
    progress = Progress()
    if typed.check:
        typed.check = here.find_check(typed.check, progress)
        steps = tuple(step for step in (PLAIN + CI if typed.ci else steps) if step.by_check)
    if typed.only:
        steps = tuple(step for step in steps if typed.only in step.name)
    context = Context(places.TREE, places.TREE / "build" / "test", progress, typed.check, typed.all)
    context.folder.mkdir(parents=True, exist_ok=True)
    total = _run(steps, context)
    _write_times(context, typed, arguments)
    for name in total.failures:
        print(f"FAILED {name}")
    if total.failures:
        print(f"logs in {context.folder}")
    if total.passed + total.failed == 0:
        print("no test was executed")
    print(total)
    return 0 if total.passed and not total.failed else 1


def _run(steps: Sequence[Step], context: Context) -> Counts:
    total = Counts()
    for step in steps:
        context.progress(f"test     {step.name} ...", False)
        start = time.monotonic()
        with context.clock.step(step.name):
            try:
                counts = step.run(context)
            except TenkenError as error:
                counts = Counts(failed=1, failures=(f"{step.name}: {error}",))
        context.progress(f"test     {step.name}: {counts} ({time.monotonic() - start:.0f} s)")
        total += counts
    return total


def _write_times(context: Context, typed: argparse.Namespace, arguments: Sequence[str]) -> None:
    """times.json beside the logs, where a CI around this one finds it, and the page."""
    test_times.write(context.folder, context.clock.steps)
    page = test_times.page(
        " ".join(["./tenken test", *arguments]), test_part.changed_paths(context.tree)[0], context.clock.steps, context.spent,
        test_times.stated(context.tree),
    )
    for path in (context.folder / "times.md", *([Path(typed.times)] if typed.times else [])):
        try:
            path.write_text(page, encoding="utf-8")
        except OSError as error:
            advice = "name a file in a folder that is there"
            raise TenkenError(f"--times {path}: cannot be written ({error.strerror}); {advice}.") from None
