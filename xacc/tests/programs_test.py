"""Self-checking programs: compiled and run on the ranks that their second line names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from xacc_harness import PROGRAMS, SUITE, Xacc, header

ALL = sorted(p for p in PROGRAMS.glob("*.c") if header(p, "ranks"))
MODES = {
    "plain": ("-O0",),
    "clang": ("--cc", "clang", "-O3"),
    "check": ("--check", "-O1"),
    "acc": ("--acc", "-O2", "-foffload=disable"),
    "sanitize": ("--no-shift", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"),
}
_IN_CI = bool(os.environ.get("XACC_CI"))


CASES = [(path, mode) for path in ALL for mode in MODES
         if (mode == "plain" or _IN_CI) and (mode != "acc" or header(path, "acc"))]


@pytest.mark.parametrize(("path", "mode"), CASES, ids=lambda value: getattr(value, "stem", value))
def test_program(path: Path, mode: str, xacc: Xacc) -> None:
    flags = header(path, "flags").split()
    if header(path, "acc") and mode != "acc":
        flags.append("-Wno-unknown-pragmas")
    others = [PROGRAMS / name for name in header(path, "with").split()]
    built = xacc.cc(path, *others, "-o", xacc.folder / "program", "-Wall", "-Werror", *flags, *MODES[mode])
    assert built.returncode == 0, built.stderr
    assert built.stderr == ""
    ranks = [int(n) for n in header(path, "ranks").split()]
    for n in ranks if mode == "plain" else ranks[-1:]:
        done = xacc.run("./program", n, ASAN_OPTIONS="detect_leaks=0")
        assert done.returncode == 0, f"{n} ranks: {done.stdout}{done.stderr}"
        assert "PASS" in done.stdout and "ERROR" not in done.stdout + done.stderr


# Programs in the style of the test suite of the language's former compiler: the C compiler's warnings are theirs to have.
STYLED = [(path, mode) for path in sorted(SUITE.glob("*.c")) if header(path, "ranks") for mode in ("plain", "check", "acc")
          if (mode == "plain" or _IN_CI) and (mode != "acc" or header(path, "acc"))]


@pytest.mark.parametrize(("path", "mode"), STYLED, ids=lambda value: getattr(value, "stem", value))
def test_program_of_the_suite(path: Path, mode: str, xacc: Xacc) -> None:
    others = [SUITE / name for name in header(path, "with").split()]
    built = xacc.cc(path, *others, "-o", xacc.folder / "program", *header(path, "flags").split(), *MODES[mode])
    assert built.returncode == 0 and "error" not in built.stderr, built.stderr
    assert not [line for line in built.stderr.splitlines() if "warning:" in line and "[-W" not in line], "a right program"
    ranks = [int(n) for n in header(path, "ranks").split()]
    for n in ranks if mode == "plain" else ranks[-1:]:
        done = xacc.run("./program", n)
        assert done.returncode == 0 and "PASS" in done.stdout and "ERROR" not in done.stdout, f"{n} ranks: {done.stdout}{done.stderr}"
