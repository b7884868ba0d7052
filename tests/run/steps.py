"""The steps of `tenken test`. A step counts the tests it runs; a new step is a line in PLAIN, CI or LONG."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

from run import choice, cost, fuzz, kernels, lint, wall_time
from run.root import SCRIPT, Root
from run.sources import sources
from tenken.base.errors import TenkenError
from tenken.cli.terminal import Progress
from tenken.launch import environment as environments
from tenken.launch.build import FUZZERS, PROBE, Built, build

_STEP_SECONDS = wall_time.MUST_MINUTES * 60
_TIME_UP = 124  # exit code of a command that was ended because its time was up
CLEAN_ROOT = "clean root"
_LAST_LINES = 12  # of a failed test's output: where a CI stores only the screen, there is no more


@dataclass(frozen=True, slots=True)
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: tuple[str, ...] = ()
    cut_off: tuple[str, ...] = ()  # steps that ended at their time limit: a failure only where they must run

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped,
                      self.failures + other.failures, self.cut_off + other.cut_off)

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


@dataclass(frozen=True, slots=True)
class Context:
    tree: Path
    folder: Path  # for logs and counts
    progress: Progress
    check: str | None = None  # only the tests of this check
    everything: bool = False  # in the second and third build, too
    clock: cost.Clock = field(default_factory=cost.Clock)
    root: Root | None = None  # of the step that needs a root
    budget: wall_time.Budget = field(default_factory=wall_time.Budget)
    drawn: list[Step] = field(default_factory=list)  # added by earlier steps: they run while the budget lasts
    spent: dict[str, dict[str, float]] = field(default_factory=dict)  # build -> processor seconds of its tests by label


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    run: Callable[[Context], Counts]
    by_check: bool = False  # can run the tests of a check
    concerns: tuple[str, ...] = ()  # must run where any of these paths changed, else it is drawn; none: must run


_ENDED = ".ended"  # beside the JUnit file


def read_junit(path: Path, name: str, returncode: int) -> Counts:
    """Counts of a JUnit file. A runner that failed, or left no tests behind, is itself a failed test."""
    try:
        cases = list(ElementTree.parse(path).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return _ended(path.with_suffix(_ENDED), name, returncode)
    failures, skipped = [], 0
    for case in cases:
        if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
            names = dict.fromkeys((case.get("classname", ""), case.get("name", "")))  # CTest gives a name twice
            failures.append(f"{name}: {' '.join(filter(None, names))}{_end(_output(case))}")
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            skipped += 1
    passed = len(cases) - len(failures) - skipped
    if not cases or (returncode and not failures):
        failures.append(f"{name}: " + (f"ended with exit code {returncode}" if cases else "no test was executed"))
    return Counts(passed, len(failures), skipped, tuple(failures))


def _ended(path: Path, name: str, returncode: int) -> Counts:
    """Counts of a runner that was ended before it wrote its JUnit file, from the lines of tests/ended_tests.py."""
    lines = [line.split("\t") for line in cost.text(path).splitlines()]
    outcomes = {words[1]: words[0] for words in lines if len(words) == 2 and words[0] != "collected"}
    collected = sum(int(words[1]) for words in lines if words[0] == "collected" and words[1:] and words[1].isdecimal())
    failures = tuple(f"{name}: {test}" for test, outcome in outcomes.items() if outcome == "failed")
    passed = sum(outcome == "passed" for outcome in outcomes.values())
    results = (f"{passed} passed, {len(failures)} failed, {max(0, collected - len(outcomes))} not run" if lines
               else "left no results")
    counts = Counts(passed, len(failures), len(outcomes) - passed - len(failures), failures)
    if returncode == _TIME_UP:
        return counts + Counts(cut_off=(f"{name}: ended because its time was up; {results}",))
    return counts + Counts(failed=1, failures=(f"{name}: ended with exit code {returncode} and {results}",))


def _output(case: ElementTree.Element) -> str:
    """The output of a failed test: pytest writes it in the failure, CTest beside it."""
    parts = (case.find(tag) for tag in ("failure", "error", "system-out"))
    return next((part.text for part in parts if part is not None and part.text and part.text.strip()), "")


def _end(text: str) -> str:
    """The last lines of `text`, each below the last and indented; "" where there are none."""
    lines = [line.rstrip()[:200] for line in text.splitlines() if line.strip()]
    return "".join(f"\n    {line}" for line in lines[-_LAST_LINES:])


def _junit(folder: Path, name: str) -> Path:
    """Where a step called `name` leaves its counts."""
    return folder / f"{name.replace(' ', '-')}.xml"


def _call(context: Context, name: str, command: Sequence[str], variables: Mapping[str, str] | None = None) -> int:
    """Run a command in the tree with its output in NAME.log; returns its exit code, _TIME_UP after too long a time."""
    with (context.folder / f"{name.replace(' ', '-')}.log").open("wb") as log:
        try:
            process = subprocess.Popen(command, cwd=context.tree, stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=subprocess.STDOUT, env={**os.environ, **(variables or {})})
        except OSError as error:
            advice = "install it (./tenken test --ci --yes)"
            raise TenkenError(f"{command[0]} cannot be run: {error.strerror}; {advice}.") from None
        try:
            return process.wait(_STEP_SECONDS)
        except (subprocess.TimeoutExpired, wall_time.TimeUp):
            return _TIME_UP
        finally:
            if process.poll() is None:
                wall_time.end(process)


# Needs of tests that start MPI: root, more ranks than cores; MPI libraries keep memory until the end by design.
_MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "ASAN_OPTIONS": "detect_leaks=0", "CTEST_OUTPUT_ON_FAILURE": "1",
}


def _ctest(words: str | None, part: bool = False, whole: bool = True, long: bool = False) -> Callable[[Context], Counts]:
    """The C++ tests in an environment; `part`: those run that `choice` chooses; without `whole`, no others are compiled;
    `long`: those added by tenken_long_test() instead of the others."""
    def run(context: Context) -> Counts:
        name = f"C++ tests {'long' if long else words or ''}".strip()
        only: tuple[str, ...] | None = (context.check,) if context.check else None
        with context.clock.step(f"{name}: compile"):
            built = _built(context, words, only if whole or only else ())
            missing = built.unavailable.get((context.check or "", ""))
            if missing:
                return Counts(failed=1, failures=(f"{name}: {context.check} cannot be built: {missing}",))
            only = _part(context, name, words, built.folder) if part and not only else only
            if not whole:
                _built(context, words, only)
        chosen = ["--build-config", "long", "--label-regex", "^long$"] if long else [] if only is None else _labels(only)
        with context.clock.step(f"{name}: run"):
            return _run_ctest(context, name, name, built.folder, chosen)

    return run


def _built(context: Context, words: str | None, labels: Sequence[str] | None) -> Built:
    """The build of an environment with the tests of `labels`; None: everything; none: only its probe."""
    targets = None if labels is None else [f"tests_{label}" for label in labels] or [PROBE]
    return build(context.tree, environments.select(words, {}), context.progress, tests=True, targets=targets)


def _labels(labels: Sequence[str]) -> list[str]:
    return ["--label-regex", f"^({'|'.join(labels)})$"]


def _run_ctest(context: Context, name: str, build_name: str, folder: Path, words: Sequence[str]) -> Counts:
    """The tests that `words` choose in a build folder; their processor seconds count for `build_name`."""
    junit, times = _junit(context.folder, name), _times(context.folder, name)
    for old in (junit, times):
        old.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", str(folder), "--output-junit", str(junit), "--timeout", "120",
               "--parallel", str(_processors() + 1), *words]  # who starts MPI waits for half of the time
    counts = read_junit(junit, name, _call(context, name, command, _MPI | {"TENKEN_TEST_TIMES": str(times)}))
    spent = cost.processor_seconds(times)
    context.spent.setdefault(build_name, {}).update(spent)
    context.progress(f"test     {name}: {cost.line_of(spent, cost.stated(context.tree))}")
    return counts + _uncounted(junit, times, name)


def _uncounted(junit: Path, times: Path, name: str) -> Counts:
    """Tests whose processor seconds nobody counted are a failure: a check's share is compared with them."""
    try:
        passed = {case.get("name", "") for case in ElementTree.parse(junit).iter("testcase") if case.get("status") == "run"}
    except (OSError, ElementTree.ParseError):
        return Counts()  # a failure already
    missing = sorted(passed - cost.counted(times))
    return Counts(failed=len(missing), failures=tuple(
        f"{name}: processor seconds of {test} are not counted; add it by tenken_test(), not add_test()" for test in missing))


def _part(context: Context, name: str, words: str | None, folder: Path) -> tuple[str, ...] | None:
    """The labels whose tests must run in a further build; None = all. The others become drawn steps."""
    if context.everything:
        return None
    asked = subprocess.run(["ctest", "--test-dir", str(folder), "--print-labels"], capture_output=True, text=True, check=False)
    labels = {line.strip() for line in asked.stdout.partition("All Labels:")[2].splitlines() if line.strip()}
    made_of = {label: sources(context.tree, label) for label in labels}
    checks = {label for label in labels if (context.tree / "checks" / label).is_dir()}
    part = choice.choose(*choice.changed_paths(context.tree), made_of, checks)
    context.progress(f"test     {name}: {part.why}")
    context.drawn.extend(_of_label(name, words, label, folder) for label in part.others)
    return part.labels


def _of_label(name: str, words: str | None, label: str, folder: Path) -> Step:
    def run(context: Context) -> Counts:
        _built(context, words, (label,))
        return _run_ctest(context, f"{name} {label}", name, folder, _labels([label]))

    return Step(f"{name} {label}", run)


def _times(folder: Path, name: str) -> Path:
    """Where the tests of a step called `name` leave their processor seconds."""
    return _junit(folder, name).with_suffix(".times")


def _processors() -> int:
    return len(os.sched_getaffinity(0))


def _python(context: Context) -> Counts:
    """All Python tests side by side, or those of a check: its tests and the rules for its folder."""
    if context.check:
        folder = f"checks/{context.check}"
        own = [folder] if list((context.tree / folder).rglob("*_test.py")) else []
        rules = _pytest("rules of the folder", ("tests/layout_test.py", "-k", f"[{context.check}] or {folder}/"))(context)
        return _pytest("Python tests", own)(context) + rules if own else rules
    return _beside("Python tests")(context)


def _beside(name: str, words: Sequence[str] = (), **variables: str) -> Callable[[Context], Counts]:
    """Tests side by side, where pytest can do so."""
    def run(context: Context) -> Counts:
        beside = ("-n", str(min(_processors(), 4))) if _processors() > 1 and find_spec("xdist") else ()
        return _pytest(name, (*beside, *words), **variables)(context)

    return run


def _pytest(name: str, words: Sequence[str] = (), **variables: str) -> Callable[[Context], Counts]:
    def run(context: Context) -> Counts:
        junit = _junit(context.folder, name)
        ended = junit.with_suffix(_ENDED)
        for old in (junit, ended):
            old.unlink(missing_ok=True)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={junit}",
                   f"--ended={ended}", *words]
        return read_junit(junit, name, _call(context, name, command, variables))

    return run


def _fuzz(seconds: int) -> Callable[[Context], Counts]:
    def run(context: Context) -> Counts:
        environment = environments.select("clang+portable+sanitize", {})
        built = build(context.tree, environment, context.progress, tests=True, targets=[FUZZERS])
        # A new fuzzer is a new entry of this list: a name, and a function to run for some seconds.
        fuzzers = fuzz.compiled(context.tree, built.folder / "fuzz", context.folder) + fuzz.readers(context.tree, context.folder)
        failures = fuzz.side_by_side(fuzzers, seconds)
        return Counts(len(fuzzers) - len(failures), len(failures), 0, failures)

    return run


def _format(context: Context) -> Counts:
    folders = [context.tree / name for name in ("cpp", "checks", "benchmarks", "python")]  # python: the template of new-check
    files = [str(path) for folder in folders for kind in ("*.[ch]pp", "*.cu") for path in sorted(folder.rglob(kind))]
    if _call(context, "format", ["clang-format", "--dry-run", "-Werror", *files]) == 0:
        return Counts(passed=1)
    log = (context.folder / "format.log").read_text(encoding="utf-8", errors="replace")
    named = sorted({line.partition(":")[0] for line in log.splitlines() if "clang-format-violations" in line})
    return Counts(failed=1, failures=(f"format: clang-format -i would change {', '.join(named[:4]) or 'files'}",))


def _lint(context: Context) -> Counts:
    """One test for each linter; a failure names file and line of all its findings."""
    counts = Counts()
    for linter, command in lint.commands(context.tree).items():
        findings = lint.findings(context.tree, command)
        failure = f"lint: {linter}: {len(findings)} to mend" + "".join(f"\n    {finding}" for finding in findings)
        counts += Counts(failed=1, failures=(failure,)) if findings else Counts(passed=1)
    return counts


def _kernels(context: Context) -> Counts:
    """One test for each CUDA source and architecture; where there is no CUDA compiler, all are skipped."""
    nvcc = kernels.compiler()
    if nvcc is None:
        skipped = len(kernels.sources(context.tree)) * len(kernels.ARCHITECTURES)
        context.progress(f"test     kernels on devices: {skipped} skipped: no CUDA compiler was found ({kernels.LOOKED})")
        return Counts(skipped=skipped)
    failures, count = kernels.failures(context.tree, nvcc, context.folder)
    return Counts(count - len(failures), len(failures), 0, failures)


def _clean_root(context: Context) -> Counts:
    """The README's two commands where nothing is installed, so that PLAIN runs once: there, or here where no root can be made."""
    if os.geteuid() != 0:
        return sum((step.run(context) for step in PLAIN), Counts(skipped=1))
    inside = context.folder / "clean-root"
    shutil.rmtree(inside, ignore_errors=True)
    inside.mkdir()
    with (context.root or Root(context.tree)).taken() as folder:
        counts = counts_of_script(context, "clean root", [str(context.tree / SCRIPT), *folder], TENKEN_RESULTS=str(inside))
    for step in PLAIN:
        counts += read_junit(_junit(inside, step.name), f"clean root: {step.name}", 0)
    context.clock.steps += [replace(step_time, name=f"clean root: {step_time.name}") for step_time in cost.read(inside)]
    spent = cost.processor_seconds(_times(inside, "C++ tests"))
    context.spent["C++ tests"] = spent
    late = cost.over(spent, cost.stated(context.tree))
    return counts + Counts(not late, len(late), 0, tuple(f"processor seconds: {sentence}" for sentence in late))


def counts_of_script(context: Context, name: str, command: Sequence[str], **variables: str) -> Counts:
    """Counts of a script that prints `NAME: SUBJECT: passed` or `…: FAILED` for each subject."""
    code = _call(context, name, command, variables)
    log = (context.folder / f"{name.replace(' ', '-')}.log").read_text(encoding="utf-8", errors="replace")
    outcomes = re.findall(rf"^{name}: (.*): (passed|FAILED)$", log, re.MULTILINE)
    failures = tuple(f"{name}: {subject}" for subject, word in outcomes if word == "FAILED")
    if (code or not outcomes) and not failures:
        failures = (f"{name}: " + (f"ended with exit code {code}" if code else "no test was executed"),)
    if failures:
        failures = (*failures[:-1], failures[-1] + _end(log))
    return Counts(sum(word == "passed" for _, word in outcomes), len(failures), 0, failures)


def _script(name: str, path: str) -> Callable[[Context], Counts]:
    return lambda context: counts_of_script(context, name, [sys.executable, str(context.tree / path)], PYTHONPATH="python:tests")


def _kills(context: Context) -> Counts:
    """A thousand kills of any process of a run, and a hundred of Tenken, which is resumed at once."""
    words = (context.tree / "tests" / "kills.py", "--table", context.tree / "docs" / "kills.md")
    return counts_of_script(context, "kills", [sys.executable, *map(str, words)], PYTHONPATH="python:tests")


def _plaquettes(context: Context) -> Counts:
    built = build(context.tree, environments.select(None, {}), context.progress, tests=True)
    script, table = context.tree / "tests" / "plaquettes.py", context.tree / "docs" / "plaquettes.md"
    paths = (script, built.folder / "cpp" / "qcd" / "qcd_history", table, context.folder / "histories")
    return counts_of_script(context, "plaquettes", [sys.executable, *map(str, paths)])


def _silicon(context: Context) -> Counts:
    """Ground states of silicon on finer and finer grids, against ABINIT."""
    name = "silicon against ABINIT"
    built = build(context.tree, environments.select(None, {}), context.progress, tests=True, targets=["tests_dft"])
    junit = _junit(context.folder, name)
    junit.unlink(missing_ok=True)
    command = [str(built.folder / "cpp" / "dft_silicon_test"), "--reporters=junit", f"--out={junit}"]
    return read_junit(junit, name, _call(context, name, command, {"TENKEN_SILICON": "1"}))


_XACC = ("xacc/tests", "-k", "not plain", *(
    f"--ignore=xacc/tests/{name}_test.py" for name in ("count", "fuzz", "halo", "install", "messages", "pages", "parse", "text")))
PLAIN = (Step("C++ tests", _ctest(None), by_check=True), Step("Python tests", _python, by_check=True))
CI = (
    Step("format", _format),
    Step("lint", _lint),
    Step("kernels on devices", _kernels),
    Step(CLEAN_ROOT, _clean_root),
    Step("C++ tests clang+mpich", _ctest("clang+mpich", part=True), by_check=True),
    Step("C++ tests sanitize", _ctest("sanitize", part=True, whole=False), by_check=True),
    Step("fuzz", _fuzz(30)),
    # Tests of xacc that the Python tests leave out: further compilers, forms and grids. Files that have none are not run again.
    Step("xacc", _beside("xacc", _XACC, XACC_CI="1", XACC_RANDOM="300"), concerns=("xacc/",)),
)
LONG = (
    Step("kill -9 at 20 moments", _pytest("kill -9", ("tests/trouble_test.py", "-k", "kill_9_of_a_rank"), TENKEN_KILLS="20")),
    Step("kill -9 of tenken at 100 moments",
         _pytest("kill -9 of tenken", ("tests/trouble_test.py", "-k", "kill_9_of_tenken"), TENKEN_KILLS="100")),
    Step("kills", _kills),
    Step("long C++ tests", _ctest(None, long=True)),
    Step("plaquettes of the heat bath", _plaquettes),
    Step("silicon against ABINIT", _silicon),
    Step("judge rates", _script("judge rates", "tests/rates/page.py")),
    Step("CPU quota", _pytest("CPU quota", ("tests/quota_test.py",), TENKEN_QUOTA="1")),
    Step("release decisions", _pytest("release decisions", ("tests/release_test.py",), TENKEN_RELEASE="1")),
    Step("mutation", _script("mutation", "tests/mutations.py")),
    Step("fuzz", _fuzz(1200)),
    Step("xacc random programs", _beside("xacc random programs", ("xacc/tests/random_test.py",), XACC_RANDOM="5000")),
)
