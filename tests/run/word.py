"""The word `test`: runs the tests of Tenken itself and counts them."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from run import choice, cost, wall_time
from run.root import Root
from run.steps import CI, CLEAN_ROOT, LONG, PLAIN, Context, Counts, Step
from tenken.base.errors import TenkenError
from tenken.cli import here, options
from tenken.cli.places import TREE
from tenken.cli.terminal import Progress
from tenken.store.checkfile import read_check


def main(arguments: Sequence[str]) -> int:
    """Returns 0 where tests ran and all passed, else 1. The last line has the counts."""
    parser = options.Parser("test", "Run Tenken's own tests.")
    parser.add_argument("--ci", action="store_true", help="in a clean root, and with Clang, MPICH, sanitizers, fuzzers and lint")
    parser.add_argument("--all", action="store_true", help="with --ci: run all tests in every build, not only "
                        f"tests of changes in the last {choice.COMMITS} commits")
    parser.add_argument("--budget", metavar="MINUTES", type=float, default=wall_time.MINUTES,
                        help="with --ci: wall time (default %(default)g) in which tests of unchanged checks run")
    parser.add_argument("--long", action="store_true", help="the proofs that take hours, instead")
    parser.add_argument("--check", metavar="NAME", help="only the tests of this check")
    parser.add_argument("--only", metavar="STEP", help="only steps whose name contains STEP")
    parser.add_argument("--times", metavar="FILE", help="write the page of times by step and check into FILE")
    typed = parser.parse(arguments)
    if not 0 <= typed.budget < float("inf"):
        raise TenkenError(f"--budget {typed.budget:g}: expected minutes, 0 or more; give a number such as 60.")
    steps = LONG if typed.long else CI if typed.ci else PLAIN
    progress = Progress()
    if typed.check:
        typed.check = here.find_check(typed.check, progress)
        read_check(TREE / "checks" / typed.check)  # a wrong check.toml is refused before anything is built
        steps = tuple(step for step in (PLAIN + CI if typed.ci else steps) if step.by_check)
    if typed.only:
        steps = tuple(step for step in steps if typed.only in step.name)
    root = Root(TREE)
    context = Context(TREE, TREE / "build" / "test", progress, typed.check, typed.all, root=root,
                      budget=wall_time.Budget(typed.budget))
    context.folder.mkdir(parents=True, exist_ok=True)
    if any(step.name == CLEAN_ROOT for step in steps):
        root.start()
    try:
        with wall_time.ended_in_order():
            total = _run(steps, context, limited=typed.ci)
    finally:
        root.drop()
    _write_times(context, typed, arguments)
    for name in total.failures:
        print(f"FAILED {name}")
    if total.failures:
        print(f"logs in {context.folder}")
    if total.passed + total.failed == 0:
        print("no test was executed")
    print(total)
    return 0 if total.passed and not total.failed else 1


def _run(steps: Sequence[Step], context: Context, limited: bool) -> Counts:
    """The steps that must run in their order; then, with `limited`, those that are drawn, while the budget lasts."""
    if not limited:
        return sum((_run_step(step, context, float("inf"), must=True) for step in steps), Counts())
    commit, changed = choice.changed_paths(context.tree)
    must = [step for step in steps
            if context.everything or not step.concerns or choice.concern(changed, step.concerns)]
    total, left_out = Counts(), []
    for step in must:
        total += _run_step(step, context, context.budget.left_s(must=True), must=True)
    context.drawn.extend(step for step in steps if step not in must)
    for step in choice.drawn(commit, context.drawn, lambda step: step.name):
        counts = _run_step(step, context, context.budget.left_s(must=False), must=False)
        left_out += [step.name] if counts.cut_off else []
        total += counts
    if left_out:
        names = ", ".join(left_out)
        context.progress(f"test     left out, the budget of {context.budget.minutes:g} minutes is used: {names}")
    return total


def _run_step(step: Step, context: Context, seconds: float, must: bool) -> Counts:
    """Counts of a step, which has `seconds`. A step that is cut off is a failure where it must run."""
    if seconds <= 0:
        counts = Counts(cut_off=(f"{step.name}: not run, no time was left",))
    else:
        context.progress(f"test     {step.name} ...", False)
        start = time.monotonic()
        with context.clock.step(step.name):
            counts = _in_time(step, context, seconds)
        context.progress(f"test     {step.name}: {counts} ({time.monotonic() - start:.0f} s)")
    if must and counts.cut_off:
        counts += Counts(failed=len(counts.cut_off), failures=counts.cut_off)
    return counts


def _in_time(step: Step, context: Context, seconds: float) -> Counts:
    try:
        with wall_time.limited(seconds):
            return step.run(context)
    except TenkenError as error:
        return Counts(failed=1, failures=(f"{step.name}: {error}",))
    except wall_time.TimeUp:
        return Counts(cut_off=(f"{step.name}: ended because its time was up",))


def _write_times(context: Context, typed: argparse.Namespace, arguments: Sequence[str]) -> None:
    """times.json beside the logs, where a CI around this run reads it, and the page."""
    cost.write(context.folder, context.clock.steps)
    page = cost.page(
        " ".join(["./tenken test", *arguments]), choice.changed_paths(context.tree)[0], context.clock.steps, context.spent,
        cost.stated(context.tree),
    )
    for path in (context.folder / "times.md", *([Path(typed.times)] if typed.times else [])):
        try:
            path.write_text(page, encoding="utf-8")
        except OSError as error:
            advice = "name a file in a folder that is there"
            raise TenkenError(f"--times {path}: cannot be written ({error.strerror}); {advice}.") from None
