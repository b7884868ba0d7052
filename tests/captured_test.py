"""Topologies of machines that others captured: both readers say what hwloc says, and each kind of machine has a class."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from machines import captured, trees

from tenken.machine.files import read_files
from tenken.machine.match import facts
from tenken.machine.probe import assemble
from tenken.machine.quick import quick_node
from tenken.report.machine_svg import drawing
from tenken.report.machine_text import HEIGHT, WIDTH, screen

FILES = read_files([Path(__file__).resolve().parent.parent / "machines"])
TREES, TABLE = captured.trees(), captured.table()


def test_sixty_machines_have_their_figures() -> None:
    assert TREES.keys() == TABLE.keys() and len(TREES) >= 60
    assert all(("hwloc" in one) == ("why" in one) for one in TABLE.values())
    assert sum("hwloc" in one for one in TABLE.values()) <= 3


@pytest.mark.parametrize("name", TREES)
def test_both_readers_see_the_captured_machine(name: str, tmp_path: Path, probe_program: Path) -> None:
    expected = {key: value for key, value in TABLE[name].items() if key not in ("source", "hwloc", "why")}
    root = trees.plant(TREES[name], tmp_path)
    done = subprocess.run([probe_program, "--root", root], capture_output=True, text=True, check=True, timeout=60)
    node, quick = json.loads(done.stdout), quick_node(str(root))
    assert captured.figures(node) == captured.figures(quick) == expected
    for part in ("cores", "online", "usable", "kinds", "caches"):
        assert node["topology"][part] == quick["topology"][part], part
    assert all(node["cpu"][key] == value for key, value in quick["cpu"].items())
    whole = assemble((node,), {}, {}, "2026-11-28T08:00:00Z")
    text = screen(whole, facts(whole, FILES))
    assert text.count("\n") <= HEIGHT and max(map(len, text.splitlines())) <= WIDTH
    ElementTree.fromstring(drawing(whole))


def test_no_two_unlike_machines_share_a_class(tmp_path: Path) -> None:
    of_class: dict[str, set[str]] = {}
    for name, tree in TREES.items():
        node = quick_node(str(trees.plant(tree, tmp_path / name)))
        cpu = json.dumps({key: value for key, value in node["cpu"].items() if key not in ("stepping", "flags")})
        (known,) = facts({"nodes": [node]}, FILES).nodes
        of_class.setdefault(known.node_class, set()).add(f"{cpu} {TABLE[name]['cores']}")
    unlike = {name: many for name, many in of_class.items() if len(many) > 1}
    assert not unlike


def test_the_page_is_the_table() -> None:
    assert captured.PAGE.read_text(encoding="utf-8") == captured.page()
