"""Two nodes of one set of files (tests/two_nodes.py): copies on both nodes, results of both nodes in one file."""

from __future__ import annotations

import tempfile

from programs import failed_proofs, table
from two_nodes import TwoNodes, run_between_nodes

TREE = ("--large", "1", "--large_bytes", "64KiB", "--small", "4", "--depth", "2", "--bytes", "64KiB", "--transfer", "16KiB")


def staged_on_both_nodes(nodes: TwoNodes, program: str) -> None:
    with tempfile.TemporaryDirectory(prefix="tenken-test-", dir="/var/tmp") as root:
        common = ("--root", root, "--floor", "1", "--repetitions", "2", *TREE)
        for words in (("stage_in",), ("stage_in", "--source", "every_rank"), ("checkpoint",), ("stage_out", "--into", "one_file")):
            lines = nodes.lines((2, 2), program, *common, "--variant", *words)
            assert not failed_proofs(lines), f"{words}: {failed_proofs(lines)}"
        lines = nodes.lines((2, 2), program, *common, "--variant", "stage_out", "--into", "one_file", "--fault", "flip_byte")
        found = table(lines, "wrong_files")
        assert [name.rpartition("/")[2] for name in found["rows"]] == ["2"], f"rank 2 compares the files of rank 3: {found}"


if __name__ == "__main__":
    run_between_nodes(staged_on_both_nodes)
