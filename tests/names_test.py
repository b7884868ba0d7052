"""Product Python names things: few words that stand for any thing, in names, strings, comments and docstrings.

`python3 tests/names_test.py` prints the counts.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

TREE = Path(__file__).resolve().parents[1]
MOST_ONE, MOST_IDIOM = 260, 450  # a word as a number, and of messages and file formats, may stay
IDIOM = ("what", "found", "said", "told", "held", "kept")
FILLERS = {"item": 245, "entry": 65, "thing": 6, "value": 1380}  # 10 % above the counts before `one` was replaced


def counts(tree: Path = TREE) -> Counter[str]:
    """How often each word stands in product Python, tests apart."""
    files = [path for path in (tree / "python").rglob("*.py") if not path.name.endswith("_test.py") and path.name != "conftest.py"]
    return Counter(word for path in files for word in re.findall(r"\b[a-z]+\b", path.read_text(encoding="utf-8")))


def test_few_words_stand_for_any_thing() -> None:
    words = counts()
    assert words["one"] <= MOST_ONE, words["one"]
    assert sum(words[each] for each in IDIOM) <= MOST_IDIOM, {each: words[each] for each in IDIOM}
    assert {each: words[each] for each, most in FILLERS.items() if words[each] > most} == {}


def test_words_are_counted_in_names_strings_and_comments(tmp_path: Path) -> None:
    (tmp_path / "python").mkdir()
    (tmp_path / "python/a.py").write_text('one = f"{one} told"  # what\nbone = told_of = 1\n', encoding="utf-8")
    (tmp_path / "python/a_test.py").write_text("one\n", encoding="utf-8")
    found = counts(tmp_path)
    assert (found["one"], found["told"], found["what"]) == (2, 1, 1)


if __name__ == "__main__":
    every = counts()
    print(f"one {every['one']}; {', '.join(f'{each} {every[each]}' for each in (*IDIOM, *FILLERS))}")
