"""Four ranks on two nodes of one host name (tests/two_nodes.py): right answers inside, between and over both; the slower is seen.

The network between the nodes is made slow on purpose: no broadcast between them can be faster than the rate that was planted.
"""

from __future__ import annotations

from statistics import median
from typing import Any

from two_nodes import TwoNodes, run_between_nodes

DELAY_US, RATE_MBIT = 50, 400
ROUNDS = 3
BYTES = 1048576
BURST = 1.3  # times the rate: what a token bucket lets through at once
WORDS = ("--threads", "1", "--sizes", "8", "--messages", f"4,{BYTES}")
Lines = list[dict[str, Any]]


def value(lines: Lines, name: str) -> float:
    return next(float(line["value"]) for line in lines if line["type"] == "value" and line["name"] == name)


def broken(lines: Lines) -> list[str]:
    return [line["name"] for line in lines if line["type"] == "validity" and not float(line["value"]) <= line["limit"]]


def completed_us(lines: Lines, path: str) -> float | None:
    """Until the last rank was done: median over windows. None where no window was begun in time."""
    number = next(section["id"] for section in lines[0]["sections"] if section["path"] == path)
    last: dict[int, float] = {}
    for line in (line for line in lines if line["type"] == "series" and line["section"] == number):
        for repetition, calls, ns in zip(line["repetition"], line["calls"], line["ns"], strict=True):
            if repetition >= 0 and calls > 0:
                last[repetition] = max(last.get(repetition, 0.0), ns / calls)
    return median(last.values()) / 1000 if last else None


def answers_are_right(nodes: TwoNodes, program: str) -> None:
    for among in ("all", "node", "nodes"):
        lines = nodes.lines((2, 2), program, *WORDS, "--repetitions", "3", "--among", among)
        assert not broken(lines), (among, broken(lines))
        assert value(lines, "nodes") == 2, among
        rows = next(line["rows"] for line in lines if line["type"] == "table" and line["name"] == "ended")
        first, second = nodes.names((2, 2))
        assert [row.rsplit("/", 1)[0] for row in rows] == [f"{first}/0", f"{first}/1", f"{second}/2", f"{second}/3"], rows


def what_is_slower_is_seen(nodes: TwoNodes, program: str) -> None:
    nodes.shape(DELAY_US, RATE_MBIT)
    found: dict[str, list[float]] = {"node": [], "nodes": []}
    for _ in range(ROUNDS):
        for among, ranks in (("node", (2, 0)), ("nodes", (1, 1))):
            words = ("--operation", "bcast", "--among", among, "--seconds", "0.5")
            us = completed_us(nodes.lines(ranks, program, *WORDS, *words), f"window_bcast/{BYTES}")
            found[among] += [us] if us is not None else []
    assert all(found.values()), f"no broadcast was begun in time by all ranks: {found}"
    rates = {among: BYTES / median(us) / 1000 for among, us in found.items()}
    print(f"broadcast of {BYTES} bytes, GB/s: inside a node {rates['node']:.3f}, between nodes {rates['nodes']:.4f}; planted: "
          f"{nodes.planted()}")
    assert rates["nodes"] < rates["node"], rates
    if nodes.rate_mbit:
        assert rates["nodes"] <= BURST * nodes.rate_mbit / 8000, rates


if __name__ == "__main__":
    run_between_nodes(answers_are_right, what_is_slower_is_seen)
