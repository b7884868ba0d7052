"""Two nodes of one set of files (tests/two_nodes.py): each rank stats, reads and lists the files that the other node made."""

from __future__ import annotations

import tempfile

from programs import failed_proofs, table
from two_nodes import TwoNodes, run_between_nodes


def files_of_the_other_node(nodes: TwoNodes, program: str) -> None:
    with tempfile.TemporaryDirectory(prefix="tenken-test-", dir="/var/tmp") as root:
        words = ("--root", root, "--floor", "1", "--files", "20", "--bytes", "3901", "--repetitions", "2", "--stat_by", "other_node")
        for folder in ("shared", "own"):
            lines = nodes.lines((2, 2), program, *words, "--folder", folder)
            assert not failed_proofs(lines), failed_proofs(lines)
            row = str(table(lines, "entries")["rows"][0])
            assert row.endswith("stat and read ask for entries that another node made"), row
            lines = nodes.lines((2, 2), program, *words, "--folder", folder, "--fault", "flip_byte")
            found = table(lines, "wrong_files")
            assert [name.rpartition("/")[2] for name in found["rows"]] == ["1"], f"rank 1 reads the files of rank 3: {found}"


if __name__ == "__main__":
    run_between_nodes(files_of_the_other_node)
