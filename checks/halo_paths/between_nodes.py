"""Two nodes (tests/two_nodes.py): every route but those through shared memory crosses the network."""

from __future__ import annotations

from programs import failed_proofs, table, values
from two_nodes import TwoNodes, run_between_nodes


def halos_cross_the_network(nodes: TwoNodes, program: str) -> None:
    for face in ("xy", "yz"):
        lines = nodes.lines((1, 1), program, "--n", "16", "--samples", "2", "--repetitions", "2", "--face", face)
        assert not failed_proofs(lines), failed_proofs(lines)
        routes = table(lines, "exchange_times")["columns"]
        assert [one for one in routes if one != "put"] == ["pack", "datatype", "neighbour"], routes  # Open MPI 4.1 has no puts here
        got = values(lines)
        assert got["routes_lacking"] == 6 - len(routes) and got["neighbour_class"] == 5, got


if __name__ == "__main__":
    run_between_nodes(halos_cross_the_network)
