"""`machine` describes a node on which nothing is built, and builds nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fake_build import ENVIRONMENT
from tenken.base.errors import TenkenError
from tenken.cli import machine, places
from tenken.launch import environment as environments


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "machines").symlink_to(places.TREE / "machines")
    monkeypatch.setattr(places, "TREE", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("TENKEN_BUILD", raising=False)
    monkeypatch.setattr(environments, "select", lambda wanted, named: ENVIRONMENT)
    return tmp_path


def test_nothing_is_built_and_one_sentence_names_what_lacks(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert machine.main(["--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["nodes"][0]["cpu"]
    assert err == "probe    clock, vectors and latencies need the probe: it is not built; build it with: ./tenken build\n"
    assert [path.name for path in tree.iterdir()] == ["machines"]


def test_a_probe_of_another_processor_is_named(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    probe = ENVIRONMENT.build_folders(tree)[-1] / "cpp/probe/tenken-probe"
    probe.parent.mkdir(parents=True)
    probe.write_text("#!/bin/sh\necho Illegal instruction >&2\nexit 132\n")
    probe.chmod(0o755)
    assert machine.main([]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("machine") and "need the probe: " in err and "Illegal instruction" in err


def test_a_node_without_compilers_is_described(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(wanted: str | None, named: object) -> None:
        raise TenkenError("no compiler found.")

    monkeypatch.setattr(environments, "select", none)
    assert machine.main([]) == 0 and "need the probe: no compiler found." in capsys.readouterr().err
    with pytest.raises(TenkenError, match="no compiler found"):
        machine.main(["--environment", "gcc"])
