"""What several tests of the whole tool share."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def probe_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """$TENKEN_PROBE, else tenken-probe built here from the tree as it is now, so that no stale one is tested."""
    if built := os.environ.get("TENKEN_PROBE"):
        return Path(built)
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    out = tmp_path_factory.mktemp("probe") / "tenken-probe"
    folder = TREE / "cpp/probe"
    listed = re.search(r"tenken_probe STATIC\n(.*?)\)", (folder / "CMakeLists.txt").read_text(), re.DOTALL)
    assert listed, "cpp/probe/CMakeLists.txt does not list the sources of tenken_probe"
    sources = [path for path in sorted((TREE / "cpp/base").glob("*.cpp")) if not path.stem.endswith("_test")]
    sources += [folder / name for name in (*listed[1].split(), "main.cpp")]
    flags = ["-std=c++20", "-O0", "-fopenmp", "-pthread", f"-I{TREE / 'cpp'}"]
    subprocess.run([compiler, *flags, *map(str, sources), "-o", str(out)], check=True, timeout=300)
    return out
