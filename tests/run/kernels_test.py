"""CUDA sources are compiled for two architectures where a compiler is, and counted; else they are skipped with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from run import kernels
from run.steps import CI, Context, Counts
from tenken.cli.places import TREE
from tenken.cli.terminal import Progress

# Fails on a source that says so, for architecture 90 only.
FAKE = """#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls"
for word in "$@"; do case $word in *.cu) source=$word ;; esac; done
case "$*" in *sm_90*) if grep -q warned "$source"; then echo "$source(3): error: unused"; exit 2; fi ;; esac
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in (("cpp/gpu/main.cu", ""), ("checks/one/kernel.cu", ""), ("tests/toy/kernel.cu", ""), ("xacc/a.cu", "")):
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    return tmp_path / "tree"


@pytest.fixture
def nvcc(tmp_path: Path) -> Path:
    path = tmp_path / "cuda" / "bin" / "nvcc"
    path.parent.mkdir(parents=True)
    path.write_text(FAKE)
    path.chmod(0o755)
    return path


def done(tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], **variables: str) -> tuple[Counts, str]:
    """Counts and lines of the step, where nothing but `variables` names a compiler."""
    for name in ("CUDACXX", "CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    folder = tree.parent / "results"
    folder.mkdir(exist_ok=True)
    step = next(one for one in CI if one.name == "kernels on devices")
    counts = step.run(Context(tree, folder, Progress()))
    return counts, capsys.readouterr().err


def test_every_source_is_a_test_for_each_architecture(
    tree: Path, nvcc: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert done(tree, monkeypatch, capsys, CUDACXX=str(nvcc))[0] == Counts(passed=6)
    calls = (nvcc.parent / "calls").read_text().splitlines()
    assert len(calls) == 6 and all("-Werror=all-warnings" in call and "-Wextra,-Werror" in call for call in calls)
    assert {word for call in calls for word in call.split() if word.endswith(".cu")} == {
        "checks/one/kernel.cu", "cpp/gpu/main.cu", "tests/toy/kernel.cu"}
    assert sum("code=sm_80" in call for call in calls) == sum("code=sm_90" in call for call in calls) == 3


def test_a_source_that_does_not_compile_is_named_with_its_architecture(
    tree: Path, nvcc: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "checks/one/kernel.cu").write_text("warned")
    counts, _ = done(tree, monkeypatch, capsys, CUDA_HOME=str(nvcc.parent.parent))
    assert (counts.passed, counts.failed) == (5, 1)
    assert counts.failures == (
        "kernels on devices: checks/one/kernel.cu for architecture 90:\n    checks/one/kernel.cu(3): error: unused",)


def test_without_a_compiler_the_sources_are_skipped_with_the_reason(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    counts, text = done(tree, monkeypatch, capsys, CUDACXX="/nonexistent/nvcc")
    assert counts == Counts(skipped=6)
    assert "kernels on devices: 6 skipped: no CUDA compiler was found (CUDACXX, nvcc in PATH, CUDA_HOME, /usr/local/cuda)" in text


def test_the_compiler_is_that_of_a_build(nvcc: Path) -> None:
    found = str(nvcc)
    assert kernels.compiler({"CUDACXX": found}) == kernels.compiler({"CUDA_HOME": str(nvcc.parent.parent)}) == found
    assert kernels.compiler({"PATH": str(nvcc.parent)}) == kernels.compiler({"CUDA_PATH": str(nvcc.parent.parent)}) == found
    assert kernels.compiler({"CUDACXX": "/nonexistent/nvcc", "PATH": str(nvcc.parent)}) is None, "as named, or none"


def test_the_tree_has_sources_and_xacc_is_tested_by_itself() -> None:
    found = {str(path) for path in kernels.sources(TREE)}
    assert {"cpp/gpu/on_card_main.cu", "tests/toy/kernel.cu"} <= found and not any(path.startswith("xacc") for path in found)
