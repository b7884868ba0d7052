"""The common keys of `[case.NAME]` and `[study.NAME]`: variant, parameters, ranks, threads, where it runs, launches."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from tenken.base.toml import Table
from tenken.base.words import nearest
from tenken.model.check import CaseSpec, Parameter
from tenken.store.parameters import CASE_KEYS, GENERIC, misfit

RANK_WORDS = ("core", "numa", "socket")
THREAD_WORDS = ("fill",)


def read_case(
    name: str, table: Table, variants: tuple[str, ...], parameters: Mapping[str, Parameter],
    swept: Collection[str] = (),
) -> CaseSpec:
    """The case in `table`, of no suite. Variant, ranks and threads may be missing where they are `swept`."""
    values = table.raw("parameters", {})
    if not isinstance(values, dict):
        table.fail("parameters", f"expected a table, found {values!r}")
    known = known_parameters(parameters)
    for key, value in values.items():
        if key not in known:
            table.fail("parameters", f"'{key}' is unknown; {nearest(key, known)}")
        problem = misfit(known[key], value)
        if problem:
            table.fail("parameters", f"{key}: {problem}")
    values = values | _read_case_keys(table, values, known)
    missing = {key for key in ("variant", "ranks", "threads") if key in swept and key not in table}
    if "ranks_per_node" in swept:
        if "ranks" in table or "ranks" in swept:
            table.fail("ranks", "ranks_per_node is swept and sets the number; leave ranks out")
        missing |= {"ranks"}
    return CaseSpec(
        name=name,
        variant=variants[0] if "variant" in missing else table.word("variant", variants),
        parameters=values,
        ranks=1 if "ranks" in missing else _read_count_or(table, "ranks", RANK_WORDS),
        threads=1 if "threads" in missing else _read_count_or(table, "threads", THREAD_WORDS),
        launches=table.count("launches"),
        timeout_s=table.number("timeout_s", 1.0),
        suites=(),
        formerly_set=_read_formerly_set(table, known),
    )


def _read_formerly_set(table: Table, known: Mapping[str, Parameter]) -> dict[str, Any]:
    """Further parameters of older names: nothing that a case of this check can set."""
    formerly_set = table.raw("formerly_set", {})
    if not isinstance(formerly_set, dict) or (formerly_set and "formerly" not in table):
        table.fail("formerly_set", f"expected a table of parameters that the older names in formerly had, found {formerly_set!r}")
    for name in formerly_set:
        if name in known:
            table.fail("formerly_set", f"'{name}' is a parameter here; set it in parameters")
    return formerly_set


def _read_case_keys(table: Table, values: Mapping[str, Any], known: Mapping[str, Parameter]) -> dict[str, Any]:
    """Placement and its like: keys of a case, and parameters of its program."""
    of_case = {key: table.raw(key) for key in CASE_KEYS if key in table}
    for key, value in of_case.items():
        if key in values:
            table.fail(key, "is among the parameters too; leave it out there")
        if problem := misfit(known[key], value):
            table.fail(key, problem)
    return of_case


def known_parameters(parameters: Mapping[str, Parameter]) -> dict[str, Parameter]:
    """The check's own parameters and those of every check."""
    return {parameter.name: parameter for parameter in GENERIC} | dict(parameters)


def _read_count_or(table: Table, key: str, names: tuple[str, ...]) -> int | str:
    if isinstance(table.raw(key), str):
        return table.word(key, names)
    return table.count(key)
