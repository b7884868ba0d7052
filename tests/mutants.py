"""Small errors that can be planted in a function: what each operator makes of its text, and which are drawn by a seed.

C++ is read as text (comments and strings blanked), in the layout of clang-format: operators of two sides have blanks around
them. Python is read by its syntax tree. What does not compile afterwards is no error planted, and the next one is drawn.
"""

from __future__ import annotations

import ast
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "//": "*", "**": "*", "|": "&", "&": "|",
              "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|=", "++": "--"}
COMPARISON = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
WORDS = {"is": "is not", "is not": "is", "in": "not in", "not in": "in"}
LOGIC = {"&&": "||", "||": "&&", "and": "or", "or": "and"}
OPERATORS = ("arithmetic", "comparison", "logic", "constant", "drop", "swap", "negate")


@dataclass(frozen=True, order=True)
class Mutant:
    file: str
    function: str
    start: int  # of the text that `new` takes the place of
    end: int
    operator: str
    new: str

    def planted(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]

    def lines(self, text: str) -> tuple[int, str, str]:
        """The number of its line, the line, and what becomes of it (of several lines, the first)."""
        number, begin = text.count("\n", 0, self.start) + 1, text.rfind("\n", 0, self.start) + 1
        after = self.planted(text)
        return number, text[begin:].partition("\n")[0].strip(), after[begin:].partition("\n")[0].strip()


def mutants_of(path: Path, name: str) -> list[Mutant]:
    """All of a file, known as `name`."""
    text = path.read_text(encoding="utf-8")
    found = python(text) if path.suffix == ".py" else cpp(text)
    return sorted({Mutant(name, *one) for one in found if text[one[1] : one[2]] != one[4]})


def draw(mutants: Iterable[Mutant], seed: int) -> Iterator[Mutant]:
    """All of them in an order of chance that goes round the functions; of a function, round its operators."""
    chance = random.Random(seed)
    left: dict[tuple[str, str], dict[str, list[Mutant]]] = defaultdict(lambda: defaultdict(list))
    for one in sorted(mutants):
        left[one.file, one.function][one.operator].append(one)
    while left:
        for key in chance.sample(sorted(left), len(left)):
            operator = chance.choice(sorted(left[key]))
            of_operator = left[key][operator]
            yield of_operator.pop(chance.randrange(len(of_operator)))
            if not of_operator:
                del left[key][operator]
            if not left[key]:
                del left[key]


Found = tuple[str, int, int, str, str]  # function, start, end, operator, new


def blanked(text: str) -> str:
    """C++ with comments, strings, characters and lines of the preprocessor made blank; every place stays where it is."""
    what = r'//[^\n]*|/\*.*?\*/|R"\((?s:.*?)\)"|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*'
    return re.sub(what, lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.MULTILINE | re.DOTALL)


_NO_FUNCTION = {"if", "for", "while", "switch", "catch", "namespace", "requires", "asm", "volatile", "defined"}


def bodies(blank: str) -> Iterator[tuple[str, int, int]]:
    """Name of every function, and where its text behind the parameters begins and ends (initialisers and body)."""
    at, begin = 0, 0
    while (found := re.compile(r"[;{}]").search(blank, at)) is not None:
        at = found.end()
        head = blank[begin : found.start()]
        name = re.search(r"([\w~]+(?:::[\w~]+)*)\s*\(", head)
        function = (found[0] == "{" and name and name[1] not in _NO_FUNCTION and "=" not in head[: name.start()]
                    and re.search(r"\)\s*(?:const|noexcept|override|:.*|->.*|\s)*$", head, re.DOTALL))
        if function and name:
            end = _closed(blank, found.start(), "{", "}")
            yield name[1], _closed(blank, begin + name.end() - 1, "(", ")"), end
            at = end
        begin = at


def _closed(text: str, opened: int, left: str, right: str) -> int:
    """Behind the bracket that closes the one at `opened`."""
    depth = 0
    for at in range(opened, len(text)):
        depth += (text[at] == left) - (text[at] == right)
        if depth == 0:
            return at + 1
    return len(text)


_STATEMENT = re.compile(
    r"^[ \t]+((?!return\b|throw\b|break\b|else\b|case\b|default\b|using\b)(?:\+\+|--)?\*?[A-Za-z_]\w*"
    r"(?:(?:->|\.|::)\w+|\[[^\]\n]*\]|\([^()\n]*\))*(?:\(.*\)| [-+*/|]?= .*|\+\+)?;)$", re.MULTILINE)


def cpp(text: str) -> Iterator[Found]:
    blank = blanked(text)
    for name, begin, end in bodies(blank):
        part = blank[begin:end]

        def at(found: re.Match[str], group: int = 0, name: str = name, begin: int = begin) -> tuple[str, int, int]:
            return name, begin + found.start(group), begin + found.end(group)

        for found in re.finditer(r"(?<=[\w)\]] )(?:[-+*/|]=|[-+*/%])(?= \S)|\+\+", part):
            yield *at(found), "arithmetic", ARITHMETIC[found[0]]
        for found in re.finditer(r"(?<=[\w)\]'] )(?:[<>]=?|[=!]=)(?= \S)", part):
            yield *at(found), "comparison", COMPARISON[found[0]]
        for found in re.finditer(r"(?<= )(?:&&|\|\|)(?= )|(?<= )(?:&&|\|\|)$", part, re.MULTILINE):
            yield *at(found), "logic", LOGIC[found[0]]
        for found in re.finditer(r"(?<![\w.'])\d[\d']*(?![\w.'])|\btrue\b|\bfalse\b", part):
            for new in _by_one(found[0]):
                yield *at(found), "constant", new
        for found in _STATEMENT.finditer(part):
            yield *at(found, 1), "drop", ";"
        for found in re.finditer(r"\b(?!if\b|for\b|while\b|switch\b|return\b)\w+\(([^(),;]+), ([^(),;]+)(?=[,)])", part):
            yield *at(found, 1)[:2], at(found, 2)[2], "swap", f"{_text(text, at(found, 2))}, {_text(text, at(found, 1))}"
        for found in re.finditer(r"\bif \(", part):
            opened = begin + found.end() - 1
            closed = _closed(blank, opened, "(", ")")
            condition = text[opened + 1 : closed - 1]
            if ";" not in condition and not re.match(r"const\b|auto\b", condition):
                yield name, opened + 1, closed - 1, "negate", f"!({condition})"


def _text(text: str, place: tuple[str, int, int]) -> str:
    return text[place[1] : place[2]]


def _by_one(number: str) -> tuple[str, ...]:
    if number in ("true", "false"):
        return ("false" if number == "true" else "true",)
    value = int(number.replace("'", ""))
    return (str(value + 1), str(value - 1)) if value else ("1",)


def python(text: str) -> Iterator[Found]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = text.splitlines()

    def place(line: int, column: int) -> int:  # columns of the syntax tree count bytes
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    for name, function in _functions(ast.parse(text).body):
        for node in _inside(function.body):
            for start, end, operator, new in _of_node(node, text, place):
                yield name, start, end, operator, new


_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(body: list[ast.stmt], inside: str = "") -> Iterator[tuple[str, _Function]]:
    for node in body:
        if isinstance(node, _Function):
            yield inside + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{inside}{node.name}.")


def _inside(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Every node of the body but annotations, docstrings and formatted strings (which have no places of their own)."""
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.JoinedStr):
            continue
        yield node
        left_out = [getattr(node, name, None) for name in ("annotation", "returns")]
        children = [node.body] if isinstance(node, ast.Lambda) else ast.iter_child_nodes(node)
        stack += [child for child in children if child not in left_out and not isinstance(child, ast.arguments)]


def _of_node(node: ast.AST, text: str, place) -> Iterator[tuple[int, int, str, str]]:  # type: ignore[no-untyped-def]
    def span(of: ast.AST) -> tuple[int, int]:
        return place(of.lineno, of.col_offset), place(of.end_lineno, of.end_col_offset)

    def between(left: ast.AST, right: ast.AST, signs: dict[str, str], operator: str) -> Iterator[tuple[int, int, str, str]]:
        begin, end = span(left)[1], span(right)[0]
        known = sorted(signs, key=len, reverse=True)
        pattern = "|".join(rf"\b{re.escape(one)}\b" if one.isalpha() or " " in one else re.escape(one) for one in known)
        if found := re.search(pattern, text[begin:end]):
            yield begin + found.start(), begin + found.end(), operator, signs[found[0]]

    match node:
        case ast.BinOp():
            yield from between(node.left, node.right, ARITHMETIC, "arithmetic")
        case ast.AugAssign():
            yield from between(node.target, node.value, ARITHMETIC, "arithmetic")
            yield *span(node), "drop", "pass"
        case ast.Compare():
            for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
                yield from between(left, right, COMPARISON | WORDS, "comparison")
        case ast.BoolOp():
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield from between(left, right, LOGIC, "logic")
        case ast.Constant(value=bool()):
            yield *span(node), "constant", str(not node.value)
        case ast.Constant(value=int() | float()):
            for new in (node.value + 1, node.value - 1):
                yield *span(node), "constant", repr(new)
        case ast.Continue() | ast.Expr(value=ast.Call()) | ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield *span(node), "drop", "pass"
        case ast.Call(args=[first, second, *_]) if not {type(first), type(second)} & {ast.Starred, ast.GeneratorExp}:
            start, end = span(first)[0], span(second)[1]
            middle = text[span(first)[1] : span(second)[0]]
            yield start, end, "swap", text[slice(*span(second))] + middle + text[slice(*span(first))]
        case _:
            pass
    conditions = [node.test] if isinstance(node, ast.If | ast.IfExp) else getattr(node, "ifs", [])
    for condition in conditions:
        start, end = span(condition)
        yield start, end, "negate", f"(not ({text[start:end]}))"
