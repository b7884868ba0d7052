"""docs/operate.md names every variable that Tenken reads and every key of config.toml."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parent.parent
PAGE = (TREE / "docs/operate.md").read_text()


def python_files() -> list[Path]:
    return [path for path in (TREE / "python/tenken").rglob("*.py") if not path.name.endswith("_test.py")]


def read_variables() -> set[str]:
    """Names in the bootstrap, in strings of Python that CMake does not have as options, and in getenv."""
    cmake = "".join(path.read_text() for path in [TREE / "CMakeLists.txt", *(TREE / "cmake").rglob("*.cmake")])
    names = set(re.findall(r"TENKEN_[A-Z_]+", (TREE / "tenken").read_text()))
    names |= {name for path in python_files() for name in re.findall(r'"(TENKEN_[A-Z_]+)"', path.read_text())
              if not re.search(rf"\b{name}\b", cmake)}
    sources = (path for folder in ("cpp", "checks") for path in (TREE / folder).rglob("*.?pp"))
    return names | {name for path in sources for name in re.findall(r'getenv\("(TENKEN_\w+)"\)', path.read_text())}


def test_every_variable_is_named() -> None:
    table = PAGE.split("## Variables")[1].split("\n## ")[0]
    named = {name for line in table.splitlines() if line.startswith("|") for name in re.findall(r"^\| `(TENKEN_\w+)`", line)}
    assert named == read_variables()


@pytest.mark.parametrize(("code", "answer", "drained"), [
    (1, "DRAIN - n7: wrong answer of core 3\nDRAIN - n7: more",
     "nodename=n7 state=drain reason=tenken: DRAIN - n7: wrong answer of core 3\n"),
    (0, "OK - n7", ""), (3, "", ""), (1, "no such option", ""),
])  # fmt: skip
def test_the_script_for_slurm_drains_where_a_rule_is_met(tmp_path: Path, code: int, answer: str, drained: str) -> None:
    programs = {"tenken": f"cat <<'END'\n{answer}\nEND\nexit {code}", "scontrol": f'echo "$2" "$3" "$4" >> {tmp_path}/asked'}
    for name, text in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "SLURMD_NODENAME": "n7"}
    done = subprocess.run(["bash", TREE / "examples/node-check/slurm.sh", tmp_path / "tenken"], env=environment, check=False)
    asked = tmp_path / "asked"
    assert done.returncode == 0 and (asked.read_text() if asked.exists() else "") == drained


def test_every_key_of_the_configuration_is_named() -> None:
    source = (TREE / "python/tenken/cli/node_measure.py").read_text()
    keys = set(re.findall(r'table\.(?:raw|count|number|text|string)\("(\w+)"', source))
    table = PAGE.split("## Keys of config.toml")[1].split("\n## ")[0]
    assert keys and set(re.findall(r"^\| `\[drain\] (\w+)`", table, re.MULTILINE)) == keys
    readers = [path.name for path in python_files() if '"config.toml"' in path.read_text()]
    assert readers == ["node_measure.py"], "another reader has other keys"
