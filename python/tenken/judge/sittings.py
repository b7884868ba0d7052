"""Which runs share a sitting: it is the unit of statistics, and ten runs of a morning are a single sitting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from tenken.base.units import moment_s
from tenken.model.baseline import Baseline, Sitting

# From its first run, on the same allocation or boot: later, heat, neighbours and the memory of the system are others.
LASTS_S = 6 * 3600.0


def first_runs(runs: Iterable[Sitting]) -> dict[str, str]:
    """Of each run the first run of its sitting, both by name.

    Runs of the same name (TENKEN_SITTING) are a sitting, and so are those of the same allocation or boot within LASTS_S of the
    first. A run that tells no place, or no time, is a sitting of its own.
    """
    first: dict[str, str] = {}
    begun: dict[tuple[str, str], tuple[str, float]] = {}
    by_name = {each.id: each for each in runs}
    for each in sorted(by_name.values(), key=lambda sitting: (sitting.started, sitting.id)):
        at, named = moment_s(each.started), each.occasion.name
        first[each.id] = each.id
        if named:
            first[each.id], _ = begun.setdefault(("named", named), (each.id, 0.0))
        elif each.occasion.place and at is not None:
            key = ("at", each.occasion.place)
            opened = begun.get(key)
            if opened is None or at - opened[1] >= LASTS_S:
                begun[key] = (each.id, at)
            else:
                first[each.id] = opened[0]
    return first


def joined(baselines: Mapping[str, Baseline]) -> dict[str, Baseline]:
    """By case: the runs of a sitting joined, with the launches of all and in every case the same name."""
    first = first_runs(each for baseline in baselines.values() for each in baseline.sittings)
    return {case_id: replace(baseline, sittings=_joined(baseline.sittings, first)) for case_id, baseline in baselines.items()}


def _joined(runs: Iterable[Sitting], first: Mapping[str, str]) -> tuple[Sitting, ...]:
    whole: dict[str, Sitting] = {}
    for each in runs:
        name = first[each.id]
        before = whole.get(name)
        if before is None:
            whole[name] = replace(each, id=name)
        else:
            hosts = tuple(dict.fromkeys((*before.hosts, *each.hosts)))
            whole[name] = replace(before, hosts=hosts, launches=(*before.launches, *each.launches))
    return tuple(whole.values())
