"""The program as a whole with made-up cards: the same bits from every thread, tables through time, faults, bad input."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from programs import Program, failed_proofs, run_all, table, values

SHORT = ["--launch_ms", "0.01", "--repetitions", "3"]


def on_host(program: Program, cards: int) -> Program:
    os.environ["FAKE_CARDS"] = str(cards)
    return replace(program, path=str(Path(program.path).with_name("gpu_evenness_cuda_on_host")))


def test_every_thread_of_every_card_computes_the_same_bits(program: Program) -> None:
    for cards in (1, 3):
        lines = on_host(program, cards).proved(1, SHORT)
        rate = table(lines, "rate")
        assert rate["columns"] == [str(card) for card in range(cards)] and rate["rows"][0] == "t 1 s", rate
        assert all(cell is not None and cell > 0 for cell in rate["values"][0]), rate
        assert values(lines)["cards"] == cards and values(lines)["rounds"] >= 1
        assert values(lines)["readable"] == 0  # no made-up card has an address


def test_faults(program: Program) -> None:
    three = on_host(program, 3)
    assert failed_proofs(three.record(1, [*SHORT, "--fault", "wrong_sum"])) == {"sums"}
    three.proved(1, [*SHORT, "--fault", "slow_card"])


def test_refusals(program: Program) -> None:
    for cards, ranks, words, sentence in (
        (2, 2, SHORT, "runs as one rank that uses all cards"),
        (0, 1, SHORT, "no device"),
    ):
        done = on_host(program, cards).start(ranks, words)
        assert done.returncode == (3 if cards else 5) and sentence in done.stderr, f"{words}: exit code {done.returncode}: {done.stderr}"


if __name__ == "__main__":
    run_all(globals())
