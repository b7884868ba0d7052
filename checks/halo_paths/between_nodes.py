"""Two nodes (tests/two_nodes.py): every route but the window crosses the network."""

from __future__ import annotations

import sys

from programs import failed_proofs, table, values
from two_nodes import SKIPPED, NotPermittedError, TwoNodes


def halos_cross_the_network(nodes: TwoNodes, program: str) -> None:
    for face in ("xy", "yz"):
        lines = nodes.lines((1, 1), program, "--n", "16", "--samples", "2", "--repetitions", "2", "--face", face)
        assert not failed_proofs(lines), failed_proofs(lines)
        routes = table(lines, "exchange_times")["columns"]
        assert [one for one in routes if one != "put"] == ["pack", "datatype", "neighbour"], routes  # Open MPI 4.1 has no puts here
        got = values(lines)
        assert got["routes_lacking"] == 5 - len(routes) and got["neighbour_class"] == 5, got


def main(program: str, mpiexec: str) -> int:
    try:
        with TwoNodes(mpiexec) as nodes:
            halos_cross_the_network(nodes, program)
            print("1 passed, 0 failed, 0 skipped")
    except NotPermittedError as error:
        print(f"skipped: {error}")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
