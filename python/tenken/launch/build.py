"""Builds the checks of an environment with CMake, quietly where nothing changed."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from tenken.base.errors import TenkenError
from tenken.base.regular import replace_file
from tenken.launch import packages
from tenken.launch.environment import BuildEnvironment
from tenken.launch.instructions import processor_features
from tenken.launch.lock import Holder, LockError, locked
from tenken.model.check import Check

OLDEST_CMAKE = (3, 25)
# Sources of the programs. A change of anything else starts no build.
_SOURCES = ("CMakeLists.txt", "CMakePresets.json", "cmake", "cpp", "checks", "schema", "python/tenken/launch/table.py",
            "python/tenken/launch/needs.py")
STAMP = "tenken-build.json"
PROBE, FUZZERS = "tenken-probe", "fuzzers"  # targets beside those named after checks
_ALL = "all"  # everything but FUZZERS
_COMMANDS = "compile_commands.json"
NODE = "tenken-node.json"  # beside the stamp: the processor that a native build was made for
_ERROR = re.compile(r"error:|Error |undefined reference|FAILED:|CMake Error|fatal|No space left", re.IGNORECASE)

_MOST_MESSAGE = 240  # characters of the compiler's message on a check that is left out
Progress = Callable[[str, bool], None]  # (line, it stays): a line that does not stay may be redrawn


@dataclass(frozen=True, slots=True)
class Built:
    """A build folder with its programs."""

    environment: BuildEnvironment
    folder: Path
    unavailable: dict[tuple[str, str], str]  # (check, variant) -> why it is not built here; variant "": the whole check
    broken: Mapping[str, str] = field(default_factory=dict)  # check -> the message of its compilation: an error, of it alone

    def missing(self, check: Check, variant: str) -> str | None:
        """Why this variant of the check cannot run here; None where it can."""
        lacking = self.unavailable.get((check.name, "")) or self.unavailable.get((check.name, variant))
        return check.problem or self.broken.get(check.name) or lacking

    def program(self, check: str) -> Path:
        return self.folder / "checks" / check / check

    @property
    def probe(self) -> Path:
        return self.folder / "cpp" / "probe" / "tenken-probe"


def programs(tree: Path, checks: Iterable[str]) -> set[str]:
    """The targets of a run of these checks; a check that an old run knew and the tree has no longer is none."""
    return {PROBE, *(check for check in checks if (tree / "checks" / check / "check.toml").exists())}


def built_already(tree: Path, environment: BuildEnvironment) -> Built:
    """The build folder as it is, built or not."""
    folders = environment.build_folders(tree)
    return _built(environment, next((folder for folder in folders if (folder / STAMP).exists()), folders[-1]))


def _built(environment: BuildEnvironment, folder: Path) -> Built:
    return Built(environment, folder, unavailable(folder), _stamped(folder / STAMP).get("broken", {}))


def build(
    tree: Path, environment: BuildEnvironment, progress: Progress, tests: bool = False,
    targets: Iterable[str] | None = None, look_again: bool = False,
) -> Built:
    """Configure and compile; nothing is written or waited for where sources and options are those of the last time.

    `tests` adds the C++ tests; `targets` are all that is built where they are given: programs of checks by name, PROBE,
    tests_NAME (the tests of a check or of a folder of cpp/), FUZZERS; `look_again` looks once more for missing parts.

    A check that does not compile is left out, as `broken`, where tests are not asked for and another check is built.
    Raises TenkenError with the compiler's first errors and the log's path.
    """
    wanted = {_ALL} if targets is None else set(targets)
    folders = environment.build_folders(tree)
    for folder in folders:
        if not (look_again and unavailable(folder)) and _up_to_date(tree, folder, environment, tests, wanted):
            progress(f"build    {environment.name}: up to date", True)
            return _built(environment, folder)
    folder = folders[-1]
    with _alone(folder, environment, progress):
        if look_again and unavailable(folder):
            (folder / STAMP).unlink(missing_ok=True)
        _build(tree, folder, environment, progress, tests, None if targets is None else wanted)
    return _built(environment, folder)


@contextlib.contextmanager
def _alone(folder: Path, environment: BuildEnvironment, progress: Progress) -> Iterator[None]:
    """The folder for a single build at a time; TenkenError where it cannot be written or a stopped process has it."""
    named: set[int] = set()

    def busy(holder: Holder) -> None:
        if holder.stopped:
            raise TenkenError(
                f"{folder}: its build by another tenken ({holder}) is stopped; end it with: kill -9 {holder.pid}")
        if holder.pid not in named:
            named.add(holder.pid)
            progress(f"build    {environment.name}: waiting for another tenken that builds it ({holder}) ...", False)

    with contextlib.ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(folder / ".lock", busy, lambda line: progress(line, True)))
        except (OSError, LockError) as error:
            why = getattr(error, "strerror", None) or str(error)
            advice = "free some space, or name a folder that can be written: TENKEN_BUILD=FOLDER"
            raise TenkenError(f"cannot write {folder}: {why}; {advice}.") from None
        yield


def _known(tree: Path, folder: Path, environment: BuildEnvironment, tests: bool) -> tuple[list[str], str, set[str]]:
    """Options, digest of the sources, and the targets that the folder has of both."""
    options, sources = _options(environment, tests), _digest(tree)
    known = _stamped(folder / STAMP)
    fitting = [_of_programs(each) for each in (options, _options(environment, True))]
    if known.get("sources") == sources and _of_programs(known.get("options", [])) in fitting:
        return known["options"], sources, set(known.get("targets", ()))
    return options, sources, set()


def _up_to_date(tree: Path, folder: Path, environment: BuildEnvironment, tests: bool, wanted: set[str]) -> bool:
    _, _, built = _known(tree, folder, environment, tests)
    return wanted <= built or (_ALL in built and FUZZERS not in wanted)


def _build(
    tree: Path, folder: Path, environment: BuildEnvironment, progress: Progress, tests: bool, targets: set[str] | None
) -> None:
    wanted = {_ALL} if targets is None else targets
    if _up_to_date(tree, folder, environment, tests, wanted):  # by whom this waited for
        progress(f"build    {environment.name}: up to date", True)
        return
    options, sources, built = _known(tree, folder, environment, tests)
    _require_cmake()
    with (folder / "build.log").open("wb") as log:
        generator = ["-G", "Ninja"] if shutil.which("ninja") and not (folder / "Makefile").exists() else []
        configure = ["cmake", "-S", str(tree), "-B", str(folder), *generator, *options]
        _step(configure, "configure", environment, log, progress)
        if not environment.sanitize:
            _show_editors(folder)
        checks = {path.parent.name for path in (tree / "checks").glob("*/check.toml")} - {
            check for check, variant in unavailable(folder) if not variant}
        broken = _compile(folder, environment, log, progress, targets, set() if tests else checks)
    if broken and targets is None:  # not all, but the programs that a run may ask for
        wanted = {PROBE} | checks
    stamp = {"options": options, "sources": sources, "targets": sorted(built | wanted - broken.keys()), "broken": broken}
    replace_file(folder / STAMP, json.dumps(stamp).encode())
    node = {"machine": platform.machine(), "features": sorted(processor_features())}
    replace_file(folder / NODE, json.dumps(node).encode())


def _compile(
    folder: Path, environment: BuildEnvironment, log: IO[bytes], progress: Progress, targets: set[str] | None, checks: set[str]
) -> dict[str, str]:
    """Compile; those of `checks` that do not, with the compiler's message. TenkenError where anything else fails."""
    jobs = str(len(os.sched_getaffinity(0)))
    words = ["cmake", "--build", str(folder), "--parallel", jobs]

    def compile_(names: Iterable[str], *more: str, quietly: bool = False) -> None:
        say: Progress = (lambda line, stays: progress(line, False)) if quietly else progress
        _step([*words, *(("--target", *sorted(names)) if names else ()), *more], "compile", environment, log, say)

    ninja = (folder / "build.ninja").exists()
    wanted = checks if targets is None else checks & targets
    try:
        compile_(targets or (), *(("--", "-k", *(("0",) if ninja else ())) if len(wanted) > 1 else ()))
        return {}
    except TenkenError:
        if len(wanted) < 2:
            raise
        broken: dict[str, str] = {}
        for name in sorted(wanted):
            try:
                compile_([name], quietly=True)
            except TenkenError as problem:
                message = " ".join(" ".join(str(problem).splitlines()[1:]).split())
                broken[name] = f"does not compile: {message[:_MOST_MESSAGE]}; log: {log.name}"
        rest = ({PROBE} | checks if targets is None else targets) - broken.keys()
        if not broken or not rest & checks:
            raise
        compile_(rest)
        for name, sentence in broken.items():
            progress(f"build    {environment.name}: {name} is left out: it {sentence}", True)
        return broken


def _show_editors(folder: Path) -> None:
    """A link beside the build folders to the newest compile commands, where clangd and others look for them."""
    temporary = folder.parent / f".{folder.name}.link"
    with contextlib.suppress(OSError):  # a convenience: no build fails for it
        temporary.unlink(missing_ok=True)
        temporary.symlink_to(Path(folder.name) / _COMMANDS)
        temporary.replace(folder.parent / _COMMANDS)


def compiler_cache(environment: BuildEnvironment) -> dict[str, str]:
    """Variables under which CMake uses ccache; none where it is missing or the user has chosen a launcher.

    `-march=native` reads alike on every node, and a cache may be shared by nodes: its name space tells them apart.
    """
    if "CMAKE_CXX_COMPILER_LAUNCHER" in os.environ or not shutil.which("ccache"):
        return {}
    facts = [environment.fingerprint, platform.machine(), *sorted(processor_features())]
    space = hashlib.sha256(" ".join(facts).encode()).hexdigest()[:16]
    return {"CMAKE_CXX_COMPILER_LAUNCHER": "ccache", "CCACHE_NAMESPACE": space}


def _options(environment: BuildEnvironment, tests: bool) -> list[str]:
    options = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_CXX_COMPILER": environment.compiler.command,
        "MPI_CXX_COMPILER": environment.mpi.wrapper,
        "MPIEXEC_EXECUTABLE": environment.mpi.launcher,
        "TENKEN_ISA": environment.isa,
        "TENKEN_ENVIRONMENT": environment.build_name,
        "TENKEN_PYTHON": sys.executable,
    }
    if environment.flags:
        options["CMAKE_CXX_FLAGS"] = environment.flags
    if environment.vector_bytes:
        options["TENKEN_VECTOR_BYTES"] = str(environment.vector_bytes)
    if environment.sanitize:
        options["TENKEN_SANITIZE"] = "ON"
    if tests:
        options["TENKEN_TESTS"] = "ON"
    return [f"-D{name}={value}" for name, value in options.items()]


def _of_programs(options: list[str]) -> list[str]:
    """The options without the Python of whoever built: it writes tables, and all write the same."""
    return [option for option in options if not option.startswith("-DTENKEN_PYTHON=")]


def _digest(tree: Path) -> str:
    """Changes with any source's name, size or time: the contents need not be read for that."""
    seen = hashlib.sha256()
    for source in _SOURCES:
        path = tree / source
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and file.suffix != ".pyc":
                status = file.stat()
                seen.update(f"{file.relative_to(tree)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return seen.hexdigest()


def _stamped(stamp: Path) -> dict[str, Any]:
    try:
        content = json.loads(stamp.read_text())
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _require_cmake() -> None:
    try:
        text = subprocess.run(["cmake", "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        raise TenkenError(f"cmake not found; {packages.advice('CMake >= 3.25')}.") from None
    match = re.search(r"(\d+)\.(\d+)", text)
    if not match or (int(match[1]), int(match[2])) < OLDEST_CMAKE:
        version = match[0] if match else "an unknown version"
        raise TenkenError(f"cmake is {version}, Tenken needs >= 3.25; {packages.advice('CMake >= 3.25')}.")


def _step(command: list[str], title: str, environment: BuildEnvironment, log, progress: Progress) -> None:
    """Run a command with its output in the log; a progress line at the start, at each compiled file, at the end."""
    start = time.monotonic()
    progress(f"build    {environment.name}: {title} ...", False)
    if environment.prelude:
        command = ["bash", "-c", f"{environment.prelude}\nexec {shlex.join(command)}"]
    log.write(f"\n$ {shlex.join(command)}\n".encode())
    lines: list[str] = []
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, **compiler_cache(environment), "LC_ALL": "C", "NINJA_STATUS": "[%f/%t] "},
    )
    assert process.stdout is not None  # a pipe was asked for
    try:
        for raw in process.stdout:
            log.write(raw)
            line = raw.decode(errors="replace").rstrip()
            lines.append(line)
            counted = re.match(r"\[\s*(\d+/\d+|\d+%)\] ", line)
            if counted:
                progress(f"build    {environment.name}: {title} {counted[1]}", False)
        returncode = process.wait()
    except BaseException as ended:
        process.terminate()
        process.wait()
        if isinstance(ended, KeyboardInterrupt):
            raise TenkenError("interrupted; the same command goes on with the build where it was.") from None
        raise
    if returncode:
        log.flush()
        raise TenkenError(
            f"the build of {environment.name} failed in step {title}; log: {log.name}\n" + "\n".join(_relevant(lines))
        )
    progress(f"build    {environment.name}: {title} {time.monotonic() - start:.1f} s", True)


def _relevant(lines: list[str], most: int = 6) -> list[str]:
    """The first errors with the line that follows each; the last lines where none is recognised."""
    for index, line in enumerate(lines):
        if re.search(r"error:|undefined reference|CMake Error|No space left", line):
            return [f"  {line}" for line in lines[index:index + most]]
    return [f"  {line}" for line in ([line for line in lines if _ERROR.search(line)] or lines)[-most:]]


def unavailable(folder: Path) -> dict[tuple[str, str], str]:
    """Parts that could not be built in a build folder, by check and variant ("": the whole check), and why."""
    path = folder / "unavailable.txt"
    if not path.exists():
        return {}
    lines = (line.split("\t", 2) for line in path.read_text(encoding="utf-8").splitlines())
    return {(words[0], words[1]): words[2] for words in lines if len(words) == 3}
