from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from run import choice
from run.choice import changed_paths, choose

# What all checks use is harness; the solver is used by two of them.
HARNESS = {"cpp/measure/section.hpp", "cpp/base/error.hpp"}
SOLVER = "cpp/numerics/cg.hpp"
CHECKS = {name: {f"checks/{name}/kernel.cpp", *HARNESS} for name in ("blas", "heat", "links", "pairs", "triad")}
CHECKS["heat"].add(SOLVER)
CHECKS["links"] |= {SOLVER, "tools/generator/"}
MADE_OF = {**CHECKS, "measure": HARNESS, "numerics": {SOLVER}}


def chosen(commit: str, *changed: str) -> choice.Part:
    return choose(commit, set(changed), MADE_OF, CHECKS.keys())


@pytest.mark.parametrize("path", ["cmake/TenkenFlags.cmake", "CMakePresets.json"])
def test_how_everything_is_compiled_is_a_change_of_all(path: str) -> None:
    part = chosen("c0ffee", path, "README.md")
    assert part.labels is None and part.why == f"all: {path} changed in the last 30 commits"


def test_too_little_history_is_everything() -> None:
    assert choose("c0ffee", None, MADE_OF, CHECKS.keys()).labels is None


def test_what_changed_must_run_and_the_others_follow_in_an_order_drawn_by_the_commit() -> None:
    changed = ("checks/links/kernel.cpp", "docs/x.md", "python/tenken/judge/case.py", "CMakeLists.txt")
    first = set()
    for commit in map(str, range(40)):
        part = chosen(commit, *changed)
        assert part.labels == ("links",) and {*part.others} == MADE_OF.keys() - {"links"} and len(part.others) == 6
        assert part == chosen(commit, *changed), "the same commit, the same order"
        assert part.why == "links changed in the last 30 commits; 6 others follow while the budget lasts"
        first.add(part.others[0])
    assert first == MADE_OF.keys() - {"links"}, "every label is first for some commit"


def test_where_nothing_changed_one_label_must_run() -> None:
    part = chosen("c0ffee", "docs/x.md")
    assert part.labels is not None and len(part.labels) == 1 and {*part.labels, *part.others} == MADE_OF.keys()
    assert f"but {part.labels[0]}, drawn by commit c0ffee, must run" in part.why


@pytest.mark.parametrize(("changed", "concerns"), [
    ({"xacc/src/a.py"}, True), ({"docs/x.md", "one.py"}, True), ({"xacc.md", "docs/x.md"}, False), (set(), False),
    (None, True),
])
def test_what_a_step_concerns(changed: set[str] | None, concerns: bool) -> None:
    assert choice.concern(changed, ("xacc/", "one.py")) == concerns


@pytest.mark.parametrize(("path", "recent"), [
    (SOLVER, "heat, links, numerics"),
    ("cpp/measure/section.hpp", "measure"),  # what all checks use has its own tests
    ("tools/generator/deep/file.c", "links"),
    ("docs/x.md", "nothing"),
])
def test_a_change_reaches_what_is_made_of_it(path: str, recent: str) -> None:
    assert chosen("c0ffee", path).why.startswith(f"{recent} changed in the last 30 commits")


def test_where_each_changed_all_run() -> None:
    part = chosen("c0ffee", SOLVER, "cpp/base/error.hpp", *(f"checks/{name}/kernel.cpp" for name in CHECKS))
    assert part.labels is None and part.why.startswith("all: each of blas, heat, ")


def test_what_nobody_knows_the_sources_of_always_runs() -> None:
    part = choose("c0ffee", set(), {**MADE_OF, "new": None}, {*CHECKS, "new"})
    assert part.labels is not None and "new" in part.labels


def git(folder: Path, *words: str) -> None:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *words]
    subprocess.run(command, check=True, capture_output=True)


def test_changes_are_read_from_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "COMMITS", 2)
    git(tmp_path, "init", "-q")
    for name in ("a", "b", "c"):
        assert changed_paths(tmp_path)[1] is None, "too short a history"
        (tmp_path / name).write_text(name)
        git(tmp_path, "add", name)
        git(tmp_path, "commit", "-qm", name)
    (tmp_path / "d").write_text("not committed")
    commit, changed = changed_paths(tmp_path)
    assert len(commit) == 40 and changed == {"b", "c", "d"}


def test_a_folder_without_git_is_everything(tmp_path: Path) -> None:
    assert changed_paths(tmp_path) == ("", None)
