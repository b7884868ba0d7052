"""`tenken node-check`: a few very short checks of this node alone, by hand, from cron or in a Slurm prolog."""

from __future__ import annotations

import json
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tenken.cli import options
from tenken.launch import scratch
from tenken.launch.limited import Ended, began, end_by
from tenken.model.health import Extent
from tenken.report import plugin_line

WHOLE = Extent("node", 0.8, 30.0, 2.0, "node-cards")
PROLOG = Extent("prolog", 0.3, 5.0, 1.5)


def main(arguments: Sequence[str]) -> int:
    """The word `node-check`; exit codes of monitoring plugins, with --prolog 1 only where a drain rule is met."""
    begin = began()
    parser = options.Parser(
        "node-check", "Is this node fit for work? Ends within 30 s. Prints OK, WARNING, CRITICAL or UNKNOWN "
        "(exit code 0 to 3) with one cause, and details on the lines after it. "
        "UNKNOWN: other load or lack of time left a case unjudged. "
        "Uses the newest build; ./tenken build makes one.",
    )
    parser.add_argument(
        "--prolog", action="store_true",
        help="end within 5 s; exit code 1 where a rule of [drain] in config.toml is met, else 0",
    )
    options.add_machine(parser)
    prolog = "--prolog" in arguments
    try:
        typed = parser.parse(arguments)
        return _within(PROLOG if prolog else WHOLE, begin, typed.machine, prolog)
    except Exception as error:  # noqa: BLE001  # a prolog that fails drains the node
        if not prolog:
            raise
        print(f"tenken: node-check did not work, the node goes on: {error}", file=sys.stderr)
        return 0


def _within(extent: Extent, begin: float, machine: str | None, prolog: bool) -> int:
    """Measure in a folder that is removed, and print the answer, or UNKNOWN where there is none in time."""
    host = platform.node() or "this node"
    unknown_code = 0 if prolog else plugin_line.UNKNOWN
    try:
        place = Path(tempfile.mkdtemp(prefix="tenken-node-check-"))
    except OSError as error:
        print(plugin_line.unknown(host, f"cannot make a temporary folder: {error.strerror or error}")[0], flush=True)
        return unknown_code

    def work(step: Callable[[str], None]) -> tuple[str, int]:
        from tenken.cli import node_measure  # in the child alone: on a busy node its imports take seconds

        try:
            do = node_measure.drained if prolog else node_measure.checked
            return do(host, machine, extent, begin, step, place)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def say(ended: Ended) -> None:
        text = ended.answer[0] if ended.answer else plugin_line.unknown(host, _why(ended, extent))[0]
        if text:
            print(text, flush=True)

    ended = end_by(begin + extent.limit_s - extent.ending_s, work, say)
    for path in place.glob("*/launches/*/started.json"):
        try:
            scratch.remove(json.loads(path.read_text(encoding="utf-8"))["id"])
        except (OSError, ValueError, LookupError, TypeError):
            pass
    shutil.rmtree(place, ignore_errors=True)
    return ended.answer[1] if ended.answer else unknown_code


def _why(ended: Ended, extent: Extent) -> str:
    """Why there is no answer."""
    if ended.cause.startswith("error: "):
        return ended.cause.removeprefix("error: ")
    during = f" during {ended.step}" if ended.step else " before the first launch"
    if ended.cause == "time":
        limit = f"the time limit of {extent.limit_s:g} s was reached{during}"
        return f"{limit}: the node is busy, or a file system does not answer"
    return f"stopped by {ended.cause}{during}"
