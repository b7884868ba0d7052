"""A prefix has whole versions side by side, which run for everybody, or is as it was."""

from __future__ import annotations

import dataclasses
import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from fake_build import ENVIRONMENT
from tenken.base.errors import TenkenError
from tenken.launch import installation
from tenken.launch.build import STAMP, Built, build
from tenken.launch.installation import install

CMAKE = """#!/bin/sh
[ "$1" != --version ] || echo "cmake version 3.25.1"
[ "$1" != -S ] || mkdir -p "$4/checks/toy/CMakeFiles"
[ "$1" = --build ] || exit 0
printf '#!/bin/sh\\necho toy\\n' > "$2/checks/toy/toy"; chmod 700 "$2/checks/toy/toy"; touch "$2/main.o"
"""
PROGRAM = '#!/bin/sh\necho "$(dirname "$(readlink -f "$0")")"\n'


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A tree of somebody whose umask gives others nothing, with what tests and runs leave in it."""
    before = os.umask(0o077)
    folder, programs = tmp_path / "tree", tmp_path / "bin"
    for name, text in {
        "tree/tenken": PROGRAM, "tree/cpp/one.cpp": "int main() {}", "tree/python/tenken/__init__.py": "", "bin/cmake": CMAKE,
        "tree/checks/toy/judge.py": "", "tree/checks/toy/__pycache__/judge.pyc": "", "tree/runs/one/run.json": "{}",
        "tree/.git/config": "", "tree/docs/build/page.md": "", "tree/tests/run/word.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (folder / "tenken").chmod(0o700)
    (programs / "cmake").chmod(0o700)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    yield folder
    os.umask(before)


def built(tree: Path, said: list[str] | None = None) -> Built:
    return build(tree, ENVIRONMENT, lambda line, stays: (said if said is not None else []).append(line))


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def test_the_copy_is_up_to_date_and_everybody_can_use_it(tree: Path, tmp_path: Path) -> None:
    prefix = tmp_path / "opt/tenken"
    link = install(tree, [built(tree)], prefix)
    place = prefix / "share" / f"tenken-{installation.VERSION}"
    assert link == prefix / "bin/tenken" and os.readlink(link) == f"../share/{place.name}/tenken"
    name = built(tree).folder.name
    assert [one for one in files(place) if not one.endswith(".pyc")] == [
        f"build/{name}/checks/toy/toy", f"build/{name}/tenken-build.json", f"build/{name}/tenken-node.json",
        "checks/toy/judge.py", "cpp/one.cpp", "docs/build/page.md", "python/tenken/__init__.py", "tenken"]
    assert any(one.startswith("python/tenken/__pycache__/__init__") for one in files(place)), "users cannot write it there"
    for path in (prefix, *prefix.rglob("*")):
        wanted = 0o755 if path.is_dir() or path.name in ("toy", "tenken") else 0o644
        assert path.is_symlink() or path.stat().st_mode & 0o777 == wanted, path
    said: list[str] = []
    shutil.rmtree(tree)
    assert built(place, said).folder == place / "build" / name and said == ["build    fake: up to date"]


def test_the_python_of_whoever_built_is_no_reason_to_build_again(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built(tree)
    monkeypatch.setattr("tenken.launch.build.sys.executable", "/usr/bin/python3.99")
    said: list[str] = []
    built(tree, said)
    assert said == ["build    fake: up to date"]
    build(tree, dataclasses.replace(ENVIRONMENT, isa="portable"), lambda line, stays: said.append(line))
    assert len(said) > 2


def test_versions_lie_side_by_side_and_the_link_leads_to_the_newest(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version in ("1.0.0", "1.1.0"):
        monkeypatch.setattr(installation, "VERSION", version)
        link = install(tree, [built(tree)], tmp_path / "opt")
    assert sorted(os.listdir(tmp_path / "opt/share")) == ["tenken-1.0.0", "tenken-1.1.0"]
    assert link.resolve().parent.name == "tenken-1.1.0" and os.listdir(tmp_path / "opt/bin") == ["tenken"]
    (tree / "docs/build/page.md").write_text("new")
    install(tree, [built(tree)], tmp_path / "opt")
    assert (link.resolve().parent / "docs/build/page.md").read_text() == "new", "the same version once more replaces it"
    assert sorted(os.listdir(tmp_path / "opt/share")) == ["tenken-1.0.0", "tenken-1.1.0"]


@pytest.mark.parametrize("step", ["copytree", "rename", "replace"])
def test_a_full_disk_leaves_the_prefix_as_it_was(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    one = built(tree)
    install(tree, [one], tmp_path / "old")
    before = files(tmp_path / "old")
    page = tree / "docs/build/page.md"
    page.write_text("new")
    real = shutil.copytree

    def full(*arguments: object, **options: object) -> None:
        if step == "copytree":
            real(*arguments, **options)
        raise OSError(errno.ENOSPC, "No space left on device")

    target = {"copytree": "shutil.copytree", "rename": "pathlib.Path.rename", "replace": "os.replace"}[step]
    for prefix in ("new/deep", "old"):
        with monkeypatch.context() as patch:
            patch.setattr(f"tenken.launch.installation.{target}" if step != "rename" else target, full)
            with pytest.raises(TenkenError, match=f"install into .*{prefix}: No space left on device; nothing was changed"):
                install(tree, [one], tmp_path / prefix)
    assert not (tmp_path / "new").exists() and files(tmp_path / "old") == before
    assert (tmp_path / "old/share").rglob("page.md").__next__().read_text() == ""


def test_a_prefix_that_cannot_be_used_is_one_sentence(tree: Path, tmp_path: Path) -> None:
    one = built(tree)
    (tmp_path / "file").touch()
    with pytest.raises(TenkenError, match="^cannot install into .*file/opt: Not a directory .*Name another --prefix.$"):
        install(tree, [one], tmp_path / "file/opt")
    with pytest.raises(TenkenError, match="lies in the tree .* name a folder outside of it"):
        install(tree, [one], tree / "opt")
    (tmp_path / "opt/bin").mkdir(parents=True)
    (tmp_path / "opt/bin/tenken").touch()
    with pytest.raises(TenkenError, match="opt/bin/tenken is no link that"):
        install(tree, [one], tmp_path / "opt")
    (one.folder / STAMP).unlink()
    with pytest.raises(TenkenError, match="the build has no end"):
        install(tree, [one], tmp_path / "other")
    assert not (tmp_path / "other").exists()
