"""pip install: the package holds all that it needs, the runtime's C files too, and its command builds the tutorial."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys

import pytest

from xacc_harness import ENVIRONMENT, TREE, Xacc

_TOOLS = ("pip", "setuptools", "wheel")
_MISSING = [name for name in _TOOLS if importlib.util.find_spec(name) is None]


@pytest.mark.skipif(bool(_MISSING), reason=f"without a network pip needs {', '.join(_MISSING)} beside this Python")
def test_an_installed_xacc_builds_the_tutorial(xacc: Xacc) -> None:
    source, site = xacc.folder / "source", xacc.folder / "site"
    shutil.copytree(TREE, source, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
    offline = ("--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check", "--quiet")
    done = subprocess.run([sys.executable, "-m", "pip", "install", *offline, "--target", str(site), str(source)], cwd=xacc.folder,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shutil.rmtree(source)
    environment = {**ENVIRONMENT, "PYTHONPATH": str(site), "XDG_CACHE_HOME": str(xacc.folder / "cache")}
    built = subprocess.run([str(site / "bin" / "xacc"), "cc", str(TREE / "examples" / "heat.c"), "-o", "heat"], cwd=xacc.folder,
                           env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    assert xacc.run("./heat", 2).stdout == "heat in the rod: 1.000000000000\n"
