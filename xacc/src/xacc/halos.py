"""What is known of the halos of arrays at a place of a function."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

Key = tuple[int, int, int, int]  # array, dimension, side, how far out


@dataclass(frozen=True)
class Layer:
    """One layer of elements of a halo, so far out on one side."""

    sites: frozenset[tuple[int, bool]] = frozenset()  # writes that made it stale, and whether all paths lead over them
    fresh: bool = False  # reflected on all paths, and not written since
    ends: bool | None = None  # of the last reflect, where all paths agree: do the ends of the dimension stay open?
    pending: str | None = None  # the id of an asynchronous reflect
    narrow: int | None = None  # a reflect since the write that is not as wide, by the place of its directive


UNSURE = Layer()


def joined(one: Layer, other: Layer) -> Layer:
    must = {n for n, always in one.sites if always} & {n for n, always in other.sites if always}
    sites = frozenset((n, n in must) for n, _ in one.sites | other.sites)
    return Layer(sites, one.fresh and other.fresh, one.ends if one.ends == other.ends else None,
                 one.pending if one.pending == other.pending else None, one.narrow if one.narrow == other.narrow else None)


class State:
    """Layers by key; those that are not there are unsure."""

    def __init__(self, layers: dict[Key, Layer] | None = None) -> None:
        self.layers = dict(layers or {})

    def copy(self) -> State:
        return State(self.layers)

    def forget(self, array: int | None = None) -> None:
        """Nothing is known any more of the array, or of all."""
        self.layers = {} if array is None else {k: v for k, v in self.layers.items() if k[0] != array}

    def write(self, key: Key, site: int) -> None:
        old = self.layers.get(key, UNSURE)
        sites = frozenset(s for s in old.sites if s[0] != site) | {(site, True)}
        self.layers[key] = replace(old, sites=sites, fresh=False, narrow=None)

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
        found.layers = {k: joined(found.layers.get(k, UNSURE), other.layers.get(k, UNSURE)) for k in found.layers.keys() | other.layers.keys()}
    return found
