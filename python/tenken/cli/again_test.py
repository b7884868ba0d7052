"""A run folder is data: what it names is not executed because it is named there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tenken.cli.run_test import Site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def planted(site: Site, **changes: Any) -> Path:
    """A finished run whose plan was edited; what an execution would leave behind."""
    site.run("fake", "--launches", "1")
    (folder,) = site.runs.iterdir()
    plan = json.loads((folder / "run.json").read_text())
    plan["environment"] |= changes.pop("environment", {})
    plan["cases"][0]["case"] |= changes
    plan["cases"][0]["launches"].append({"number": 2, "folder": "launches/0002-fake.small"})
    (folder / "run.json").write_text(json.dumps(plan))
    return site.folder / "executed"


@pytest.mark.parametrize("words", [("run", "--resume", "last"), ("rerun", "last")])
def test_a_command_in_a_run_folder_is_not_executed(site: Site, words: tuple[str, ...]) -> None:
    trace = site.folder / "executed"
    template = f"sh -c 'touch {trace}' {{ranks}}"
    planted(site, environment={"on": template})
    code, out, err = site.word(*words)
    assert (code, out) == (3, "") and not trace.exists() and "then type it: --on 'sh -c " in err
    code, out, err = site.word(*words, "--on", "slurm")
    assert (code, out) == (3, "") and not trace.exists() and "was started with --on" in err
    site.word(*words, "--on", template)
    assert trace.exists(), "as typed, it is what the caller wants"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"environment": {"nodes": "1 --prolog=/tmp/x"}}, "nodes: expected an integer"),
        ({"environment": {"without": ["--prolog=/tmp/x"]}}, "without[0]: expected a string like"),
        ({"environment": {"on": 3}}, "on: expected a string"),
        ({"check": "../../../planted"}, "unknown check '../../../planted' in the run folder"),
        ({"parameters": {"record": "/tmp/x"}}, "unknown parameter 'record'"),
    ],
)
def test_what_a_plan_may_not_say(site: Site, changes: dict[str, Any], sentence: str) -> None:
    planted(site, **changes)
    code, out, err = site.run("--resume", "last")
    assert (code, out) == (3, "") and sentence in err
