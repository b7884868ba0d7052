from __future__ import annotations

from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.base.toml import split_range
from tenken.model.check import Plot, PublishedRow, Study, StudyAxis
from tenken.store.checkfile import read_check

HEAD = """
title = "Toy"
question = "Does it work?"
repetition = "one pass"
variants = ["plain", "fast"]
[parameter.bytes]
type = "size"
default = 4096
range = [1024, 1e12]
meaning = "size"
[parameter.lattice]
type = "ints"
default = [4, 4]
length = 2
meaning = "sites"
[section.solve]
kind = "compute"
meaning = "all of it"
[metric.rate]
section = "solve"
quantity = "flop_rate"
unit = "GFLOP/s"
better = "higher"
class = "compute"
ceiling = "none"
[case.small]
variant = "plain"
ranks = 1
threads = 1
launches = 1
timeout_s = 10
"""
STUDY = """
[study.sweep]
title = "Rate against size"
question = "How fast?"
variant = "plain"
ranks = 1
launches = 2
timeout_s = 10
[study.sweep.axis]
bytes = "4KiB..4*L3"
threads = [1, "cores/2", "fill"]
[study.sweep.plot]
x = "bytes"
y = "rate"
lines = "threads"
log = ["x"]
marks = ["caches"]
"""


def studies(folder: Path, text: str) -> tuple[Study, ...]:
    place = folder / "toy"
    place.mkdir(parents=True)
    (place / "check.toml").write_text(HEAD + text)
    return read_check(place).studies


def test_a_study_is_read(tmp_path: Path) -> None:
    (study,) = studies(tmp_path, STUDY)
    assert study.axes == (StudyAxis("bytes", {"bytes": "4KiB..4*L3"}), StudyAxis("threads", {"threads": [1, "cores/2", "fill"]}))
    assert study.plot == Plot("curve", "bytes", ("rate",), "threads", None, ("x",), ("caches",))
    assert (study.case.ranks, study.case.launches, study.case.suites, study.along) == (1, 2, (), "bytes")


def test_environments_and_what_says_where_a_case_runs_can_be_swept(tmp_path: Path) -> None:
    axes = 'environment = ["gcc", "clang"]\nwhere = {placement = ["compact", "scatter"], ranks_per_node = [1, 2]}'
    text = STUDY.replace("ranks = 1\n", "threads = 1\n").replace('threads = [1, "cores/2", "fill"]', axes)
    (study,) = studies(tmp_path, text.replace('lines = "threads"', 'lines = "environment"\npanels = "where"'))
    assert [axis.name for axis in study.axes] == ["bytes", "environment", "where"] and study.case.ranks == 1


PUBLISHED = """
[study.sweep.published]
rate = [{ machine = "fx100", application = "QCD", section = "kernel", x = 8 }]
"""


def test_published_results_are_read_and_mistakes_in_them_named(tmp_path: Path) -> None:
    (study,) = studies(tmp_path / "a", STUDY + PUBLISHED)
    assert study.published == (PublishedRow("rate", "fx100", "QCD", "kernel", "", 8.0),)
    for number, (old, new, sentence) in enumerate((
        ("rate =", "rat =", "rat: is not among y of the plot; did you mean rate?"),
        ("x = 8", "x = true", "x: expected a place on x, or a list of places, found True"),
        ("x = 8", "x = 8, year = 2015", "year: is unknown"),
        ('[{ machine', '{ machine', "rate: expected a list of"),
    )):
        text = PUBLISHED.replace(old, new).replace("}]", "}" if new.startswith("{") else "}]")
        with pytest.raises(TenkenError) as error:
            studies(tmp_path / str(number), STUDY + text)
        assert sentence in str(error.value)
    heat = STUDY.replace('log = ["x"]\nmarks = ["caches"]', 'kind = "heat"')
    with pytest.raises(TenkenError, match="published results are drawn in a curve"):
        studies(tmp_path / "b", heat + PUBLISHED)


def test_a_published_row_of_several_values_has_a_panel_and_is_a_change(tmp_path: Path) -> None:
    study_of = STUDY.replace('lines = "threads"', 'panels = "variant"').replace(
        'variant = "plain"', 'threads = 1').replace('threads = [1, "cores/2", "fill"]', 'variant = ["plain", "fast"]')
    text = PUBLISHED.replace("x = 8", 'panel = "fast", x = [8, 16], change_of = { application = "QCD", section = "all" }')
    (study,) = studies(tmp_path / "a", study_of + text)
    assert study.published == tuple(
        PublishedRow("rate", "fx100", "QCD", "kernel", "", x, "fast", number, ("QCD", "all"))
        for number, x in enumerate((8.0, 16.0)))
    for number, (old, new, sentence) in enumerate((
        ('panel = "fast"', 'panel = "fats"', "panel: 'fats' is no place on the axis of panels; did you mean fast?"),
        ("[8, 16]", "[]", "x: expected a place on x, or a list of places"),
        ("[8, 16]", "[8, [16]]", "x: expected a place on x, or a list of places"),
        (', section = "all"', "", "section: is missing"),
        ('{ application = "QCD", section = "all" }', '"QCD"', "change_of: expected a table"),
    )):
        with pytest.raises(TenkenError) as error:
            studies(tmp_path / str(number), study_of + text.replace(old, new))
        assert sentence in str(error.value)
    with pytest.raises(TenkenError, match="the plot has no panels whose places are words"):
        studies(tmp_path / "b", STUDY + text)


def test_what_moves_together_is_one_axis(tmp_path: Path) -> None:
    text = STUDY.replace('threads = [1, "cores/2", "fill"]', "mix = { ranks = [1, 2], threads = [4, 2] }").replace(
        'lines = "threads"', 'lines = "mix"'
    ).replace("ranks = 1\n", "", 1)
    (study,) = studies(tmp_path, text)
    assert study.axes[1] == StudyAxis("mix", {"ranks": [1, 2], "threads": [4, 2]})


def test_of_values_that_move_together_one_may_be_there_twice(tmp_path: Path) -> None:
    text = STUDY.replace('threads = [1, "cores/2", "fill"]', "mix = { ranks = [1, 1], threads = [4, 2] }")
    (study,) = studies(tmp_path, text.replace('lines = "threads"', 'lines = "mix"'))
    assert study.axes[1] == StudyAxis("mix", {"ranks": [1, 1], "threads": [4, 2]})


def test_where_x_is_derived_the_axis_left_over_runs_along_the_line(tmp_path: Path) -> None:
    (study,) = studies(tmp_path, STUDY.replace('x = "bytes"', 'x = "value:working_set_bytes"'))
    assert study.along == "bytes"


@pytest.mark.parametrize(("text", "ends"), [("1..cores", ("1", "cores")), ("4KiB .. 4*L3", ("4KiB", "4*L3")),
                                            ("1.5", None), ("..4", None), ("1...4", None)])
def test_ranges(text: str, ends: tuple[str, str] | None) -> None:
    assert split_range(text) == ends


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[study.sweep.axis]", "[study.sweep.axes]", "[study.sweep] axis: is missing"),
        ('bytes = "4KiB..4*L3"\nthreads = [1, "cores/2", "fill"]', "", "axis: expected a table of 1 to 3 axes"),
        ("bytes = \"4KiB..4*L3\"", "byte = [4096]", "[study.sweep.axis] byte: 'byte' is unknown; did you mean bytes?"),
        ("bytes = \"4KiB..4*L3\"", "bytes = []", 'bytes: expected a list of values or a text "A..B"'),
        ("bytes = \"4KiB..4*L3\"", "bytes = [12]", "bytes: 12 is below 1024"),
        ("bytes = \"4KiB..4*L3\"", "bytes = [4096, 4096]", "bytes: a value is there twice"),
        ("bytes = \"4KiB..4*L3\"", "bytes = \"4KiB..lots\"", "bytes: expected a whole number or an expression"),
        ("bytes = \"4KiB..4*L3\"", "lattice = [[4]]", "lattice: expected 2 numbers, found 1"),
        ('[1, "cores/2", "fill"]', "[0]", "threads: 0 is below 1"),
        ('threads = [1, "cores/2", "fill"]', 'variant = ["slow"]', "variant: 'slow' is unknown"),
        ('threads = [1, "cores/2", "fill"]', "mix = { ranks = [1, 2], threads = [4] }", "mix: values that move together need"),
        ('threads = [1, "cores/2", "fill"]', "mix = { ranks = [1, 1], threads = [4, 4] }", "mix: a value is there twice"),
        ('threads = [1, "cores/2", "fill"]', "mix = { bytes = [4096] }", "mix: 'bytes' is swept twice"),
        ('x = "bytes"', 'x = "byte"', "[study.sweep.plot] x: 'byte' is unknown; did you mean bytes?"),
        ('y = "rate"', 'y = "rat"', "y: metric 'rat' is unknown; did you mean rate?"),
        ('lines = "threads"', 'lines = "bytes"', "x, lines and panels need an axis each"),
        ('lines = "threads"', "", "axis 'threads' is neither x, lines nor panels"),
        ('x = "bytes"\ny = "rate"\nlines = "threads"', 'x = "value:n"\ny = "rate"', "needs exactly one axis"),
        ('log = ["x"]', 'log = ["z"]', "log: 'z' is unknown"),
        ('x = "bytes"', 'kind = "strong"\nx = "bytes"', "kind: strong scaling needs x ="),
        ('x = "bytes"\ny = "rate"\nlines = "threads"', 'x = "threads"\ny = "rate"\nlines = "bytes"', "caches can be marked"),
        ('x = "bytes"', 'kind = "heat"\nx = "bytes"', "log: a heat has none"),
        ('x = "bytes"\ny = "rate"\nlines = "threads"\nlog = ["x"]\nmarks = ["caches"]',
         'kind = "heat"\nx = "bytes"\ny = "rate"\npanels = "threads"', "lines: a heat needs two axes"),
        ('x = "bytes"', 'kind = "stack"\nx = "bytes"', "lines: a stack has no lines"),
        ("launches = 2", "launches = 2\nsuites = []", "[study.sweep] suites: is unknown"),
        ("launches = 2", "launches = 2\nparameters = { bytes = 4096 }", "parameters: 'bytes' is swept by an axis too"),
        ('ranks = 1\n', "", "[study.sweep] ranks: is missing"),
        ('threads = [1, "cores/2", "fill"]', 'environment = ["gcc", ""]', "expected the name of an environment, found ''"),
        ('threads = [1, "cores/2", "fill"]', "ranks_per_node = [1]", "ranks_per_node is swept and sets the number"),
        ("study.sweep", "study.small", "'small' is a case too"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert old in STUDY
    with pytest.raises(TenkenError) as error:
        studies(tmp_path, STUDY.replace(old, new))
    assert sentence in str(error.value) and "check.toml: " in str(error.value) and "\n" not in str(error.value)
