"""OpenACC beside the directives: data clauses name global indices and become the caller's part of the array."""

from __future__ import annotations

import re

from xacc.program import Array, Program
from xacc.text import Source, brackets_after, matching

_CLAUSE = re.compile(r"\b(?:p(?:resent_or_)?)?(copy|copyin|copyout|create|present|delete|self|host|device|no_create|attach|detach)\s*\(")
_ADDRESS = re.compile(r"\b(use_device|deviceptr)\s*\(([^()]*)\)")


def local(array: Array, brackets: list[tuple[str, str]]) -> str:
    """a[first:count]... of the caller's part."""
    out, d = array.name, array.descriptor
    for i, axis in enumerate(array.axes):
        first, count = brackets[i] if i < len(brackets) else ("", "")
        if axis.plain:
            out += f"[{first}:{count}]" if first or count else f"[0:{axis.extent}]"
        elif first or count:
            out += f"[xacc_part_low({d}, {i}, {first}, {count}):xacc_part({d}, {i}, {first}, {count})]"
        else:
            out += f"[xacc_low({d}, {i}):xacc_ext({d}, {i})]"
    return out


class OpenAcc:
    def __init__(self, program: Program) -> None:
        self.program, self.messages = program, program.messages
        self.texts: dict[tuple[str, int], str] = {}  # (path, start of the pragma) -> its new text

    def rewrite(self) -> None:
        for path, source in self.program.tree.sources.items():
            for kind, start, end, body in self.program.pragmas[path]:
                if kind == "acc" and (text := self.pragma(source, start, end, body)) is not None:
                    self.texts[(path, start)] = text

    def pragma(self, source: Source, start: int, end: int, body: int) -> str | None:
        """The pragma with local sections; None where it names no distributed array."""
        blank = source.blank
        for match in _ADDRESS.finditer(blank, body, end):
            for hit, array in self.named(source, match.start(2), match.end(2)):
                what = f"{match.group(1)} of the distributed array {array.name}"
                self.messages.error(source, hit.start(), f"{what}: its origin may lie outside of the caller's part, where it has no device address; "
                                                         "hand on a plain array, or use reflect ... acc.")
        out, at, changed = "", start, False
        for match in _CLAUSE.finditer(blank, body, end):
            open_ = match.end() - 1
            close = matching(blank, open_)
            if close < 0 or close > end or match.start() < at:
                continue
            for hit, array in self.named(source, open_ + 1, close):
                if hit.start() < at or blank[: hit.start()].rstrip()[-1:] not in ",(:":
                    continue
                brackets, stop = [], hit.end()
                for left, right in brackets_after(blank, hit.end()):
                    first, _, count = source.text[left + 1 : right].partition(":")
                    brackets.append((first.strip() or ("0" if count.strip() else ""), count.strip()))
                    stop = right + 1
                out += source.text[at : hit.start()] + local(array, brackets)
                at, changed = stop, True
        return out + source.text[at:end] if changed else None

    def named(self, source: Source, start: int, end: int) -> list[tuple[re.Match[str], Array]]:
        """The distributed arrays whose names stand in a range."""
        hits = re.compile(r"[A-Za-z_]\w*").finditer(source.blank, start, end)
        return [(hit, array) for hit in hits if (array := self.array(hit.group(), source, hit.start())) is not None]

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
        return [(array, source, hit.start()) for path, source in self.program.tree.sources.items()
                for kind, _, end, body in self.program.pragmas[path] if kind == "acc"
                for hit, array in self.named(source, body, end) if array.place == "file"]

    def around(self, call: str, variables: list[str]) -> str:
        """The call between updates of what it acts on: the route through the host. Where the device shares the host's
        memory, or holds no copy, the updates do nothing."""
        names = ", ".join(variables)
        return f'_Pragma("acc update self({names}) if_present") {call} _Pragma("acc update device({names}) if_present")'
