"""Plain words: the rules of CONTRIBUTING.md that a program can check, in documents, check.toml and messages.

`python3 tests/words_lint.py` prints FILE:LINE: problem for each, and ends with exit code 1 where there is a problem."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
MOST_WORDS, MOST_COLUMNS = 25, 100
PLAIN = {  # what is not written -> what is
    r"tell(?:s|ing)?|told": "print, report, show",
    r"says?|said|saying": "print, state, name",
    r"hold(?! \(|$)|holds|held|holding": "compare, contain, be valid",
    r"keeps?|kept|keeping": "store, stay, remain",
    r"knows?|knew|knowing": "name the source of the fact",
    r"another's|others'": "other load",
    r"nobody|somebody|whoever|whatever|whichever": "name the person or thing",
    r"(?:its|their) own|(?:by|of) itself": "name the thing",
    r"(?:the|this|that|each|every|another|which|(?:the )?first|older|newer) ones?(?=[^\w -]|$| (?:that|which|of|is|are|was))": "name the thing",
}
FORBIDDEN = {re.compile(rf"\b(?:{form})(?![\w'])", re.IGNORECASE): use for form, use in PLAIN.items()}
READ = ("title", "question", "repetition", "meaning", "source")  # of check.toml
SENTENCE = re.compile(r"(?<=[.!?])[)\"”]?\s+(?=[A-Z`*(\[\"“])")
LATER: tuple[str, ...] = ()
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def problems(text: str) -> Iterator[str]:
    """Of the sentences of a text in one line, without code and targets of links."""
    for sentence in SENTENCE.split(re.sub(r"\]\([^)]*\)", "", text)):
        words = [word for word in sentence.split() if re.search(r"\w\w|\d", word)]  # without symbols of formulas
        if len(words) > MOST_WORDS:
            yield f"{len(words)} words in a sentence, at most {MOST_WORDS}: {' '.join(words[:8])} …"
        if sentence.count(";") > 1:
            yield f"{sentence.count(';')} semicolons in a sentence, at most 1: {' '.join(words[:8])} …"
        for form, use in FORBIDDEN.items():
            yield from (f"'{match[0]}': {use}" for match in form.finditer(sentence))
        if not sentence.endswith("?") and re.search(r"\bwhat\b", sentence, re.IGNORECASE):
            yield f"'what' outside a question: name the thing: {' '.join(words[:8])} …"


def of_document(text: str) -> Iterator[tuple[int, str]]:
    """(line, problem) of Markdown: paragraphs, entries of lists, cells of tables; code is only measured."""
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > MOST_COLUMNS and not re.match(r"\s*(?:\||\[\S+$)", line):
            yield number, f"{len(line)} columns, at most {MOST_COLUMNS}"
    blank = lambda code: re.sub(r"[^\n]", "", code[0])  # noqa: E731  # lines keep their numbers
    prose = re.sub(r"^ *```.*?^ *```", blank, text, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"(?<=\n\n)(?: {4,}\S.*\n)+", blank, prose)
    prose = re.sub(r"<!--.*?-->|`[^`]+`", lambda code: "X" + "\n" * code[0].count("\n"), prose, flags=re.DOTALL)
    prose = re.sub(r"\*\*hold\*\*", "", prose).replace("**", "")
    start = 1
    for block in re.split(r"(\n(?=\s*\n|\s*[-*] |\s*\d+\. |#|\s*\||>))", prose):
        first = start + len(block) - len(block.lstrip("\n"))
        for cell in block.split("|") if block.lstrip().startswith("|") else [block]:
            yield from ((first, each) for each in problems(" ".join(cell.split()).lstrip("#->* ")))
        start += block.count("\n")


def of_check(text: str) -> Iterator[tuple[int, str]]:
    """(line, problem) of the texts of a check.toml that a user reads."""
    def texts(table: object) -> Iterator[str]:
        for key, value in table.items() if isinstance(table, dict) else ():
            yield from [value] if key in READ and isinstance(value, str) else texts(value)
    lines = text.splitlines()
    for each in texts(tomllib.loads(text)):
        line = next((number for number, line in enumerate(lines, 1) if each[:40] in line), 1)
        yield from ((line, problem) for problem in problems(each))


def of_python(text: str) -> Iterator[tuple[int, str]]:
    """(line, problem) of the messages of a module: texts of three words and more that are no docstrings or patterns."""
    tree = ast.parse(text)
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    joined = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    silent |= {id(part) for node in joined for part in ast.walk(node) if part is not node}
    for node in ast.walk(tree):
        if id(node) in silent or not isinstance(node, (ast.JoinedStr, ast.Constant)):
            continue
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        shown = "".join(part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "X" for part in parts)
        for line in () if re.search(r"\\|\(\?|\.\*|[<{]|#include", shown) or not re.search(r"[.,:;]|^(?:\S+ ){2,25}\S*$", shown) else shown.splitlines():
            yield from ((node.lineno, problem) for problem in problems(" ".join(line.split())) if len(line.split()) > 2)


def of_cpp(text: str) -> Iterator[tuple[int, str]]:
    """(line, problem) of the literals of three words and more."""
    for number, line in enumerate(text.splitlines(), 1):
        for literal in LITERAL.findall(line.partition("// ")[0]):
            yield from ((number, each) for each in problems(literal) if len(literal.split()) > 2)


def found(tree: Path = TREE) -> Iterator[str]:
    """FILE:LINE: problem of all files that users read, without pages that programs write."""
    checks = tree / "checks"
    documents = [tree / "README.md", tree / "CONTRIBUTING.md", *sorted((tree / "docs").glob("*.md")), *sorted(checks.glob("*/README.md")),
                 tree / "docs/history/messages.md", tree / "xacc/README.md"]
    sources = [*sorted((tree / "python/tenken").rglob("*.py")), *sorted(checks.glob("*/judge.py"))]
    code = [path for folder in ("cpp", "checks") for path in sorted((tree / folder).rglob("*.[ch]pp"))]
    for paths, rule in ((documents, of_document), (sorted(checks.glob("*/check.toml")), of_check), (sources, of_python), (code, of_cpp)):
        for path in paths:
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            if "_test." in path.name or "do not edit" in text[:1000] or path.name in LATER:
                continue
            yield from (f"{path.relative_to(tree)}:{line}: {problem}" for line, problem in rule(text))


if __name__ == "__main__":
    print("\n".join(lines := list(found())))
    sys.exit(bool(lines))
