"""`tenken contract` typed on runs that lie on disk, and its traces in the other reports of such a run."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest
from sites import Site

TREE = Path(__file__).resolve().parents[3]
ROW = '[[requirement]]\nclause = "{}"\ntext = "Memory is fast."\ncase = "demo:{}"\nmetric = "{}"\nlimit = {}\nunit = "GB/s"\n'
WAIVER = '[[waiver]]\nclause = "{}"\nowner = "J. Doe"\nreason = "slow modules"\nexpires = {}\n'
ELSEWHERE = ROW.format("2", "a", "double", 1).replace("demo:a", "fma_peak:one_core").replace("GB/s", "GFLOP/s")
PAST, FUTURE = (date.today() + timedelta(days=days) for days in (-9, 9))


@pytest.fixture
def site(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    made = Site(tmp_path, capsys)
    made.run("20261101T080000Z-demo-0001", rate=30e9)
    return made


def hold(site: Site, *parts: str, words: tuple[str, ...] = ()) -> tuple[int, str, str]:
    path = site.runs.parent / "contract.toml"
    path.write_text('title = "New nodes"\n' + "".join(parts))
    return site.type("contract", "last", "--requirements", str(path), *words)


def row(clause: str, limit: float, case: str = "a", metric: str = "triad") -> str:
    return ROW.format(clause, case, metric, limit)


@pytest.mark.parametrize(("parts", "code", "word"), [
    ((row("1", 20),), 0, "MET "),
    ((row("1", 20), row("2", 40), WAIVER.format("2", FUTURE)), 1, "WAIVED "),
    ((row("1", 20), row("2", 40)), 2, "NOT MET "),
    ((row("1", 20), row("2", 40), WAIVER.format("2", PAST)), 2, "NOT MET "),
    ((row("1", 20), ELSEWHERE), 4, "NOT JUDGED "),
])
def test_the_worst_clause_decides(site: Site, parts: tuple[str, ...], code: int, word: str) -> None:
    found = hold(site, *parts)
    assert found[0] == code, found[2]
    assert found[1].startswith(word) and found[1].endswith(f"exit code {code}\n")
    assert "\n1   MET\n" in found[1] and ("this run has no case" in found[1]) == (code == 4)
    assert ("waiver expired on" in found[1]) == (str(PAST) in "".join(parts))


@pytest.mark.parametrize(("parts", "sentence"), [
    ((row("1", 20), WAIVER.format("2", FUTURE)), "unknown clause '2' in a waiver"),
    ((row("1", 20, "a", "triads"),), "clause 1: unknown metric 'triads' of demo:a; did you mean triad?"),
    ((row("1", 20, "c"),), "clause 1: unknown case 'demo:c'; did you mean"),
    ((row("1", 20).replace("GB/s", "us"),), "unit 'us' does not fit metric triad"),
    ((row("1", 20), row("1", 30)), "two of them are about clause 1, demo:a, triad"),
])
def test_a_mistake_in_the_file_is_a_sentence_and_keeps_nothing(site: Site, parts: tuple[str, ...], sentence: str) -> None:
    code, out, err = hold(site, *parts)
    assert (code, out) == (3, "") and sentence in err and "contract.toml" in err
    assert not list(site.runs.glob("*/requirements.toml"))


def test_without_a_file_the_last_contract_of_the_run_or_a_sentence(site: Site) -> None:
    code, _, err = site.type("contract", "last")
    assert code == 3 and "was not compared with a contract yet" in err and "--requirements FILE" in err
    assert hold(site, row("1", 40), WAIVER.format("1", FUTURE))[0] == 1
    assert site.type("contract", "last")[0] == 1
    assert site.type("contract", "none")[0] == 3


def test_json_follows_its_schema(site: Site) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((TREE / "schema/contract.schema.json").read_text())
    code, out, _ = hold(site, row("1", 20), row("2", 40), WAIVER.format("2", FUTURE), words=("--json",))
    found = json.loads(out)
    jsonschema.validate(found, schema)
    assert code == found["exit_code"] == 1 and [one["held"] for one in found["clauses"]] == ["met", "waived"]
    assert not jsonschema.Draft202012Validator(schema).is_valid({**found, "held": "ok"})


def test_waivers_are_in_every_report_of_the_run(site: Site) -> None:
    page = site.runs.parent / "sheet.html"
    hold(site, row("1", 20), row("2", 40), row("3", 40), WAIVER.format("2", FUTURE), WAIVER.format("3", PAST),
         words=("--html", str(page)))
    waived, expired = f"waived until {FUTURE} by J. Doe: slow modules", f"waiver expired on {PAST} and counts no longer"
    folder = next(site.runs.iterdir())
    code, out, _ = site.type("show", "last")
    unbroken = " ".join(out.split())
    assert "contract NOT MET New nodes: 3 clauses: 1 not met, 1 waived, 1 met" in unbroken
    assert f"clause 2 {waived}" in unbroken and f"clause 3 {expired}" in unbroken
    assert site.type("report", "last")[0] == 0
    for text in (page.read_text(), (folder / "report.html").read_text()):
        assert waived in text and expired in text and "<script" not in text
    assert json.loads((folder / "results.json").read_text())["contract"]["held"] == "not met"
    suite = ElementTree.fromstring((folder / "junit.xml").read_text())
    clauses = {one.attrib["name"]: one for one in suite.iter("testcase") if one.attrib["classname"] == "contract"}
    assert [[child.tag for child in one] for one in clauses.values()] == [[], ["system-out"], ["failure"]]
    assert waived in (clauses["2"].findtext("system-out") or "") and expired in (clauses["3"].findtext("failure") or "")
    assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
    assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
    (folder / "requirements.toml").write_text("title = 1")
    again = site.type("show", "last", "--all")
    assert again[0] == code and "contract not shown: " in " ".join(again[1].split())
