"""What is known of the halos of arrays at a place of a function."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from xacc.around import ALWAYS, SOMETIMES, UNCLEAR, Around, Surroundings
from xacc.place import ABOVE, BELOW, Place
from xacc.references import Use

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

    def forget(self, array: int | None = None) -> None:
        """Nothing is known any more of the array, or of all."""
        self.layers = {} if array is None else {k: v for k, v in self.layers.items() if k[0] != array}

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

    def certain(self, write: Site | None, read: Site, dimension: int, side: int) -> int:
        """ALWAYS for all numbers of nodes that are tried, SOMETIMES for a few, UNCLEAR else. write: None for all elements."""
        array = read.use.array
        axis = array.axes[dimension]
        sub = self.place.subscript(read.use, dimension, read.around)
        tried: list[bool | None] = []
        for given in self.layout.given(array.template, self.around.steady) if sub is not None else ():
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
