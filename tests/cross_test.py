"""Kernels for Arm: compiled by a cross compiler, NEON and SVE of 256 bits, and run against their twins by an emulator.

Debian: g++-aarch64-linux-gnu and qemu-user. Counted as skipped where either is not there.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parent.parent
COMPILER, EMULATOR = shutil.which("aarch64-linux-gnu-g++"), shutil.which("qemu-aarch64")
DOCTEST = next((one for one in map(Path, ("/usr/include", "/usr/local/include")) if (one / "doctest/doctest.h").exists()), None)
VECTORS = {"neon": (), "sve": ("-march=armv8.2-a+sve", "-msve-vector-bits=256")}
FLAGS = ("-std=c++20", "-O2", "-static", "-fopenmp", "-fno-tree-loop-distribute-patterns", "-DDOCTEST_CONFIG_NO_POSIX_SIGNALS")
BASE = ("buffer", "parameters", "tree", "control_group")
TESTS = {
    "simd": ("cpp/simd/vec_test.cpp",),
    "stream": ("checks/stream/kernel_test.cpp", *(f"checks/stream/{name}.cpp" for name in ("plain", "ref", "nontemporal"))),
    "lqcd": (
        "cpp/qcd/kernel_test.cpp", *(f"cpp/qcd/{name}.cpp" for name in ("kernel", "ref", "geometry", "boundary", "vectors")),
        *(f"cpp/qcd/gauge/{name}.cpp" for name in ("start", "su3", "su2")), "cpp/parallel/partition.cpp",
    ),
}


@pytest.mark.skipif(None in (COMPILER, EMULATOR, DOCTEST), reason="no cross compiler for aarch64, qemu-aarch64 or doctest")
@pytest.mark.parametrize("vectors", VECTORS)
@pytest.mark.parametrize("name", TESTS)
def test_kernels_for_arm_agree_with_their_twins(name: str, vectors: str, tmp_path: Path) -> None:
    assert COMPILER and EMULATOR and DOCTEST
    (tmp_path / "doctest").symlink_to(DOCTEST / "doctest")  # the folder around it has headers of another processor
    sources = [*TESTS[name], "cpp/testing/doctest.cpp", "cpp/testing/main.cpp", *(f"cpp/base/{one}.cpp" for one in BASE)]
    folders = [f"-I{TREE / 'cpp'}", f"-I{TREE / 'checks/stream'}", f"-I{tmp_path}"]
    program = str(tmp_path / "program")
    built = subprocess.run([COMPILER, *FLAGS, *VECTORS[vectors], *folders, *sources, "-o", program], cwd=TREE, timeout=500,
                           capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr[-3000:]
    done = subprocess.run([EMULATOR, "-cpu", "max,sve256=on", program], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0 and " 0 failed" in done.stdout, done.stdout[-3000:]
    if vectors == "sve":
        code = subprocess.run(["aarch64-linux-gnu-objdump", "-d", program], capture_output=True, text=True, check=True).stdout
        assert any(" z" in line and "fmla" in line or "fmad" in line for line in code.splitlines()), "no multiply-add of SVE"
