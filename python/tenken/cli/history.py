"""`tenken history METRIC`: a figure through time."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tenken.cli import options, places


def main(arguments: Sequence[str]) -> int:
    """The word `history`; returns 0."""
    parser = options.Parser("history", "A figure through time: over accepted sittings and all runs of the run folder.")
    parser.add_argument(
        "metric", metavar="METRIC",
        help="check:case/metric or check:case/time:section, or a unique part, such as all_cores/triad",
    )
    parser.add_argument("--svg", metavar="FILE", help="draw it into FILE")
    parser.add_argument("--html", metavar="FILE", help="write it as a page into FILE")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    options.add_runs(parser)
    options.add_baselines(parser)
    typed = parser.parse(arguments)
    from tenken.history.series import histories
    from tenken.report.plain import plain
    from tenken.store.checkfile import load_checks

    checks = load_checks([places.TREE / "checks"])
    drawn, notes = histories(typed.metric, places.runs(typed.runs), places.baselines(typed.baselines), checks)
    if typed.svg:
        from tenken.report.draw.history import history

        Path(typed.svg).write_text(history(drawn), encoding="utf-8")
    if typed.html:
        from tenken.report.html import history_page

        Path(typed.html).write_text(history_page(drawn), encoding="utf-8")
    if typed.json:
        from tenken.store.files import to_plain

        print(json.dumps({"histories": [to_plain(history) for history in drawn], "notes": notes}, indent=1))
    else:
        from tenken.report import compared

        ascii_only = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
        print("\n\n".join("\n".join(compared.lines(history, ascii_only)) for history in drawn))
    for note in notes:
        print(f"note     {plain(note)}", file=sys.stderr)
    return 0
