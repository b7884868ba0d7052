from __future__ import annotations

import datetime
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tenken.base.errors import TenkenError
from tenken.model.contract import Requirement, Waiver
from tenken.store.contractfile import keep_terms, kept_files, read_terms

TREE = Path(__file__).parents[3]
ROW = '[[requirement]]\nclause = "1"\ntext = "Fast."\ncase = "toy:a"\nmetric = "rate"\nlimit = 10\nunit = "GB/s"\n'
WAIVER = '[[waiver]]\nclause = "1"\nowner = "J. Doe"\nreason = "slow"\nexpires = 2027-01-31\n'


def write(folder: Path, text: str, name: str = "r.toml") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_requirements_and_waivers_of_both_files(tmp_path: Path) -> None:
    rows = ROW + ROW.replace('"1"', '"2"') + 'pick = "worst"\n'
    path = write(tmp_path, f'title = "T"\n{rows}{WAIVER}')
    other = write(tmp_path, WAIVER.replace('"1"', '"2"'), "w.toml")
    terms = read_terms(path, other)
    assert terms.title == "T" and terms.requirements[0] == Requirement("1", "Fast.", "toy:a", "rate", 10.0, "GB/s")
    assert terms.requirements[1].pick == "worst"
    assert terms.waivers == tuple(Waiver(one, "J. Doe", "slow", "2027-01-31") for one in "12")


@pytest.mark.parametrize(("text", "sentence"), [
    ("", "title: is missing"),
    ('title = "T"', "requirement: expected one table [[requirement]] at least"),
    (f'title = "T"\n{ROW}{ROW}', "requirement: two of them are about clause 1, toy:a, rate; leave one out"),
    (f'title = "T"\n{ROW}{WAIVER}{WAIVER}', "waiver: two of them are about clause 1; leave one out"),
    (f'title = "T"\n{ROW}' + WAIVER.replace('"1"', '"11"'), "unknown clause '11' in a waiver; did you mean 1?"),
    (f'title = "T"\n{ROW}' + WAIVER.replace("2027-01-31", '"soon"'), "expires: expected a date without quotes, such as"),
    (f'title = "T"\n{ROW}' + WAIVER.replace("2027-01-31", "2027-01-31T00:00:00Z"), "expires: expected a date without quotes"),
    (f'title = "T"\n{ROW}' + WAIVER.replace('owner = "J. Doe"\n', ""), "owner: is missing"),
    (f'title = "T"\n{ROW}'.replace("GB/s", "GB/h"), "unit: 'GB/h' is unknown; did you mean"),
    (f'title = "T"\n{ROW}'.replace("= 10", '= "10"'), "limit: expected a number of at least 0, found '10'"),
    (f'title = "T"\n{ROW}'.replace("toy:a", "toy"), "case: expected check:case, found 'toy'"),
    (f'title = "T"\n{ROW}clause_text = "x"\n', "clause_text: is unknown"),
    (f'title = "T"\n{ROW}pick = "mean"\n', "pick: 'mean' is unknown; valid: best, worst"),
])
def test_mistakes_are_named(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(TenkenError) as caught:
        read_terms(write(tmp_path, text))
    assert sentence in str(caught.value) and "r.toml" in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TenkenError, match="cannot read .*none.toml: No such file"):
        read_terms(tmp_path / "none.toml")


def test_a_run_keeps_the_last_terms(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    assert kept_files(run) is None
    path, other = write(tmp_path, f'title = "T"\n{ROW}'), write(tmp_path, WAIVER, "w.toml")
    keep_terms(run, path, other)
    kept = kept_files(run)
    assert kept is not None and read_terms(*kept).waivers and read_terms(*kept).title == "T"
    keep_terms(run, *kept)
    assert kept_files(run) == kept
    keep_terms(run, path, None)
    assert kept_files(run) == (run / "requirements.toml", None)


def as_json(path: Path) -> Any:
    return json.loads(json.dumps(tomllib.loads(path.read_text()), default=lambda one: one.isoformat()))


def test_the_schema_describes_both_files(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json.loads((TREE / "schema/requirements.schema.json").read_text()))
    validator.validate(as_json(TREE / "examples/acceptance.toml"))
    validator.validate(as_json(write(tmp_path, WAIVER)))
    for text in (f'title = "T"\n{WAIVER}extra = 1\n', ROW, 'title = "T"', f'title = "T"\n{ROW}more = 1\n'):
        assert not validator.is_valid(as_json(write(tmp_path, text))), text
    assert datetime.date.fromisoformat(read_terms(TREE / "examples/acceptance.toml").waivers[0].expires)
