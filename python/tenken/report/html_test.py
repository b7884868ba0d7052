from __future__ import annotations

import builtins
import functools
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

import assessments
import golden_files
from tenken.base.errors import TenkenError
from tenken.model.assessment import CountedRates, CountersAssessment
from tenken.report import html

VOID = {"meta", "br", "path", "use", "rect", "hr"}


@functools.cache
def page(name: str) -> str:
    return html.page(assessments.ALL[name]())


class Reader(HTMLParser):
    """Collects tags, attributes and visible text; fails where tags do not nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attributes]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attributes]

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, text: str) -> None:
        if not {"style", "svg"} & set(self.open):
            self.words.append(text)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.words))


@pytest.mark.parametrize("name", assessments.ALL)
def test_a_page_is_whole_offline_without_scripts_and_small(name: str) -> None:
    text = page(name)
    reader = Reader(text)
    tags = {tag for tag, *_ in reader.attributes}
    assert not {"script", "link", "img", "iframe", "object"} & tags
    assert not [a for a in reader.attributes if a[1] == "src" or a[1].startswith("on")]
    assert all(
        value.startswith("#") or value in ("results.json", "launches/")
        for _, key, value in reader.attributes if key == "href"
    )
    assert not re.search(r"https?:|@import|url\((?!#)", text)
    assert len(text.encode()) < 2_000_000


@pytest.mark.parametrize("name", assessments.ALL)
def test_every_link_inside_the_page_arrives_and_no_identifier_is_used_twice(name: str) -> None:
    attributes = Reader(page(name)).attributes
    names = [value for _, key, value in attributes if key == "id"]
    assert len(names) == len(set(names))
    assert {value[1:] for _, key, value in attributes if key == "href" and value.startswith("#")} <= set(names)


def test_the_page_says_what_the_terminal_says() -> None:
    text = Reader(page("bad")).text
    for finding in assessments.bad().findings:
        assert finding.what in text and finding.next_command in text and finding.evidence in text
    assert all(case.id in text for case in assessments.bad().cases)
    assert "rank 5 on n03: timing in cg/operator, 117 of 300 repetitions" in text
    assert "1.900 ± 0.008 ms" in text and "16 flop/cycle x 3.51 GHz x 2 cores" in text


def test_every_figure_has_a_sentence() -> None:
    assert page("bad").count("<figure>") == page("bad").count("<figcaption>") > 20
    assert "<figcaption></figcaption>" not in page("bad")


def test_a_wrong_answer_shows_no_rate_and_why() -> None:
    text = Reader(page("drill")).text
    assert "— rate withheld: plaquette is 0.5921, 0.5937 is expected" in text
    assert "DRILL: a fault was injected" in text and "Injected fault: link_sign" in text
    assert not re.search(r"\d (G|T)?(FLOP|B)/s", text)


def test_counters_are_a_table_or_one_sentence() -> None:
    row = CountedRates("multiply/2", 12, 0, 90.1e9, 31.4e9, 2.95, 41.6e9, None, None, 0.998)
    empty = CountedRates("read", 0, 3, None, None, None, None, None, None, None)
    counted = CountersAssessment(None, ("memory: not named: x",), (row, empty))
    sentence = "not permitted: /proc/sys/kernel/perf_event_paranoid says 4"
    plain = assessments.run([assessments.dgemm()])
    with_table, without = (
        Reader(html.page(replace(plain, cases=(replace(plain.cases[0], counters=counters),)))).text
        for counters in (counted, CountersAssessment(sentence, (), ()))
    )
    assert "multiply/2 12 90.10 31.40 2.950 41.60 — — 99.8 read 0 — — — — — —" in with_table
    assert "memory: not named: x" in with_table
    assert without.count(sentence) == 1 and "busy" not in without
    assert "Counters of the processors" not in Reader(html.page(plain)).text


def test_hostile_strings_are_text() -> None:
    text = page("hostile")
    assert "<script" not in text and "\x1b" not in text and "\u202e" not in text
    assert "\\x1b[31mn<script>alert(1)</script>" in Reader(text).text
    assert "{{7*7}}" in Reader(text).text


def test_an_interrupted_run_says_how_to_go_on() -> None:
    assert "tenken run --resume" in page("interrupted") and "tenken run --resume" not in page("ok")


def test_many_findings_become_a_table() -> None:
    text = Reader(page("wide")).text
    assert all(finding.what in text for finding in assessments.wide().findings)
    assert page("wide").count('<article class="card') == 12


def test_the_words_of_the_page_are_golden() -> None:
    """A line for each row, item, paragraph and heading."""
    text = re.sub(r"(<svg|<style)[^>]*>.*?(</svg>|</style>)", "", page("drill"), flags=re.DOTALL)
    lines = re.sub(r"</(tr|p|li|h[1-4]|dd|summary|figcaption|nav|div)>", "\0", re.sub(r"\s+", " ", text)).split("\0")
    words = [" ".join(re.sub(r"<[^>]*>", " ", line).split()) for line in lines]
    golden_files.check("report-drill.txt", "".join(f"{line}\n" for line in words if line))


def test_a_missing_library_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name == "jinja2":
            raise ImportError("no jinja2", name="jinja2")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(TenkenError, match="the page needs .* jinja2 is missing .*; everything else is in results.json"):
        html.page(assessments.nothing())


def test_the_tree_names_sections_below_their_parent() -> None:
    sections = [assessments.section(path, 1e6) for path in ("cg", "cg/operator", "cg/operator/hop", "exchange/8")]
    assert [(depth, name) for depth, name, _ in html.tree(sections)] == [
        (0, "cg"), (1, "operator"), (2, "hop"), (0, "exchange/8")
    ]


def test_nodes_that_are_alike_stand_in_one_row() -> None:
    (_, hosts), = html.node_groups(assessments.bad().machine)
    assert hosts == ["n01", "n02", "n03", "n04"]
