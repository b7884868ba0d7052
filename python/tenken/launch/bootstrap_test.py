"""The bootstrap `./tenken` in a tree and a PATH of its own: what it refuses, asks apt for, and hands over."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tenken.launch.packages import read

TREE = Path(__file__).resolve().parents[3]
BASICS = ("bash", "env", "dirname", "readlink", "mkdir", "mktemp", "grep", "tail", "cat", "sh", "chmod", "ln", "rm", "stat",
          "head")
BUILD_TOOLS = ("g++", "cmake", "ninja", "mpicxx", "mpirun")
PYTHON = """#!/bin/sh
echo "$1" >> "{calls}"
case $1 in
  -c) echo "{python}"; [ $# -gt 2 ] && echo " {missing} " || echo " " ;;
  *) echo "tenken $*" ;;
esac
"""
ROOT = os.geteuid() == 0
INSTALL = "apt-get update && apt-get install -y --no-install-recommends"


class Tree:
    """A tree with the bootstrap, and a PATH that holds the basics and what a test adds."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.bin, self.calls = folder / "tree", folder / "bin", folder / "calls"
        (self.folder / "python/tenken/launch").mkdir(parents=True)
        self.bin.mkdir()
        shutil.copy(TREE / "tenken", self.folder / "tenken")
        shutil.copy(TREE / "python/tenken/launch/packages.tsv", self.folder / "python/tenken/launch")
        for name in BASICS:
            (self.bin / name).symlink_to(shutil.which(name))

    def add(self, name: str, text: str = "#!/bin/sh\n") -> Path:
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def add_python(self, missing: str = "") -> None:
        path = self.bin / "fake-python"
        self.add("fake-python", PYTHON.format(calls=self.calls, python=path, missing=missing))

    def type(self, *words: str, start: str | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(self.bin), "HOME": str(self.folder), "TENKEN_PYTHON": str(self.bin / "fake-python")}
        environment = {name: value for name, value in (environment | more).items() if value}
        return subprocess.run(
            [start or str(self.folder / "tenken"), *words], env=environment, cwd="/", capture_output=True, text=True,
            stdin=subprocess.DEVNULL, check=False,
        )

    def python_calls(self) -> list[str]:
        return self.calls.read_text().split() if self.calls.exists() else []


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def test_all_there_goes_straight_to_the_command_line(tree: Tree) -> None:
    tree.add_python()
    for name in BUILD_TOOLS:
        tree.add(name)
    answer = tree.type("run", "quick", "--all")
    assert (answer.returncode, answer.stdout) == (0, "tenken -m tenken.cli run quick --all\n")
    assert tree.python_calls() == ["-c", "-m"]
    tree.type("run")
    assert tree.python_calls() == ["-c", "-m", "-m"], "the second start asks no interpreter again"


def test_a_python_that_lacks_fewer_modules_goes_before_that_of_the_system(tree: Tree) -> None:
    """TENKEN_PYTHON as the message on missing modules advises: an environment that lacks one that is only useful."""
    table = tree.folder / "python/tenken/launch/packages.tsv"
    more = ("build\toptional\tA\tmodule no_such_a\ta\ta\ta\n", "build\toptional\tB\tmodule no_such_b\tb\tb\tb\n")
    table.write_text(table.read_text() + "".join(more))
    tree.add_python(missing="no_such_a")
    for name in BUILD_TOOLS:
        tree.add(name)
    assert tree.type("build").stdout.endswith("tenken -m tenken.cli build\n")
    assert tree.python_calls()[-1] == "-m"


def test_a_python_that_the_user_names_is_not_replaced_in_silence(tree: Tree) -> None:
    tree.add_python()
    assert "TENKEN_PYTHON=/no/python: expected Python >= 3.11, found no such program; name a newer one" in tree.type(
        "list", TENKEN_PYTHON="/no/python").stderr
    old = tree.add("python3.9", '#!/bin/sh\n[ "$1" != --version ] || echo Python 3.9.2\n[ "$1" = --version ]\n')
    answer = tree.type("list", TENKEN_PYTHON=str(old))
    assert (answer.returncode, answer.stdout) == (3, "")
    assert f"TENKEN_PYTHON={old}: expected Python >= 3.11, found Python 3.9.2; name a newer one" in answer.stderr
    (tree.bin / "python3").symlink_to(tree.bin / "fake-python")
    bare = tree.add("bare", f'#!/bin/sh\necho {tree.bin}/bare\necho " numpy "\n')
    answer = tree.type("node-check", TENKEN_PYTHON=str(bare))
    assert answer.stdout == "tenken -m tenken.cli node-check\n"
    assert f"TENKEN_PYTHON={bare} has fewer of the modules numpy than {tree.bin}/fake-python, which is used" in answer.stderr


def test_mklroot_alone_is_an_optimised_blas(tree: Tree, tmp_path: Path) -> None:
    (tmp_path / "mkl/include").mkdir(parents=True)
    (tmp_path / "mkl/include/of_mkl_alone.h").touch()
    table = tree.folder / "python/tenken/launch/packages.tsv"
    table.write_text(table.read_text() + "build\trequired\tBLAS\theader of_mkl_alone.h\tb\tb\tb\n")
    tree.add_python()
    for name in BUILD_TOOLS:
        tree.add(name)
    assert tree.type("build").returncode == 3
    assert tree.type("build", MKLROOT=str(tmp_path / "mkl")).stdout == "tenken -m tenken.cli build\n"


def planted(tree: Tree, folder: Path) -> Path:
    """What an attacker leaves in a folder that others may write: a cache that names an interpreter of his."""
    tree.add_python()
    (tree.folder / "build").write_text("no folder: the tree cannot be written")
    evil = tree.add("evil-python", f"#!/bin/sh\necho evil >> {tree.calls}\n")
    folder.mkdir(parents=True)
    (folder / "python-python").write_text(f"{tree.bin / 'fake-python'}||\n{evil}\n \n")
    return folder


@pytest.mark.parametrize("how", ["folder for all", "folder for the group", "file for all", "file of another", "link", "mine"])
def test_a_cache_counts_only_if_nobody_else_can_write_it(tree: Tree, tmp_path: Path, how: str) -> None:
    folder = planted(tree, tmp_path / "cache" / "tenken")
    file = folder / "python-python"
    if how == "link":
        file.rename(tmp_path / "elsewhere")
        file.symlink_to(tmp_path / "elsewhere")
    if how == "file of another":
        if not ROOT:
            pytest.skip("only root gives files away")
        os.chown(file, 12345, 12345)
    folder.chmod({"folder for all": 0o777, "folder for the group": 0o775}.get(how, 0o755))
    if how != "link":
        file.chmod(0o666 if how == "file for all" else 0o644)
    answer = tree.type("list", XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert ("evil" in tree.python_calls()) == (how == "mine"), answer.stderr
    assert how == "mine" or answer.stdout == "tenken -m tenken.cli list\n"


def test_without_a_home_there_is_no_cache(tree: Tree) -> None:
    tree.add_python()
    (tree.folder / "build").write_text("no folder: the tree cannot be written")
    assert tree.type("list", HOME="").stdout == "tenken -m tenken.cli list\n"
    assert not Path("/tmp/.cache/tenken").exists()


def test_works_through_a_link_from_anywhere(tree: Tree, tmp_path: Path) -> None:
    tree.add_python()
    (tmp_path / "one").symlink_to("tree/tenken")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    assert tree.type("list", start=str(tmp_path / "two")).stdout == "tenken -m tenken.cli list\n"


def test_help_needs_nothing_but_python(tree: Tree) -> None:
    tree.add_python(missing="numpy matplotlib")
    assert tree.type("run", "--help").stdout == "tenken -S -m tenken.cli run --help\n"


def test_refuses_without_a_yes_and_names_the_exact_command(tree: Tree) -> None:
    tree.add_python()
    tree.add("apt-get", f"#!/bin/sh\necho apt >> {tree.calls}\n")
    tree.add("g++")
    tree.add("make")
    answer = tree.type("run")
    assert answer.returncode == 3 and answer.stdout == ""
    sudo = "" if ROOT else "sudo "
    command = INSTALL.replace("apt-get", f"{sudo}apt-get")
    assert f"{command} cmake libopenmpi-dev openmpi-bin" in answer.stderr
    assert "CMake >= 3.25" in answer.stderr and "a module such as cmake/3.25" in answer.stderr
    assert "apt" not in tree.python_calls(), "nothing may be installed"


def test_elsewhere_than_on_debian_it_names_what_is_missing(tree: Tree) -> None:
    tree.add_python()
    answer = tree.type("build", "--yes")
    assert answer.returncode == 3
    assert "neither Debian nor Ubuntu" in answer.stderr and "MPI compiler" in answer.stderr


def test_no_python_at_all_is_a_sentence(tree: Tree) -> None:
    if Path("/usr/bin/python3").exists():
        pytest.skip("the system's Python is found by its full name")
    assert "Python >= 3.11" in tree.type("list").stderr


@pytest.mark.skipif(not ROOT, reason="only root installs")
def test_yes_installs_only_what_is_missing(tree: Tree) -> None:
    tree.add_python()
    for name in BUILD_TOOLS:
        if name != "cmake":
            tree.add(name)
    made = f'[ "$1" = update ] || {{ : > {tree.bin}/cmake; chmod +x {tree.bin}/cmake; }}'
    tree.add("apt-get", f'#!/bin/sh\necho "$DEBIAN_FRONTEND $*" >> {tree.folder}/asked\n{made}\n')
    answer = tree.type("run", "--yes")
    assert answer.returncode == 0, answer.stderr
    update, install = (tree.folder / "asked").read_text().splitlines()
    assert update == "noninteractive update"
    assert install.startswith("noninteractive install -y --no-install-recommends cmake") and "g++" not in install
    assert "setup    apt-get update ..." in answer.stderr and (tree.folder / "build/bootstrap.log").exists()


@pytest.mark.skipif(not ROOT, reason="only root installs")
def test_a_failing_installation_is_a_sentence_with_the_log(tree: Tree) -> None:
    tree.add_python()
    tree.add("apt-get", "#!/bin/sh\necho 'E: no route to the archive'\nexit 100\n")
    answer = tree.type("run", "--yes")
    assert answer.returncode == 3
    assert "E: no route to the archive" in answer.stderr and "bootstrap.log" in answer.stderr and INSTALL in answer.stderr


def test_every_need_of_the_table_is_whole() -> None:
    needs = read()
    assert {need.klass for need in needs} == {"python", "build", "numpy", "draw", "test", "ci"}
    assert {need.test.split()[0] for need in needs} == {"command", "header", "file", "module"}
    assert all(need.package and need.purpose and need.elsewhere for need in needs)
