"""The program as a whole with made-up cards in memory of the host: every path copies right, faults, bad input."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from programs import Lines, Program, failed_proofs, run_all, table

SMALL = ["--size", "8200", "--repetitions", "2"]  # pages of words and a part of one


def on_host(program: Program, cards: int) -> Program:
    os.environ["FAKE_CARDS"] = str(cards)
    return replace(program, path=str(Path(program.path).with_name("gpu_paths_cuda_on_host")))


def cells(lines: Lines, name: str) -> list[float | None]:
    return [cell for row in table(lines, name)["values"] for cell in row]


def test_all_paths_of_all_cards_are_right(program: Program) -> None:
    for cards in (1, 2, 5):
        lines = on_host(program, cards).proved(1, SMALL)
        paths = cells(lines, "paths")
        assert len(paths) == 5 * cards and all(rate is not None and rate > 0 for rate in paths), paths
        assert all(time is not None and time >= 0 for time in cells(lines, "latency"))
        names = {line["name"] for line in lines if line["type"] == "table"}
        assert ("pairs" in names) == (cards > 1), names
        for name in ("pairs", "exchanges", "peers") if cards > 1 else ():
            square = cells(lines, name)
            assert [cell is None for cell in square] == [i % (cards + 1) == 0 for i in range(cards * cards)], (name, square)
        if cards > 1:
            assert {cell for cell in cells(lines, "peers") if cell is not None} == {0}


def test_faults(program: Program) -> None:
    four = on_host(program, 4)
    assert failed_proofs(four.record(1, [*SMALL, "--fault", "wrong_byte"])) == {"bytes"}
    peers = table(four.proved(1, [*SMALL, "--fault", "peer_off"]), "peers")["values"]
    assert peers[0][1] == peers[1][0] == -1 and peers[0][2] == peers[2][1] == 0, peers
    four.proved(1, [*SMALL, "--fault", "slow_card"])


def test_refusals(program: Program) -> None:
    for cards, ranks, words, sentence in (
        (2, 2, SMALL, "runs as one rank that uses all cards"),
        (2, 1, ["--size", "4097"], "a multiple of 8 bytes is needed"),
        (0, 1, SMALL, "no device"),
    ):
        done = on_host(program, cards).start(ranks, words)
        assert done.returncode == (3 if cards else 5) and sentence in done.stderr, f"{words}: exit code {done.returncode}: {done.stderr}"


if __name__ == "__main__":
    run_all(globals())
