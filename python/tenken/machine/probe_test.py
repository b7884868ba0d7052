from __future__ import annotations

import pytest

from tenken.machine.probe import assemble, flatten, read_node, read_nodes
from tenken.model.errors import TenkenError

ONE = '{"schema": "tenken.node/1", "host": "n1"}'
TWO = '{"schema": "tenken.node/1", "host": "n2"}'


def test_the_node_is_found_among_what_a_launcher_says() -> None:
    assert read_node(f"srun: job 7 queued\n{{not json\n{ONE}\nbye\n")["host"] == "n1"
    assert [node["host"] for node in read_nodes(f"hello\n{TWO}\n{ONE}\n")] == ["n2", "n1"]


@pytest.mark.parametrize("text", ["", "Segmentation fault", "{", '{"schema": "tenken.node/9"}', "[1]", "{}\n"])
def test_anything_else_is_one_sentence(text: str) -> None:
    for read in (read_node, read_nodes):
        with pytest.raises(TenkenError, match=r"n7: expected a node description \(tenken.node/1\), found"):
            read(text, "n7")


def test_nodes_are_ordered_and_counted_once() -> None:
    machine = assemble([{"host": "n2"}, {"host": "n1", "a": 1}, {"host": "n1", "a": 2}], {}, {}, "2026-11-21")
    assert machine["schema"] == "tenken.machine/1"
    assert machine["nodes"] == [{"host": "n1", "a": 1}, {"host": "n2"}]


def test_flat_keys_name_their_place() -> None:
    cards = [{"name": "ib0", "state": "UP"}, {"name": "ib1"}]
    topology = {"usable": [0, 1], "numa": [{"id": 4, "cpus": []}]}
    node = {"host": "n1", "os": {"kernel": "6.1"}, "network": cards, "topology": topology}
    flat = flatten(assemble([node], {}, {}, "2026-11-21"))
    assert flat["nodes/n1/os/kernel"] == "6.1"
    assert flat["nodes/n1/network/ib0/state"] == "UP"
    assert flat["nodes/n1/topology/usable"] == (0, 1)
    assert flat["nodes/n1/topology/numa/4/cpus"] == ()
    assert flatten([{"a": 1}, {"a": 2}]) == {"0/a": 1, "1/a": 2}
