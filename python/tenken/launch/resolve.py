"""Turns a case as written into a case for this machine: every word becomes a number."""

from __future__ import annotations

import dataclasses
import math
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from tenken.base.errors import TenkenError
from tenken.base.words import unknown
from tenken.launch import expression
from tenken.model.check import Case, CaseSpec, Check, Parameter
from tenken.store.casefile import GENERIC

_BOX = re.compile(r"(\d+|\*)(x(\d+|\*))+")  # a rank map
# Requirements whose libraries may start threads of their own.
_THREADED = frozenset({"cblas", "lapack"})
RANK_WORDS = ("core", "numa", "socket")
_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of the machine that resolve a case. Sizes in bytes; None where unknown."""

    cores: int  # usable physical cores of a node
    memory_bytes: int  # of a node
    available_bytes: int | None = None  # of it, free now
    l1_bytes: int | None = None  # of a core
    l2_bytes: int | None = None  # of a core
    l3_bytes: int | None = None  # sum over the node
    numa_nodes: int = 1
    sockets: int = 1
    nodes: int = 1
    storage_root: str | None = None  # [storage] root of the machine file

    def sizes(self) -> dict[str, int | None]:
        """The names that an expression of a case may use, beside its own ranks and threads."""
        return {"L1": self.l1_bytes, "L2": self.l2_bytes, "L3": self.l3_bytes, "mem": self.memory_bytes, "cores": self.cores}


@dataclass(frozen=True, slots=True)
class Overrides:
    """Settings as typed, for every selected case."""

    parameters: Mapping[str, str] = dataclasses.field(default_factory=dict)
    variant: str | None = None
    ranks: str | None = None
    threads: str | None = None
    launches: int | None = None


def of_each(checks: Mapping[str, Check], overrides: Overrides) -> dict[str, Overrides]:
    """The settings typed for each check: a parameter is for the checks that have it. TenkenError where no check has it."""
    by_check: dict[str, Overrides] = {}
    for check in checks.values():
        own = {parameter.name for parameter in (*check.parameters, *GENERIC)}
        by_check[check.name] = dataclasses.replace(
            overrides, parameters={name: value for name, value in overrides.parameters.items() if name in own})
    for name in overrides.parameters:
        if checks and not any(name in overrides.parameters for overrides in by_check.values()):
            find_parameter(next(iter(checks.values())), name)
    return by_check


def resolve(check: Check, spec: CaseSpec, facts: Facts, overrides: Overrides = Overrides()) -> Case:
    """The case for this machine. TenkenError names a parameter that is unknown, out of range or too large, and the remedy."""
    if check.problem:  # known by name alone; it will not run
        return Case(check.name, spec.name, spec.variant, {}, 1, 1, spec.launches, spec.timeout_s)
    where = f" of case {check.name}:{spec.name}"
    variant = overrides.variant or spec.variant or check.variants[0]
    if variant not in check.variants:
        raise unknown("variant", variant, check.variants, of=f" of check {check.name}")
    stated = {**_from_machine(check, facts), **spec.parameters, **overrides.parameters}
    ranks, threads = _ranks_and_threads(
        _count("ranks", overrides.ranks, spec.ranks, RANK_WORDS),
        _count("threads", overrides.threads, spec.threads, ("fill",)),
        dataclasses.replace(facts, cores=_cores_to_fill(stated, facts, where)),
    )
    names: dict[str, int | None] = {**facts.sizes(), "ranks": ranks, "threads": threads}
    repeated_over = {section.by for section in check.sections}
    parameters: dict[str, Any] = {}
    for name, value in stated.items():
        parameter = find_parameter(check, name)
        if name == "rank_map" and _BOX.fullmatch(str(value)):
            value = _box(str(value), ranks)
        elif parameter.type == "path" and value not in parameter.choices:
            # Launches run in folders of their own; a case's paths belong to its check.
            value = _path(value, os.curdir if name in overrides.parameters else check.folder)
        else:
            value = _value(parameter, value, facts, names, where)
        # [1, threads] on a core: a section exists once for each different value.
        parameters[name] = list(dict.fromkeys(value)) if name in repeated_over else value
    launches = spec.launches if overrides.launches is None else overrides.launches
    if launches < 1:
        raise TenkenError(f"--launches {launches}: at least 1 launch is needed.")
    return Case(check.name, spec.name, variant, parameters, ranks, threads, launches, spec.timeout_s,
                oversubscribed=ranks * threads > facts.cores * facts.nodes,
                library_threads=not _THREADED.isdisjoint(check.requires_of(variant)))


def _from_machine(check: Check, facts: Facts) -> dict[str, Any]:
    """The folder for files of a check that has a path `root`, as the machine file states it."""
    has_root = any(parameter.name == "root" and parameter.type == "path" for parameter in check.parameters)
    return {"root": facts.storage_root} if has_root and facts.storage_root else {}


def find_parameter(check: Check, name: str) -> Parameter:
    """The check's own or generic parameter; `fault` knows the check's own faults too."""
    for parameter in (*check.parameters, *GENERIC):
        if parameter.name == name:
            if name == "fault":
                return dataclasses.replace(parameter, choices=(*parameter.choices, *check.faults))
            return parameter
    valid = [parameter.name for parameter in (*check.parameters, *GENERIC)]
    raise unknown("parameter", name, valid, of=f" of check {check.name}")


def _count(subject: str, typed: str | None, written: int | str, words: Collection[str]) -> int | str:
    value = written if typed is None else typed
    if value in words:
        return value
    try:
        count = int(value)
    except ValueError:
        count = 0
    if count < 1:
        raise TenkenError(f"{subject} '{value}' must be a positive integer or one of: {', '.join(words)}.")
    return count


def _cores_to_fill(stated: Mapping[str, Any], facts: Facts, where: str) -> int:
    """The cores of a node that placement and reserve leave to ranks and threads."""
    reserve = next(parameter for parameter in GENERIC if parameter.name == "reserve")
    cores = _value(reserve, stated.get("reserve", 0), facts, facts.sizes(), where)
    left = {"one_socket": facts.cores // facts.sockets, "skip_first": facts.cores - 1}.get(
        str(stated.get("placement")), facts.cores)
    # The cores left free are the last ones: with one_socket of several they lie on another socket.
    elsewhere = facts.cores - left if stated.get("placement") == "one_socket" else 0
    return max(1, left - max(0, cores - elsewhere))


def _ranks_and_threads(ranks: int | str, threads: int | str, facts: Facts) -> tuple[int, int]:
    if not isinstance(ranks, int):
        cores = max(1, facts.cores // threads) if isinstance(threads, int) else facts.cores
        ranks = {"core": cores, "numa": facts.numa_nodes, "socket": facts.sockets}[ranks] * facts.nodes
    if not isinstance(threads, int):  # "fill"
        threads = max(1, facts.cores // -(-ranks // facts.nodes))
    return ranks, threads


def _value(parameter: Parameter, value: Any, facts: Facts, names: Mapping[str, int | None], where: str) -> Any:
    """The parameter's value with its own type, inside its range."""
    subject = f"parameter {parameter.name}{where}"
    if parameter.type in ("int", "size"):
        number = _integer(value, names, subject)
        _in_range(parameter, number, subject)
        if parameter.type == "size":
            _fits(parameter, value, number, facts, where)
        return number
    if parameter.type == "ints":
        items = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
        numbers = [_integer(item, names, subject) for item in expression.with_ranges(items, names, subject)]
        if parameter.length is not None and len(numbers) != parameter.length:
            raise TenkenError(f"{subject}: expected {parameter.length} integers joined by commas, got '{value}'.")
        for number in numbers:
            _in_range(parameter, number, subject)
        return numbers
    if parameter.type == "float":
        try:
            real = float(value)
        except (TypeError, ValueError, OverflowError):
            raise TenkenError(f"{subject}: expected a number, got '{value}'.") from None
        _in_range(parameter, real, subject)
        return real
    if parameter.type == "flag":
        word = str(value).lower()
        if word not in (*_TRUE, *_FALSE):
            raise TenkenError(f"{subject}: expected true or false, got '{value}'.")
        return word in _TRUE
    if parameter.type == "text":
        return str(value)
    if value not in parameter.choices:
        raise unknown(f"value of {subject}:", str(value), parameter.choices)
    return value


def _box(written: str, ranks: int) -> str:
    """A box of places such as 4x2; `*` becomes the length that the others leave of all ranks."""
    lengths = written.split("x")
    given = math.prod(int(length) for length in lengths if length != "*")
    if lengths.count("*") > 1 or given < 1 or ranks % given or ("*" not in lengths and given != ranks):
        raise TenkenError(f"rank_map {written}: the lengths of the box must give {ranks} ranks; one of them may be *.")
    return "x".join(str(ranks // given) if length == "*" else length for length in lengths)


def _path(value: str, folder: str) -> str:
    """Absolute; an empty path stays empty."""
    return os.path.abspath(os.path.join(folder, os.path.expanduser(value))) if value else ""


def _integer(value: Any, names: Mapping[str, int | None], subject: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return expression.evaluate(str(value), names, subject)


def _in_range(parameter: Parameter, number: float, subject: str) -> None:
    low, high = parameter.low, parameter.high
    # Written so that a NaN is refused too.
    if not ((low is None or number >= low) and (high is None or number <= high)):
        bounds = f"at least {low:g}" if high is None else f"at most {high:g}" if low is None else f"{low:g} to {high:g}"
        raise TenkenError(f"{subject}: {number:g} is out of range; expected {bounds}.")


def _fits(parameter: Parameter, written: Any, size: int, facts: Facts, where: str) -> None:
    available = facts.memory_bytes if facts.available_bytes is None else facts.available_bytes
    if size > available:
        mib = 2**20
        smaller = f"--set {parameter.name}={int(available / mib / 2)}MiB"
        raise TenkenError(
            f"too little memory{where}: {parameter.name} = {written} is {size / mib:,.0f} MiB, and "
            f"{available / mib:,.0f} MiB are available; set a smaller one: {smaller}."
        )
