"""Members of structures that are aligned: of each variable at file scope such a member becomes an array of its own, c.a the array c_a."""

from __future__ import annotations

import re

from xacc.find import pragmas
from xacc.messages import Messages
from xacc.text import Source, matching

_DIRECTIVE = re.compile(r"\s*(align|shadow)\s+([A-Za-z_]\w*)\s*\.\s*([A-Za-z_]\w*)", re.IGNORECASE)


class Structure:
    """struct TAG { ... } of a source, and its variables."""

    def __init__(self, source: Source, tag: str, messages: Messages) -> None:
        self.source, self.blank, self.tag, self.messages = source, source.blank, tag, messages
        self.variables: dict[str, int] = {}  # name -> where it is declared
        head = re.search(rf"\bstruct\s+{tag}\s*\{{", self.blank)
        self.open = head.end() - 1 if head else -1
        self.close = matching(self.blank, self.open) if head else -1
        self.end = self.blank.find(";", self.close) + 1 if self.close >= 0 else 0
        self.right = self.end > 0 and self.declared()

    def refuse(self, offset: int, text: str) -> bool:
        self.messages.error(self.source, offset, text)
        return False

    def declared(self) -> bool:
        """Finds the variables; False where there are others than plain ones at file scope."""
        for use in re.finditer(rf"\bstruct\s+{self.tag}\b", self.blank):
            start = self.close + 1 if use.end() <= self.open else use.end()
            stop = self.blank.find(";", start)
            names = [n for n in re.finditer(r"\w+", self.blank[start:stop])]
            plain = re.fullmatch(r"(?:\s*\w+\s*(?:,\s*\w+\s*)*)?\s*", self.blank[start:stop])
            if not plain or self.blank.count("{", 0, use.start()) != self.blank.count("}", 0, use.start()) or "typedef" in self.blank[
                    max(self.blank.rfind(c, 0, use.start()) for c in ";}\n") + 1 : use.start()].split():
                return self.refuse(use.start(), f"struct {self.tag} has aligned members; its variables stand at file scope, without brackets or values.")
            self.variables |= {n.group(): start + n.start() for n in names}
        for name, at in self.variables.items():
            for use in re.finditer(rf"(?<![\w.])(?<!->){name}\b(?!\s*\.)", self.blank):
                if use.start() != at:
                    return self.refuse(use.start(), f"structure {name} has aligned members; only its members can be used, as {name}.member.")
        return True

    def member(self, name: str) -> tuple[str, str] | None:
        """Its type and its brackets."""
        found = re.search(rf"(?:^|[;{{}}])\s*([A-Za-z_][\w\s]*?)\s*\b{name}\s*((?:\[[^\]]*\]\s*)+);", self.blank[self.open + 1 : self.close + 1])
        return (found.group(1), found.group(2).strip()) if found else None


def spread(source: Source, messages: Messages) -> Source:
    """The source with arrays for the members that its directives align; the source itself where there are none."""
    structures: dict[str, Structure] = {}
    aligned: dict[tuple[str, str], tuple[str, str]] = {}
    for sentinel, _, end, after in pragmas(source):
        found = _DIRECTIVE.match(source.blank, after, end) if sentinel == "xmp" else None
        if not found:
            continue
        tag, name = found.group(2), found.group(3)
        one = structures.get(tag) or structures.setdefault(tag, Structure(source, tag, messages))
        member = one.member(name) if one.right else None
        if member is None or not one.variables:
            continue  # the parser refuses it
        aligned[tag, name] = member
        source.replace(found.start(2), found.end(), "")
        source.insert(end, " :: " + ", ".join(f"{v}_{name}" for v in one.variables))
    if not aligned or messages.failed:
        return source
    for (tag, name), (kind, brackets) in aligned.items():
        one = structures[tag]
        source.insert(one.end, f" {kind} " + ", ".join(f"{v}_{name}{brackets}" for v in one.variables) + ";")
        for v in one.variables:
            for use in re.finditer(rf"(?<![\w.])(?<!->){v}(\s*\.\s*){name}\b", source.blank):
                source.replace(*use.span(1), "_")
    return Source(source.path, source.name, source.result())
