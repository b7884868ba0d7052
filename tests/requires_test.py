"""Variants in other languages: built where their compiler is, left out by name where it is not; bad checks stay alone."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parent.parent
MISSING = {"FC": "/nonexistent/fc", "CUDACXX": "/nonexistent/nvcc"}
NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


class Site:
    """A folder of checks, and its build with the tree's own CMake files."""

    def __init__(self, folder: Path) -> None:
        self.checks, self.folder = folder / "checks", folder / "build"
        shutil.copytree(TREE / "tests/toy", self.checks / "toy")

    def build(self, **environment: str) -> dict[tuple[str, str], str]:
        """Configure and compile what can be; what is left out, and why, by check and variant."""
        options = ["-DTENKEN_ISA=portable", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CUDA_ARCHITECTURES=80"]
        options += ["-G", "Ninja"] if shutil.which("ninja") else []
        configure = ["cmake", "-S", str(TREE), "-B", str(self.folder), f"-DTENKEN_CHECKS={self.checks}", *options]
        compile_ = ["cmake", "--build", str(self.folder), "--parallel", "2", "--target", "toy"]
        for command in (configure, compile_):
            done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
        file = self.folder / "unavailable.txt"
        lines = [line.split("\t") for line in file.read_text().splitlines()] if file.exists() else []
        return {(check, variant): sentence for check, variant, sentence in lines}

    def start(self, variant: str) -> tuple[int, str]:
        """One rank without a launcher, which every MPI allows."""
        program = self.folder / "checks/toy/toy"
        done = subprocess.run([str(program), "--variant", variant, "--seconds", "0.01"], capture_output=True, text=True,
                              check=False)
        return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return Site(tmp_path_factory.mktemp("requires"))


MKL_PROJECT = """cmake_minimum_required(VERSION 3.25)
project(one C)
include({tree}/cmake/requires/cblas.cmake)
add_executable(one one.c)
target_link_libraries(one PRIVATE ${{link}})
"""


def test_mklroot_alone_is_a_cblas(tmp_path: Path) -> None:
    """As a module of MKL sets it: no BLAS of the system, no CPATH, and a header of another name."""
    root, project = tmp_path / "mkl", tmp_path / "project"
    for folder in (root / "include", root / "lib/intel64", project):
        folder.mkdir(parents=True)
    (root / "include/mkl_cblas.h").write_text("double cblas_dasum(int n, const double* x, int step);\n")
    source = tmp_path / "blas.c"
    source.write_text("void sgemm_(void) {} double cblas_dasum(int n, const double* x, int step) { return 42; }\n")
    for name in ("mkl_intel_lp64", "mkl_gf_lp64", "mkl_gnu_thread", "mkl_intel_thread", "mkl_core", "mkl_rt"):
        library = root / f"lib/intel64/lib{name}.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    (project / "CMakeLists.txt").write_text(MKL_PROJECT.format(tree=TREE))
    (project / "one.c").write_text("#include <cblas.h>\nint main(void) { return (int)cblas_dasum(1, 0, 1); }\n")
    hidden = ";".join(str(path) for include in (Path("/usr/include"), Path("/usr/local/include"))
                      for path in [include, *include.glob("*-linux-gnu"), include / "openblas"])
    environment = {name: value for name, value in os.environ.items() if name not in ("CPATH", "LD_LIBRARY_PATH")}
    flags = [f"-DCMAKE_IGNORE_PATH={hidden}", *(["-GNinja"] if shutil.which("ninja") else [])]
    for words in (["-S", project, "-B", tmp_path / "build", *flags], ["--build", tmp_path / "build"]):
        done = subprocess.run(["cmake", *words], capture_output=True, text=True, env=environment | {"MKLROOT": str(root)},
                              check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert subprocess.run([tmp_path / "build/one"], check=False).returncode == 42


def spoil(site: Site, name: str, old: str, new: str, without: str = "") -> None:
    folder = site.checks / name
    shutil.copytree(TREE / "tests/toy", folder)
    for file in folder.glob("kernel.*" if without == "kernel" else "main.cpp") if without else ():
        file.unlink()
    text = (folder / "check.toml").read_text()
    assert old in text
    (folder / "check.toml").write_text(text.replace(old, new))


def test_without_compilers_only_their_variants_are_missing_and_bad_checks_stay_alone(site: Site) -> None:
    spoil(site, "untitled", 'title = "Toy"', "")
    spoil(site, "noise", 'title = "Toy"', "title =")
    spoil(site, "no_kernel", "Toy", "Toy", without="kernel")
    spoil(site, "no_main", "Toy", "Toy", without="main")
    spoil(site, "unknown", "repetition", 'requires = ["warp_drive"]\nrepetition')
    left_out = site.build(**MISSING)
    assert left_out.pop(("toy", "fortran")).startswith("no Fortran compiler was found; Debian: gfortran; elsewhere: ")
    assert left_out.pop(("toy", "cuda")).startswith("no CUDA compiler was found")
    assert "KeyError 'title'" in left_out.pop(("untitled", ""))
    assert "not a TOML file" in left_out.pop(("noise", ""))
    assert "has no kernel" in left_out.pop(("no_kernel", "")) and "has no main.cpp" in left_out.pop(("no_main", ""))
    assert "'warp_drive' is not known; use one of cmake/requires" in left_out.pop(("unknown", ""))
    assert {check for check, _ in left_out} == {"untitled"}, left_out  # its variants were looked at first
    code, text = site.start("plain")
    assert code == 0 and "right    sum is 0, should be at most" in text
    code, text = site.start("fortran")
    assert code == 5 and "toy: variant 'fortran' is not built here: no Fortran compiler was found" in text


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="needs gfortran")
def test_a_fortran_variant_is_built_once_its_compiler_is_there(site: Site) -> None:
    left_out = site.build(**MISSING | {"FC": "gfortran"})
    assert ("toy", "fortran") not in left_out and ("toy", "cuda") in left_out
    code, text = site.start("fortran")
    assert code == 0 and "right    sum is 0, should be at most" in text


@pytest.mark.skipif(NVCC is None, reason="needs nvcc")
def test_a_cuda_variant_is_built_without_a_device_and_says_that_there_is_none(site: Site) -> None:
    assert ("toy", "cuda") not in site.build(**MISSING | {"CUDACXX": NVCC})
    code, text = site.start("cuda")
    assert (code == 5 and "toy: no device: " in text) or (code == 0 and "right    sum is 0, should be at most" in text)
