"""reflect, reduction, bcast, barrier, wait_async and task: one call each, on the line of the directive."""

from __future__ import annotations

import re
from typing import Any

from xacc.declare import HERE, Declare
from xacc.forms import extent
from xacc.directive import Directive, Item, Ref, Variable
from xacc.messages import Refused, nearest
from xacc.program import Array, Program, brackets_of
from xacc.text import Source, brackets_after

OPS = {"+": "SUM", "-": "SUM", "*": "PROD", "&": "BAND", "|": "BOR", "^": "BXOR", "&&": "LAND", "||": "LOR"}


def subscripts(text: str) -> tuple[str, list[str]]:
    """A variable up to its last name, and what stands in the brackets after it: s[2].a[1][0:3] -> s[2].a, (1, 0:3)."""
    depth = last = 0
    for i, c in enumerate(text):
        depth += (c == "[") - (c == "]")
        if depth == 0 and c in ".>":
            last = i + 1
    at = text.find("[", last)
    return (text[:at].rstrip(), [text[a + 1 : b].strip() for a, b in brackets_after(text, at)]) if at >= 0 else (text, [])


class Communicate:
    def __init__(self, program: Program, declare: Declare) -> None:
        self.program, self.declare, self.messages = program, declare, program.messages

    def timed(self, section: str) -> str:
        """What opens a section that ends with the block."""
        n = self.declare.number()
        return (f'static xacc_section xacc_s{n} = {{.name = "{section}", .where = XACC_HERE}}; '
                f"xacc_section *xacc_u{n} XACC_TIMED = xacc_section_begin(&xacc_s{n});")

    def on(self, ref: Ref | None, source: Source, word: str = "on") -> str | None:
        """An expression for the set of a reference; the executing nodes where there is none."""
        if ref is None:
            return "xacc_executing()"
        with self.messages.refusals(source):
            symbol = self.program.need(ref.name, ("nodes", "template"), source, ref.offset)
            return f"xacc_{word}_{symbol.kind}({symbol.variable}, {self.declare.subscripts(ref, symbol)})"
        return None

    def variable(self, v: Variable, d: Directive) -> tuple[str, str, str]:
        """(address, count, one element) of what reduction and bcast act on."""
        match = re.match(r"\s*([A-Za-z_]\w*)", v.text)
        if match is None:
            raise Refused(v.offset, f"{v.text} is no variable.")
        name = match.group(1)
        found, _ = self.program.declarations(name, d.source, d.start)
        if not found:
            known = {n.name for n in self.program.tree.nodes if n.kind in ("VAR_DECL", "PARM_DECL")}
            raise Refused(v.offset, f"no variable {name} is declared here{nearest(name, known) or '.'}")
        node = self.program.tree.nodes[found[-1]]
        head, brackets = subscripts(v.text.strip())
        kind = node.type.get_canonical() if head == name else self.member(head, node.type)
        if kind is None:
            raise Refused(v.offset, f"{v.text} is no variable: {head} has no such member.")
        extents = [extent(node.source.text[a + 1 : b]) for a, b in brackets_of(node)] if head == name else []
        written, pointer = bool(extents), kind.kind.name == "POINTER" and not extents
        while not written and kind.kind.name in ("CONSTANTARRAY", "VARIABLEARRAY"):
            row = head + "[0]" * len(extents)
            extents.append(str(kind.element_count) if kind.kind.name == "CONSTANTARRAY" else f"sizeof({row}) / sizeof({row}[0])")
            kind = kind.element_type.get_canonical()
        if pointer and not brackets:
            raise Refused(v.offset, f"{v.text} is a pointer: how much it points to is not known; name an array, or [first:count] of it.")
        given = next((k for k, inner in enumerate(brackets) if ":" in inner), len(brackets))
        text = head + "".join(f"[{inner}]" for inner in brackets[:given])
        if any(inner != ":" and inner != f"0:{extent}" for inner, extent in zip(brackets[given + 1 :], extents[given + 1 :], strict=False)):
            raise Refused(v.offset, f"the elements of {v.text} do not lie together: only the first section may be a part.")
        if given < len(brackets):
            first, _, length = (part.strip() for part in brackets[given].partition(":"))
            first = first or "0"
            if not length:
                length = extents[given] if given < len(extents) else "1"
                length = f"({length}) - ({first})" if first != "0" else length
            text, rest = f"{text}[{first}]", extents[given + 1 :]
        else:
            length, rest = "1", extents[given:]
        element = text + "[0]" * len(rest)
        count = " * ".join([f"({x})" for x in ([length] if length != "1" else []) + rest if x]) or "1"
        if any(x == "" for x in rest):
            raise Refused(v.offset, f"the extent of {v.text} is not known here; write it in the declaration.")
        return f"&{element}", count, element

    def member(self, text: str, kind: Any) -> Any:
        """The type of name[i].member->member; None where there is no such."""
        for found in re.finditer(r"\[(?:[^\[\]]|\[[^\]]*\])*\]|(\.|->)\s*([A-Za-z_]\w*)", text):
            kind = kind.get_canonical()
            if found.group(1) != "." and kind.kind.name == "POINTER":
                kind = kind.get_pointee().get_canonical()
            elif found.group(1) is None:
                kind = kind.element_type.get_canonical() if "ARRAY" in kind.kind.name else kind
            if found.group(2):
                fields = list(kind.get_fields()) if kind.kind.name == "RECORD" else []
                kind = next((f.type for f in fields if f.spelling == found.group(2)), None)
                if kind is None:
                    return None
        return kind.get_canonical()

    def op(self, op: str) -> str:
        return f"XACC_{OPS.get(op, op.upper())}"

    def locations(self, v: Variable, d: Directive) -> tuple[str, int]:
        found = [self.variable(Variable(text, v.offset), d) for text in v.locations]
        parts = [f"{{{address}, {count}, XACC_TYPE({element})}}" for address, count, element in found]
        return ("(xacc_location[]){" + ", ".join(parts) + "}" if parts else "0"), len(parts)

    def reduction(self, d: Directive) -> str | None:
        on = self.on(d.ref, d.source)
        calls = []
        for r in d.reductions:
            for v in r.variables:
                array = self.program.array(v.text, d.source, v.offset)
                if array is not None and array.nodes == self.program.declarations(v.text, d.source, d.start)[0]:
                    calls.append(f"xacc_reduce_array({HERE}, {array.descriptor}, XACC_TYPE({array.element}), {self.op(r.op)}, {{on}});")
                    continue
                (address, count, element), (locations, many) = self.variable(v, d), self.locations(v, d)
                calls.append(f"xacc_reduce({HERE}, {address}, {count}, XACC_TYPE({element}), {self.op(r.op)}, {many}, "
                             f"{locations}, {{on}}, {d.asynchronous or '-1'});")
        return None if on is None else " ".join(self.guarded(c, on, d.ref is not None) for c in calls)

    def guarded(self, call: str, on: str, chosen: bool) -> str:
        """Those who are not in the set do nothing."""
        if not chosen:
            return call.replace("{on}", on)
        return f"{{ const xacc_set *xacc_on = {on}; if (xacc_on) {call.replace('{on}', 'xacc_on')} }}"

    def bcast(self, d: Directive) -> str | None:
        on = self.on(d.ref, d.source)
        root = self.on(d.from_ref, d.source, "from") if d.from_ref is not None else "0"
        calls = []
        for v in d.variables:
            address, count, element = self.variable(v, d)
            if on is None or root is None:
                return None
            call = f"xacc_bcast({HERE}, {address}, {count} * sizeof({element}), {int(d.from_ref is not None)}, {root}, {{on}}, {d.asynchronous or '-1'});"
            calls.append(self.guarded(call, on, d.ref is not None))
        return " ".join(calls)

    def barrier(self, d: Directive) -> str | None:
        on = self.on(d.ref, d.source)
        return None if on is None else f"xacc_barrier({on});"

    def wait_async(self, d: Directive) -> str:
        return " ".join(f"xacc_wait({i});" for i in d.ids)

    def task(self, d: Directive) -> tuple[str, str] | None:
        on = self.on(d.ref, d.source)
        if on is None:
            return None
        name = f"xacc_k{self.declare.number()}"
        return f"{{ xacc_task {name} XACC_TASK = xacc_enter({on}); if ({name}.in)", " }"

    def local_alias(self, d: Directive) -> str:
        (alias,), (name, offset) = d.variables, d.names[0]
        array = self.program.need_array(name, d.source, offset)
        found, _ = self.program.declarations(alias.text, d.source, d.start)
        kind = self.program.tree.nodes[found[-1]].type if found else None
        if kind is None or kind.get_canonical().kind.name != "POINTER":
            raise Refused(alias.offset, f"{alias.text} is no pointer that is declared here; local_alias gives a pointer its value.")
        return f'{alias.text} = xacc_alias({HERE}, "{alias.text}", {array.descriptor}, sizeof(*{alias.text}));'

    def widths(self, array: Array, items: tuple[Item, ...] | None, d: Directive) -> str:
        if items is None:
            return "0"
        if len(items) != len(array.axes):
            raise Refused(d.offset, f"array {array.name} has {len(array.axes)} dimensions and width gives {len(items)}.")
        parts = []
        for item, axis in zip(items, array.axes, strict=True):
            text = item.parts
            if len(text) > 2 or not all(text) or "*" in text or "unbound" in item.modifiers:
                raise Refused(item.offset, "a width is a number or below:above, with /periodic/ before it where wanted.")
            for given, shadow, side in ((text[0], axis.below, "lower"), (text[-1], axis.above, "upper")):
                if not axis.full and given.isdigit() and shadow.isdigit() and int(given) > int(shadow):
                    raise Refused(item.offset, f"a width of {given} is wider than the {side} shadow of array {array.name} here, {shadow}.")
            parts.append(f"{{{text[0]}, {text[-1]}, {int('periodic' in item.modifiers)}}}")
        return "(xacc_width[]){" + ", ".join(parts) + "}"

    def reflect(self, d: Directive) -> str:
        calls = []
        for name, offset in d.names:
            array = self.program.need_array(name, d.source, offset)
            if array.cyclic and all(a.below == a.above == "0" and not a.full for a in array.axes):
                raise Refused(offset, f"array {name} has a cyclic dimension and so no shadow to reflect.")
            width = self.widths(array, d.widths, d)
            flags = " | ".join(f"XACC_{f.upper() if f != 'acc' else 'DEVICE'}" for f in sorted(d.flags)) or "0"
            given = [width] * (d.kind != "reflect_do") + [flags] + [d.asynchronous or "-1"] * (d.kind != "reflect_init")
            given += [f"XACC_TYPE({array.element})"] * (d.kind == "reduce_shadow")
            calls.append(f"xacc_{d.kind}({HERE}, {array.descriptor}, {', '.join(given)});")
        return " ".join(calls)
