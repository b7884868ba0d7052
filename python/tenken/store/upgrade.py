"""Records of older schema numbers, brought up to the present number before they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tenken.model.errors import RecordError

CURRENT = 2  # of tenken.record/N; programs write 1 where they keep all samples

Lines = list[Any]  # a dict each; a series line may be Samples since schema 1

# UPGRADES[n] turns the lines of a record of schema n into those of schema n + 1.
UPGRADES: dict[int, Callable[[Lines], Lines]] = {1: lambda lines: [{**lines[0], "schema": "tenken.record/2"}, *lines[1:]]}


def upgrade(lines: Lines, number: int, where: str, table: Mapping[int, Callable[[Lines], Lines]] = UPGRADES) -> Lines:
    """`lines` of schema `number` as lines of schema CURRENT; RecordError for a number that nobody can read."""
    if number > CURRENT:
        raise RecordError(
            f"{where}: schema tenken.record/{number} is newer than this Tenken (reads up to /{CURRENT}); update it"
        )
    for step in range(number, CURRENT):
        if step not in table:
            raise RecordError(f"{where}: schema tenken.record/{number} is unknown (this Tenken reads /{CURRENT})")
        lines = table[step](lines)
    return lines
