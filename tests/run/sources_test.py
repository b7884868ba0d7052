from __future__ import annotations

from pathlib import Path

import pytest

from run.sources import sources
from tenken.cli.places import TREE

FILES = {
    "checks/heat/kernel.cpp": '#include "kernel.hpp"\n#include <vector>\n',
    "checks/heat/kernel.hpp": '  #include "numerics/cg.hpp"\n',
    "checks/heat/deep/kernel_test.cpp": '#include "kernel.hpp"\n#include "this_check.hpp"\n#include "beside.hpp"\n',
    "checks/heat/deep/beside.hpp": "",
    "checks/heat/check.toml": 'requires = ["tool"]\n[variant.fast]\nrequires = ["fortran"]\n',
    "checks/heat/README.md": "",
    "checks/heat/judge.py": "",
    "checks/heat/program_test.py": "",
    "cmake/requires/tool.cmake": "file(GLOB all ${PROJECT_SOURCE_DIR}/tool/src/*.c)",
    "tool/src/one.c": "",
    "cpp/numerics/cg.hpp": '#include "base/error.hpp"\n',
    "cpp/numerics/cg.cpp": '#include "numerics/cg.hpp"\n#include "numerics/inner.hpp"\n',
    "cpp/numerics/cg_test.cpp": '#include "numerics/cg.hpp"\n#include "numerics/plain.hpp"\n',
    "cpp/numerics/inner.hpp": "",
    "cpp/numerics/steps.cpp": '#include "numerics/cg.hpp"\n',  # has no header of its own: of cg.hpp
    "cpp/numerics/other.cpp": '#include "numerics/cg.hpp"\n#include "numerics/other.hpp"\n',
    "cpp/numerics/other.hpp": "",
    "cpp/numerics/plain.hpp": "",
    "cpp/numerics/dft/mixing_test.cpp": '#include "base/error.hpp"\n',
    "cpp/base/error.hpp": "",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_check_is_made_of_its_own_files_and_all_that_they_include(tree: Path) -> None:
    assert sources(tree, "heat") == {
        "checks/heat/kernel.cpp", "checks/heat/kernel.hpp", "checks/heat/deep/kernel_test.cpp", "checks/heat/deep/beside.hpp",
        "checks/heat/check.toml", "cpp/numerics/cg.hpp", "cpp/numerics/cg.cpp", "cpp/numerics/inner.hpp",
        "cpp/numerics/steps.cpp", "cpp/base/error.hpp", "cmake/requires/tool.cmake", "tool/src/",
    }


def test_folders_of_cpp_are_made_of_their_own_tests(tree: Path) -> None:
    numerics = sources(tree, "numerics")
    assert numerics is not None and "cpp/numerics/plain.hpp" in numerics and "cpp/numerics/other.cpp" in numerics
    assert "cpp/numerics/dft/mixing_test.cpp" not in numerics
    assert sources(tree, "dft") == {"cpp/numerics/dft/mixing_test.cpp", "cpp/base/error.hpp"}


def test_an_unknown_label_is_said_to_be_unknown(tree: Path) -> None:
    assert sources(tree, "nonsense") is None


@pytest.mark.parametrize("check", sorted(path.parent.name for path in TREE.glob("checks/*/check.toml")))
def test_every_check_of_the_tree_is_seen_to_use_the_harness(check: str) -> None:
    found = sources(TREE, check)
    assert found is not None and {"cpp/measure/section.hpp", "cpp/measure/record.cpp", "cpp/base/error.hpp"} <= found
