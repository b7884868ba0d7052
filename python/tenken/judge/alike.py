"""Launches whose program chose alike: a layout, a library's kernel. Those that chose otherwise are another measurement."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.judge.findings import finding
from tenken.judge.phrases import digits, plural
from tenken.model.assessment import Finding
from tenken.model.record import Record
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict

Choice = tuple[tuple[str, float], ...]


def choice(record: Record) -> Choice:
    """What the program chose for itself in this launch, by name."""
    return tuple(sorted((one.name, one.value) for one in record.values if one.chosen))


def alike(case_id: str, launches: Sequence[Measured]) -> tuple[tuple[Measured, ...], list[Finding]]:
    """The most launches of one choice, the first of them where two are as many, and a finding that names the others."""
    groups: dict[Choice, list[Measured]] = {}
    for each in launches:
        groups.setdefault(choice(each.record), []).append(each)
    if len(groups) < 2:
        return tuple(launches), []
    kept = max(groups.values(), key=len)
    common = set.intersection(*(set(one) for one in groups))
    told = "; ".join(
        f"{_words(one, common)} in {plural(len(each), 'launch')} ({', '.join(str(single.launch.number) for single in each)})"
        for one, each in groups.items()
    )
    what = f"its launches chose unlike, {told}: they are not pooled, the most that are alike count"
    return tuple(kept), [finding(
        Axis.TRUST, Verdict.WARN, case_id, what, f"choices of {plural(len(launches), 'launch')}", launches=len(launches),
    )]


def _words(one: Choice, common: set[tuple[str, float]]) -> str:
    own = [f"{name} {digits(value)}" for name, value in one if (name, value) not in common]
    return ", ".join(own) or "nothing"
