"""What is known of the halos of arrays at a place of a function."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from xacc.around import Around, Surroundings
from xacc.place import Place, Subscript
from xacc.program import Array
from xacc.references import Use

BELOW, ABOVE = 0, 1
_SITES = 8  # more writes than this since the last reflect: nothing is known

Key = tuple[int, int, int, int]  # array, dimension, side, how far out


@dataclass(frozen=True)
class Layer:
    """One layer of elements of a halo, so far out on one side."""

    sites: frozenset[tuple[int, bool]] = frozenset()  # writes that made it stale, and whether all paths lead over them
    fresh: bool = False  # reflected on all paths, and not written since
    ends: bool | None = None  # of the last reflect, where all paths agree: do the ends of the dimension stay open?
    pending: str | None = None  # the id of an asynchronous reflect


UNSURE = Layer()


def joined(one: Layer, other: Layer) -> Layer:
    must = {n for n, always in one.sites if always} & {n for n, always in other.sites if always}
    sites = frozenset((n, n in must) for n, _ in one.sites | other.sites)
    return Layer(sites, one.fresh and other.fresh, one.ends if one.ends == other.ends else None,
                 one.pending if one.pending == other.pending else None)


class State:
    """Layers by key; those that are not there are unsure."""

    def __init__(self, layers: dict[Key, Layer] | None = None) -> None:
        self.layers = dict(layers or {})

    def copy(self) -> State:
        return State(self.layers)

    def get(self, key: Key) -> Layer:
        return self.layers.get(key, UNSURE)

    def forget(self, array: Array | None = None) -> None:
        """Nothing is known any more of the array, or of all."""
        self.layers = {} if array is None else {k: v for k, v in self.layers.items() if k[0] != id(array)}

    def write(self, key: Key, site: int) -> None:
        old = self.get(key)
        sites = frozenset(s for s in old.sites if s[0] != site) | {(site, True)}
        self.layers[key] = replace(old, sites=sites, fresh=False) if len(sites) <= _SITES else UNSURE

    def wait(self, done: str, certain: bool) -> None:
        """The reflects with this id are complete; not certain: perhaps others, too."""
        for key, layer in self.layers.items():
            if layer.pending is not None and (layer.pending == done or not certain):
                self.layers[key] = replace(layer, pending=None)


def merged(states: Iterable[State | None]) -> State | None:
    """After paths that meet; None where none of them comes here."""
    here = [s for s in states if s is not None]
    if not here:
        return None
    found = here[0].copy()
    for other in here[1:]:
        found.layers = {k: joined(found.get(k), other.get(k)) for k in found.layers.keys() | other.layers.keys()}
    return found


@dataclass(frozen=True)
class Site:
    """A use with what stands around it."""

    use: Use
    around: Around


class Overlap:
    """Does a loop read halo elements that another has written, whatever the number of nodes?"""

    def __init__(self, place: Place, surroundings: Surroundings) -> None:
        self.place, self.around, self.layout, self.values = place, surroundings, place.layout, place.values

    def certain(self, write: Site | None, read: Site, dimension: int, side: int) -> bool:
        """write: None for all elements."""
        array = read.use.array
        sub = self.place.subscript(read.use, dimension, read.around)
        givens = self.layout.given(array.template, self.around.steady)
        if sub is None or not givens:
            return False
        for given in givens:
            size = self.values.of(array.axes[dimension].extent, given)
            written = (0, size - 1) if write is None and size else self.interval(write, dimension, given)
            if size is None or written is None or not all(
                    self.meets(write, read, d, given) for d in range(len(array.axes)) if d != dimension):
                return False
            tried = [self.touched(read, sub, dimension, side, n, (max(written[0], 0), min(written[1], size - 1)), size, given)
                     for n in self.layout.counts(array.template, array.axes[dimension].axis)]
            if False in tried or True not in tried:
                return False
        return True

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

    def touched(self, read: Site, sub: Subscript, dimension: int, side: int, nodes: int, written: tuple[int, int], size: int,
                given: Mapping[str, int]) -> bool | None:
        """Has one of so many nodes an iteration with a halo element that is written? None where so many cannot be."""
        axis = read.use.array.axes[dimension]
        part, m = self.layout.part(read.use.array.template, axis.axis, nodes, given), self.values.of(axis.offset, given)
        ends = self.around.range(sub.run, given) if sub.run is not None else None
        if part is None or m is None or ends is None or ends[2] != 1 or not part.valid:
            return None if part is not None and not part.valid else False
        for node in range(nodes):
            first, last = (e - m for e in part.range(node))
            first, last = max(first, 0), min(last, size - 1)
            iterations = self.place.of_node(sub.run, read.around, node, nodes, given)
            if first > last or not iterations:
                continue
            low, high = iterations[0] + sub.c, iterations[-1] + sub.c
            low, high = (low, min(high, first - 1)) if side == BELOW else (max(low, last + 1), high)
            if max(low, written[0]) <= min(high, written[1]):
                return True
        return False
