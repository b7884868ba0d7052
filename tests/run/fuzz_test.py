from __future__ import annotations

import os
from pathlib import Path

import pytest

from run import fuzz
from run.fuzz import Fuzzer

STATISTICS = "echo stat::number_of_executed_units: {}"
CRASH = 'for one in "$@"; do case $one in -artifact_prefix=*) echo bad > "${one#*=}crash-1";; esac; done; exit 77'


def built(tmp_path: Path, script: str | None) -> list[Fuzzer]:
    (tmp_path / "tree" / "checks" / "a" / "b").mkdir(parents=True)
    (tmp_path / "tree" / "checks" / "a" / "b" / "header_fuzz.cpp").touch()
    program = tmp_path / "header"
    if script is not None:
        program.write_text(f"#!/bin/sh\n{script}\n")
        os.chmod(program, 0o755)
    return fuzz.compiled(tmp_path / "tree", tmp_path, tmp_path / "test")


def test_a_fuzzer_without_findings_passes(tmp_path: Path) -> None:
    fuzzers = built(tmp_path, f'echo "$@"; {STATISTICS.format(5)}')
    assert [one.name for one in fuzzers] == ["header"]
    assert fuzz.side_by_side(fuzzers, 3) == ()
    said = (tmp_path / "test" / "fuzz-header.log").read_text()
    assert "-max_total_time=3 " in said and f"{tmp_path}/tree/checks/a/b/corpus" in said


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (CRASH, "fuzz: header: failed on {}/test/fuzz-header-found/crash-1 (exit code 77; see {}/test/fuzz-header.log)"),
        ("exit 1", "failed on no input (exit code 1; see"),
        (STATISTICS.format(0), "no input was executed"),
        ("true", "no input was executed"),
        (None, "header cannot be run: No such file"),
    ],
)
def test_what_is_found_is_named(tmp_path: Path, script: str | None, words: str) -> None:
    [failure] = fuzz.side_by_side(built(tmp_path, script), 1)
    assert words.format(tmp_path, tmp_path) in failure


def test_an_old_finding_is_not_a_new_one(tmp_path: Path) -> None:
    fuzzers = built(tmp_path, CRASH)
    assert fuzz.side_by_side(fuzzers, 1)
    (tmp_path / "header").write_text(f"#!/bin/sh\n{STATISTICS.format(5)}\n")
    assert fuzz.side_by_side(fuzzers, 1) == ()


def test_any_callable_is_a_fuzzer() -> None:
    fuzzers = [Fuzzer("good", lambda seconds: None), Fuzzer("bad", lambda seconds: f"broken after {seconds} s")]
    assert fuzz.side_by_side(fuzzers, 2) == ("fuzz: bad: broken after 2 s",)


def readers(tmp_path: Path, script: str) -> list[Fuzzer]:
    (tmp_path / "tree" / "tests").mkdir(parents=True)
    (tmp_path / "tree" / "tests" / "fuzz_readers.py").write_text(f"import sys\n{script}\n")
    return fuzz.readers(tmp_path / "tree", tmp_path)


def test_every_reader_is_run_with_a_seed_of_its_own(tmp_path: Path) -> None:
    fuzzers = readers(tmp_path, "print(*sys.argv[1:3], int(sys.argv[3]) >= 0)")
    assert fuzz.side_by_side(fuzzers, 7) == ()
    said = {one.name: (tmp_path / f"fuzz-{one.name.split()[0]}.log").read_text() for one in fuzzers}
    assert said == {f"{name} reader": f"{name} 7 True\n" for name in ("baseline", "check", "folder", "record")}


def test_a_reader_that_trips_is_named_with_its_seed(tmp_path: Path) -> None:
    fuzzers = readers(tmp_path, "sys.exit(sys.argv[1] == 'record')")
    [failure] = fuzz.side_by_side(fuzzers, 1)
    assert failure.startswith("fuzz: record reader: failed with seed ") and f"see {tmp_path}/fuzz-record.log" in failure
