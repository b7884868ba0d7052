"""Drawing of planted errors: what each operator makes of C++ and of Python, and the same draw from the same seed."""

from __future__ import annotations

import ast
import tomllib
from itertools import islice
from pathlib import Path

import pytest
from drawn_mutations import PARTS, Kept, Result, equivalents, is_equivalent, page, sources
from mutants import Mutant, blanked, bodies, cpp, draw, mutants_of, python
from scratch_trees import PythonTree

TREE = Path(__file__).resolve().parent.parent
CPP = """// if (a < b) in words
#define TWICE(x) \\
  ((x) + 1)
struct Sum {
  explicit Sum(int n) : n_(n + 1) {}
  int n_ = 3;
};
int f(int a, const char* s = "(a < 2)") {
  int sum = 0;
  if (a < 10'000 && s != nullptr) sum += g(a, sum);
  h(a);
  return sum;
}
"""
PYTHON = '''"""2 + 2"""
LIMIT = 3
class Sum:
    def of(self, a: int | None, b: float = 2.0) -> bool:
        """1 < 2"""
        é = f"{a + 1}"
        if a is not None and g(a, b) <= 1.5:
            self.n = [x for x in é if x not in b]
        return not a
'''


def made(text: str, found) -> set[tuple[str, str, str, str]]:  # type: ignore[no-untyped-def]
    return {(name, operator, text[start:end], new) for name, start, end, operator, new in found}


def test_operators_of_cpp() -> None:
    assert made(CPP, cpp(CPP)) == {
        ("Sum", "arithmetic", "+", "-"), ("Sum", "constant", "1", "2"), ("Sum", "constant", "1", "0"),
        ("f", "constant", "0", "1"), ("f", "comparison", "<", "<="), ("f", "comparison", "!=", "=="),
        ("f", "constant", "10'000", "10001"), ("f", "constant", "10'000", "9999"), ("f", "logic", "&&", "||"),
        ("f", "arithmetic", "+=", "-="), ("f", "swap", "a, sum", "sum, a"), ("f", "drop", "h(a);", ";"),
        ("f", "negate", "a < 10'000 && s != nullptr", "!(a < 10'000 && s != nullptr)"),
    }  # fmt: skip


def test_operators_of_python() -> None:
    assert made(PYTHON, python(PYTHON)) == {
        ("Sum.of", "comparison", "is not", "is"), ("Sum.of", "comparison", "<=", "<"), ("Sum.of", "logic", "and", "or"),
        ("Sum.of", "constant", "1.5", "2.5"), ("Sum.of", "constant", "1.5", "0.5"), ("Sum.of", "swap", "a, b", "b, a"),
        ("Sum.of", "comparison", "not in", "in"), ("Sum.of", "negate", "x not in b", "(not (x not in b))"),
        ("Sum.of", "negate", "a is not None and g(a, b) <= 1.5", "(not (a is not None and g(a, b) <= 1.5))"),
        ("Sum.of", "drop", "self.n = [x for x in é if x not in b]", "pass"),
    }  # fmt: skip


def test_blanks_leave_every_place_where_it_is() -> None:
    blank = blanked(CPP)
    assert len(blank) == len(CPP) and blank.count("\n") == CPP.count("\n")
    assert "words" not in blank and "TWICE" not in blank and "(a < 2)" not in blank and "10'000" in blank


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_every_function_can_be_planted_with_errors(part) -> None:  # type: ignore[no-untyped-def]
    files = sources(part)
    functions = {(file, one.function) for file in files for one in mutants_of(TREE / file, file)}
    assert len(functions) > 100
    if part.name == "measure":
        names = {name for file in files for name, _, _ in bodies(blanked((TREE / file).read_text()))}
        assert {"Check::max_over_ranks", "Section", "~Section", "steal_of", "bind_ranks", "Timing::~Timing", "run_check"} <= names
    for file in files[:3]:
        text = (TREE / file).read_text()
        for one in islice(draw(mutants_of(TREE / file, file), 1), 20):
            assert one.planted(text) != text
            if file.endswith(".py"):
                ast.parse(one.planted(text))


def test_a_seed_draws_the_same_and_goes_round_the_functions() -> None:
    errors = [Mutant("f", name, at, at + 1, "constant", "2") for name in "abc" for at in range(4)]
    first = list(draw(errors, 5))
    assert first == list(draw(reversed(errors), 5)) != list(draw(errors, 6))
    assert sorted(first) == sorted(errors)
    assert all({one.function for one in first[at : at + 3]} == set("abc") for at in range(0, 12, 3))


def test_what_changes_nothing_is_known_by_its_line() -> None:
    text = "int f() {\n  return 1 + 2;\n}\n"
    one = Mutant("f.cpp", "f", text.index("+"), text.index("+") + 1, "arithmetic", "-")
    assert one.lines(text) == (2, "return 1 + 2;", "return 1 - 2;")
    entry = {"file": "f.cpp", "line": "return 1 + 2;", "operator": "arithmetic", "reason": "r"}
    assert is_equivalent(one, text, [entry]) and is_equivalent(one, text, [entry | {"to": "return 1 - 2;"}])
    assert not is_equivalent(one, text, [entry | {"operator": "swap"}])
    assert not is_equivalent(one, text, [entry | {"to": "return 1 * 2;"}])
    assert not is_equivalent(one, text, [entry | {"file": "g.cpp"}])


def test_every_known_one_is_in_the_tree_and_has_a_reason() -> None:
    for entry in equivalents():
        lines = [line.strip() for line in (TREE / entry["file"]).read_text().splitlines()]
        assert entry["line"] in lines and entry["reason"] and set(entry) <= {"file", "line", "operator", "to", "reason"}
        assert ("to" in entry) != ("operator" in entry)


def test_every_error_that_is_planted_by_name_is_in_the_tree_once_and_so_are_its_tests() -> None:
    for name, one in tomllib.loads((TREE / "tests" / "mutations.toml").read_text(encoding="utf-8")).items():
        if isinstance(one, dict):
            assert (TREE / one["file"]).read_text(encoding="utf-8").count(one["old"]) == 1, f"{name}: {one['file']}"
            assert all("/" not in test or (TREE / test).is_file() for test in one["tests"]), name


def test_errors_of_a_package_are_looked_for_with_all_its_tests_its_own_first() -> None:
    tree = PythonTree.__new__(PythonTree)
    tree.folder = TREE
    own = tree.own_tests("python/tenken/judge/change/rule.py")
    assert own[0] == "python/tenken/judge/change/change_rule_test.py" and "python/tenken/judge/cases_test.py" in own
    assert all("/change/" in one for one in own[:3]) and not any("/report/" in one for one in own)
    assert any(file == "python/tenken/judge/change/__init__.py" for file in sources(PARTS[1]))


def test_the_page_tells_share_and_what_was_not_found() -> None:
    file = sources(PARTS[1])[0]
    first, second, *_ = mutants_of(TREE / file, file)
    result = Result(PARTS[1], 10, 100, found=[(first, "test_a")], missed=[second], not_compiled=3, equivalent=4)
    assert not result.enough
    text = page(result, 7, "python3 x.py")
    assert "| 10 | 100 | 2 | 1 | 50.0 %" in text and "| 3 | 4 |" in text
    assert f"- `{file}:" in text and "seed 7" in text and "Not found:\n" in text
    assert "Not found: none." in page(Result(PARTS[1], 10, 100, found=[(first, "test_a")]), 7, "python3 x.py")
    result.found *= 9
    assert result.enough and "At first" not in page(result, 7, "python3 x.py")
    result.missed_at_first = 3
    assert "\nAt first 7 of 10 found, 70.0 %" in page(result, 7, "python3 x.py")


def test_a_run_in_pieces_keeps_what_it_did(tmp_path: Path) -> None:
    one, two, three = (Mutant("f.py", "f", at, at + 1, "constant", "2") for at in range(3))
    kept = Kept(tmp_path / "kept")
    assert not kept.begun and kept.by(one) is None
    for mutant, by in ((one, "test_a"), (two, ""), (three, "DoesNotCompile")):
        kept.keep(mutant, by)
    assert kept.by(one) is None, "what was kept is for the next piece"
    goes_on, again = Kept(tmp_path / "kept"), Kept(tmp_path / "kept", again=True)
    assert goes_on.begun and [goes_on.by(mutant) for mutant in (one, two, three)] == ["test_a", "", "DoesNotCompile"]
    assert not again.begun and [again.by(mutant) for mutant in (one, two, three)] == ["test_a", None, "DoesNotCompile"]
    assert [again.missed(mutant) for mutant in (one, two, three)] == [False, True, False]
    again.keep(two, "test_b")
    last = Kept(tmp_path / "kept")
    assert last.by(two) == "test_b" and last.missed(two) and not last.missed(one), "found, but not at first"
