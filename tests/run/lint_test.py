from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from run.lint import commands, findings, shell_scripts
from tenken.base.errors import TenkenError

TREE = Path(__file__).resolve().parents[2]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with one mistake for each linter."""
    folder = tmp_path / "python/tenken"
    folder.mkdir(parents=True)
    (folder / "undefined.py").write_text("def one():\n    return two\n")
    (folder / "typed.py").write_text('def one() -> int:\n    return "1"\n')
    (folder / "typed_test.py").write_text('x: int = "tests are not typed strictly"\n')
    (tmp_path / "script").write_text('#!/usr/bin/env bash\ncd "$1"\necho $2\n')
    (tmp_path / "tests/run").mkdir(parents=True)
    (tmp_path / "tests/run/step.py").write_text('def one() -> int:\n    return "1"\n')
    (tmp_path / "build").mkdir()
    (tmp_path / "build/generated").write_text("#!/bin/sh\necho $1\n")
    shutil.copy(TREE / "pyproject.toml", tmp_path)
    return tmp_path


def test_scripts_are_found_by_their_first_line(tree: Path) -> None:
    assert shell_scripts(tree) == [Path("script")]
    assert {Path("tenken"), Path(".ci/run"), Path("tests/clean_root.sh")} <= set(shell_scripts(TREE))


@pytest.mark.skipif(find_spec("pyflakes") is None, reason="needs pyflakes")
def test_an_undefined_name_is_found(tree: Path) -> None:
    assert findings(tree, commands(tree)["pyflakes"]) == ("python/tenken/undefined.py:2:12: undefined name 'two'",)


@pytest.mark.skipif(shutil.which("mypy") is None, reason="needs mypy")
def test_a_wrong_type_is_found_in_the_product(tree: Path) -> None:
    found = findings(tree, commands(tree)["mypy"])
    places = sorted(finding.partition(" error:")[0] for finding in found)
    assert places == ["python/tenken/typed.py:2:", "tests/run/step.py:2:"]


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="needs shellcheck")
def test_an_unquoted_word_is_found(tree: Path) -> None:
    found = findings(tree, commands(tree)["shellcheck"])
    assert any(one.startswith("script:3:") and "SC2086" in one for one in found)


def test_a_linter_that_fails_otherwise_or_is_missing_is_told(tmp_path: Path) -> None:
    fails = [sys.executable, "-c", "print('no settings'); raise SystemExit(2)"]
    assert findings(tmp_path, fails)[1:] == ("no settings",) and "ended with exit code 2" in findings(tmp_path, fails)[0]
    finds = [sys.executable, "-c", "print('a.py:1: error: x'); print('a.py:1: note: y'); raise SystemExit(1)"]
    assert findings(tmp_path, finds) == ("a.py:1: error: x",)
    assert findings(tmp_path, [sys.executable, "-c", "print('a.py:1: fine')"]) == ()
    with pytest.raises(TenkenError, match="no_linter cannot be run: .*; install it"):
        findings(tmp_path, ["no_linter"])
