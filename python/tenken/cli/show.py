"""`tenken show RUN`: judge a run again and print the answer; nothing is written."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.cli import answer, options, places
from tenken.cli.terminal import Progress
from tenken.store.runfolder import RunFolder, find_run


def main(arguments: Sequence[str]) -> int:
    """The word `show`; returns the exit code of the verdict."""
    parser = options.Parser("show", "Judge a run again and print the answer.")
    parser.add_argument("run", nargs="?", default="last", metavar="RUN", help="path, unique prefix or last (default)")
    options.add_runs(parser)
    options.add_baselines(parser)
    options.add_all(parser)
    typed = parser.parse(arguments)
    folder = RunFolder(find_run(places.runs(typed.runs), typed.run))
    return answer.show(
        folder, Progress(), places.baselines(typed.baselines), everything=typed.all, as_json=typed.json
    )
