"""What statements do to halos: loops read and write, reflects bring up to date, calls do what is not known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from xacc.around import ALWAYS, SOMETIMES, UNCLEAR, Around, Surroundings
from xacc.directive import Directive, Item
from xacc.halos import UNSURE, Key, Layer, State
from xacc.loops import Nest
from xacc.mask import DESC
from xacc.messages import Messages
from xacc.place import ABOVE, BELOW, Place
from xacc.program import Array, Program
from xacc.references import References, Use
from xacc.text import identifiers

_PROCEDURE = re.compile(r"\bxmp_(?:transpose|matmul|gather|scatter|pack|unpack|sort)\w*\s*\([^;]*")


@dataclass(frozen=True)
class Site:
    """A use with what stands around it."""

    use: Use
    around: Around


class Effects:
    def __init__(self, program: Program, place: Place, surroundings: Surroundings, references: References, messages: Messages) -> None:
        self.program, self.tree, self.messages = program, program.tree, messages
        self.place, self.around, self.layout, self.values = place, surroundings, place.layout, place.values
        self.uses = sorted(references.uses, key=lambda u: (str(u.source.path), u.start))
        self.bound: dict[int, Array] = {}  # id of a parameter -> the array that it is in the call that is followed
        self.sites: list[Site] = []
        self.numbers: dict[int, int] = {}  # id of a use -> its site
        self.idle: dict[tuple[int, str], tuple[Directive, Array, bool]] = {}  # reflects, and whether all is fresh each time
        self.inits: dict[str, list[Directive]] = {}
        calls = [c.group() for s in self.tree.sources.values() for c in _PROCEDURE.finditer(s.blank)]
        self.elsewhere = {name for c in calls for name in DESC.findall(c)} | {n for _, d in program.directives if d.kind == "local_alias" for n, _ in d.names}
        for _, d in program.directives:
            for name, _ in d.names if d.kind == "reflect_init" else ():
                self.inits.setdefault(name, []).append(d)

    def shadow(self, array: Array) -> tuple[tuple[int, int], ...]:
        """Widths of the halo in each dimension; 0 where there is none, or it is not known."""
        found = []
        for d, axis in enumerate(array.axes):
            if array.name in self.elsewhere:  # the library or a pointer changes it
                found.append((0, 0))
                continue
            wide = self.layout.shadow(array, d) if self.layout.divided(array.template, axis.axis) and not axis.cyclic else None
            found.append((1, 0) if wide and axis.full else wide if wide and max(wide) <= 64 else (0, 0))
        return tuple(found)

    def keys(self, array: Array) -> list[Key]:
        return [(self.actual(array), d, side, n + 1) for d, wide in enumerate(self.shadow(array)) for side in (BELOW, ABOVE) for n in range(wide[side])]

    def actual(self, array: Array) -> int:
        """Which array a parameter is, where the function is followed from a call."""
        return id(self.bound.get(id(array), array))

    def touched(self, state: State, array: Array) -> None:
        """Its halos are not known any more, nor those of arrays that may be the same under another name."""
        state.forget(self.actual(array))
        if not self.bound and array.place in ("parameter", "file"):
            for other in self.program.arrays:
                if other.place == "parameter" or (array.place == "parameter" and other.place == "file"):
                    state.forget(id(other))

    def arrays_of(self, d: Directive) -> list[Array]:
        names = [n for n, _ in d.names] + [n for v in (*d.variables, *(v for r in d.reductions for v in r.variables)) for n in identifiers(v.text)]
        found = [self.program.array(n, d.source, d.offset) for n in names]
        return [a for a in found if a is not None]

    def directive(self, d: Directive, state: State) -> None:
        if d.kind in ("reflect", "reflect_do"):
            for name, _ in d.names:
                array, planned = self.program.array(name, d.source, d.offset), [d] if d.kind == "reflect" else self.inits.get(name, [])
                if len(planned) == 1:
                    self.reflect(d, array, planned[0].widths, state)
                else:
                    self.touched(state, array)
        elif d.kind == "wait_async":
            for i in d.ids:
                state.wait(i.strip(), i.strip().isdigit())
        elif d.kind == "template_fix":
            state.forget()
        elif d.kind in ("reduce_shadow", "reduction", "bcast"):
            for array in self.arrays_of(d):
                self.touched(state, array)

    def reflect(self, d: Directive, array: Array, widths: tuple[Item, ...] | None, state: State) -> None:
        pending = d.asynchronous.strip() or None
        before = {key: state.layers.get(key, UNSURE) for key in self.keys(array)}
        fresh = bool(before) and all(layer.fresh and layer.pending is None for layer in before.values())
        self.idle[d.start, array.name] = (d, array, fresh and self.idle.get((d.start, array.name), (d, array, True))[2])
        if array.place in ("parameter", "file"):
            self.touched(state, array)
        for key, old in before.items():
            _, dimension, side, out = key
            item = widths[dimension] if widths is not None else None
            width = self.values.of(item.parts[-side].strip()) if item is not None else self.shadow(array)[dimension][side]
            if width is None:
                state.layers.pop(key, None)
            elif out <= width:
                state.layers[key] = Layer(fresh=True, ends=item is None or "periodic" not in item.modifiers, pending=pending)
            else:
                state.layers[key] = old

    def within(self, number: int) -> list[Use]:
        node = self.tree.nodes[number]
        return [u for u in self.uses if u.source is node.source and node.start <= u.start < self.tree.end_of(number)]

    def nest(self, nest: Nest, state: State) -> None:
        """All reads of a distributed loop come before its writes: iterations of other nodes are not waited for."""
        ring = nest.directive.ring
        node = self.tree.nodes[nest.statement]
        inside = [d for _, d in self.program.directives if d.source is nest.directive.source and node.start < d.start < node.end]
        if any(d.kind not in ("loop", "barrier") for d in inside):
            self.unknown(nest.statement, inside, state)
            return
        for i in nest.directive.ids:
            state.wait(i.strip(), i.strip().isdigit())
        sites, others = [], {}
        for use in self.within(nest.statement):
            found = self.around.of(use)
            if found is None or use.mode in ("a", "h", "m") or len(use.brackets) != len(use.array.axes) or found.symbol is None:
                others[id(use.array)] = use.array
            else:
                sites.append(Site(use, found))
        for site in sites:
            if site.use.mode in ("r", "b"):
                if id(site.use.array) in others and site.around.within == ALWAYS:
                    site.around.within = SOMETIMES  # a pointer may have filled the halo
                self.read(site, state)
        for array in others.values():
            self.touched(state, array)
        for site in sites:
            if site.use.mode in ("w", "b"):
                self.write(site, state, ring[0] if ring else "")

    def unknown(self, number: int, directives: list[Directive], state: State, first: bool = False) -> None:
        """A statement of which only the arrays are known. first: an assignment, which changes the first."""
        for use in self.within(number)[: 1 if first else None]:
            self.touched(state, use.array)
        for d in directives:
            for array in self.arrays_of(d):
                self.touched(state, array)
            if d.kind in ("wait_async", "template_fix", "gmove", "array") or d.ids:
                state.forget()

    def reach(self, site: Site, dimension: int) -> tuple[int, int] | None:
        """How far the elements lie from the node's own, at the least and at the most; None where that is not known."""
        array = site.use.array
        sub = self.place.subscript(site.use, dimension, site.around)
        if sub is None or sub.run is None or sub.run.bound is None or sub.run.bound.axis != array.axes[dimension].axis \
                or site.around.symbol is not array.template:
            return None
        delta = self.place.delta(array, dimension, sub)
        return None if delta is None else (delta - sub.run.below, delta + sub.run.above)

    def write(self, site: Site, state: State, ring: str) -> None:
        array = site.use.array
        for dimension, axis in enumerate(array.axes):
            if not self.layout.divided(array.template, axis.axis):
                continue
            reach = self.reach(site, dimension)
            if reach is None or ring == "margin" or (reach != (0, 0) and ring != "expand") or (ring == "expand" and not reach[0] <= 0 <= reach[1]):
                self.touched(state, array)  # perhaps elements of the halo
                return
        if site.around.within != ALWAYS:
            return
        number = self.numbers.setdefault(id(site.use), len(self.sites))
        if number == len(self.sites):
            self.sites.append(site)
        for key in self.keys(array):
            _, dimension, side, out = key
            low, high = self.reach(site, dimension) or (0, 0)
            if out <= (-low if side == BELOW else high):  # written by this node itself
                state.layers.pop(key, None)
            else:
                state.write(key, number)

    def read(self, site: Site, state: State) -> None:
        array = site.use.array
        if site.around.within == UNCLEAR:
            return
        for dimension, wide in enumerate(self.shadow(array)):
            reach = self.reach(site, dimension) if wide != (0, 0) else None
            if array.axes[dimension].full and reach != (0, 0):
                self.stale(site, dimension, BELOW, state.layers.get((self.actual(array), dimension, BELOW, 1), UNSURE))
                continue
            for side in (BELOW, ABOVE) if reach is not None else ():
                far = -reach[0] if side == BELOW else reach[1]
                for out in range(1, min(far, wide[side]) + 1):
                    layer = state.layers.get((self.actual(array), dimension, side, out), UNSURE)
                    if self.stale(site, dimension, side, layer) or self.beyond(site, dimension, side, layer):
                        break

    def beyond(self, site: Site, dimension: int, side: int, layer: Layer) -> bool:
        """Warns of a read beyond the ends of a dimension that the last reflect did not close to a ring."""
        sub = self.place.subscript(site.use, dimension, site.around)
        ends = self.place.extent(site.use.array, dimension, sub) if layer.ends else None
        if ends is None or (ends[0] >= 0 if side == BELOW else ends[1] < ends[2]):
            return False
        self.say(site, dimension, False, f"{sub.text} of dimension {dimension + 1} of array {site.use.array.name} comes to {ends[side]}, beyond its ends, "
                                         "and the reflect before is not periodic there.")
        return True

    def stale(self, site: Site, dimension: int, side: int, layer: Layer) -> bool:
        """A message for a read of a stale layer; returns whether there is one."""
        array, name = site.use.array, ("lower", "upper")[side]
        if layer.pending is not None and self.certain(None, site, dimension, side) == ALWAYS:
            self.say(site, dimension, site.around.within == ALWAYS,
                     f"the {name} shadow of array {array.name} is still on its way here; put #pragma xmp wait_async({layer.pending}) before this loop.")
            return True
        hits = [(n, must, self.certain(self.sites[n], site, dimension, side)) for n, must in sorted(layer.sites)]
        hits = [hit for hit in hits if hit[2] != UNCLEAR]
        if not hits:
            return False
        always = any(must for _, must, _ in hits)
        sure = any(must and level == ALWAYS for _, must, level in hits)
        at = self.sites[next(n for n, must, _ in hits if must or not always)].use
        line = at.source.position(at.start)[0]
        visits = any(run.unbound for run in site.around.runs.values())  # a loop over halo elements themselves may want the older values
        self.say(site, dimension, sure and site.around.within == ALWAYS and not visits,
                 f"the {name} shadow of array {array.name} is stale here{'' if always else ' on some paths'}: line {line} writes the array, and no reflect "
                 f"of this width follows; put #pragma xmp reflect ({array.name}) before this loop.")
        return True

    def certain(self, write: Site | None, read: Site, dimension: int, side: int) -> int:
        """ALWAYS for all numbers of nodes that are tried, SOMETIMES for a few, UNCLEAR else. write: None for all elements."""
        array = read.use.array
        axis = array.axes[dimension]
        sub = self.place.subscript(read.use, dimension, read.around)
        tried: list[bool | None] = []
        for given in self.layout.given(array.template) if sub is not None else ():
            size = self.values.of(axis.extent, given)
            written = (0, size - 1) if write is None and size else self.interval(write, dimension, given)
            if size is None or written is None or (axis.full and (written[0] > 0 or written[1] < size - 1)) or not all(
                    self.meets(write, read, d, given) for d in range(len(array.axes)) if d != dimension):
                return UNCLEAR
            sides = (BELOW, ABOVE) if axis.full else (side,)
            tried += self.place.outside(array, dimension, sub, read.around, given, (0, 0), written, sides)
        return UNCLEAR if True not in tried else SOMETIMES if False in tried else ALWAYS

    def interval(self, site: Site | None, dimension: int, given: Mapping[str, int]) -> tuple[int, int] | None:
        """First and last index of a dimension that a use has, each between them included."""
        sub = self.place.subscript(site.use, dimension, site.around) if site else None
        if sub is None or sub.run is None:
            return None if sub is None else (sub.c, sub.c)
        ends = self.around.range(sub.run, given)
        return None if ends is None or ends[2] != 1 else (ends[0] + sub.c, ends[1] + sub.c)

    def meets(self, write: Site | None, read: Site, dimension: int, given: Mapping[str, int]) -> bool:
        if write is None:
            return True
        size = self.values.of(read.use.array.axes[dimension].extent, given)
        one, two = self.interval(write, dimension, given), self.interval(read, dimension, given)
        if one is None:
            return False
        return (size is not None and one[0] <= 0 and one[1] >= size - 1) or (two is not None and max(one[0], two[0]) <= min(one[1], two[1]))

    def say(self, site: Site, dimension: int, certain: bool, text: str) -> None:
        use = site.use
        a, b = use.brackets[dimension]
        at = a + 1 + len(use.source.blank[a + 1 : b]) - len(use.source.blank[a + 1 : b].lstrip())
        even = use.array.template.formats[use.array.axes[dimension].axis].kind != "gblock"
        levels = {m.level for m in self.messages.list if m.source is use.source and m.offset == at}
        if certain and even and "error" not in levels:
            self.messages.error(use.source, at, text)
        elif not levels & {"error", "warning"}:
            self.messages.warning(use.source, at, text)
