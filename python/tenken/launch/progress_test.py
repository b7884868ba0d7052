"""What is reported of a launch whose time is over, by the processor time that its ranks had."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tenken.launch import local
from tenken.launch.local import Progress


class _Waited:
    """Ranks that waited for a part of the time, for processors that others used or not."""

    def __init__(self, share: float, others: bool) -> None:
        self._share, self._others, self.seconds = share, others, 0.0

    def look(self, now: float, pids: object) -> None: ...

    def share(self) -> float:
        return self._share

    def by_others(self) -> bool:
        return self._others

    @property
    def known(self) -> bool:
        return True


def overdue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: float, others: bool, timeout_s: float = 30.0) -> tuple[
    str, str, float | None
]:
    monkeypatch.setattr(local, "Waiting", lambda mark: _Waited(share, others))
    seen = Progress(tmp_path, "id", 0.5)
    seen._pace._last = seen._pace._begin = type(seen._pace._last)(time.monotonic() - 100, time.monotonic() - 100)
    return seen.overdue(timeout_s, 30.0)


@pytest.mark.parametrize(("share", "others", "status"), [
    (0.97, True, "starved"), (0.5, True, "starved"), (0.49, True, "hung"), (0.97, False, "hung"), (0.0, False, "hung"),
])
def test_ranks_that_waited_for_processors_of_others_are_not_hung(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: float, others: bool, status: str
) -> None:
    found, why, needs_s = overdue(tmp_path, monkeypatch, share, others)
    assert found == status and why.startswith("no end within 30 s")
    assert (needs_s is not None) == (status == "starved")


def test_the_time_that_it_needs_gives_it_the_processor_time_of_its_time_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, why, needs_s = overdue(tmp_path, monkeypatch, 0.97, True)
    assert needs_s == 1000.0 and why.endswith("under this load the launch needs up to 1000 s")


def test_a_second_launch_that_had_enough_processor_time_is_hung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert overdue(tmp_path, monkeypatch, 0.6, True, timeout_s=75.0)[0] == "hung"  # it had 30 s
    assert overdue(tmp_path, monkeypatch, 0.9, True, timeout_s=75.0)[0] == "starved"  # it had 7.5 s
