"""`tenken report RUN`: write results.json, report.html and junit.xml of a run again."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.cli import answer, options, places
from tenken.cli.terminal import Progress
from tenken.store.runfolder import RunFolder, find_run


def main(arguments: Sequence[str]) -> int:
    """The word `report`; returns 0 where the files were written."""
    parser = options.Parser("report", "Write the report files of a run again and print where they are.")
    parser.add_argument("run", nargs="?", default="last", metavar="RUN", help="path, unique prefix or last (default)")
    parser.add_argument("--prometheus", action="store_true", help="print the metrics as Prometheus text instead")
    options.add_runs(parser)
    options.add_baselines(parser)
    typed = parser.parse(arguments)
    folder = RunFolder(find_run(places.runs(typed.runs), typed.run))
    assessment = answer.assess(folder.read(), places.baselines(typed.baselines))
    if typed.prometheus:
        from tenken.report.prometheus import prometheus

        print(prometheus(assessment), end="")
        return 0
    progress = Progress()
    progress("report   drawing ...", False)
    page = answer.write(assessment, folder.path, progress)
    progress.clear()
    for name in ("report.html",) * page + ("results.json", "junit.xml"):
        print(folder.path / name)
    return 0
