"""What other nodes can reach while a launch runs on one node: nothing. Seen from the namespace of the host."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tenken.launch import environment as environments, local, processes
from tenken.launch.build import built_already
from tenken.launch.command import command
from tenken.launch.plan import new_launch
from tenken.launch.supervised import Supervised
from tenken.model.check import Case
from tenken.model.run import Launch, RankState

TREE = Path(__file__).resolve().parent.parent
ID = "00112233445566{:02x}"
NAMESPACES = subprocess.run(["unshare", "--net", "true"], check=False, capture_output=True).returncode == 0
FLAVOURS = [flavour for flavour in sorted({one.mpi.flavour for one in environments.available({})})
            if built_already(TREE, environments.select(flavour, {})).program("fma_peak").exists()]


def listeners(pids: set[int], of: int | str = "self") -> dict[str, set[int]]:
    """Address -> the processes among `pids` that listen there, in the network namespace of process `of`; written anew."""
    rows = [line.split() for kind in ("tcp", "tcp6") for line in Path(f"/proc/{of}/net/{kind}").read_text().splitlines()[1:]]
    owners: dict[str, set[int]] = {}
    for pid in pids:
        for link in Path(f"/proc/{pid}/fd").iterdir():
            if found := re.fullmatch(r"socket:\[(\d+)\]", os.readlink(link)):
                owners.setdefault(found[1], set()).add(pid)
    return {row[1]: owners[row[9]] for row in rows if row[3] == "0A" and row[9] in owners}


class Seen:
    """What listens while a launch of two ranks runs, by address."""

    def __init__(self, folder: Path, flavour: str, number: int) -> None:
        self.everything: dict[str, set[int]] = {}
        self.inside: dict[str, set[int]] = {}
        self.ranks: set[int] = set()
        self.exposed: list[tuple[int, ...]] = []
        self.id = ID.format(number)
        environment = environments.select(flavour, {})
        case = Case("fma_peak", "two", "best", {"seconds": 30.0}, 2, 1, 1, 60.0)  # until it was looked at
        words = command(case, built_already(TREE, environment).program("fma_peak"), environment, folder)
        launch = Launch(1, "fma_peak:two", "planned", new_launch(1, "fma_peak:two").folder, id=self.id)
        self.ended = local.run_launch(launch, words, folder, 60.0, lambda: "SIGTERM" if self.ranks else None,
                                      watcher=self.look, exposed=self.exposed.append)
        assert self.ended.status == "interrupted", self.ended

    def look(self, ranks: tuple[RankState, ...]) -> None:
        if len(ranks) == 2 and not self.ranks and all(rank.state == "timing" for rank in ranks):
            pids = set(processes.of_launch(self.id))
            self.ranks = {rank.pid for rank in ranks}
            assert self.ranks < pids
            self.everything = listeners(pids)
            self.inside = listeners(pids, min(self.ranks))


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_nothing_can_be_reached(tmp_path: Path, flavour: str) -> None:
    if not NAMESPACES:
        pytest.skip("network namespaces are not permitted here")
    seen = Seen(tmp_path, flavour, 1)
    assert seen.ranks and seen.everything == {} and seen.exposed == []
    assert seen.inside, "the launcher itself listens, where nobody comes"


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_without_a_namespace_ranks_open_nothing_and_the_launchers_port_is_named(
    tmp_path: Path, flavour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_to_all(*words: object) -> Supervised:
        return Supervised(*words[:4], False, *words[5:])

    monkeypatch.setattr(local, "Supervised", open_to_all)
    seen = Seen(tmp_path, flavour, 2)
    outside = {address: pids for address, pids in seen.everything.items() if not address.startswith("0100007F:")}
    assert outside and seen.ranks
    # A rank of MPICH holds the launcher's own socket too, which it was started with; none has one of its own.
    assert all(pids - seen.ranks for pids in outside.values()), outside
    assert seen.exposed == [tuple(sorted({int(address.split(":")[1], 16) for address in outside}))]


def test_loopback_is_told_from_the_rest() -> None:
    loopback = ("0100007F", "0200007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F")
    others = ("00000000", "0A01007E", "00000000000000000000000000000000", "0000000000000000FFFF00000A01A8C0")
    assert all(local._LOOPBACK.fullmatch(one) for one in loopback)
    assert not any(local._LOOPBACK.fullmatch(one) for one in others)
