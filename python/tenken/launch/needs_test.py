from __future__ import annotations

import re
from pathlib import Path

import pytest

from tenken.launch import packages
from tenken.launch.needs import Problem, cmake_text, read_needs
from tenken.launch import table
from tenken.launch.table import header

TREE = Path(__file__).resolve().parents[3]
TEXT = """
variants = ["plain", "fortran", "gpu", "fft"]
requires = ["lapack"]
[variant.fortran]
requires = ["fortran"]
[variant.gpu]
requires = ["cuda"]
[variant.fft]
requires = ["fftw3"]
sources = ["fft.cpp"]
"""
PLAIN = 'variants = ["plain"]'
FILES = ("main.cpp", "kernel.cpp", "kernel.f90", "gpu/kernel.cu", "fft.cpp")


def write(folder: Path, text: str = TEXT, files: tuple[str, ...] = FILES, name: str = "toy") -> Path:
    for file in files:
        (folder / name / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / name / file).touch()
    (folder / name).mkdir(exist_ok=True)
    (folder / name / "check.toml").write_text(text)
    return folder / name / "check.toml"


def test_sources_go_to_the_variants_that_require_their_language(tmp_path: Path) -> None:
    assert read_needs(write(tmp_path)) == {
        "variants": ["plain", "fortran", "gpu", "fft"], "requires": ["lapack"], "sources": [],
        "plain/requires": [], "plain/sources": [], "fortran/requires": ["fortran"], "fortran/sources": ["kernel.f90"],
        "gpu/requires": ["cuda"], "gpu/sources": ["gpu/kernel.cu"], "fft/requires": ["fftw3"], "fft/sources": ["fft.cpp"],
    }
    whole = read_needs(write(tmp_path, 'variants = ["plain"]\nrequires = ["fortran"]', ("main.cpp", "kernel.f90"), "whole"))
    assert whole["sources"] == ["kernel.f90"]


@pytest.mark.parametrize(("text", "files", "sentence"), [
    ("x", FILES, "not a TOML file that can be read"),
    ('variants = "plain"', FILES, "variants: expected a list of names"),
    ('variants = ["a;b"]', FILES, "variants: expected a list of names"),
    (TEXT.replace("fft.cpp", "../x.cpp"), FILES, "sources: expected a list of names"),
    (TEXT.replace("fft.cpp", "a/../../x.cpp"), FILES, "[variant.fft] sources: there is no"),
    (TEXT.replace("fft.cpp", "gone.cpp"), FILES, "[variant.fft] sources: there is no"),
    (TEXT, FILES[1:], "has no main.cpp"),
    (PLAIN, ("main.cpp", "ref_test.cpp", "history_main.cpp"), "has no kernel: no source file beside main.cpp"),
    (PLAIN, ("main.cpp", "kernel.cu"), 'kernel.cu is there, and nothing requires cuda; add requires = ["cuda"]'),
])
def test_what_cannot_be_built_is_said_in_one_sentence(tmp_path: Path, text: str, files: tuple[str, ...], sentence: str) -> None:
    path = write(tmp_path, text, files)
    with pytest.raises(Problem, match=re.escape(sentence)):
        read_needs(path)
    lines = cmake_text([path, write(tmp_path, name="good")]).splitlines()
    assert lines[0].startswith("set(needs/toy/problem [==[") and sentence in lines[0]
    assert "set(needs/good/fft/sources fft.cpp)" in lines and lines[-1] == "set(tenken_required cuda fftw3 fortran lapack)"


def test_the_table_says_what_is_not_built() -> None:
    check = {"title": "T", "question": "Q", "repetition": "R", "variants": ["plain", "gpu"]}
    check["variant"] = {"gpu": {"requires": ["cuda"]}}
    text = header(check, "toy", {"gpu": 'no "CUDA"'})
    assert '{"plain", "", false},' in text and '{"gpu", "no \\"CUDA\\"", true},' in text
    assert "inline constexpr bool gpu = false;" in text and "inline constexpr bool plain = true;" in text


def test_every_requirement_says_what_to_install_and_the_bootstrap_knows_it() -> None:
    optional = {need.package for need in packages.read() if need.klass == "build" and not need.required}
    for file in (TREE / "cmake/requires").glob("*.cmake"):
        text = file.read_text()
        package = re.search(r'^set\(install "Debian: ([\w.+-]+).*; elsewhere: .+"\)$', text, re.MULTILINE)
        assert package and re.search(r'^set\(missing "\w.*"\)$', text, re.MULTILINE), file
        if file.stem not in ("openacc", "cuda", "cublas", "nccl"):  # with the compiler; too large to be installed unasked
            assert package[1] in optional, file


def test_the_reason_why_a_variant_is_left_out_may_have_a_tab(tmp_path: Path) -> None:
    (tmp_path / "unavailable.txt").write_text("toy\tgpu\tno nvcc\twas found\nother\tgpu\tno nvcc\n")
    assert table._left_out(tmp_path / "unavailable.txt", "toy") == {"gpu": "no nvcc\twas found"}
