"""schema/check.schema.json is for editors: it knows the keys that the reader knows, and what the reader takes fits it."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tenken.base.toml import Table
from tenken.store.checkfile import read_check
from tenken.store.schema import load_schema

TREE = Path(__file__).resolve().parents[3]
SCHEMA = json.loads((TREE / "schema" / "check.schema.json").read_text())
CHECKS = sorted((TREE / "checks").glob("*/check.toml")) + sorted((TREE / "tests").rglob("check.toml"))


def asked_of(file: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """Keys that the reader asked for, by kind of table: "", "case", "study", "study.plot", "metric", "metric.provides", ..."""
    tables: list[Table] = []
    begin = Table.__init__

    def remembered(self: Table, *words: Any) -> None:
        begin(self, *words)
        tables.append(self)

    monkeypatch.setattr(Table, "__init__", remembered)
    read_check(file.parent)
    asked: dict[str, set[str]] = {}
    for table in tables:
        kind = re.sub(r"^(\w+)\.(\"[^\"]*\"|\w+)", r"\1", table.name)
        asked.setdefault(kind, set()).update(table._asked)
    return asked


@pytest.mark.parametrize("file", CHECKS, ids=lambda file: file.parent.name)
def test_every_check_fits(file: Path) -> None:
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    jsonschema.validate(content, SCHEMA)
    load_schema("check")(content, str(file))


def test_schema_and_reader_know_the_same_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, set[str]] = {}
    for file in CHECKS:
        for kind, keys in asked_of(file, monkeypatch).items():
            asked.setdefault(kind, set()).update(keys)
    of = SCHEMA["properties"]
    known = {"": set(of)} | {kind: set(of[kind]["additionalProperties"]["properties"]) for kind in (
        "variant", "parameter", "section", "metric", "validity", "case", "study")}
    known["metric.provides"] = set(of["metric"]["additionalProperties"]["properties"]["provides"]["properties"])
    known["study.plot"] = set(of["study"]["additionalProperties"]["properties"]["plot"]["properties"])
    for kind, keys in known.items():
        assert asked[kind] == keys, kind


@pytest.mark.parametrize(("path", "value"), [
    (("title",), ""), (("colour",), 1), (("tests_s",), -1), (("formerly",), "old"), (("case",), {"a": {"ranks": 0}}),
    (("section",), {"a": {"kind": "idle", "meaning": "m"}}), (("parameter",), {"n": {"type": "text", "meaning": "m"}}),
])
def test_what_the_reader_refuses_does_not_fit(path: tuple[str, ...], value: Any) -> None:
    content = tomllib.loads((TREE / "checks" / "stream" / "check.toml").read_text(encoding="utf-8"))
    content[path[0]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(content, SCHEMA)
