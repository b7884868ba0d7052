"""The list of Tenken's needs (`packages.tsv`), shared with the bootstrap."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("packages.tsv")


@dataclass(frozen=True, slots=True)
class Need:
    klass: str  # python | build | numpy | draw | test | ci
    required: bool
    name: str
    test: str  # "command A B", "header A B", "file GLOB" or "module A"
    package: str  # of Debian and Ubuntu
    purpose: str
    elsewhere: str  # how to get it on other systems


def read() -> tuple[Need, ...]:
    """All needs, in the order of the table."""
    needs = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            klass, kind, *rest = line.split("\t")
            needs.append(Need(klass, kind == "required", *rest))
    return tuple(needs)


def advice(name: str) -> str:
    """The advice where the need called `name` is missing."""
    need = next(need for need in read() if need.name == name)
    return f"install package {need.package} (./tenken run --yes does it on Debian and Ubuntu) or use {need.elsewhere}"
