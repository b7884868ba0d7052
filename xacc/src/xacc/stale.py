"""--check: which elements of which arrays a loop writes, so that the halos of others are known to be stale."""

from __future__ import annotations

import re

from xacc.forms import affine
from xacc.headers import Header, Headers
from xacc.program import Program
from xacc.references import References, Use
from xacc.text import identifiers

_MAYBE = {"IF_STMT", "SWITCH_STMT", "WHILE_STMT", "DO_STMT", "CONDITIONAL_OPERATOR", "CASE_STMT", "DEFAULT_STMT", "GOTO_STMT"}


class Stale:
    def __init__(self, program: Program, headers: Headers, references: References) -> None:
        self.program, self.tree = program, program.tree
        self.headers, self.references = headers, references

    def after(self, number: int) -> str:
        """Calls after the loop; only for what is written in every iteration, so that nothing fresh is called stale."""
        if self.tree.descendants(number, "BREAK_STMT", "RETURN_STMT", "CONTINUE_STMT", "GOTO_STMT"):
            return ""
        inside, calls = set(self.tree.descendants(number)), []
        for use in self.references.uses:
            if use.node in inside and use.mode in ("w", "b") and len(use.brackets) == len(use.array.axes):
                text = self.region(use, number)
                if text and not use.array.cyclic:
                    calls.append(f" xacc_stale({use.array.descriptor}, (xacc_written[]){{{text}}});")
        return "".join(dict.fromkeys(calls))

    def region(self, use: Use, number: int) -> str | None:
        headers: dict[str, Header] = {}
        n = use.node
        while n != number:
            child, n = n, self.tree.nodes[n].parent
            node = self.tree.nodes[n]
            if node.kind in _MAYBE or (node.kind == "BINARY_OPERATOR" and re.search(r"&&|\|\|", node.source.blank[node.start : node.end])
                                       and child == node.children[-1]):
                return None
            if node.kind == "FOR_STMT":
                header = self.headers.header(n)
                if not isinstance(header, Header):
                    return None
                headers[header.variable] = header
        parts = []
        for open_, close in use.brackets:
            text = use.source.text[open_ + 1 : close].replace("\n", " ").strip()
            variable = identifiers(text) & set(headers)
            if len(variable) > 1:
                return None
            if not variable:
                if not re.fullmatch(r"[\w+\- ]+", text) or (identifiers(text) & self.locals(number)):
                    return None
                parts.append(f"{{1, {text}, {text}, 1}}")
                continue
            name = variable.pop()
            offset, header = affine(text, name), headers[name]
            source = self.tree.nodes[header.node].source
            first, last = (source.text[a:b].replace("\n", " ").strip() for a, b in (header.first, header.last))
            used = identifiers(first) | identifiers(last) | identifiers(header.step)
            if offset is None or used & (set(headers) | self.locals(number)):
                return None
            last, step = header.inclusive(last), header.step
            if step == "-1":
                first, last, step = last, first, "1"
            parts.append("{0}" if step.startswith("-") else f"{{1, {first} + {offset}, {last} + {offset}, {step}}}")
        return ", ".join(parts)

    def locals(self, number: int) -> set[str]:
        return {self.tree.nodes[n].name for n in self.tree.descendants(number, "VAR_DECL")}
