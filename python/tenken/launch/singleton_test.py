from __future__ import annotations

import json
import os
import platform
from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.launch.build import NODE, STAMP
from tenken.launch.instructions import processor_features
from tenken.launch.singleton import newest_build


def build(tree: Path, name: str, age: int, features: list[str] | None = None, code: int = 0, **options: str) -> Path:
    folder = tree / "build" / name
    program = folder / "checks/same_answer/same_answer"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\nexit {code}\n")
    program.chmod(0o755)
    words = {"TENKEN_ISA": "native", "TENKEN_ENVIRONMENT": name, "MPI_CXX_COMPILER": "mpicxx.openmpi"} | options
    (folder / STAMP).write_text(json.dumps({"options": [f"-D{key}={value}" for key, value in words.items()]}))
    os.utime(folder / STAMP, (10**9 - age, 10**9 - age))
    if features is not None:
        (folder / NODE).write_text(json.dumps({"machine": platform.machine(), "features": features}))
    return folder


def test_the_newest_build_that_runs_here_is_taken(tmp_path: Path) -> None:
    build(tmp_path, "old", 30)
    good = build(tmp_path, "good", 20, sorted(processor_features()))
    build(tmp_path, "other-processor", 10, ["a_feature_of_tomorrow"])
    build(tmp_path, "sanitized", 5, TENKEN_SANITIZE="ON")
    build(tmp_path, "lost-its-libraries", 1, code=127)
    (tmp_path / "build/half").mkdir()
    (tmp_path / "build/half" / STAMP).write_text("{")
    found = newest_build(tmp_path, {}, {"same_answer"})
    assert found.folder == good
    assert found.environment.mpi.flavour == "openmpi"


def test_a_build_of_other_checks_is_passed_over(tmp_path: Path) -> None:
    whole = build(tmp_path, "whole", 20)
    (whole / "checks/stream").mkdir()
    (whole / "checks/stream/stream").touch()
    part = build(tmp_path, "part", 1)
    found = newest_build(tmp_path, {}, ["same_answer", "stream"])
    assert found.folder == whole
    (part / "unavailable.txt").write_text("stream\t\tno such library\n")
    found = newest_build(tmp_path, {}, ["same_answer", "stream"])
    assert found.folder == part, "what cannot be built there may be missing"


def test_a_build_that_lacks_programs_is_told_what_to_add(tmp_path: Path) -> None:
    with pytest.raises(TenkenError, match="^no build in .*/build runs on this node; make one on it: ./tenken build$"):
        newest_build(tmp_path, {}, ["same_answer"])
    build(tmp_path, "lost-its-libraries", 1, code=127)
    with pytest.raises(TenkenError, match="^no build in"):
        newest_build(tmp_path, {}, ["same_answer", "hpl"])
    build(tmp_path, "older", 30)
    build(tmp_path, "quick", 20)
    sentence = "/build/quick .* but lacks hpl, stream; make all that is needed: ./tenken build hpl same_answer stream$"
    with pytest.raises(TenkenError, match=sentence):
        newest_build(tmp_path, {}, ["stream", "same_answer", "hpl"])


def test_a_portable_build_runs_on_every_processor(tmp_path: Path) -> None:
    build(tmp_path, "portable", 1, ["a_feature_of_tomorrow"], TENKEN_ISA="portable")
    assert newest_build(tmp_path, {}, {"same_answer"}).folder.name == "portable"


def test_a_job_around_it_is_left_out_and_modules_are_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(tmp_path, "site", 1)
    monkeypatch.setenv("SLURM_PROCID", "3")
    found = newest_build(tmp_path, {"site": {"modules": ""}}, {"same_answer"})
    assert "-u SLURM_PROCID" in found.environment.launcher
