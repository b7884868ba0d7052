"""OpenACC beside the directives: data clauses name global indices and become the caller's part of the array."""

from __future__ import annotations

import re

from xacc.program import Array, Program
from xacc.text import Source, matching

_CLAUSE = re.compile(r"\b(?:p(?:resent_or_)?)?(copy|copyin|copyout|create|present|delete|self|host|device|no_create|attach|detach)\s*\(")
_ADDRESS = re.compile(r"\b(use_device|deviceptr)\s*\(([^()]*)\)")


def local(array: Array, brackets: list[tuple[str, str]]) -> str:
    """a[first:count]... of the caller's part."""
    out, d = array.name, array.descriptor
    for i, axis in enumerate(array.axes):
        if i < len(brackets) and brackets[i] != ("", ""):
            first, count = brackets[i]
            if axis.plain:
                out += f"[{first}:{count}]"
            else:
                out += f"[xacc_part_low({d}, {i}, {first}, {count}):xacc_part({d}, {i}, {first}, {count})]"
        elif axis.plain:
            out += f"[0:{axis.extent}]"
        else:
            out += f"[xacc_low({d}, {i}):xacc_ext({d}, {i})]"
    return out


class OpenAcc:
    def __init__(self, program: Program) -> None:
        self.program, self.messages = program, program.messages
        self.texts: dict[tuple[str, int], str] = {}  # (path, start of the pragma) -> its new text
        self.functions: set[tuple[int, str]] = set()

    def rewrite(self) -> None:
        for path, source in self.program.tree.sources.items():
            for kind, start, end, body in self.program.pragmas[path]:
                if kind == "acc":
                    text = self.pragma(source, start, end, body)
                    if text is not None:
                        self.texts[(path, start)] = text

    def pragma(self, source: Source, start: int, end: int, body: int) -> str | None:
        """The pragma with local sections; None where it names no distributed array."""
        blank = source.blank
        for match in _ADDRESS.finditer(blank, body, end):
            for hit in re.compile(r"[A-Za-z_]\w*").finditer(blank, match.start(2), match.end(2)):
                if self.array(hit.group(), source, hit.start()):
                    what = f"{match.group(1)} of the distributed array {hit.group()}"
                    self.messages.error(source, hit.start(), f"{what}: its origin may lie outside of the caller's part, where it has "
                                        "no device address; hand on a plain array, or use reflect ... acc.")
        out, at, changed = "", start, False
        for match in _CLAUSE.finditer(blank, body, end):
            open_ = match.end() - 1
            close = matching(blank, open_)
            if close < 0 or close > end or match.start() < at:
                continue
            for hit in re.compile(r"[A-Za-z_]\w*").finditer(blank, open_ + 1, close):
                array = self.array(hit.group(), source, hit.start())
                if array is None or hit.start() < at or blank[: hit.start()].rstrip()[-1:] not in ",(:":
                    continue
                stop, brackets = hit.end(), []
                while blank[stop:close].lstrip()[:1] == "[":
                    left = blank.index("[", stop)
                    right = matching(blank, left)
                    first, _, count = source.text[left + 1 : right].partition(":")
                    brackets.append((first.strip() or ("0" if count.strip() else ""), count.strip()))
                    stop = right + 1
                out += source.text[at : hit.start()] + local(array, brackets)
                at, changed = stop, True
        return out + source.text[at:end] if changed else None

    def array(self, name: str, source: Source, offset: int) -> Array | None:
        array = self.program.array(name, source, offset)
        if array is None or self.program.declarations(name, source, offset)[0] != array.nodes:
            return None
        if array.pointer:
            self.messages.error(source, offset, f"array {name} comes by xmp_malloc, which OpenACC directives cannot name yet; declare it with its extents.")
            return None
        return array

    def used(self) -> list[tuple[Array, Source, int]]:
        """Arrays that pragmas name: their functions need the declaration too."""
        found = []
        for path, source in self.program.tree.sources.items():
            for kind, _, end, body in self.program.pragmas[path]:
                if kind == "acc":
                    for hit in re.compile(r"[A-Za-z_]\w*").finditer(source.blank, body, end):
                        array = self.array(hit.group(), source, hit.start())
                        if array is not None and array.place == "file":
                            found.append((array, source, hit.start()))
        return found

    def around(self, call: str, variables: list[str]) -> str:
        """The call between updates of what it acts on: the route through the host. Where the device shares the host's
        memory, or holds no copy, the updates do nothing."""
        names = ", ".join(variables)
        return f'_Pragma("acc update self({names}) if_present") {call} _Pragma("acc update device({names}) if_present")'
