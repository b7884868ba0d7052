"""Builds the checks of one environment with CMake, quietly where nothing changed."""

from __future__ import annotations

import fcntl
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
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tenken.base.regular import replace_file
from tenken.launch import packages
from tenken.launch.environment import BuildEnvironment
from tenken.model.errors import TenkenError

OLDEST_CMAKE = (3, 25)
# What goes into the programs. A change of anything else starts no build.
_SOURCES = ("CMakeLists.txt", "CMakePresets.json", "cmake", "cpp", "checks", "schema", "python/tenken/launch/table.py")
STAMP = "tenken-build.json"
NODE = "tenken-node.json"  # beside the stamp: the processor that a native build was made for
_ERROR = re.compile(r"error:|Error |undefined reference|FAILED:|CMake Error|fatal|No space left", re.IGNORECASE)

Progress = Callable[[str, bool], None]  # (line, it stays): a line that does not stay may be redrawn


@dataclass(frozen=True, slots=True)
class Built:
    """A build folder with its programs."""

    environment: BuildEnvironment
    folder: Path
    unavailable: dict[str, str]  # check -> why it cannot be built here

    def program(self, check: str) -> Path:
        return self.folder / "checks" / check / check

    @property
    def probe(self) -> Path:
        return self.folder / "cpp" / "probe" / "tenken-probe"


def built_already(tree: Path, environment: BuildEnvironment) -> Built:
    """The build folder as it is, built or not."""
    folder = environment.build_folder(tree)
    return Built(environment, folder, _unavailable(folder))


def build(
    tree: Path, environment: BuildEnvironment, progress: Progress, tests: bool = False, target: str | None = None
) -> Built:
    """Configure and compile; instant where sources and options are those of the last time.

    `tests` adds the C++ tests; `target` builds that program alone.

    Raises TenkenError with the compiler's first errors and the log's path.
    """
    folder = environment.build_folder(tree)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
    except OSError as error:
        advice = "make the tree writable or free some space"
        raise TenkenError(f"cannot write {folder}: {error.strerror}; {advice}.") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            progress(f"build    {environment.name}: waiting for another tenken that builds it ...", False)
            fcntl.flock(lock, fcntl.LOCK_EX)
        _build(tree, folder, environment, progress, tests, target)
    return built_already(tree, environment)


def _build(
    tree: Path, folder: Path, environment: BuildEnvironment, progress: Progress, tests: bool, target: str | None
) -> None:
    options = _options(environment, tests)
    key = {"options": options, "sources": _digest(tree)}
    stamp = folder / STAMP
    if _stamped(stamp) in (key, key | {"options": _options(environment, True)}):
        progress(f"build    {environment.name}: up to date", True)
        return
    _require_cmake()
    with (folder / "build.log").open("wb") as log:
        generator = ["-G", "Ninja"] if shutil.which("ninja") and not (folder / "Makefile").exists() else []
        configure = ["cmake", "-S", str(tree), "-B", str(folder), *generator, *options]
        _step(configure, "configure", environment, log, progress)
        jobs = str(len(os.sched_getaffinity(0)))
        only = ["--target", target] if target else []
        compile_ = ["cmake", "--build", str(folder), "--parallel", jobs, *only]
        _step(compile_, "compile", environment, log, progress)
    if target is None:
        replace_file(stamp, json.dumps(key).encode())
        told = {"machine": platform.machine(), "features": sorted(processor_features())}
        replace_file(folder / NODE, json.dumps(told).encode())


def processor_features() -> frozenset[str]:
    """What the first processor of this node can do, in the kernel's words; empty where it does not tell."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return frozenset()
    found = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    return frozenset(found[1].split()) if found else frozenset()


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
    if environment.sanitize:
        options["TENKEN_SANITIZE"] = "ON"
    if tests:
        options["TENKEN_TESTS"] = "ON"
    return [f"-D{name}={value}" for name, value in options.items()]


def _digest(tree: Path) -> str:
    """Changes with any source's name, size or time: the contents need not be read for that."""
    seen = hashlib.sha256()
    for source in _SOURCES:
        path = tree / source
        for one in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if one.is_file():
                status = one.stat()
                seen.update(f"{one.relative_to(tree)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return seen.hexdigest()


def _stamped(stamp: Path) -> dict[str, object] | None:
    try:
        return json.loads(stamp.read_text())
    except (OSError, ValueError):
        return None


def _require_cmake() -> None:
    try:
        text = subprocess.run(["cmake", "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        raise TenkenError(f"cmake not found; {packages.advice('CMake >= 3.25')}.") from None
    found = re.search(r"(\d+)\.(\d+)", text)
    if not found or (int(found[1]), int(found[2])) < OLDEST_CMAKE:
        version = found[0] if found else "an unknown version"
        raise TenkenError(f"cmake is {version}, Tenken needs >= 3.25; {packages.advice('CMake >= 3.25')}.")


def _step(command: list[str], title: str, environment: BuildEnvironment, log, progress: Progress) -> None:
    """Run one command with its output in the log; a progress line at the start, at each compiled file, at the end."""
    start = time.monotonic()
    progress(f"build    {environment.name}: {title} ...", False)
    if environment.prelude:
        command = ["bash", "-c", f"{environment.prelude}\nexec {shlex.join(command)}"]
    log.write(f"\n$ {shlex.join(command)}\n".encode())
    lines: list[str] = []
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "LC_ALL": "C", "NINJA_STATUS": "[%f/%t] "},
    )
    try:
        for raw in process.stdout:
            log.write(raw)
            line = raw.decode(errors="replace").rstrip()
            lines.append(line)
            counted = re.match(r"\[\s*(\d+/\d+|\d+%)\] ", line)
            if counted:
                progress(f"build    {environment.name}: {title} {counted[1]}", False)
        returncode = process.wait()
    except BaseException:
        process.terminate()
        process.wait()
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
            return [f"  {one}" for one in lines[index:index + most]]
    return [f"  {one}" for one in ([one for one in lines if _ERROR.search(one)] or lines)[-most:]]


def _unavailable(folder: Path) -> dict[str, str]:
    path = folder / "unavailable.txt"
    if not path.exists():
        return {}
    pairs = (line.split("\t", 1) for line in path.read_text(encoding="utf-8").splitlines() if "\t" in line)
    return dict(pairs)
