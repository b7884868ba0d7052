"""One file with directives to one file of plain C: the order of the steps, and the edits that are not any directive's own."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from xacc.ast import Tree
from xacc.assign import ArrayOn, Assign
from xacc.communicate import Communicate
from xacc.declare import Declare
from xacc.directive import DECLARING, Directive, Item
from xacc.find import include_siblings
from xacc.forms import view
from xacc.gmove import Gmove
from xacc.late import Late, declarator
from xacc.loops import Loops
from xacc.mask import DESC, masked
from xacc.members import spread
from xacc.messages import Messages, Refused
from xacc.openacc import OpenAcc
from xacc.program import Array, Program, brackets_of
from xacc.prove import prove
from xacc.references import References
from xacc.sections import Assignment, Chain, Sections
from xacc.serial import write_out
from xacc.stale import Stale
from xacc.text import Source
from xacc.verify import verify


@dataclass(frozen=True)
class Options:
    shift: bool = True
    check: bool = False
    acc: bool = False
    explain: bool = False
    flags: tuple[str, ...] = ()  # for libclang
    whole: bool = True  # all files of the program are given


@dataclass
class Unit:
    """A translated file: its text, and those of the headers that changed with it."""

    source: Source
    tree: Tree
    text: str
    headers: dict[str, str] = field(default_factory=dict)
    changed: bool = True


def sibling(path: str) -> str:
    """The name of a translated header, which lies beside the one it is made of."""
    return f"{Path(path).stem}.xacc{Path(path).suffix}"


class Translator:
    def __init__(self, program: Program, options: Options, aligned: set[tuple[str, int]], defined: set[str]) -> None:
        self.program, self.options = program, options
        self.tree, self.messages = program.tree, program.messages
        self.declare = Declare(program)
        self.communicate = Communicate(program, self.declare)
        self.loops = Loops(program, self.declare, self.communicate, options.check)
        self.aligned, self.defined = aligned, defined
        self.claimed: list[tuple[Directive, Assignment]] = []  # by gmove and array

    def run(self) -> None:
        scopes = {}
        for order, d in self.program.directives:
            scope = self.program.scopes(d.source, d.start)[0]
            scopes[id(d)] = scope
            if d.kind in ("nodes", "template", "distribute", "align", "shadow"):
                self.declare.each(d, scope, order)
        for array in self.program.arrays:
            self.declarators(array)
            self.declare.make(array)
        self.references = References(self.program, self.options.shift, self.options.check, self.aligned, self.defined, self.options.whole)
        self.acc = OpenAcc(self.program)
        if self.options.acc:
            self.acc.rewrite()
        self.references.find()
        self.sections = Sections(self.tree, self.messages)
        self.late = Late(self.program, self.sections, self.references)
        self.late.calls(self.defined)
        self.references.judge()
        stale = Stale(self.program, self.loops.headers, self.references) if self.options.check else None
        for one in self.sections.open.values():
            self.places(one)
        for _, d in self.program.directives:
            with self.messages.refusals(d.source):
                self.statement(d, scopes[id(d)], stale)
        self.assignments()
        if not self.messages.failed:
            prove(self.program, self.loops, self.references, self.options.flags, self.options.explain)
        if self.messages.failed:
            return
        self.references.rewrite(self.loops.block_loops)
        for path, source in self.tree.sources.items():
            for kind, start, end, _ in self.program.pragmas[path]:
                if kind == "acc" and (path, start) in self.acc.texts:
                    source.replace(start, end, self.acc.texts[(path, start)].replace("\\\n", " ").replace("\n", " "))
        self.heads()
        write_out(self.tree, {n for a in self.program.arrays for n in a.nodes})
        self.descriptors()
        self.main()

    def statement(self, d: Directive, scope: int, stale: Stale | None) -> None:
        if d.first is not None:
            return
        if d.kind in DECLARING:
            self.place(d, " ".join(self.declare.code.get(id(d), [])))
            return
        if scope < 0:
            raise Refused(d.offset, f"{d.kind} stands outside of functions; it is executed, so put it into one.")
        if d.kind in ("array", "gmove"):
            self.claim(d)
            return
        if d.kind in ("loop", "task", "tasks"):
            self.construct(d, stale)
            return
        if not self.in_block(d):
            raise Refused(d.offset, f"{d.kind} is the only statement of an if or a loop here; put it into braces.")
        device = self.options.acc and "acc" in d.flags and d.kind in ("reduction", "bcast")
        if device and d.asynchronous:
            d.asynchronous = ""  # the copy back to the device ends it
        writer = self.declare if d.kind == "template_fix" else self.communicate
        text = getattr(writer, "reflect" if d.kind.startswith("reflect") or d.kind == "reduce_shadow" else d.kind)(d)
        if text is not None and device:
            text = self.acc.around(text, [v.text.strip() for v in (*d.variables, *(v for r in d.reductions for v in r.variables))])
        if text is not None:
            self.place(d, f"{{ {self.communicate.timed(d.section)} {text} }}" if d.section else text)

    def place(self, d: Directive, text: str) -> None:
        self.explain(d, text)
        body = self.tree.body_after(d.source, d.start)
        if body >= 0:  # between a function's head and its body, where the mapping of a parameter may stand
            d.source.replace(d.start, d.end, "")
            d.source.insert(self.tree.nodes[body].start + 1, f" {text}")
            return
        d.source.replace(d.start, d.end, text)

    def explain(self, d: Directive, text: str) -> None:
        if self.options.explain:
            self.messages.note(d.source, d.offset, f"{d.kind} becomes: {text}" if text else f"{d.kind} is used by later directives.")

    def in_block(self, d: Directive) -> bool:
        around = self.tree.innermost(d.source, d.start)
        while around >= 0 and self.tree.nodes[around].kind in ("CASE_STMT", "DEFAULT_STMT", "LABEL_STMT"):  # a label before it
            around = self.tree.nodes[around].parent
        return around >= 0 and self.tree.nodes[around].kind == "COMPOUND_STMT"

    def construct(self, d: Directive, stale: Stale | None) -> None:
        number = self.tree.next_statement(d.source, d.end)
        if number < 0:
            raise Refused(d.offset, f"no statement follows {d.kind}.")
        node = self.tree.nodes[number]
        end = self.tree.end_of(number)
        if d.kind == "tasks":
            if node.kind != "COMPOUND_STMT":
                self.messages.error(d.source, d.offset, "tasks must stand before a block in braces.")
            d.source.replace(d.start, d.end, "")
            return
        if d.kind == "task":
            found = self.communicate.task(d)
        else:
            self.unlisted(d, number)
            found = self.loops.loop(d, number)
        if found is None:
            return
        before, after = found
        if d.kind == "task" and d.section:
            before, after = f"{{ {self.communicate.timed(d.section)} {before}", f"{after} }}"
        self.explain(d, f"{before} ...{after}")
        if stale is not None and d.kind == "loop":
            calls = stale.after(number)
            if d.ring is None or d.ring[0] == "expand":
                after = calls + after
            elif d.ring[0] == "peel_and_wait":  # once, after all its boxes; a margin leaves what it does not own as it was
                after = " }" + calls + after.removeprefix(" }")
        self.wrap(d, node.start, before)
        d.source.insert_first(end, after)

    def unlisted(self, d: Directive, number: int) -> None:
        """A variable of a loop inside that loop (i) leaves out: all its iterations run on each node."""
        if d.dims is None or d.ref.dims is None:
            return
        inside = self.loops.headers.variables_below(number) - {item.text.strip() for item in d.dims.items}
        items = tuple(Item(("", ""), item.offset) if item.text.strip() in inside and not self.program.declarations(item.text.strip(), d.source, d.start)[0]
                      else item for item in d.ref.dims.items)
        d.ref = replace(d.ref, dims=replace(d.ref.dims, items=items))

    def wrap(self, d: Directive, start: int, before: str) -> None:
        """The text goes to the first pragma of the run before the statement: braces cannot stand between OpenMP and its loop."""
        source = d.source
        run = [p for p in self.program.pragmas[str(source.path)] if p[1] < d.start and not source.blank[p[2] : d.start].strip(" \t\r\n")]
        run = [p for p in run if p[0] in ("omp", "acc")]
        _, a, b, _ = run[-1] if run else ("", 0, 0, 0)
        if any(word in source.text[a:b] for word in ("parallel", "for", "loop", "kernels", "simd")):
            others = self.acc.texts.pop((str(source.path), a), source.text[a:b])
            source.replace(a, b, before)
            source.replace(d.start, d.end, others.replace("\\\n", " ").replace("\n", " "))
            return
        source.replace(d.start, d.end, before)

    def places(self, assignment: Assignment) -> None:
        """Which sides are distributed arrays, and no bound of a section is an element of one."""
        for chain in (assignment.left, *assignment.right):
            chain.array = self.references.array_at(chain.source, chain.start)
            for _, bracket in chain.ranges:
                for use in self.references.within(chain.source, bracket.open, bracket.close):
                    self.messages.error(use.source, use.start, f"a bound of a section is an element of the distributed array {use.array.name}; use a variable.")

    def claim(self, d: Directive) -> None:
        number = self.tree.next_statement(d.source, d.end)
        one = self.sections.open.pop(number, None)
        if one is None and d.kind == "gmove":
            one = self.sections.assignment(d.source, number)
        if one is None:
            what = "an assignment" if d.kind == "gmove" else "an assignment of array sections"
            raise Refused(d.offset, f"{d.kind} must stand before {what}.")
        d.source.replace(d.start, d.end, "")
        self.claimed.append((d, one))

    def assignments(self) -> None:
        """After the directives, so that what closes a statement comes before what closes a construct around it."""
        def element(chain: Chain, subscripts: list[str]) -> str:
            self.references.hide(chain.source, chain.start, chain.start + 1)  # its text goes away
            return self.references.element(chain.array, subscripts, "w")

        assign = Assign(self.sections, self.declare.number, element)
        for one in self.sections.open.values():
            assign.local(one)
        on = ArrayOn(self.program, assign, self.options.check)
        gmove = Gmove(self.program, self.sections, self.references, self.communicate)
        for d, one in self.claimed:
            self.explain(d, "")
            with self.messages.refusals(d.source):
                if d.kind == "gmove":
                    gmove.write(d, one, self.acc if self.options.acc and "acc" in d.flags else None)
                else:
                    on.write(d, one, self.communicate.timed(d.section) if d.section else "")

    def declarators(self, array: Array) -> None:
        defined = False
        for node in (self.tree.nodes[n] for n in array.nodes):
            brackets = brackets_of(node)
            if array.pointer:
                start, end, text = declarator(array, node, self.declare.rows(node))
                if not re.match(r"\s*(?:[;,]|=\s*(?:NULL|0)\s*[;,])", node.source.blank[end:]):
                    self.messages.error(node.source, node.at, f"pointer {array.name} is aligned and gets its elements by xmp_malloc; give it no value here.")
                node.source.replace(start, end, text)
                continue
            if array.place == "parameter":
                node.source.replace(node.at, node.at + len(node.name), f"xacc_p_{node.name}")
                continue
            end = brackets[-1][1] + 1 if brackets else node.at + len(node.name)
            if node.source.blank[end:].lstrip()[:1] == "=":
                self.messages.error(node.source, node.at, f"array {array.name} is distributed and cannot be initialised here; use a loop.")
            defined |= "extern" not in node.qualifiers
            node.source.replace(node.at, end, f"*xacc_g_{array.name}")
        array.defined = defined or array.place != "file"

    def heads(self) -> None:
        """File-scope arrays: one declaration at the head of each function that uses them."""
        done = set()
        uses = [(u.array, u.source, u.start, u.node) for u in self.references.uses if u.array.place == "file"]
        if self.options.acc:
            uses += [(a, s, o, self.tree.inside(s, o)) for a, s, o in self.acc.used()]
        for array, where, start, number in uses:
            function = self.program.function_of(number)
            if function < 0 or (function, array.name) in done:
                continue
            done.add((function, array.name))
            node = self.tree.nodes[function]
            if array.order > self.program.order(node.source, node.start):
                self.messages.error(where, start, f"array {array.name} is used in {node.name} before its align directive; move the directive up.")
            if (body := self.tree.body(function)) >= 0 and not array.pointer:
                node.source.insert(self.tree.nodes[body].start + 1, " " + view(array))

    def descriptors(self) -> None:
        """xmp_desc_of(name)."""
        for source in self.tree.sources.values():
            for match in DESC.finditer(source.blank):
                name, at = match.group(1), match.start(1)
                if self.late.taken(str(source.path), match.start()):
                    continue
                array = self.program.array(name, source, at)
                symbol = self.program.lookup(name, ("template", "nodes"), source, at)
                if array is None and symbol is None:
                    self.messages.error(source, at, f"{name} is neither a distributed array nor a template nor nodes here.")
                    continue
                if symbol is not None and symbol.kind == "template" and not symbol.distributed:
                    self.messages.error(source, at, f"template {name} is not distributed here.")
                    continue
                source.replace(match.start(), match.end(), f"((xmp_desc_t){array.descriptor if array else symbol.raw})")

    def main(self) -> None:
        if (number := self.tree.defined.get("main", -1)) >= 0:
            names, body = [self.tree.nodes[c].name for c in self.tree.parameters(number)], self.tree.nodes[self.tree.body(number)]
            pair = f"&{names[0]}, (char ***)&{names[1]}" if len(names) >= 2 and all(names[:2]) else "0, 0"
            body.source.insert_first(body.start + 1, f" xacc_start({pair});")


def scan(tree: Tree, program: Program, aligned: set[tuple[str, int]], defined: set[str]) -> None:
    """What other files must know of this one: functions, and which of their parameters are aligned."""
    defined.update(tree.defined)
    for _, d in program.directives:
        for scope in program.scopes(d.source, d.start)[:-1] if d.kind == "align" else ():
            function, names = tree.nodes[scope].parent, {n for n, _ in d.names}
            aligned |= {(tree.nodes[function].name, i) for i, p in enumerate(tree.parameters(function)) if tree.nodes[p].name in names}


def translate(sources: list[Source], options: Options, messages: Messages) -> list[Unit]:
    """All files of a program together."""
    parsed = []
    aligned: set[tuple[str, int]] = set()
    defined: set[str] = set()
    for source in (spread(s, messages) for s in sources):
        tree = Tree(source, list(options.flags))
        for s in tree.sources.values():
            masked(s, messages)
        for where, offset, text in tree.errors():
            if where is None or "variable length array declaration not allowed" not in text:
                messages.error(where or source, min(offset, max(0, len(where.text) - 1)) if where else 0, f"{text}.")
        program = Program(tree, messages)
        scan(tree, program, aligned, defined)
        parsed.append((source, tree, program))
    units = []
    for source, tree, program in parsed:
        library = any(n.kind == "CALL_EXPR" and n.name.startswith(("xmp_", "xmpc_")) for n in tree.nodes) or "xmp_desc_of" in source.blank
        if not program.directives and not library and not tree.sectioned:
            units.append(Unit(source, tree, source.text, changed=False))
            continue
        Translator(program, options, aligned, defined).run()
        if messages.failed:
            continue
        others = {path: header for path, header in tree.sources.items() if header is not source}
        include_siblings(tree, {path: sibling(path) for path in others})
        headers = {path: f'#line 1 "{header.name}"\n' + header.result() for path, header in others.items()}
        windows = any(d.kind == "gmove" and d.equals for _, d in program.directives)
        name = source.name.replace("\\", "\\\\").replace('"', '\\"')
        head = f'{"#define XACC_ONE_SIDED" + chr(10) if windows else ""}#include "xacc.h"\n#line 1 "{name}"\n'
        unit = Unit(source, tree, head + source.result(), headers)
        siblings = {str(Path(path).parent / sibling(path)): text for path, text in headers.items()}
        verify(source, unit.text, len(head), siblings, [d for _, d in program.directives], list(options.flags), messages)
        units.append(unit)
    return units
