"""The rules of docs/architecture.md, enforced: arrows, sizes, one version, a README and a test for every check."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from size import loaded, visited

import tenken
from run.steps import CI
from tenken.store.checkfile import read_check
from tenken.store.judges import impure_imports

TREE = Path(__file__).resolve().parent.parent
PYTHON = TREE / "python" / "tenken"

# Package -> packages of Tenken that it may import.
PYTHON_ARROWS = {
    "base": set(),
    "model": {"base"},
    "stats": {"base"},
    "machine": {"base", "model"},
    "store": {"base", "model"},
    "launch": {"base", "model", "store"},
    "judge": {"base", "model", "stats"},
    "history": {"base", "model", "stats", "machine", "store", "judge"},
    "report": {"base", "model"},
    "cli": {"base", "model", "stats", "machine", "store", "launch", "judge", "history", "report"},
}
# What the pure packages must not touch: files, clocks, processes, chance.
IMPURE = {"os", "io", "time", "datetime", "subprocess", "pathlib", "shutil", "tempfile", "socket", "random", "threading"}
PURE = {"model", "stats", "judge"}
DRAWING = {"matplotlib", "jinja2"}

CPP_ARROWS = {
    "base": {"base"},
    "simd": {"base", "simd"},
    "numerics": {"base", "simd", "numerics"},
    "measure": {"base", "parallel", "measure"},
    "parallel": {"base", "parallel"},
    "storage": {"base", "parallel", "storage"},
    "probe": {"base", "measure", "probe"},
    "gpu": {"base", "measure", "gpu"},
    "qcd": {"base", "simd", "measure", "parallel", "numerics", "qcd"},
    "testing": {"testing"},
}
CPP_FOLDERS = set(CPP_ARROWS)
LONGEST_FILE, LONGEST_FILE_OF_JUDGE = 400, 300
LONGEST_LINE = 130

# The judge: a common ground, four wings on it that know nothing of each other, and above them what puts a run together.
JUDGE = PYTHON / "judge"
COMMON, WINGS = "common", ("launch_set", "change", "release", "place")
MOST_ARROWS_OF_JUDGE = 99  # between its modules; a module that needs many others is two


def python_files() -> list[Path]:
    return sorted(PYTHON.rglob("*.py"))


def judge_files() -> list[Path]:
    return sorted((TREE / "checks").glob("*/judge*.py"))


def steps_files() -> list[Path]:
    return sorted((TREE / "tests" / "run").glob("*.py"))


def imports_of(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def cpp_files() -> list[Path]:
    return sorted(p for folder in ("cpp", "checks") for p in (TREE / folder).rglob("*") if p.suffix in (".cpp", ".hpp", ".cu"))


def includes_of(path: Path) -> list[str]:
    return re.findall(r'^\s*#include\s+["<]([^">]+)[">]', path.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("path", python_files(), ids=lambda p: str(p.relative_to(PYTHON)))
def test_python_arrows(path: Path) -> None:
    parts = path.relative_to(PYTHON).parts
    if len(parts) == 1:
        return
    package, is_test = parts[0], path.name.endswith("_test.py")
    for name in imports_of(path):
        top, _, rest = name.partition(".")
        if top == "tenken" and rest and not is_test:
            target = rest.split(".")[0]
            allowed = PYTHON_ARROWS[package] | {package, "VERSION"}
            assert target in allowed, f"{package} may not import {target}"
        if package in PURE and not is_test:
            assert top not in IMPURE, f"{package} is pure and may not import {top}"
        if top in DRAWING:
            assert package == "report", f"only report draws, not {package}"


def module_of(path: Path) -> str:
    """tenken.judge.change of its __init__.py, tenken.judge.change.rule of rule.py beside it."""
    parts = path.relative_to(PYTHON.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def arrows_between(modules: dict[str, Path]) -> dict[str, set[str]]:
    """By module which others of `modules` it imports; a name of a module is that module."""

    def target(name: str) -> str:
        while name and name not in modules:
            name = name.rpartition(".")[0]
        return name

    return {name: {target(one) for one in imports_of(path)} - {"", name} for name, path in modules.items()}


def product_modules(folder: Path = PYTHON) -> dict[str, Path]:
    product = (p for p in sorted(folder.rglob("*.py")) if not p.name.endswith("_test.py") and p.name != "conftest.py")
    return {module_of(path): path for path in product}


def test_python_has_no_circle() -> None:
    TopologicalSorter(arrows_between(product_modules())).prepare()  # raises where there is a circle


XACC = TREE / "xacc" / "src" / "xacc"


def test_xacc_has_no_circle() -> None:
    modules = {f"xacc.{path.stem}": path for path in XACC.glob("*.py")}
    TopologicalSorter(arrows_between(modules)).prepare()
    runtime = calls_between({path.name: path.read_text(encoding="utf-8") for path in sorted((XACC / "runtime").glob("*.c"))})
    assert "process.c" in runtime["start.c"]
    TopologicalSorter(runtime).prepare()


def calls_between(sources: dict[str, str]) -> dict[str, set[str]]:
    """By C file which others it names functions of."""
    defined = {function: name for name, text in sources.items()
               for function in re.findall(r"^(?!static)\w[\w \*]*?\b(\w+)\([^;{]*\) \{", text, re.MULTILINE)}
    return {name: {defined[word] for word in set(re.findall(r"\w+", text)) & defined.keys()} - {name}
            for name, text in sources.items()}


def test_headers_have_no_circle() -> None:
    """Each header of cpp/, of a check and of the runtime of xacc."""
    headers = {path.resolve(): includes_of(path) for folder in ("cpp", "checks", "xacc/src")
               for path in (TREE / folder).rglob("*") if path.suffix in (".h", ".hpp", ".cuh")}
    arrows = {path: {there for name in names for folder in (path.parent, TREE / "cpp")
                     if (there := (folder / name).resolve()) in headers} for path, names in headers.items()}
    assert len(arrows) > 200 and sum(map(len, arrows.values())) > 200
    TopologicalSorter(arrows).prepare()


LONGEST_OF_ONE_USER = 80  # lines: a shorter module that a single other module imports joins it
# Those that stay apart, each with its reason.
APART = {
    "tenken.cli.main": "the door of the command line, which tests call",
    "tenken.judge.started": "a door of the judge, beside assess",
}


def small_of_one_user(modules: dict[str, Path]) -> set[str]:
    users = [other for others in arrows_between(modules).values() for other in others]
    return {name for name, path in modules.items() if users.count(name) == 1 and path.name != "__init__.py"
            and len(path.read_text(encoding="utf-8").splitlines()) < LONGEST_OF_ONE_USER}


def test_a_small_module_has_two_users() -> None:
    assert small_of_one_user(product_modules()) == set(APART)


MOST_MODULES_OF_SHOW, MOST_MODULES_OF_A_CASE = 110, 40


def test_an_answer_is_reached_through_few_modules() -> None:
    modules = loaded()
    assert "tenken.judge.assess" in modules and len(modules) <= MOST_MODULES_OF_SHOW


def test_a_case_passes_through_few_modules() -> None:
    modules = visited()
    assert "tenken.judge.common.prepared" in modules and len(modules) <= MOST_MODULES_OF_A_CASE


def judge_arrows() -> dict[str, set[str]]:
    return arrows_between(product_modules(JUDGE))


def room_of(module: str) -> str:
    """The wing or the common ground that a module of the judge lies in; "" above them."""
    room = module.removeprefix("tenken.judge").lstrip(".").partition(".")[0]
    return room if room in (COMMON, *WINGS) else ""


def test_the_judge_has_few_arrows() -> None:
    assert sum(map(len, judge_arrows().values())) <= MOST_ARROWS_OF_JUDGE


def test_the_wings_of_the_judge_stand_on_the_common_ground_alone() -> None:
    for module, others in judge_arrows().items():
        room = room_of(module)
        allowed = {COMMON, room} if room in WINGS else {room} if room == COMMON else {"", COMMON, *WINGS}
        assert {room_of(one) for one in others} <= allowed, module


def through_no_door(path: Path) -> list[str]:
    """What a file outside of a room of the judge imports past its door, or of what the door does not name."""
    past = []
    for name in sorted(imports_of(path)):
        room = room_of(name) if name.startswith("tenken.judge.") else ""
        if room and JUDGE / room not in path.parents:
            door = (JUDGE / room / "__init__.py").read_text(encoding="utf-8")
            named = next(node.value for node in ast.parse(door).body
                         if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")
            past += [] if name.removeprefix(f"tenken.judge.{room}.") in ast.literal_eval(named) else [name]
    return past


def test_the_rooms_of_the_judge_are_entered_by_their_doors() -> None:
    files = [p for folder in ("python", "tests", "checks") for p in sorted((TREE / folder).rglob("*.py"))
             if not (JUDGE in p.parents and p.name.endswith("_test.py")) and p.name != "conftest.py"]
    past = {str(path.relative_to(TREE)): found for path in files if (found := through_no_door(path))}
    assert len(files) > 300 and not past


@pytest.mark.parametrize("wing", WINGS)
def test_a_wing_of_the_judge_is_imported_alone(wing: str) -> None:
    script = f"import sys, tenken.judge.{wing}; print(*[name for name in sys.modules if name.startswith('tenken.judge.')])"
    loaded = subprocess.run([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(PYTHON.parent)},
                            capture_output=True, text=True, check=True).stdout.split()
    assert f"tenken.judge.{wing}" in loaded and {room_of(name) for name in loaded} == {wing, COMMON}


@pytest.mark.parametrize("path", sorted((TREE / "checks").glob("*/judge.py")), ids=lambda p: p.parent.name)
def test_judges_of_checks_are_pure(path: Path) -> None:
    assert not impure_imports(path.read_text(encoding="utf-8"))
    assert {name.partition(".")[0] for name in imports_of(path)} & IMPURE == set()


@pytest.mark.parametrize("path", cpp_files(), ids=lambda p: str(p.relative_to(TREE)))
def test_cpp_arrows(path: Path) -> None:
    root, folder = path.relative_to(TREE).parts[:2]
    for include in includes_of(path):
        target = include.split("/")[0]
        if root == "cpp":
            if target in CPP_FOLDERS:
                assert target in CPP_ARROWS[folder] or path.name.endswith(("_test.cpp", "_test.hpp")), f"cpp/{folder} may not include {include}"
        else:
            other = "/" in include and (TREE / "checks" / target).is_dir()  # <memory> is a header of the language
            assert ".." not in include and not other, f"checks never include each other: {include}"
        pure = folder == "numerics" or (root == "checks" and path.name.startswith("kernel"))
        assert not (pure and include == "mpi.h" and path.suffix == ".hpp"), "kernel and numerics headers never include mpi.h"


@pytest.mark.parametrize("path", python_files() + judge_files() + steps_files() + cpp_files(), ids=lambda p: str(p.relative_to(TREE)))
def test_files_stay_small(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= (LONGEST_FILE_OF_JUDGE if JUDGE in path.parents else LONGEST_FILE)
    assert max(map(len, lines), default=0) <= LONGEST_LINE


@pytest.mark.parametrize("folder", sorted(p.parent for p in (TREE / "checks").glob("*/check.toml")), ids=lambda p: p.name)
def test_every_check_explains_and_tests_itself(folder: Path) -> None:
    readme, check = (folder / "README.md").read_text(encoding="utf-8"), read_check(folder)
    assert readme.startswith(f"# {folder.name}") and "**Question.**" in readme, "title `# NAME: ...`, then **Question.**"
    assert re.search(r"^(\*\*|## )Proof", readme, re.MULTILINE), "a paragraph **Proof.** or a heading ## Proofs"
    unnamed = [fault for fault in check.faults if f"`{fault}`" not in readme]
    assert not unnamed, f"README.md does not describe faults of check.toml: {', '.join(unnamed)}"
    assert list(folder.glob("*_test.cpp"))
    assert len((folder / "main.cpp").read_text(encoding="utf-8").splitlines()) <= 80


@pytest.mark.parametrize("folder", sorted(p.parent for p in (TREE / "checks").glob("*/check.toml")), ids=lambda p: p.name)
def test_every_check_names_the_figure_of_its_tile(folder: Path) -> None:
    assert len([metric for metric in read_check(folder).metrics if metric.headline]) == 1


MOST_TESTS_S, MOST_TESTS_OF_APPLICATIONS_S = 15, 60  # processor seconds of a check's tests in one build


@pytest.mark.parametrize("folder", sorted(p.parent for p in (TREE / "checks").glob("*/check.toml")), ids=lambda p: p.name)
def test_every_check_says_what_its_tests_cost(folder: Path) -> None:
    check = read_check(folder)
    application = any("/" in section.path for section in check.sections)  # it times a whole with its parts
    assert check.tests_s is not None, "tests_s: processor seconds of the tests in one build (./tenken test --check NAME says them)"
    assert 0 < check.tests_s <= (MOST_TESTS_OF_APPLICATIONS_S if application else MOST_TESTS_S)


CHECKS = sorted(p.parent.name for p in (TREE / "checks").glob("*/check.toml"))
ALSO_WORDS = {"stream"}  # names of checks that mean something else, too: refused only where they stand as a name
TERMS = {"cache", "memory", "metadata", "noise"}


def checks_named_in(text: str) -> set[str]:
    """Checks that a text names: `checks/NAME`, "NAME", NAME:case, or its name anywhere unless that is also a word."""

    def named(name: str) -> bool:
        if name in TERMS:  # what is measured has the same name as the check: only a path or a case is surely the check
            return re.search(rf"""checks/{name}\b|["'` ]{name}:[a-z]|\bcheck {name}\b""", text) is not None
        if name not in ALSO_WORDS:
            return re.search(rf"\b{name}\b", text) is not None
        return re.search(rf"""checks/{name}\b|["'`]{name}["'`:.]|\b{name}:[a-z]|\bcheck {name}\b""", text) is not None

    return {name for name in CHECKS if named(name)}


def product_files() -> list[Path]:
    """What must work with any checks. Tests may name those they use; what fuzzers begin with is no text."""
    files = (p for folder in ("python", "cpp", "cmake", "schema") for p in sorted((TREE / folder).rglob("*")) if p.is_file()
             and p.parent.name != "corpus")
    return [p for p in [TREE / "tenken", TREE / "CMakeLists.txt", *files] if "_test." not in p.name and p.suffix != ".pyc"]


def test_no_check_is_named_outside_its_folder() -> None:
    named = {str(p.relative_to(TREE)): found for p in product_files() if (found := checks_named_in(p.read_text("utf-8")))}
    assert not named, "what a check gives to others it declares in its check.toml (provides, judge.py)"


def test_the_dev_container_installs_what_ci_needs() -> None:
    container = json.loads((TREE / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    assert "./tenken test --ci --only format --yes" in container["postCreateCommand"]
    assert any(step.name == "format" for step in CI)


def test_one_version() -> None:
    newest = re.search(r"^## \[?(\d+\.\d+\.\d+)", (TREE / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest and newest.group(1) == tenken.VERSION


def test_the_rules_can_fail(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("import os.path\nfrom tenken.launch import local\n")
    assert {"os.path", "tenken.launch.local"} == imports_of(bad)
    assert checks_named_in('CEILING = "fma_peak"  # by stream:large, not by a stream') == {"fma_peak", "stream"}
    assert checks_named_in("see memory:one_core, checks/cache and the check noise") == {"memory", "cache", "noise"}
    assert not checks_named_in('of "memory", not of a cache: noise')
    assert not checks_named_in("a stream of random numbers, io.StringIO().stream, fma_peaks")
    past = tmp_path / "past.py"
    past.write_text("from tenken.judge.change.rule import decide\nfrom tenken.judge.change import WITH_CLASS, decide\nimport tenken.judge.assess\n")
    assert through_no_door(past) == ["tenken.judge.change.WITH_CLASS", "tenken.judge.change.rule.decide"]
    assert [room_of(f"tenken.judge{one}") for one in ("", ".assess", ".common", ".place.late")] == ["", "", COMMON, "place"]
    for name, text in (("a", "from t.b import x, y"), ("b", "import t.a")):
        (tmp_path / f"{name}.py").write_text(text)
    two = {"t.a": tmp_path / "a.py", "t.b": tmp_path / "b.py"}
    assert small_of_one_user(two) == {"t.a", "t.b"}
    arrows = arrows_between(two)
    assert arrows == {"t.a": {"t.b"}, "t.b": {"t.a"}}
    with pytest.raises(CycleError):
        TopologicalSorter(arrows).prepare()
    assert calls_between({"a.c": "int f(int *x) {\n g(x); }\n", "b.c": "static int f(void) {}\nvoid *g(int *x) { f(); }\n"}) == {
        "a.c": {"b.c"}, "b.c": {"a.c"}}
    header = tmp_path / "kernel.hpp"
    header.write_text('#include <mpi.h>\n  #include "other/x.hpp"\n')
    assert includes_of(header) == ["mpi.h", "other/x.hpp"]
