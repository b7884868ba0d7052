from __future__ import annotations

import pytest

from tenken.base.errors import TenkenError
from tenken.machine.probe import assemble, read_node, silent

ONE = '{"schema": "tenken.node/1", "host": "n1"}'


def test_the_node_is_found_among_what_a_launcher_says() -> None:
    assert read_node(f"srun: job 7 queued\n{{not json\n{ONE}\nbye\n")["host"] == "n1"


@pytest.mark.parametrize("text", ["", "Segmentation fault", "{", '{"schema": "tenken.node/9"}', "[1]", "{}\n"])
def test_anything_else_is_one_sentence(text: str) -> None:
    with pytest.raises(TenkenError, match=r"n7: expected a node description \(tenken.node/1\), found"):
        read_node(text, "n7")


def test_nodes_are_ordered_and_counted_once() -> None:
    machine = assemble([{"host": "n2"}, {"host": "n1", "a": 1}, {"host": "n1", "a": 2}], {}, {}, "2026-11-21")
    assert machine["schema"] == "tenken.machine/1"
    assert machine["nodes"] == [{"host": "n1", "a": 1}, {"host": "n2"}]


def test_nodes_that_do_not_answer_are_named() -> None:
    answered = [{"host": "n1.site"}, {"host": "n3"}]
    (named,) = silent(["n1", "n2", "n3", "n4"], 4, answered, "srun: error: n2: Exited with exit code 4")
    assert named.startswith("n2, n4 did not answer the probe") and "exit code 4" in named
    assert silent([], 3, answered, "")[0].startswith("1 of 3 nodes did not answer")
    assert silent(["n1", "n2", "n3", "n4"], 3, answered, "")[0].startswith("1 of 3 nodes did not answer")
    assert silent(["n1", "n3"], 2, answered, "") == silent([], 2, answered, "") == []
    assert assemble(answered, {}, {}, "2026-11-21", [named])["notes"] == [named]


def test_several_answers_of_one_host_name_are_stated() -> None:
    (note,) = silent([], 2, [{"host": "vm"}, {"host": "vm"}], "srun: done")
    assert note.startswith("1 of 2 nodes did not answer") and "(several answers have the host name vm; srun: done)" in note
