"""Plain words: the rules of CONTRIBUTING.md that a program can check. Prints FILE:LINE: problem, with exit code 1."""

from __future__ import annotations

import ast
import re
import sys
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
    r"(?:the|each|every|other|th[ai][ts]|which|first|older|newer) ones?(?=[^\w -]|$| (?:that|which|of|is|are))": "name the thing",
}
FORBIDDEN = {re.compile(rf"\b(?:{form})(?![\w'])", re.IGNORECASE): use for form, use in PLAIN.items()}
OF_CHECK = re.compile(r'^(?:title|question|repetition|meaning|source) = "(?:""(.*?)"")?(.*?)"$', re.MULTILINE | re.DOTALL)
SENTENCE = re.compile(r"(?<=[.!?])[)\"”]?\s+(?=[A-Z`*(\[\"“])")


def problems(text: str) -> Iterator[str]:
    """Of the sentences of a text in one line, without code and targets of links."""
    for sentence in SENTENCE.split(re.sub(r"\]\([^)]*\)", "", text)):
        words = [word for word in sentence.split() if re.search(r"\w\w|\d", word)]  # without symbols of formulas
        for number, most, name in ((len(words), MOST_WORDS, "words"), (sentence.count(";"), 1, "semicolons")):
            if number > most:
                yield f"{number} {name} in a sentence, at most {most}: {' '.join(words[:8])} …"
        for form, use in FORBIDDEN.items():
            yield from (f"'{match[0]}': {use}" for match in form.finditer(sentence))
        if not sentence.endswith("?") and re.search(r"\bwhat\b", sentence, re.IGNORECASE):
            yield f"'what' outside a question: name the thing: {' '.join(words[:8])} …"


def of_document(text: str) -> Iterator[tuple[int, str]]:
    """(line, problem) of Markdown: paragraphs, entries of lists, cells of tables; code is only measured."""
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > MOST_COLUMNS and not re.match(r"\s*(?:\||\[\S+$)", line):
            yield number, f"{len(line)} columns, at most {MOST_COLUMNS}"
    prose = re.sub(r"^ *```.*?^ *```|(?<=\n\n)(?: {4,}\S[^\n]*\n)+",  # lines keep their numbers
                   lambda code: "\n" * code[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"<!--.*?-->|`[^`]+`", lambda code: "X" + "\n" * code[0].count("\n"), prose, flags=re.DOTALL)
    prose, start = prose.replace("**hold**", "").replace("**", ""), 1
    for block in re.split(r"(\n(?=\s*\n|\s*[-*] |\s*\d+\. |#|\s*\||>))", prose):
        first = start + len(block) - len(block.lstrip("\n"))
        for cell in block.split("|") if block.lstrip().startswith("|") else [block]:
            yield from ((first, each) for each in problems(" ".join(cell.split()).lstrip("#->* ")))
        start += block.count("\n")


def of_check(text: str) -> Iterator[tuple[int, str]]:
    """(line, problem) of the texts of a check.toml that a user reads."""
    for each in OF_CHECK.finditer(text):
        line = text.count("\n", 0, each.start()) + 1
        yield from ((line, problem) for problem in problems(" ".join("".join(each.groups("")).replace("\\\n", " ").split())))


def of_python(text: str) -> Iterator[tuple[int, str]]:
    """(line, problem) of the messages of a module: texts of three words and more that are no docstrings or patterns."""
    tree = ast.parse(text)
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    joined = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    silent |= {id(part) for node in joined for part in ast.walk(node) if part is not node}
    for node in ast.walk(tree):
        if id(node) not in silent and isinstance(node, (ast.JoinedStr, ast.Constant)):
            parts = [getattr(part, "value", "X") for part in getattr(node, "values", [node])]
            shown = "".join(part if isinstance(part, str) else "X" for part in parts)
            if re.search(r"[.,:;]|^(?:\S+ ){2,25}\S*$", shown) and not re.search(r"\\|\(\?|\.\*|[<{]|#include|xacc_", shown):
                lines = [line.split() for line in shown.splitlines()]
                yield from ((node.lineno, problem) for words in lines if len(words) > 2 for problem in problems(" ".join(words)))


def of_cpp(text: str) -> Iterator[tuple[int, str]]:
    """(line, problem) of the literals of three words and more."""
    for number, line in enumerate(text.splitlines(), 1):
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', line.partition("// ")[0]):
            yield from ((number, each) for each in problems(literal) if len(literal.split()) > 2)


def found(tree: Path = TREE) -> Iterator[str]:
    """FILE:LINE: problem of all files that users read, without pages that programs write."""
    documents = ["README.md", "CONTRIBUTING.md", "docs/*.md", "docs/decisions/*.md", "docs/history/messages.md",
                 "checks/*/README.md", "xacc/README.md", "python/tenken/*/check_template/README.md"]
    sources, code = ["python/tenken/**/*.py", "checks/*/judge.py", "xacc/src/**/*.py"], ["cpp/**/*.[ch]pp", "checks/**/*.[ch]pp"]
    for patterns, rule in ((documents, of_document), (["checks/*/check.toml"], of_check), (sources, of_python), (code, of_cpp)):
        for path in (path for pattern in patterns for path in sorted(tree.glob(pattern))):
            text = path.read_text(encoding="utf-8")
            if "_test." not in path.name and "do not edit" not in text[:1000]:
                yield from (f"{path.relative_to(tree)}:{line}: {problem}" for line, problem in rule(text))


if __name__ == "__main__":
    sys.exit("\n".join(found()) or 0)
