"""Facts that differ from before, or from the other nodes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact of the environment that differs: from an accepted sitting, or between the nodes of a run."""

    fact: str  # "governor", "bios", "modules", ...
    before: str  # the fact of the sitting, or of most nodes; of a set only the part that is gone
    now: str  # the fact of this run, or of `hosts`, instead; of a set only the part that has come
    hosts: tuple[str, ...]  # the nodes it is about; empty: all of the case
    against: str  # name of the sitting, or "63 other nodes"
    explains: tuple[str, ...]  # classes of metrics that it can change
    new: bool = True  # no accepted sitting had it so: False where an older sitting did


def sentence(difference: Difference) -> str:
    """"governor powersave instead of performance", "modules without gcc/12, with gcc/13"."""
    if difference.before and difference.now:
        return f"{difference.fact} {difference.now} instead of {difference.before}"
    if difference.now:
        return f"{difference.fact} with {difference.now}"
    return f"{difference.fact} without {difference.before}"


_HOSTS = 4  # named in a sentence


def named(hosts: tuple[str, ...]) -> str:
    """"n1, n2, n3, n4 and 60 more"."""
    return ", ".join(hosts[:_HOSTS]) + (f" and {len(hosts) - _HOSTS} more" if len(hosts) > _HOSTS else "")


def placed(difference: Difference) -> str:
    """The sentence, with the nodes where it is not so on all of them."""
    return sentence(difference) + (f" on {named(difference.hosts)}" if difference.hosts else "")
