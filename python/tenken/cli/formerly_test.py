"""A check or case that was renamed keeps what is known of it, with a mark: names, baselines, histories, suites."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sites import Site
from tenken.base.errors import TenkenError
from tenken.cli import here, places
from tenken.cli.again import as_now, require_known
from tenken.launch.plan import select
from tenken.model.check import older_ids, present, same_case
from tenken.store.checkfile import load_checks
from tenken.store.runfolder import RunFolder
from tenken.store.suitefile import load_suites, suite_cases

TREE = Path(__file__).resolve().parents[3]
HEAD = 'title = "Demo"\nquestion = "Is it?"\nrepetition = "one pass"\nvariants = ["plain"]\n'
PARAMETER = '[parameter.n]\ntype = "int"\ndefault = 1\nmeaning = "size"\n'
CASE = 'variant = "plain"\nranks = 1\nthreads = 1\nlaunches = 3\ntimeout_s = 9\n'
SUITE = 'title = "t"\nquestion = "q"\nbudget_s = 60\norder = "given"\n'

Tree = Callable[..., Path]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """A tree whose check `demo2` was `demo`, with case a still called so and b called c now."""
    root = tmp_path / "tree"
    (root / "suites").mkdir(parents=True)
    (root / "machines").symlink_to(TREE / "machines")
    monkeypatch.setattr(places, "TREE", root)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def write(name: str = "demo2", formerly: str = '["demo"]', cases: str = "") -> Path:
        (root / "checks" / name).mkdir(parents=True, exist_ok=True)
        cases = cases or f'[case.a]\n{CASE}[case.c]\nformerly = ["demo2:b"]\n{CASE}'
        (root / "checks" / name / "check.toml").write_text(f"{HEAD}formerly = {formerly}\n{PARAMETER}{cases}")
        return root

    write()
    return write


@pytest.fixture
def site(tmp_path: Path, capsys: pytest.CaptureFixture[str], tree: Tree) -> Site:
    return Site(tmp_path, capsys)


def test_older_names_follow_a_check_and_its_cases_through_two_renamings(tree: Tree) -> None:
    checks = load_checks([tree() / "checks"])
    names = ("demo", "demo:a", "demo:b", "demo2:b", "demo:b/metric:triad", "demo2:a", "demo2:c", "other:x", "demo:gone")
    assert [present(name, checks) for name in names] == [
        "demo2", "demo2:a", "demo2:c", "demo2:c", "demo2:c/metric:triad", "demo2:a", "demo2:c", "other:x", "demo2:gone",
    ]
    assert older_ids(checks["demo2"], "c") == ("demo2:b", "demo:c", "demo:b")
    assert older_ids(checks["demo2"], "a/x") == ("demo:a/x",)
    assert same_case("demo:a", checks) == ("demo2:a",)


def test_a_case_that_became_a_check_of_its_own(tree: Tree) -> None:
    tree("demo", "[]", f"[case.b]\n{CASE}")
    checks = load_checks([tree("demo2", '["demo:a"]', f"[case.a]\n{CASE}") / "checks"])
    assert [present(name, checks) for name in ("demo", "demo:a", "demo:b")] == ["demo", "demo2:a", "demo:b"]


@pytest.mark.parametrize(("other", "formerly", "sentence"), [
    ("demo", "[]", "'demo' is the name of a check that is there"),
    ("demo3", '["demo"]', "'demo' is the older name of check demo3 too"),
    ("demo3", '["demo:a"]', "'demo:a' is the older name of check demo3 too"),
])
def test_a_name_that_is_not_free_takes_out_the_checks_that_take_it(
    tree: Tree, other: str, formerly: str, sentence: str
) -> None:
    checks = load_checks([tree(other, formerly, f"[case.a]\n{CASE}") / "checks"])
    assert f"demo2/check.toml: formerly: {sentence}" in str(checks["demo2"].problem)
    assert (checks[other].problem is None) == (other == "demo")


@pytest.mark.parametrize(("formerly", "cases", "sentence"), [
    ('["Demo"]', "", "formerly: expected older names as check or check:case, found 'Demo'"),
    ('["old:z"]', "", "formerly: 'old:z': no case or study here is called z; write formerly in the table of its present case"),
    ("[]", f'[case.a]\n{CASE}formerly = ["old"]\n', "[case.a] formerly: expected older names as check:case, found 'old'"),
    ('"demo"', "", "formerly: expected a list of texts, found 'demo'"),
])
def test_what_is_no_older_name_is_refused(tree: Tree, formerly: str, cases: str, sentence: str) -> None:
    assert sentence in str(load_checks([tree("demo2", formerly, cases) / "checks"])["demo2"].problem)


def test_typed_names_suites_and_the_list_follow(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    root = tree()
    (root / "suites" / "all.toml").write_text(SUITE + 'include = ["demo:a", "demo:b"]\nexclude = ["demo:a"]')
    checks, suites = here.catalogue()
    assert suite_cases(suites["all"], checks) == ("demo2:c",)
    chosen = select(["demo:b"], checks, suites)
    assert [spec.name for _, spec in chosen.cases] == ["c"] and chosen.renamed == (("demo:b", "demo2:c"),)
    said: list[str] = []
    assert here.find_check("demo", said.append) == "demo2" and said == ["name     demo is now called demo2"]
    from tenken.cli.list import main

    assert main(["checks"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("Demo (formerly demo)")
    assert "formerly" not in lines[1] and lines[2].endswith("(formerly demo2:b, demo:b)")
    (root / "suites" / "demo.toml").write_text(SUITE)
    with pytest.raises(TenkenError, match=r"demo.toml: 'demo' is an older name of check demo2"):
        load_suites([root / "suites"], checks)


def renamed_run(site: Site, name: str, day: int) -> None:
    """A run of demo2:a and demo2:b."""
    path = site.run(name, day, rate=(30 + day / 10) * 1e9) / "run.json"
    text = path.read_text().replace('"demo:', '"demo2:').replace('"demo"', '"demo2"').replace("-demo.", "-demo2.")
    path.write_text(text)
    for one in sorted((site.runs / name / "launches").iterdir()):
        record, launch = one / "record.jsonl", one / "launch.json"
        record.write_text(record.read_text().replace('"demo"', '"demo2"'))
        launch.write_text(launch.read_text().replace("demo:", "demo2:").replace("demo.", "demo2."))
        one.rename(one.with_name(one.name.replace("demo.", "demo2.")))


def test_baselines_and_histories_follow_with_their_mark(site: Site) -> None:
    site.run("run1", 1)
    assert site.type("baseline", "accept", "run1", "--case", "demo2:a")[0] == 0, "an old run may be accepted by a present name"
    assert site.files()[0].parent.name.startswith("demo--a-")
    site.judge("run1")
    renamed_run(site, "run2", 2)
    code, out, _ = site.type("show", "run2", "--json")
    told = json.loads(out)
    case = next(one for one in told["cases"] if one["id"] == "demo2:a")
    assert case["formerly"] == ["demo:a"] and [one["sittings"] for one in case["changes"]][:1] == [1]
    assert [point["formerly"] for point in case["histories"][0]["points"]] == ["demo:a", ""]
    assert "demo2:a: its baseline was accepted under the name demo:a (formerly demo:a)" in told["notes"]
    (site.runs / "run2" / "results.json").write_text(out)
    for name in ("demo:a/triad", "demo2:a/triad"):
        code, out, _ = site.type("history", name)
        rows = out.splitlines()
        assert code == 0 and rows[0].startswith("demo2:a/triad") and rows[3].endswith("formerly demo:a"), out
        assert rows[4].split()[2] == "run2" and "formerly" not in rows[4]
    assert "demo:a is now called demo2:a" in json.loads(site.type("show", "run1", "--json")[1])["notes"]
    assert "run1" in site.type("baseline", "show", "demo2:a")[1] and "run1" in site.type("baseline", "show", "demo:a")[1]
    assert site.type("baseline", "drop", "demo2:a", "run1")[0] == 0


def test_a_case_split_off_with_a_parameter_of_its_old_check_is_followed_without_it(tree: Tree, site: Site) -> None:
    """demo:a had was = "x"; demo2, which is that alone, has no such parameter: the hashes of their cases differ."""
    tree("demo2", "[]", f'[case.a]\nformerly = ["demo:a"]\nformerly_set = {{ was = "x" }}\n{CASE}')
    path = site.run("run1", 1) / "run.json"
    path.write_text(path.read_text().replace('"n": 100', '"n": 100, "was": "x"'))
    assert site.type("baseline", "accept", "run1", "--case", "demo2:a")[0] == 0
    site.judge("run1")
    renamed_run(site, "run2", 2)
    assert site.type("baseline", "accept", "run2", "--case", "demo2:a")[0] == 0
    folders = {one.parent.name for one in site.files()}
    assert len({name[-8:] for name in folders}) == len(folders) == 2
    renamed_run(site, "run3", 3)
    for run, marks in (("run3", ["demo:a", "", ""]), ("run1", ["", ""])):
        told = json.loads(site.type("show", run, "--json")[1])
        case = told["cases"][0]
        others = 2 if run == "run3" else 1  # a run that was accepted is not its own judge
        assert {one["sittings"] for one in case["changes"]} == {others}, run
        assert sorted(point["formerly"] for point in case["histories"][0]["points"]) == sorted(marks), run
    site.judge("run2")
    for name in ("demo:a/triad", "demo2:a/triad"):
        rows = site.type("history", name)[1].splitlines()
        assert [row.split()[2] for row in rows if row.startswith("2026")] == ["run1", "run2"], rows  # one history of both hashes
    now = as_now(RunFolder(site.runs / "run1").read(), here.catalogue()[0])
    assert (now.cases[0].case.id, now.cases[0].case.parameters) == ("demo2:a", {"n": 100})


@pytest.mark.parametrize(("written", "sentence"), [
    ('formerly = ["demo:a"]\nformerly_set = { n = 2 }', "formerly_set: 'n' is a parameter here; set it in parameters"),
    ("formerly_set = { was = 2 }", "formerly_set: expected a table of parameters that the older names in formerly had"),
    ('formerly = ["demo:a"]\nformerly_set = 2', "formerly_set: expected a table of parameters that the older names"),
])
def test_what_older_names_cannot_have_had_is_refused(tree: Tree, written: str, sentence: str) -> None:
    checks = load_checks([tree("demo2", "[]", f"[case.a]\n{written}\n{CASE}") / "checks"])
    assert f"[case.a] {sentence}" in str(checks["demo2"].problem)


def test_an_old_run_is_measured_again_under_the_present_name_and_not_gone_on_with(site: Site) -> None:
    run = RunFolder(site.run("run1")).read()
    checks = here.catalogue()[0]
    with pytest.raises(TenkenError, match=r"demo:a of the run folder is now called demo2:a.*tenken rerun"):
        require_known(run.cases, checks)
    now = as_now(run, checks)
    assert [one.case.id for one in now.cases] == ["demo2:a", "demo2:c"] and now.cases[0].check == checks["demo2"]
    require_known(now.cases, checks)
