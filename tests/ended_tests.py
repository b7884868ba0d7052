"""A pytest plugin: --ended FILE gets one line a test as soon as the test ends. A run that is cut off counts, too.

Lines: `collected<TAB>N`, then `passed|failed|skipped<TAB>TEST`. With pytest-xdist the first worker writes how many
tests there are, and the process that started the workers writes their results.
"""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--ended", metavar="FILE", help="file that gets one line for each test that ended")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--ended"):
        worker = getattr(config, "workerinput", {}).get("workerid")  # of pytest-xdist
        config.pluginmanager.register(_Ended(Path(config.getoption("--ended")), worker), "ended tests")


class _Ended:
    def __init__(self, file: Path, worker: str | None) -> None:
        self._file, self._worker = file, worker

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if self._worker in (None, "gw0"):
            self._write("collected", str(len(session.items)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self._worker is None and (report.when == "call" or report.outcome != "passed"):
            self._write(report.outcome, report.nodeid)

    def _write(self, *words: str) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write("\t".join(words) + "\n")
