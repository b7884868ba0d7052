from __future__ import annotations

import re
from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.model.check import CaseSpec, MetricSpec, Parameter, SectionSpec, ValiditySpec, VariantSpec
from tenken.store.checkfile import load_checks, read_check
from tenken.store.suitefile import load_suites, suite_cases

TREE = Path(__file__).resolve().parents[3]

TEXT = """
title = "Toy"
question = "Does it work?"
repetition = "one pass"
variants = ["plain", "fast"]
faults = ["sign"]
requires = ["cblas"]

[parameter.n]
type = "int"
default = 10
range = [1, 100]
meaning = "length"

[parameter.bytes]
type = "size"
default = "4*L3"
meaning = "size"

[parameter.teams]
type = "ints"
default = [1, 2]
length = 2
range = [1, 64]
meaning = "teams"

[parameter.kind]
type = "choice"
default = "warm"
range = ["warm", "cold"]
meaning = "state of the caches"

[parameter.verbose]
type = "flag"
meaning = "say more"

[parameter.input]
type = "path"
meaning = "a file"

[section."solve"]
kind = "compute"
meaning = "all of it"

[section."solve/operator"]
kind = "compute"
meaning = "the operator"

[section.copy]
kind = "compute"
by = "teams"
meaning = "copy"

[metric.operator]
section = "solve/operator"
quantity = "flop_rate"
unit = "GFLOP/s"
better = "higher"
class = "compute"
ceiling = "flop"
precision = "single"

[metric.copy]
section = "copy"
by = "teams"
quantity = "byte_rate"
unit = "GB/s"
better = "higher"
class = "memory"
ceiling = "memory"

[metric.iterations]
quantity = "value:iterations"
unit = "1"
better = "lower"
class = "compute"
ceiling = "none"

[validity.residual]
tolerance = 1e-10
source = "equation 3"

[case.small]
variant = "fast"
parameters = {n = 5, bytes = "25%mem", teams = [1, "(threads+1)/2"], seconds = 3}
ranks = "core"
threads = "fill"
launches = 2
timeout_s = 20
suites = ["quick"]
"""


def write(folder: Path, text: str = TEXT, name: str = "toy") -> Path:
    (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / name / "check.toml").write_text(text)
    return folder / name


def test_a_variant_may_require_more_than_its_check(tmp_path: Path) -> None:
    check = read_check(write(tmp_path, TEXT + '[variant.fast]\nrequires = ["fortran"]\nsources = ["fast.cpp"]\n'))
    assert check.variant_needs == (VariantSpec("fast", ("fortran",), ("fast.cpp",)),)
    assert check.requires_of("fast") == ("cblas", "fortran") and check.requires_of("plain") == ("cblas",)


@pytest.mark.parametrize(("text", "sentence"), [
    ('[variant.fst]\nrequires = ["fortran"]\n', "variant 'fst' is unknown; did you mean fast?"),
    ('[variant.fast]\nrequire = ["fortran"]\n', "require: is unknown; did you mean requires?"),
    ('[variant.fast]\nrequires = ["a b"]\n', "'a b' should be small letters, digits and _"),
])
def test_a_wrong_variant_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(TenkenError, match=re.escape(sentence)):
        read_check(write(tmp_path, TEXT + text))


def test_a_broken_check_takes_out_itself_alone(tmp_path: Path) -> None:
    write(tmp_path, name="good")
    write(tmp_path, TEXT.replace("title", "titel"), name="typo")
    write(tmp_path, "no TOML at all", name="noise")
    checks = load_checks([tmp_path])
    assert checks["good"].problem is None
    assert "typo/check.toml: title: is missing" in checks["typo"].problem
    assert [(case.name, case.suites) for case in checks["typo"].cases] == [("small", ("quick",))]
    assert "not TOML" in checks["noise"].problem and checks["noise"].cases == ()


def test_a_right_file_becomes_a_check(tmp_path: Path) -> None:
    check = read_check(write(tmp_path))
    assert (check.name, check.variants, check.faults, check.requires) == (
        "toy", ("plain", "fast"), ("sign",), ("cblas",)
    )
    assert check.parameters[0] == Parameter("n", "int", 10, "length", 1.0, 100.0)
    assert check.parameters[2] == Parameter("teams", "ints", [1, 2], "teams", 1.0, 64.0, (), 2)
    assert check.parameters[3].choices == ("warm", "cold")
    assert check.parameters[4] == Parameter("verbose", "flag", False, "say more")
    assert check.parameters[5] == Parameter("input", "path", "", "a file")
    assert check.sections[2] == SectionSpec("copy", "compute", "copy", "teams")
    assert check.metrics[0] == MetricSpec(
        "operator", "solve/operator", "flop_rate", "GFLOP/s", "higher", "compute", "flop", None, "single"
    )
    assert check.metrics[2].section is None
    assert check.validity == (ValiditySpec("residual", 1e-10, "equation 3"),)
    assert check.cases == (
        CaseSpec(
            "small", "fast", {"n": 5, "bytes": "25%mem", "teams": [1, "(threads+1)/2"], "seconds": 3},
            "core", "fill", 2, 20.0, ("quick",),
        ),
    )


def test_where_a_case_runs_is_written_beside_its_ranks(tmp_path: Path) -> None:
    keys = 'placement = "scatter"\nreserve = 1\nmembind = "fast"\nrank_map = "reversed"\nthread_level = "serialized"'
    text = TEXT.replace("launches = 2", f"{keys}\nlaunches = 2").replace("n = 5,", "")
    assert read_check(write(tmp_path, text)).cases[0].parameters == {
        "bytes": "25%mem", "teams": [1, "(threads+1)/2"], "seconds": 3, "placement": "scatter", "reserve": 1,
        "membind": "fast", "rank_map": "reversed", "thread_level": "serialized",
    }
    assert not read_check(write(tmp_path, TEXT)).counters
    assert read_check(write(tmp_path, TEXT.replace('faults = ["sign"]', "counters = true"))).counters
    of_all = TEXT.replace('faults = ["sign"]', 'thread_level = "multiple"')
    assert read_check(write(tmp_path, of_all)).thread_level == "multiple"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('title = "Toy"', "", "check.toml: title: is missing"),
        ('title = "Toy"', 'title = " "', "check.toml: title: expected a text that is not empty"),
        ('title = "Toy"', 'title = "Toy"\ncolour = "red"', "check.toml: colour: is unknown"),
        ('variants = ["plain", "fast"]', "variants = []", "variants: name at least one"),
        ('variants = ["plain", "fast"]', 'variants = ["a", "a"]', "variants: a name is there twice"),
        ('faults = ["sign"]', 'faults = "sign"', "faults: expected a list of texts"),
        ("default = [1, 2]", 'default = "1..threads"', "[parameter.teams] default: the ends of a range are whole numbers"),
        ("default = [1, 2]", 'default = "1"', '[parameter.teams] default: expected a list of whole numbers or a text "A..B"'),
        ("[parameter.n]", "[parameter.N]", "[parameter.N] name: 'N' should be small letters"),
        ('type = "int"\n', 'type = "integer"\n', "[parameter.n] type: 'integer' is unknown; did you mean int"),
        ("default = 10", "default = 0", "[parameter.n] default: 0 is below 1, the lowest of its range"),
        ("default = 10", "default = 101", "[parameter.n] default: 101 is above 100, the highest of its range"),
        ("default = 10", "default = 1.5", "[parameter.n] default: expected a whole number or an expression"),
        ("default = 10", "default = true", "[parameter.n] default: expected a whole number"),
        ("default = 10\n", "", "[parameter.n] default: is missing"),
        ("range = [1, 100]", "range = [100, 1]", "[parameter.n] range: expected [low, high]"),
        ("range = [1, 100]", "range = [1]", "[parameter.n] range: expected [low, high]"),
        ("range = [1, 100]", "range = [1, 1" + "0" * 400 + "]", "[parameter.n] range: expected [low, high]"),
        ("range = [1, 100]", "ranges = [1, 100]", "[parameter.n] ranges: is unknown; did you mean range"),
        ('default = "4*L3"', 'default = "4*L9"', "[parameter.bytes] default: expected a whole number or an expression"),
        ('default = "4*L3"', 'default = "4*4"', "[parameter.bytes] default: expected a whole number or an expression"),
        ("default = [1, 2]", "default = [1]", "[parameter.teams] default: expected 2 numbers, found 1"),
        ("default = [1, 2]", "default = [1, 65]", "[parameter.teams] default: 65 is above 64, the highest"),
        ("default = [1, 2]", "default = 3", "[parameter.teams] default: expected a list of whole numbers"),
        ('default = "warm"', 'default = "hot"', "[parameter.kind] default: 'hot' is unknown"),
        ('range = ["warm", "cold"]', "range = []", "[parameter.kind] range: a choice needs at least one value"),
        ('type = "flag"', 'type = "flag"\ndefault = 1', "[parameter.verbose] default: expected true or false"),
        ('type = "path"', 'type = "path"\ndefault = 1', "[parameter.input] default: expected a path, found 1"),
        ('kind = "compute"\nmeaning = "all', 'kind = "cpu"\nmeaning = "all', "[section.solve] kind: 'cpu' is unknown"),
        (
            '[section."solve/operator"]',
            '[section."solve//operator"]',
            "[section.\"solve//operator\"] name: 'solve//operator' should",
        ),
        (
            'by = "teams"\nmeaning',
            'by = "team"\nmeaning',
            "[section.copy] by: parameter 'team' is unknown; did you mean teams?",
        ),
        (
            'by = "teams"\nmeaning',
            'by = "n"\nmeaning',
            "[section.copy] by: parameter 'n' is of type int; a section is repeated",
        ),
        (
            'section = "solve/operator"',
            'section = "solve/op"',
            "[metric.operator] section: 'solve/op' is unknown; did you mean",
        ),
        ('section = "solve/operator"\n', "", "[metric.operator] section: is missing: flop_rate is of one section"),
        ('quantity = "flop_rate"', 'quantity = "flops"', "[metric.operator] quantity: 'flops' is unknown"),
        ('quantity = "flop_rate"', 'quantity = "time"', "[metric.operator] unit: 'GFLOP/s' is no unit of time"),
        (
            'quantity = "flop_rate"',
            'quantity = "byte_rate"',
            "[metric.operator] unit: 'GFLOP/s' is no unit of byte_rate",
        ),
        ('unit = "GFLOP/s"', 'unit = "GFLOPS"', "[metric.operator] unit: 'GFLOPS' is unknown; did you mean"),
        ('precision = "single"', 'precision = "half"', "[metric.operator] precision: 'half' is unknown"),
        ('precision = "single"', "single_where = []", "[metric.operator] single_where: is unknown"),
        (
            'ceiling = "flop"',
            'ceiling = "memory"',
            "[metric.operator] ceiling: 'memory' bounds a byte_rate, not flop_rate",
        ),
        ('ceiling = "flop"', 'ceiling = "sky"', "[metric.operator] ceiling: 'sky' is unknown"),
        ('ceiling = "flop"', 'ceiling = "flop"\nprovides = "flop"', "provides: expected a table [provides], found 'flop'"),
        ('ceiling = "memory"', 'ceiling = "memory"\nprovides = {what = "memory"}', "[metric.copy] provides: memory is faster in"),
        ('ceiling = "flop"', 'ceiling = "flop"\nprovides = {}', "[metric.operator.provides] what: is missing"),
        ('ceiling = "flop"', 'ceiling = "flop"\nprovides = {what = "flops"}', "what: 'flops' is unknown; did you mean flop"),
        ('ceiling = "flop"', 'ceiling = "flop"\nprovides = {what = "io"}', "provides: 'io' is a byte_rate, not flop_rate"),
        ('ceiling = "flop"', 'ceiling = "flop"\nprovides = {what = "flop", at = 3}', ".provides] at: is unknown"),
        (
            'better = "higher"\nclass = "compute"\nceiling = "flop"',
            'class = "compute"\nceiling = "flop"',
            "[metric.operator] better: is missing",
        ),
        ('precision = "single"', 'precision = "half"', "[metric.operator] precision: 'half' is unknown"),
        ('precision = "single"', 'precision = "single"\nband = 3', "[metric.operator] band: is unknown"),
        ('by = "teams"\nquantity', "quantity", "[metric.copy] by: section 'copy' wants by = \"teams\", found None"),
        (
            'section = "solve/operator"',
            'section = "solve/operator"\nby = "teams"',
            "section 'solve/operator' wants no 'by', found 'teams'",
        ),
        ('ceiling = "flop"', 'ceiling = "flop"\nheadline = "at {at}"', "[metric.operator] headline: {at} is the value that"),
        ('ceiling = "memory"', 'ceiling = "memory"\nheadline = "on {n}"', "[metric.copy] headline: 'on {n}' has braces"),
        ("tolerance = 1e-10", "tolerance = -1", "[validity.residual] tolerance: expected a number of at least 0"),
        ("tolerance = 1e-10", "tolerance = inf", "[validity.residual] tolerance: expected a number"),
        ("tolerance = 1e-10", "tolerance = 1" + "0" * 400, "[validity.residual] tolerance: expected a number"),
        ('source = "equation 3"', "", "[validity.residual] source: is missing"),
        ('variant = "fast"', 'variant = "quick"', "[case.small] variant: 'quick' is unknown"),
        ("n = 5,", "m = 5,", "[case.small] parameters: 'm' is unknown"),
        ("seconds = 3", "seconds = -1", "[case.small] parameters: seconds: -1 is below 0"),
        ("n = 5,", "n = 500,", "[case.small] parameters: n: 500 is above 100"),
        ('ranks = "core"', 'ranks = "cores"', "[case.small] ranks: 'cores' is unknown; did you mean core?"),
        ('ranks = "core"', "ranks = 0", "[case.small] ranks: expected a whole number of at least 1, found 0"),
        ('threads = "fill"', 'threads = "full"', "[case.small] threads: 'full' is unknown; did you mean fill?"),
        ("launches = 2", "launches = 0", "[case.small] launches: expected a whole number of at least 1"),
        ("timeout_s = 20", "timeout_s = 0", "[case.small] timeout_s: expected a number of at least 1"),
        ('suites = ["quick"]', 'suites = ["quick"]\nnodes = 3', "[case.small] nodes: is unknown"),
        ("launches = 2", 'launches = 2\nplacement = "compakt"', "[case.small] placement: 'compakt' is unknown"),
        ("launches = 2", "launches = 2\nreserve = -1", "[case.small] reserve: -1 is below 0"),
        ("launches = 2", "launches = 2\nmembind = 1.5", "[case.small] membind: expected a word or a whole number"),
        ("launches = 2", "launches = 2\nrank_map = 3", "[case.small] rank_map: expected a path, found 3"),
        ("launches = 2", 'launches = 2\nthread_level = "all"', "[case.small] thread_level: 'all' is unknown"),
        ("seconds = 3}", "reserve = 1}\nreserve = 2", "[case.small] reserve: is among the parameters too"),
        ('faults = ["sign"]', 'thread_level = "many"', "thread_level: 'many' is unknown"),
        ("[case.small]", "[case]", "case.variant: expected a table [case.variant]"),
        ("[validity.residual]", "[validity.residual", "not TOML"),
        ("[validity.residual]", "[published]\ncopied = []\n[validity.residual]", "copied: is no metric; did you mean copy"),
        ("[validity.residual]", "[published]\ncopy = 1\n[validity.residual]", "copy: expected a list of {application"),
        ("[validity.residual]", "[published]\ncopy = [{section = 's'}]\n[validity.residual]", "application: is missing"),
        ("[validity.residual]", "[published]\noperator = [{application = 'a', section = 's', at = 8}]\n[validity.residual]",
         "at: metric operator is not repeated over a parameter; leave it out"),
    ],
)
def test_every_mistake_is_named_with_file_table_and_key(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert TEXT.count(old) >= 1
    folder = write(tmp_path, TEXT.replace(old, new, 1))
    with pytest.raises(TenkenError) as error:
        read_check(folder)
    assert str(folder / "check.toml") in str(error.value) and says in str(error.value)


def test_a_check_has_one_headline(tmp_path: Path) -> None:
    of_copy = TEXT.replace('ceiling = "memory"', 'ceiling = "memory"\nheadline = "copy by {at} threads"')
    metrics = {metric.name: metric.headline for metric in read_check(write(tmp_path, of_copy)).metrics}
    assert metrics == {"operator": "", "copy": "copy by {at} threads", "iterations": ""}
    with pytest.raises(TenkenError, match="operator and copy have a headline; a check has one"):
        read_check(write(tmp_path, of_copy.replace('ceiling = "flop"', 'ceiling = "flop"\nheadline = "the operator"')))


def test_folders_that_are_no_check_or_not_there(tmp_path: Path) -> None:
    with pytest.raises(TenkenError, match="cannot read .*check.toml: No such file"):
        read_check(tmp_path)
    with pytest.raises(TenkenError, match="small letters, digits and _, found 'My-Check'"):
        read_check(write(tmp_path, name="My-Check"))
    folder = write(tmp_path)
    (folder / "check.toml").write_bytes(b"\xff")
    with pytest.raises(TenkenError, match="byte 0 is not UTF-8"):
        read_check(folder)
    for hostile in ("n = " + "9" * 6000, "n = " + "[" * 3000):
        (folder / "check.toml").write_text(hostile)
        with pytest.raises(TenkenError, match="not TOML"):
            read_check(folder)


def test_checks_are_found_by_scan_and_their_names_are_unique(tmp_path: Path) -> None:
    write(tmp_path / "one")
    write(tmp_path / "two", name="other")
    (tmp_path / "one" / "notes").mkdir()
    assert sorted(load_checks([tmp_path / "one", tmp_path / "two"])) == ["other", "toy"]
    write(tmp_path / "two")
    with pytest.raises(TenkenError, match="check 'toy' is there twice: .*one/toy and .*two/toy"):
        load_checks([tmp_path / "one", tmp_path / "two"])


def test_the_checks_and_suites_of_the_tree_are_right() -> None:
    checks = load_checks([TREE / "checks"])
    found = load_suites([TREE / "suites"], checks)
    assert "fma_peak" in checks and {"quick", "check"} <= set(found)
    assert found["quick"].budget_s <= 60
    assert "fma_peak:all_cores" in suite_cases(found["quick"], checks)
