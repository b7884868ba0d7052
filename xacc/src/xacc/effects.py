"""What statements do to halos: loops read and write, reflects bring up to date, calls do what is not known."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from xacc.around import ALWAYS, SOMETIMES, UNCLEAR, Around, Surroundings
from xacc.directive import Directive, Item
from xacc.halos import UNSURE, Key, Layer, State
from xacc.late import HEADER, arguments
from xacc.loops import Nest
from xacc.mask import DESC, parts
from xacc.messages import Messages
from xacc.place import ABOVE, BELOW, Place
from xacc.program import Array, Program
from xacc.references import References, Use
from xacc.text import identifiers

_ADDRESS = re.compile(r"\bxmp_array_laddr\s*\([^;]*")
_WRITTEN = {name: parameters.split(", ").index("xmp_desc_t to")  # procedure -> place of the array that it writes
            for name, parameters in re.findall(r"^void (xmp_\w+)\((.*\bxmp_desc_t to\b.*)\);", HEADER, re.MULTILINE)}
_IN_PART = ("xmp_scatter", "xmp_pack", "xmp_unpack")


@dataclass(frozen=True, eq=False)
class Site:
    """A use with what stands around it; without, where it is the left side of an assignment of sections."""

    use: Use
    around: Around | None


class Effects:
    def __init__(self, program: Program, place: Place, surroundings: Surroundings, references: References, messages: Messages) -> None:
        self.program, self.tree, self.messages = program, program.tree, messages
        self.place, self.around, self.layout, self.values = place, surroundings, place.layout, place.values
        self.uses = sorted(references.uses, key=lambda u: (str(u.source.path), u.start))
        self.places = [(str(u.source.path), u.start) for u in self.uses]
        self.bound: dict[int, Array] = {}  # id of a parameter -> the array that it is in the call that is followed
        self.sites: list[Site] = []
        self.numbers: dict[int, int] = {}  # id of a use -> its site
        self.idle: dict[tuple[int, str], tuple[Directive, Array, bool]] = {}  # reflects, and whether all is fresh each time
        self.narrow: dict[int, Directive] = {}  # reflects that leave layers as they are, by their place
        self.loop: Directive | None = None  # the one that is looked at
        self.inits: dict[str, list[Directive]] = {}
        self.of_place = {place: {id(a) for a in program.arrays if a.place == place} for place in ("parameter", "file")}
        calls = [c.group() for s in self.tree.sources.values() for c in _ADDRESS.finditer(s.blank)]
        self.procedures = {n: self.written(n) for n, node in enumerate(self.tree.nodes) if node.kind == "CALL_EXPR" and node.name in _WRITTEN}
        self.elsewhere = {name for c in calls for name in DESC.findall(c)} | {n for _, d in program.directives if d.kind == "local_alias" for n, _ in d.names}
        self.given: dict[int, list[tuple[Item, ...]]] = {}  # widths of reflects, by id of the array
        for _, d in program.directives:
            for name, _ in d.names if d.kind == "reflect_init" else ():
                self.inits.setdefault(name, []).append(d)
            for array in self.arrays_of(d) if d.widths is not None else ():
                self.given.setdefault(id(array), []).append(d.widths)

    def shadow(self, array: Array) -> tuple[tuple[int, int], ...]:
        """Widths of the halo in each dimension; 0 where there is none, or it is not known."""
        known = [self.layout.shadow(array, d) if self.layout.divided(array.template, axis.axis) and not axis.cyclic else None
                 for d, axis in enumerate(array.axes) if array.name not in self.elsewhere]  # a pointer changes those
        return tuple((1, 0) if wide and axis.full else wide if wide and max(wide) <= 64 else (0, 0)
                     for wide, axis in zip(known or [None] * len(array.axes), array.axes, strict=True))

    def keys(self, array: Array) -> list[Key]:
        return [(self.actual(array), d, side, n + 1) for d, wide in enumerate(self.shadow(array)) for side in (BELOW, ABOVE) for n in range(wide[side])]

    def actual(self, array: Array) -> int:
        """Which array a parameter is, where the function is followed from a call."""
        return id(self.bound.get(id(array), array))

    def touched(self, state: State, *arrays: Array) -> None:
        """Their halos are not known any more, nor those of arrays that may be the same under another name."""
        for array in arrays:
            places = () if self.bound else ("parameter", "file") if array.place == "parameter" else ("parameter",) if array.place == "file" else ()
            state.forget({self.actual(array)}.union(*(self.of_place[place] for place in places)))

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
            self.touched(state, *self.arrays_of(d))

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
                state.layers[key] = replace(old, narrow=d.start)
                self.narrow[d.start] = d

    def within(self, number: int) -> list[Use]:
        node, place = self.tree.nodes[number], str(self.tree.nodes[number].source.path)
        first, last = (bisect_left(self.places, (place, at)) for at in (node.start, self.tree.end_of(number)))
        return self.uses[first:last]

    def nest(self, nest: Nest, state: State) -> None:
        """All reads of a distributed loop come before its writes: iterations of other nodes are not waited for."""
        self.loop, ring = nest.directive, nest.directive.ring
        inside = self.program.directives_in(nest.statement)
        if any(d.kind not in ("loop", "barrier") for d in inside):
            self.unknown(nest.statement, inside, state)
            return
        for i in nest.directive.ids:
            state.wait(i.strip(), i.strip().isdigit())
        sites, others = [], {}
        for use in self.within(nest.statement):
            found = self.around.of(use)
            clear = found is not None and use.mode not in ("a", "h") and len(use.brackets) == len(use.array.axes) and found.symbol is not None
            if not clear or use.mode == "m":
                others[id(use.array)] = use.array
            if clear:
                sites.append(Site(use, found))
        for site in sites:
            if site.use.mode in ("r", "b") or (site.use.mode == "m" and self.taken(site.use)):
                if id(site.use.array) in others and site.around.within == ALWAYS:
                    site.around.within = SOMETIMES  # a pointer may have filled the halo
                self.read(site, state)
        self.touched(state, *others.values())
        for site in sites:
            if site.use.mode in ("w", "b"):
                self.write(site, state, ring[0] if ring else "")

    def taken(self, use: Use) -> bool:
        """Is the value of an element read in a macro?"""
        up, child = self.tree.outward(use.node, ("UNEXPOSED_EXPR", "PAREN_EXPR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR"))
        return up >= 0 and self.tree.nodes[child].kind == "UNEXPOSED_EXPR"

    def unknown(self, number: int, directives: list[Directive], state: State) -> None:
        """A statement of which only the arrays are known."""
        self.touched(state, *(use.array for use in self.within(number)))
        for d in directives:
            self.touched(state, *self.arrays_of(d))
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
        return None if delta is None else (delta - sub.run.below, delta + sub.more + sub.run.above)

    def write(self, site: Site, state: State, ring: str) -> None:
        array = site.use.array
        for dimension, axis in enumerate(array.axes):
            if not self.layout.divided(array.template, axis.axis):
                continue
            reach = self.reach(site, dimension)
            if reach is None or ring == "margin" or (reach != (0, 0) and ring != "expand") or (ring == "expand" and not reach[0] <= 0 <= reach[1]):
                self.touched(state, array)  # perhaps elements of the halo
                return
        if site.around.within == ALWAYS:
            self.wrote(site, state)

    def section(self, d: Directive, number: int, state: State) -> None:
        """gmove and array write elements of the left side, each by its node."""
        for use in self.within(number)[:1]:
            if use.start != self.tree.nodes[number].start or len(use.brackets) != len(use.array.axes) or d.equals or d.asynchronous:
                self.touched(state, use.array)
            else:
                self.wrote(Site(use, None), state)

    def written(self, number: int) -> Use | None:
        """The array that a call of the library writes; None where that is not known."""
        node = self.tree.nodes[number]
        given = arguments(node)
        of = DESC.fullmatch(given[_WRITTEN[node.name]]) if len(given) > _WRITTEN[node.name] else None
        array = self.program.array(of.group(1), node.source, node.start) if of else None
        return Use(array, node.source, node.start, node.end, [], number, "w") if array is not None else None

    def procedure(self, number: int, state: State) -> None:
        """A call of the library: halos of the array that it writes stay as they are."""
        use = self.procedures[number]
        if use is None:
            state.forget()
        elif self.tree.nodes[number].name.startswith(_IN_PART):
            self.touched(state, use.array)
        else:
            self.wrote(Site(use, None), state)

    def wrote(self, site: Site, state: State) -> None:
        number = self.numbers.setdefault(id(site.use), len(self.sites))
        if number == len(self.sites):
            self.sites.append(site)
        for key in self.keys(site.use.array):
            _, dimension, side, out = key
            low, high = self.reach(site, dimension) or (0, 0) if site.around is not None else (0, 0)
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
        far = self.place.beyond(site.use.array, dimension, sub, 0, 0, (side,)) if layer.ends else ""
        if not far:
            return False
        self.say(site, dimension, False, f"{sub.text} of dimension {dimension + 1} of array {site.use.array.name} comes to {far}, beyond its ends, "
                                         "and the reflect before is not periodic there.")
        return True

    def stale(self, site: Site, dimension: int, side: int, layer: Layer) -> bool:
        """A message for a read of a stale layer; returns whether there is one."""
        array, name = site.use.array, ("lower", "upper")[side]
        if layer.pending is not None and self.certain(self.region(Site(replace(site.use, brackets=[]), None), array), site.use, dimension, side) == ALWAYS:
            self.say(site, dimension, site.around.within == ALWAYS,
                     f"the {name} shadow of array {array.name} is still on its way here; put #pragma xmp wait_async({layer.pending}) before this loop.")
            self.repair(f"wait_async({layer.pending})")
            return True
        hits = [(n, must, self.certain(self.region(self.sites[n], array), site.use, dimension, side)) for n, must in sorted(layer.sites)]
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
        narrow, reach = self.narrow.get(layer.narrow), self.reach(site, dimension)
        if narrow is not None and narrow.widths is not None and reach is not None:
            item = narrow.widths[dimension]
            widths = [self.values.of(item.parts[k].strip()) for k in (0, -1)]
            if None not in widths and len(item.parts) < 3:
                self.messages.fixes.wider(narrow.source, item, widths, side, min(max(-reach[0], reach[1]), self.shadow(array)[dimension][side]))
        else:
            self.repair(f"reflect ({array.name}){self.rings(array)}")
        return True

    def repair(self, text: str) -> None:
        """--fix puts a directive before the loop, where it is not the only statement of another."""
        block = self.tree.innermost(self.loop.source, self.loop.start)
        if block >= 0 and self.tree.nodes[block].kind in ("COMPOUND_STMT", "CASE_STMT", "DEFAULT_STMT"):
            self.messages.fixes.line(self.loop, text)

    def rings(self, array: Array) -> str:
        """The width of a reflect that closes the dimensions that another reflect of the array closes."""
        closed = [any("periodic" in w[k].modifiers for w in self.given.get(id(array), ())) for k in range(len(array.axes))]
        widths = [f"{'/periodic/' * ring}{axis.below}:{axis.above}" for ring, axis in zip(closed, array.axes, strict=True)]
        return f" width({', '.join(widths)})" if any(closed) else ""

    @cache
    def region(self, write: Site, array: Array) -> tuple[tuple[tuple[int, int] | None, ...], ...]:
        """The intervals that it writes of each dimension of an array, for all numbers that are tried in place of variables."""
        return tuple(tuple(self.interval(write, d, given) for d in range(len(array.axes))) for given in self.layout.given(array.template))

    @cache
    def certain(self, region: tuple[tuple[tuple[int, int] | None, ...], ...], use: Use, dimension: int, side: int) -> int:
        """Does a read take a part of the region from another node? ALWAYS for all numbers of nodes that are tried, SOMETIMES for a few, UNCLEAR else."""
        array, read = use.array, Site(use, self.around.of(use))
        axis = array.axes[dimension]
        sub = self.place.subscript(use, dimension, read.around)
        tried: list[bool | None] = []
        for given, written in zip(self.layout.given(array.template), region, strict=True) if sub is not None else ():
            size, here = self.values.of(axis.extent, given), written[dimension]
            if size is None or here is None or (axis.full and (here[0] > 0 or here[1] < size - 1)) or not all(
                    self.meets(one, read, d, given) for d, one in enumerate(written) if d != dimension):
                return UNCLEAR
            sides = (BELOW, ABOVE) if axis.full else (side,)
            tried += self.place.outside(array, dimension, sub, read.around, given, (0, 0), here, sides)
        return UNCLEAR if True not in tried else SOMETIMES if False in tried else ALWAYS

    def interval(self, site: Site, dimension: int, given: Mapping[str, int]) -> tuple[int, int] | None:
        """First and last index of a dimension that a use has, each between them included."""
        if site.around is None:
            return self.triplet(site.use, dimension, given)
        sub = self.place.subscript(site.use, dimension, site.around)
        if sub is None or sub.run is None:
            return None if sub is None else (sub.c, sub.c)
        ends = self.around.range(sub.run, given)
        return None if ends is None or ends[2] != 1 else (ends[0] + sub.c, ends[1] + sub.c + sub.more)

    def triplet(self, use: Use, dimension: int, given: Mapping[str, int]) -> tuple[int, int] | None:
        """The same of a[first:count], or of an index alone; without brackets it is all."""
        source, size = use.source, self.values.of(use.array.axes[dimension].extent, given)
        if not use.brackets:
            return None if size is None else (0, size - 1)
        texts = [source.blank[a:b].strip() for a, b in parts(source.blank, *use.brackets[dimension])]
        first = self.values.of(texts[0] or "0", given)
        count = 1 if len(texts) == 1 else self.values.of(texts[1], given) if texts[1] else size - first if None not in (size, first) else None
        return None if first is None or count is None or count < 1 or texts[2:] not in ([], ["1"]) else (first, first + count - 1)

    def meets(self, written: tuple[int, int] | None, read: Site, dimension: int, given: Mapping[str, int]) -> bool:
        size, two = self.values.of(read.use.array.axes[dimension].extent, given), self.interval(read, dimension, given)
        return written is not None and ((size is not None and written[0] <= 0 and written[1] >= size - 1) or (
            two is not None and max(written[0], two[0]) <= min(written[1], two[1])))

    def say(self, site: Site, dimension: int, certain: bool, text: str) -> None:
        use = site.use
        at = use.subscript(dimension)[0]
        even = use.array.template.formats[use.array.axes[dimension].axis].kind != "gblock"
        levels = {m.level for m in self.messages.list if m.source is use.source and m.offset == at}
        if certain and even and "error" not in levels:
            self.messages.error(use.source, at, text)
        elif not levels & {"error", "warning"}:
            self.messages.warning(use.source, at, text)
