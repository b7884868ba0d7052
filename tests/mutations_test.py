"""The list of planted errors fits the tree, and a seed draws the same lines again."""

from __future__ import annotations

import ast

from mutations import TREE, drawn, named


def test_every_error_of_the_list_is_in_the_tree_once_and_so_are_its_tests() -> None:
    errors = list(named([]))
    assert len(errors) > 20
    programs = {f"{path.parent.name}_{path.stem}" for path in (TREE / "cpp").rglob("*_test.cpp")}
    for words, file, text, tests in errors:
        assert tests and text != (TREE / file).read_text(), words
        assert all((TREE / test).is_file() if test.endswith(".py") else test in programs for test in tests), words


def test_a_seed_draws_the_same_lines_of_product_outside_the_judge() -> None:
    first = list(drawn(20, "c0ffee"))
    assert first == list(drawn(20, "c0ffee")) != list(drawn(20, "decaf"))
    for _, file, text, tests in first:
        before = ast.unparse(ast.parse((TREE / file).read_text()))
        changed = [new for old, new in zip(before.splitlines(), text.splitlines(), strict=True) if old != new]
        assert len(changed) == 1 and "/judge/" not in file and not file.endswith("_test.py"), file
        assert all(test.startswith("python/tenken/") for test in tests), file
