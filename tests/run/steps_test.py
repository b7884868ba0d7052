from __future__ import annotations

from pathlib import Path

import pytest

from run import steps, word
from run.steps import Context, Counts, Step, counts_of_script, read_junit
from tenken.base.errors import TenkenError
from tenken.cli.main import main
from tenken.cli.places import TREE
from tenken.launch.build import Built

JUNIT = """<testsuites><testsuite>
<testcase classname="a" name="good"/>
<testcase classname="a" name="bad"><failure message="x">first\n\n  assert 1 == 2\n</failure></testcase>
<testcase classname="a" name="broken"><error message="x"/></testcase>
<testcase classname="a" name="left"><skipped/></testcase>
<testcase name="ctest" classname="ctest" status="fail"><failure message=""/><system-out>exit code 1
</system-out></testcase>
<testcase name="ctest2" status="notrun"/>
</testsuite></testsuites>"""


CHECK = """title = "T"
question = "Q?"
repetition = "one pass"
tests_s = 3
variants = ["plain"]
"""


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


@pytest.mark.parametrize("code", [124, -9, 0])
def test_a_runner_that_was_cut_off_counts_what_ended(tmp_path: Path, code: int) -> None:
    (tmp_path / "j.ended").write_text("collected\t7\npassed\ta\nfailed\tb\npassed\tc\nskipped\td\npassed\tc\n")
    counts, results = read_junit(tmp_path / "j.xml", "s", code), "2 passed, 1 failed, 3 not run"
    if code == 124:
        assert counts == Counts(2, 1, 1, ("s: b",), (f"s: ended because its time was up; {results}",))
    else:
        assert counts == Counts(2, 2, 1, ("s: b", f"s: ended with exit code {code} and {results}"))


@pytest.mark.parametrize("words", [(), ("-n", "2")])
def test_a_python_step_that_is_killed_counts_what_passed(tmp_path: Path, words: tuple[str, ...]) -> None:
    if words:
        pytest.importorskip("xdist")
    (tmp_path / "conftest.py").write_text((TREE / "tests" / "ended_tests.py").read_text())
    (tmp_path / "a_test.py").write_text(f"""import os, pathlib, signal, time, pytest
def test_a(): pass
def test_b(): assert False
@pytest.mark.skip
def test_c(): pass
def test_d():
    ended = pathlib.Path({str(tmp_path / "s.ended")!r})
    for _ in range(600):
        if ended.exists() and ended.read_text().count("test_") >= 3: break
        time.sleep(0.1)
    os.kill(os.getppid() if {bool(words)} else os.getpid(), signal.SIGKILL)
    signal.pause()
def test_e(): pass
""")
    (tmp_path / "pytest.ini").write_text("[pytest]\npython_files = *_test.py\n")
    context = Context(tmp_path, tmp_path, lambda *_: None)
    counts = steps._pytest("s", ("--dist=loadfile", *words) if words else ())(context)
    assert (counts.passed, counts.failed, counts.skipped) == (1, 2, 1)
    assert counts.failures == ("s: a_test.py::test_b", "s: ended with exit code -9 and 1 passed, 1 failed, 2 not run")


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
    assert counts_of_script(context, "s", ["sh", "-c", lines]) == counts


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
    monkeypatch.setattr(word, "TREE", tmp_path)
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
    assert (counts.passed, counts.failed, counts.skipped, here) == (3, 4, 2, [])
    assert counts.failures[0].startswith("clean root: a b: a bad")
    assert counts.failures[-1] == "clean root: c: ended with exit code 0 and left no results"


class Builds:
    """A tree with a build folder, a fake ctest in PATH that notes its words, and what was built."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.targets, self.said = folder, [], []
        for name in ("one", "two"):
            (folder / "checks" / name).mkdir(parents=True)
            (folder / "checks" / name / "check.toml").write_text(CHECK)
            (folder / "checks" / name / "kernel.cpp").write_text("")
        (folder / "cpp" / "base").mkdir(parents=True)
        (folder / "bin").mkdir()
        monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")
        monkeypatch.setattr(steps, "build", self._build)
        monkeypatch.setattr(steps.environments, "select", lambda words, named: None)
        self.ctest("one\tone_test\t1.5")

    def _build(self, tree, environment, progress, tests, targets) -> Built:
        self.targets.append(targets)
        return Built(None, self.folder, {("two", ""): "no such library"})

    def ctest(self, line: str) -> None:
        (self.folder / "bin/ctest").write_text(f"""#!/bin/sh
[ "$3" = --print-labels ] && printf 'All Labels:\\n  one\\n  two\\n  base\\n' && exit
echo "$*" > {self.folder}/words
echo '<t><testcase name="one_test" status="run"/></t>' > "$4"
printf '{line}\\n' > "$TENKEN_TEST_TIMES"
""")
        (self.folder / "bin/ctest").chmod(0o755)

    def run(self, part: bool = False, whole: bool = True, **options: object) -> tuple[Counts, str, Context]:
        context = Context(self.folder, self.folder, lambda line, stays=True: self.said.append(line), **options)
        counts = steps._ctest(None, part, whole)(context)
        words = self.folder / "words"
        return counts, words.read_text() if words.exists() else "", context


@pytest.fixture
def builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Builds:
    return Builds(tmp_path, monkeypatch)


def test_processor_seconds_are_told(builds: Builds) -> None:
    counts, words, context = builds.run()
    assert counts == Counts(1) and "--label-regex" not in words and builds.targets == [None]
    assert context.spent == {"C++ tests": {"one": 1.5}}
    assert "test     C++ tests: processor seconds: one 2 of 3; all 2" in builds.said


def test_a_test_that_is_not_counted_is_a_failure(builds: Builds) -> None:
    builds.ctest("one\tother_test\t1.5")
    counts = builds.run()[0]
    assert counts.failed == 1 and "one_test are not counted" in counts.failures[0]


def test_one_check_is_built_and_run_alone(builds: Builds) -> None:
    assert "--label-regex ^(one)$" in builds.run(check="one")[1]
    assert builds.targets == [["tests_one"]]
    assert "two cannot be built: no such library" in builds.run(check="two")[0].failures[0]


def test_a_further_build_runs_a_part_and_says_which(builds: Builds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps.choice, "changed_paths", lambda tree: ("c0ffee", {"checks/one/kernel.cpp"}))
    counts, words, context = builds.run(part=True)
    assert counts == Counts(1) and "--label-regex ^(one)$" in words
    assert {step.name for step in context.drawn} == {"C++ tests base", "C++ tests two"}
    assert builds.targets == [None], "everything is compiled"
    assert any("one changed in the last" in line and "2 others follow while the budget lasts" in line for line in builds.said)
    builds.ctest("two\tone_test\t2.5")
    assert context.drawn[0].run(context) == Counts(1) and context.spent == {"C++ tests": {"one": 1.5, "two": 2.5}}
    label = context.drawn[0].name.split()[-1]
    assert f"--label-regex ^({label})$" in (builds.folder / "words").read_text() and builds.targets[1:] == [[f"tests_{label}"]]
    assert "--label-regex" not in builds.run(part=True, everything=True)[1]
    assert "--label-regex" not in builds.run()[1]


def test_a_build_that_is_not_whole_compiles_what_runs(builds: Builds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps.choice, "changed_paths", lambda tree: ("c0ffee", {"checks/one/kernel.cpp"}))
    builds.run(part=True, whole=False)
    assert builds.targets == [["tenken-probe"], ["tests_one"]]
    builds.targets.clear()
    builds.run(part=True, whole=False, everything=True)
    assert builds.targets == [["tenken-probe"], None]
    builds.targets.clear()
    builds.run(part=True, whole=False, check="one")
    assert builds.targets == [["tests_one"], ["tests_one"]]


def test_the_clean_root_holds_checks_to_their_seconds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(steps, "PLAIN", ())
    monkeypatch.setattr(steps.os, "geteuid", lambda: 0)
    (tmp_path / "checks/one").mkdir(parents=True)
    (tmp_path / "checks/one/check.toml").write_text(CHECK)
    (tmp_path / "tests").mkdir()
    script = tmp_path / "tests/clean_root.sh"
    script.write_text("""#!/bin/sh
echo "clean root: run: passed"
printf 'one\\tone_test\\t9.5\\none\\tother\\t9.5\\n' > "$TENKEN_RESULTS/C++-tests.times"
echo '[{"name": "C++ tests", "seconds": 7, "processor_s": 8}]' > "$TENKEN_RESULTS/times.json"
""")
    script.chmod(0o755)
    context = Context(tmp_path, tmp_path, lambda *_: None)
    counts = next(step for step in steps.CI if step.name == "clean root").run(context)
    assert counts.failed == 1 and "one: its tests took 19 processor seconds, tests_s" in counts.failures[0]
    assert [(one.name, one.seconds) for one in context.clock.steps] == [("clean root: C++ tests", 7)]


@pytest.mark.parametrize(("words", "names"), [
    ((), ["plain", "python"]), (("--check", "stream"), ["plain", "python"]), (("--ci",), ["ci", "lint"]),
    (("--ci", "--check", "stream"), ["plain", "python", "ci"]), (("--only", "pyth"), ["python"]),
])
def test_which_steps_run(monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], names: list[str]) -> None:
    ran = []
    def step(name: str, by_check: bool = True) -> Step:
        return Step(name, lambda context: ran.append((name, context.check)) or Counts(1), by_check)
    monkeypatch.setattr(word, "PLAIN", (step("plain"), step("python")))
    monkeypatch.setattr(word, "CI", (step("ci"), step("lint", False)))
    monkeypatch.setattr(word, "_write_times", lambda *_: None)
    assert main(["test", *words]) == 0
    assert ran == [(name, "stream" if "stream" in words else None) for name in names]


def test_an_unknown_check_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "--check", "strem"]) == 3
    assert "unknown check 'strem'; did you mean stream?" in capsys.readouterr().err
