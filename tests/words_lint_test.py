"""The linter of words reports what it should, and nothing in code, formulas and questions."""

from __future__ import annotations

from pathlib import Path

import pytest
import words_lint as lint

MANY = "The node is slow since " + " ".join(f"word{number}" for number in range(25))


@pytest.mark.parametrize(("text", "problem"), [
    ("the run tells more", "'tells': print, report, show"), ("It was held against a band", "'held': compare, contain, be valid"),
    ("another's load on the node", "'another's': other load"), ("Each rank has its own core", "'its own': name the thing"),
    ("the second rank, as the first one", "'first one'"), ("the older ones are left out", "'older ones'"),
    ("it prints what was measured", "'what' outside a question"), (f"{MANY}.", "30 words in a sentence, at most 25"),
    ("a; b; c", "2 semicolons in a sentence, at most 1"),
])  # fmt: skip
def test_a_sentence_against_each_rule_is_reported(text: str, problem: str) -> None:
    found = list(lint.problems(text))
    assert len(found) == 1 and problem.strip("'") in found[0], found


@pytest.mark.parametrize("text", [
    "What does a barrier cost?", "One rank runs. The other rank waits; both end.", "A threshold of 2 % is used.",
    "Householder's method and household names", "links lead to [a page](what-is-told.md)",
])
def test_plain_sentences_pass(text: str) -> None:
    assert list(lint.problems(text)) == []


def test_of_a_document_prose_is_read_and_code_is_not() -> None:
    text = "# A\n\nIt `tells` more.\n\n```\nwhat it tells\n```\n\n| a | says |\n|---|---|\n\n" + "x" * 101 + "\n"
    assert [number for number, _ in lint.of_document(text)] == [12, 9]


def test_of_a_module_messages_are_read_and_docstrings_are_not() -> None:
    text = '"""It tells what it keeps."""\nfail(f"{name} tells nothing: leave it out")\nKEY = "told"\n'
    assert [number for number, _ in lint.of_python(text)] == [2]
    assert [number for number, _ in lint.of_cpp('// it tells\nrefuse("it tells nothing more");\n')] == [2]


def test_of_a_check_the_texts_of_users_are_read() -> None:
    text = '[a]\nquestion = "Is it told?"\nmeaning = "what is measured"\nvariant = "told"\n'
    assert sorted(number for number, _ in lint.of_check(text)) == [2, 3]


def test_a_tree_is_read_file_by_file(tmp_path: Path) -> None:
    (tmp_path / "checks/demo").mkdir(parents=True)
    (tmp_path / "README.md").write_text("It tells.\n", encoding="utf-8")
    (tmp_path / "checks/demo/README.md").write_text("It says.\n", encoding="utf-8")
    assert [each.partition(" ")[0] for each in lint.found(tmp_path)] == ["README.md:1:", "checks/demo/README.md:1:"]
