from __future__ import annotations

from pathlib import Path

import pytest

from tenken.cli import test as word
from tenken.cli import test_steps as steps
from tenken.cli.main import main
from tenken.cli.test_steps import Context, Counts, Step, read_junit, told
from tenken.model.errors import TenkenError

JUNIT = """<testsuites><testsuite>
<testcase classname="a" name="good"/>
<testcase classname="a" name="bad"><failure message="x">first\n\n  assert 1 == 2\n</failure></testcase>
<testcase classname="a" name="broken"><error message="x"/></testcase>
<testcase classname="a" name="left"><skipped/></testcase>
<testcase name="ctest" classname="ctest" status="fail"><failure message=""/><system-out>exit code 1
</system-out></testcase>
<testcase name="ctest2" status="notrun"/>
</testsuite></testsuites>"""


def test_counts(tmp_path: Path) -> None:
    path = tmp_path / "j.xml"
    path.write_text(JUNIT)
    assert read_junit(path, "s", 1) == Counts(
        1, 3, 2, ("s: a bad\n    first\n      assert 1 == 2", "s: a broken", "s: ctest\n    exit code 1"))


@pytest.mark.parametrize(
    ("text", "code", "failures"),
    [
        (None, 2, ("s: ended with exit code 2 and left no results",)),
        ("<testsuites", 0, ("s: ended with exit code 0 and left no results",)),
        ("<testsuites/>", 0, ("s: no test was executed",)),
        ('<t><testcase name="a"/></t>', 5, ("s: ended with exit code 5",)),
        ('<t><testcase name="a"/></t>', 0, ()),
    ],
)
def test_a_runner_that_failed_is_a_failure(tmp_path: Path, text: str | None, code: int, failures: tuple[str, ...]) -> None:
    path = tmp_path / "j.xml"
    if text is not None:
        path.write_text(text)
    assert read_junit(path, "s", code).failures == failures


@pytest.mark.parametrize(
    ("lines", "counts"),
    [
        ("echo 's: a: passed'; echo 's: b: FAILED'; exit 1", Counts(1, 1, 0, ("s: b\n    s: a: passed\n    s: b: FAILED",))),
        ("echo 's: a: passed'", Counts(1)),
        ("echo 's: a: passed'; exit 3", Counts(1, 1, 0, ("s: ended with exit code 3\n    s: a: passed",))),
        ("echo nothing", Counts(0, 1, 0, ("s: no test was executed\n    nothing",))),
    ],
)
def test_a_script_tells_what_it_looked_at(tmp_path: Path, lines: str, counts: Counts) -> None:
    context = Context(tmp_path, tmp_path, lambda *_: None)
    assert told(context, "s", ["sh", "-c", lines]) == counts


def broken(_context: object) -> Counts:
    raise TenkenError("no compiler")


@pytest.mark.parametrize(
    ("counts", "code", "last"),
    [
        (lambda _: Counts(3, 0, 1), 0, "3 passed, 0 failed, 1 skipped"),
        (lambda _: Counts(3, 1, 0, ("s: a",)), 1, "3 passed, 1 failed, 0 skipped"),
        (lambda _: Counts(0, 0, 4), 1, "0 passed, 0 failed, 4 skipped"),
        (broken, 1, "0 passed, 1 failed, 0 skipped"),
    ],
)
def test_the_last_line_and_the_exit_code(monkeypatch: pytest.MonkeyPatch, capsys, tmp_path, counts, code: int, last: str):
    monkeypatch.setattr(word, "PLAIN", (Step("s", counts),))
    monkeypatch.setattr(word.places, "TREE", tmp_path)
    assert main(["test"]) == code
    assert capsys.readouterr().out.splitlines()[-1] == last


@pytest.mark.parametrize("root", [True, False])
def test_plain_steps_run_in_the_clean_root_or_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, root: bool) -> None:
    here = []
    monkeypatch.setattr(steps, "PLAIN", (Step("a b", lambda _: here.append(1) or Counts(1)), Step("c", lambda _: Counts(1))))
    monkeypatch.setattr(steps.os, "geteuid", lambda: 0 if root else 1000)
    script = tmp_path / "tests" / "clean_root.sh"
    script.parent.mkdir()
    script.write_text('#!/bin/sh\necho "clean root: run: passed"\ncp "$0.xml" "$TENKEN_RESULTS/a-b.xml"\n')
    script.with_name("clean_root.sh.xml").write_text(JUNIT)
    script.chmod(0o755)
    counts = next(step for step in steps.CI if step.name == "clean root").run(Context(tmp_path, tmp_path, lambda *_: None))
    if not root:
        assert counts == Counts(2, 0, 1) and here == [1]
        return
    assert (counts.passed, counts.failed, counts.skipped, here) == (2, 4, 2, [])
    assert counts.failures[0].startswith("clean root: a b: a bad")
    assert counts.failures[-1] == "clean root: c: ended with exit code 0 and left no results"
