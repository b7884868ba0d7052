"""Freshness of halos along all paths of each function: loops twice round, branches joined where they meet."""

from __future__ import annotations

import re
from collections.abc import Iterable

from xacc.around import Run, Surroundings
from xacc.directive import DECLARING, Directive
from xacc.effects import Effects
from xacc.halos import State, merged
from xacc.headers import Header
from xacc.late import LIBRARY
from xacc.program import Program

_DEEP, _MANY = 40, 2000  # calls that are followed: inside of each other, with states that differ
_LOOPS = ("FOR_STMT", "WHILE_STMT", "DO_STMT")


class Fresh:
    def __init__(self, program: Program, effects: Effects, surroundings: Surroundings) -> None:
        self.program, self.tree, self.effects, self.around = program, program.tree, effects, surroundings
        self.before: dict[int, list[Directive]] = {}  # statement -> directives that are executed before it
        self.last: dict[int, list[Directive]] = {}  # block -> those at its end
        self.claimed: dict[int, Directive] = {}  # statements of gmove and array
        self.frames: list[tuple[list[State], list[State]]] = []  # states at the breaks and continues of each loop around
        self.returns: list[State] = []
        self.done: dict[object, State | None] = {}  # what is found after calls, by function, arrays and state
        self.assumed: dict[object, State | None] = {}  # the same of those that are followed now
        self.asked: set[object] = set()  # those that were called again meanwhile
        self.followed = 0
        for _, d in program.directives:
            if d.kind not in DECLARING:
                self.put(d)
        self.direct = self.touching()
        self.calling = self.with_ancestors(self.direct)
        self.asking = self.with_ancestors(k for k, n in enumerate(self.tree.nodes) if n.kind == "CALL_EXPR" and n.name == "xmp_test_async")
        jumps = [k for k, n in enumerate(self.tree.nodes) if n.kind in ("BREAK_STMT", "CONTINUE_STMT", "RETURN_STMT")]
        self.given = {a.nodes[0]: a for a in program.arrays if a.place == "parameter"}
        self.declared = {n: a for a in program.arrays for n in a.nodes if a.place != "file"}
        self.busy = self.calling | self.asking | self.with_ancestors([*(u.node for u in effects.uses), *self.before, *self.last, *self.declared, *jumps])

    def put(self, d: Directive) -> None:
        statement = self.tree.next_statement(d.source, d.end)
        if statement >= 0:
            self.before.setdefault(statement, []).append(d)
            if d.kind in ("gmove", "array"):
                self.claimed[statement] = d
        elif (block := self.tree.inside(d.source, d.start)) >= 0:
            self.last.setdefault(block, []).append(d)

    def with_ancestors(self, marks: Iterable[int]) -> set[int]:
        found: set[int] = set()
        for number in marks:
            while number >= 0 and number not in found:
                found.add(number)
                number = self.tree.nodes[number].parent
        return found

    def touching(self) -> set[int]:
        """Calls that may change halos: of functions that use distributed arrays, call others that do, or are not known."""
        nodes = self.tree.nodes
        calls = {k: self.program.function_of(k) for k, n in enumerate(nodes) if n.kind == "CALL_EXPR"}
        callers: dict[str, list[int]] = {}
        for k in calls:
            callers.setdefault(nodes[k].name, []).append(k)
        found = {k for k in calls if nodes[k].name not in self.tree.defined and not self.harmless(k)}
        rest = [self.program.function_of(n) for n in [*(u.node for u in self.effects.uses), *self.before, *self.last, *found]]
        done: set[int] = set()
        while rest:
            if (function := rest.pop()) not in done and function >= 0:
                done.add(function)
                found |= set(callers.get(nodes[function].name, ()))
                rest += [calls[k] for k in callers.get(nodes[function].name, ())]
        return found

    def harmless(self, number: int) -> bool:
        """Is it a function of a library that is not handed one of the program?"""
        node = self.tree.nodes[number]
        handed = {self.tree.nodes[n].name for n in self.tree.descendants(number, "DECL_REF_EXPR")}
        return (node.name in LIBRARY and number not in self.effects.procedures) or (node.target is not None and node.target[0].startswith("/usr/") and not handed & self.tree.defined.keys())

    def run(self) -> None:
        for function in self.tree.defined.values():
            self.function(function, State())

    def function(self, number: int, state: State) -> State | None:
        """The state after a function, None where no path that is known so far returns."""
        if self.tree.descendants(number, "GOTO_STMT", "INDIRECT_GOTO_STMT", "LABEL_STMT"):
            return State()
        kept, self.frames, self.returns = (self.frames, self.returns), [], []
        end = merged([self.statement(self.tree.body(number), state), *self.returns])
        self.frames, self.returns = kept
        return end

    def call(self, number: int, state: State) -> None:
        """Follows a call into a function of the program, under the names of the arrays that it is given."""
        if number in self.effects.procedures:
            return self.effects.procedure(number, state)
        node = self.tree.nodes[number]
        function = self.tree.defined.get(node.name, -1)
        if function < 0:
            return state.forget()
        bound = {}
        for parameter, argument in zip(self.tree.parameters(function), node.children[1:], strict=False):
            use = next((u for u in self.effects.within(argument) if not u.brackets), None)
            if parameter in self.given and use is not None:
                bound[id(self.given[parameter])] = self.effects.bound.get(id(use.array), use.array)
        key = (function, tuple(sorted((k, id(a)) for k, a in bound.items())), frozenset(state.layers.items()))
        outer, self.effects.bound = self.effects.bound, bound
        end = self.outcome(key, function, state)
        self.effects.bound = outer
        state.layers, state.reached = dict(end.layers) if end is not None else {}, end is not None

    def outcome(self, key: object, function: int, state: State) -> State | None:
        """The state after a call. A call of a function by itself has no end at first, then what was found, until that changes no more."""
        if key in self.done:
            return self.done[key]
        if key in self.assumed:
            self.asked.add(key)
            return self.assumed[key]
        if len(self.assumed) >= _DEEP:
            return State()
        found, before = None, len(self.done)
        while self.followed < _MANY:
            self.followed += 1
            self.assumed[key] = found
            self.asked.discard(key)
            end = merged([found, self.function(function, state.copy())])
            if key not in self.asked or end == found:
                break
            found = end
            for later in list(self.done)[before:]:
                del self.done[later]  # found with an end that was not the last
        else:
            end = State()
        self.assumed.pop(key, None)
        self.done[key] = end
        return end

    def calls(self, number: int, state: State) -> None:
        for n in [number, *self.tree.descendants(number)]:
            if n in self.direct:
                after = state.copy()
                self.call(n, after)
                around = [self.tree.nodes[a] for a in self.tree.ancestors(n) if a >= number]
                perhaps = any(a.kind == "CONDITIONAL_OPERATOR" or (a.kind == "BINARY_OPERATOR" and re.search(r"&&|\|\|", a.source.blank[a.start : a.end]))
                              for a in around)
                end = merged([after, state] if perhaps else [after])
                if end is None:
                    state.reached = False
                    return
                state.layers = end.layers

    def child(self, number: int, state: State | None) -> State | None:
        """A statement with the directives before it."""
        if state is None or not state.reached:
            return None
        for d in self.before.get(number, ()):
            self.effects.directive(d, state)
        if number not in self.busy:
            return state
        if number in self.around.nests:
            if number in self.calling:
                state.forget()
            else:
                self.effects.nest(self.around.nests[number], state)
            return state
        if number in self.claimed:
            self.effects.section(self.claimed[number], number, state)
            return state
        if number in self.around.tasks or self.tree.nodes[number].kind == "SWITCH_STMT":
            return self.closed(number, state)
        return self.statement(number, state)

    def statement(self, number: int, state: State) -> State | None:
        node, kind = self.tree.nodes[number], self.tree.nodes[number].kind
        if kind == "COMPOUND_STMT":
            now: State | None = state
            for child in node.children:
                now = self.child(child, now)
            for d in self.last.get(number, ()):
                if now is not None:
                    self.effects.directive(d, now)
            return now
        if kind == "IF_STMT":
            self.plain(node.children[0], state)
            branches = [self.child(c, state.copy()) for c in node.children[1:]]
            return merged([*branches, *([state] if len(branches) < 2 else [])])
        if kind in _LOOPS:
            return self.loop(number, state)
        if kind in ("BREAK_STMT", "CONTINUE_STMT"):
            if self.frames:
                self.frames[-1][kind != "BREAK_STMT"].append(state)
            return None
        self.plain(number, state)
        self.returns += [state] if kind == "RETURN_STMT" else []
        return None if kind == "RETURN_STMT" or not state.reached else state

    def loop(self, number: int, state: State) -> State | None:
        node = self.tree.nodes[number]
        header = self.around.loops.headers.header(number) if node.kind == "FOR_STMT" else ""
        once = node.kind == "DO_STMT" or (isinstance(header, Header) and self.around.range(Run(header)) is not None)
        body = node.children[0 if node.kind == "DO_STMT" else -1]
        leave: list[State | None] = []
        entry = state
        for _ in range(2):
            for c in node.children:
                if c != body:
                    self.plain(c, entry)
            self.frames.append(([], []))
            end = self.child(body, entry.copy())
            breaks, continues = self.frames.pop()
            end = merged([end, *continues])
            leave += [*breaks, end]
            if end is None:
                break
            entry = merged([entry, end]) or entry
        return merged([*leave, *([] if once else [state])])

    def closed(self, number: int, state: State) -> State | None:
        """A statement that some nodes run, or of which the paths are not followed: afterwards its arrays are unknown."""
        self.effects.unknown(number, self.program.directives_in(number), state)
        if number in self.calling:
            state.forget()
        return state

    def plain(self, number: int, state: State) -> None:
        """Expressions and declarations: elements by themselves may be of the halo."""
        if number not in self.busy or not state.reached:
            return
        state.forget({id(self.declared[n]) for n in self.declared.keys() & {number, *self.tree.descendants(number, "VAR_DECL")}})  # zero again
        for use in self.effects.within(number):
            if (use.mode != "r" or len(use.brackets) != len(use.array.axes)) and not self.handed(use.node):
                self.effects.touched(state, use.array)
        if number in self.asking:
            state.wait("", certain=False)
        if number in self.calling:
            self.calls(number, state)

    def handed(self, number: int) -> bool:
        """Is it an argument of a call that is followed?"""
        up = self.tree.nodes[self.tree.outward(number)[0]]
        return up.kind == "CALL_EXPR" and up.name in self.tree.defined
