from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.cli import new_check
from tenken.cli.new_check import TEMPLATE, create
from tenken.launch.table import header
from tenken.store.checkfile import read_check


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "checks/taken").mkdir(parents=True)
    (tmp_path / "cpp/base").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize("name", ["a", "stencil_3d", "a" * 40])
def test_a_new_check_is_read_and_becomes_a_table(tree: Path, name: str) -> None:
    folder = create(tree, name)
    assert folder == tree / "checks" / name and sorted(p.name for p in (tree / "checks").iterdir()) == sorted([name, "taken"])
    check = read_check(folder)
    assert check.name == name and check.cases and check.studies and check.metrics and check.validity and check.faults
    table = header(tomllib.loads((folder / "check.toml").read_text()), name)
    assert "Leaf axpy" in table and "ValiditySpec closed_form" in table
    assert not [file.name for file in folder.iterdir() if "NAME" in file.read_text()]
    assert f"namespace {name} {{" in (folder / "kernel.hpp").read_text()


@pytest.mark.parametrize(("parts", "files", "variants"), [
    (["judge"], {"judge.py", "judge_test.py"}, ("plain",)),
    (["library"], {"library.cpp", "variants.hpp", "variants_test.cpp"}, ("plain", "library")),
    (["fortran", "library"], {"kernel.f90", "fortran.cpp", "library.cpp", "variants.hpp", "variants_test.cpp"},
     ("plain", "library", "fortran")),
])
def test_parts_are_written_with_the_check(tree: Path, parts: list[str], files: set[str], variants: tuple[str, ...]) -> None:
    folder = create(tree, "whole", parts)
    assert {file.name for file in folder.iterdir()} - {file.name for file in TEMPLATE.iterdir()} == files
    check = read_check(folder)
    assert check.variants == variants and {case.variant for case in check.cases} == set(variants)
    assert {need.name: need.requires for need in check.variant_needs} == {
        name: needs for name, needs in (("library", ("cblas",)), ("fortran", ("fortran",))) if name in variants}
    text = "".join(file.read_text() for file in folder.iterdir())
    assert "NAME" not in text and "@DECLARED" not in text and "@CHOSEN" not in text and "@NAMES" not in text
    assert ("pass(factor, x, y)" in (folder / "main.cpp").read_text()) == (len(variants) > 1)


def test_an_unknown_part_is_refused(tree: Path) -> None:
    with pytest.raises(TenkenError, match="unknown part 'judges'; did you mean judge"):
        create(tree, "a", ["judges"])


@pytest.mark.skipif(shutil.which("clang-format") is None, reason="needs clang-format")
@pytest.mark.parametrize("name", ["a", "z" * 40])
def test_its_files_are_formatted_however_long_the_name(tree: Path, name: str) -> None:
    shutil.copy(Path(__file__).resolve().parents[3] / ".clang-format", tree)
    files = sorted(create(tree, name, ["judge", "library", "fortran"]).glob("*.[ch]pp"))
    done = subprocess.run(["clang-format", "--dry-run", "-Werror", *files], capture_output=True, text=True, check=False)
    assert len(files) > len(list(TEMPLATE.glob("*.[ch]pp"))) > 4 and done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Axpy", "check name 'Axpy': expected small letters, digits and _, a letter first, at most 40"),
        ("", "check name '': expected small letters"),
        ("3d", "check name '3d': expected small letters"),
        ("../up", "check name '../up': expected small letters"),
        ("a" * 41, "a': expected small letters"),
        ("double", "is a word of C++ or of Tenken; choose another name, such as check_double."),
        ("base", "is the folder cpp/base"),
        ("test", "is a target of the build"),
        ("tests_a", "is a target of the build; choose another name, such as check_tests_a."),
        ("div", "is a function of the C library"),
        ("taken", "checks/taken is there already; choose another name, or remove that folder first."),
    ],
)
def test_a_bad_name_is_refused(tree: Path, name: str, sentence: str) -> None:
    with pytest.raises(TenkenError) as refused:
        create(tree, name)
    assert sentence in str(refused.value)
    assert [path.name for path in (tree / "checks").iterdir()] == ["taken"]


def test_a_failed_writing_leaves_nothing(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(new_check.shutil, "move", full)
    with pytest.raises(TenkenError, match=r"checks/a cannot be written: No space left on device; use a copy of Tenken"):
        create(tree, "a")
    assert [path.name for path in (tree / "checks").iterdir()] == ["taken"]
