"""The limits that check.toml sets a proof: a number, or an expression that is evaluated here. A record can only be stricter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf, isfinite, nan
from typing import Any, Never

from tenken.base.toml import NotUnderstood, UnknownName, value
from tenken.model.check import Check, ValiditySpec
from tenken.model.record import Record, Validity


def tightened(proof: Validity, check: Check, parameters: Mapping[str, Any], record: Record) -> Validity:
    """`proof` with the stricter of its own limit and check.toml's tolerance; `parameters` are those of the planned case.

    Where the tolerance has no value the limit is NaN, which no proof keeps. A proof that check.toml does not know of can
    only make things worse, so its own limit stands.
    """
    spec = spec_of(proof.name, check)
    if spec is None:
        return proof
    tolerance = evaluated(spec.tolerance, check, parameters, record)
    if not tolerance >= 0 or tolerance == inf:
        return replace(proof, limit=nan, source=f"{proof.source}; its tolerance '{spec.tolerance}' has no value here")
    return replace(proof, limit=min(tolerance, proof.limit)) if isfinite(proof.limit) else proof


def spec_of(name: str, check: Check) -> ValiditySpec | None:
    """The entry of check.toml for a proof called NAME or NAME/...; the longest that fits."""
    fitting = [spec for spec in check.validity if name == spec.name or name.startswith(spec.name + "/")]
    return max(fitting, key=lambda spec: len(spec.name)) if fitting else None


def promised(spec: ValiditySpec, check: Check, parameters: Mapping[str, Any], record: Record) -> bool:
    """Whether a record of this case must hold the proof."""
    return evaluated(spec.when, check, parameters, record) != 0  # NaN too: a condition that is unknown excuses nothing


class _Missing(float):
    """A value that the record lacks: nothing where it is multiplied by 0 (its feature is switched off), else unknown."""

    def __new__(cls, name: str) -> _Missing:
        return super().__new__(cls, nan)

    def __init__(self, name: str) -> None:
        self.name = name

    def __rmul__(self, other: float) -> float:
        if other == 0:
            return 0.0
        raise UnknownName(self.name)

    def _unknown(self, *_: object) -> Never:
        raise UnknownName(self.name)

    __mul__ = __add__ = __radd__ = __sub__ = __rsub__ = __truediv__ = __rtruediv__ = _unknown
    __neg__ = __lt__ = __gt__ = __le__ = __ge__ = _unknown


def evaluated(text: float | str, check: Check, parameters: Mapping[str, Any], record: Record) -> float:
    """The value of an expression of a case and its record; NaN where it has none.

    Names: parameters as planned (flags 0 or 1; `NAME.2` an entry of a list; `NAME.CHOICE` 1 where that is chosen, else 0;
    `NAME.given` 1 where a path is), ranks, threads, repetitions, then the named values of the record.
    """
    if not isinstance(text, str):
        return text
    settings = check.settings(parameters)
    counts = {"ranks": record.ranks, "threads": record.threads, "repetitions": record.repetitions}
    values = {recorded.name: recorded.value for recorded in record.values}

    def value_of(name: str) -> float:
        parameter, _, part = name.partition(".")
        setting = settings.get(parameter)
        if part and isinstance(setting, str):
            return float(bool(setting) if part == "given" else setting == part)
        if part and isinstance(setting, (list, tuple)) and part.isdigit() and int(part) < len(setting):
            setting = setting[int(part)]
        elif part or parameter not in settings:
            setting = counts.get(name, values.get(name))
            if setting is None and not part:
                return _Missing(name)
        if not isinstance(setting, (int, float)):
            raise UnknownName(name)
        return float(setting)

    try:
        return value(text, value_of)
    except (NotUnderstood, UnknownName, OverflowError):
        return nan
