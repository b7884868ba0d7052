"""Two ranks inside a node and on two nodes in turn: are pairs seen for what they are, and do figures differ as they should?

The two nodes are network namespaces with one host name (tests/two_nodes.py). The network between them is made slow on purpose, so
that what must be seen follows from what was planted: no message is faster than the delay, no bandwidth greater than the rate.
"""

from __future__ import annotations

from statistics import median
from typing import Any

from two_nodes import TwoNodes, run_between_nodes

DELAY_US, RATE_MBIT = 50, 400
ROUNDS = 3
SMALL, LARGE = 8, 262144
BURST = 1.3  # times the rate: what a token bucket lets through at once, in windows of 4 MiB
INSIDE = 4  # times the rate between nodes, at least: memory is faster than the planted network by far more
WORDS = ("--sizes", f"{SMALL},{LARGE}", "--partners", "1", "--seconds", "0.5")
Lines = list[dict[str, Any]]


def value(lines: Lines, name: str) -> Any:
    return next((line["value"] for line in lines if line["type"] in ("value", "validity") and line["name"] == name), None)


def hosts(lines: Lines) -> list[str]:
    return [line["host"] for line in lines if line["type"] == "rank"]


def us_per_call(lines: Lines, path: str) -> float:
    """Median over samples, of the rank that starts."""
    number = next(section["id"] for section in lines[0]["sections"] if section["path"] == path)
    one = next(line for line in lines if line["type"] == "series" and line["section"] == number and line["rank"] == 0
               and line["repetition"][0] >= 0)
    return median(ns / calls for ns, calls in zip(one["ns"], one["calls"], strict=True)) / 1000


def places_are_seen(nodes: TwoNodes, program: str) -> None:
    """By memory that is shared, not by host names: these are the same."""
    for ranks, pairing, on_one_node in (((2, 0), "neighbours", 1), ((1, 1), "neighbours", 0), ((2, 2), "neighbours", 2),
                                        ((2, 2), "halves", 0)):
        lines = nodes.lines(ranks, program, *WORDS, "--repetitions", "2", "--pairing", pairing)
        assert value(lines, "payload") == 0, "wrong bytes"
        assert value(lines, "pairs_on_one_node") == on_one_node, (ranks, pairing, value(lines, "pairs_on_one_node"))
        first, second = nodes.names(ranks)
        assert hosts(lines) == [first] * ranks[0] + [second] * ranks[1], hosts(lines)
        probed = value(lines, "core_round_trip_before") is not None
        assert probed == (ranks == (2, 0)) or ranks == (2, 2), f"{ranks} ranks: probed {probed}"


def figures_differ(nodes: TwoNodes, program: str) -> None:
    nodes.shape(DELAY_US, RATE_MBIT)
    inside, between = [], []
    for _ in range(ROUNDS):
        for ranks, into in (((2, 0), inside), ((1, 1), between)):
            lines = nodes.lines(ranks, program, *WORDS)
            assert value(lines, "payload") == 0, "wrong bytes"
            into.append((us_per_call(lines, f"exchange/{SMALL}"), LARGE / us_per_call(lines, f"one_way/{LARGE}") / 1000))
    # The best launch of each: load of others only lengthens, and what was planted bounds the best one, too.
    rows = [[best(one[i] for one in part) for i, best in ((0, min), (1, max))] for part in (inside, between)]
    print(f"planted between nodes: {nodes.planted()}; best of {ROUNDS} launches in turn")
    for name, (latency, bandwidth) in zip(("inside a node", "between nodes"), rows, strict=True):
        print(f"{name:15}{SMALL} bytes in {latency:10.2f} us   windows of {LARGE} bytes at {bandwidth:8.3f} GB/s")
    (inside_us, inside_rate), (between_us, between_rate) = rows
    if nodes.delay_us:
        assert between_us >= nodes.delay_us, "a message was faster than the network that was planted"
    assert between_us > inside_us, "a message through the network was faster than one through memory"
    if nodes.rate_mbit:
        planted_rate = nodes.rate_mbit / 8000
        assert between_rate <= BURST * planted_rate, f"{between_rate} GB/s through a network of {planted_rate}"
        assert inside_rate >= INSIDE * planted_rate, f"memory gave {inside_rate} GB/s, the network {planted_rate}"


if __name__ == "__main__":
    run_between_nodes(places_are_seen, figures_differ)
