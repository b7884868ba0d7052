"""What is known of the halos of arrays at a place of a function."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

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
    if one == other:
        return one
    sites = (one.sites & other.sites) | {(n, False) for n, _ in one.sites ^ other.sites}
    return Layer(sites, one.fresh and other.fresh, one.ends if one.ends == other.ends else None,
                 one.pending if one.pending == other.pending else None, one.narrow if one.narrow == other.narrow else None)


@dataclass
class State:
    """Layers by key; those that are not there are unsure."""

    layers: dict[Key, Layer] = field(default_factory=dict)
    reached: bool = True  # not behind a call that no known path returns from

    def copy(self) -> State:
        return State(dict(self.layers), self.reached)

    def forget(self, arrays: Collection[int] | None = None) -> None:
        """Nothing is known any more of the arrays, or of all."""
        self.layers = {} if arrays is None else {k: v for k, v in self.layers.items() if k[0] not in arrays}

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
    here = [s for s in states if s is not None and s.reached]
    if not here:
        return None
    found = here[0].copy()
    for other in here[1:]:
        found.layers = {k: joined(found.layers.get(k, UNSURE), other.layers.get(k, UNSURE)) for k in found.layers.keys() | other.layers.keys()}
    return found
