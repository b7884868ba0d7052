"""A simulated MPI that offers too little: what needs more is not judged, what starts no threads runs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from whole_tool import run_folder, tenken

SHIM = """
#include <mpi.h>
int MPI_Init_thread(int* argc, char*** argv, int wanted, int* provided) {
  (void)wanted;
  return PMPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, provided);
}
"""


@pytest.fixture(scope="module")
def poor_mpi(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A configuration folder whose environment `poor` starts the usual programs with an MPI of level single."""
    wrapper = shutil.which("mpicc")
    if wrapper is None:
        pytest.skip("no mpicc to build the simulated MPI with")
    folder = tmp_path_factory.mktemp("poor")
    (folder / "shim.c").write_text(SHIM)
    library = folder / "shim.so"
    subprocess.run([wrapper, "-shared", "-fPIC", "-o", str(library), str(folder / "shim.c")], check=True)
    environments = folder / "tenken" / "environments"
    environments.mkdir(parents=True)
    (environments / "poor.toml").write_text(
        f'programs_of = "openmpi"\n[variables]\nLD_PRELOAD = "{library}"\n', encoding="utf-8"
    )
    return folder


@pytest.mark.parametrize(
    ("typed", "code", "status", "reason"),
    [
        (("--threads", "1"), 3, "done", ""),
        (("--threads", "2"), 3, "lacking", "this MPI offers thread level single, and this case needs funneled"),
        (("--threads", "1", "--set", "thread_level=multiple"), 3, "lacking", "level single, and this case needs multiple"),
    ],
)
def test_levels(poor_mpi: Path, tmp_path: Path, typed: tuple[str, ...], code: int, status: str, reason: str) -> None:
    answer = tenken(
        "run", "same_answer:all_cores", "--environment", "poor", "--set", "seconds=0.1", "--launches", "1", *typed,
        runs=tmp_path, XDG_CONFIG_HOME=str(poor_mpi),
    )
    launches = [json.loads(path.read_text()) for path in run_folder(tmp_path).glob("launches/*/launch.json")]
    assert {one["status"] for one in launches} == {status}
    assert reason in launches[0]["reason"]
    results = json.loads((run_folder(tmp_path) / "results.json").read_text())
    case = results["cases"][0]
    if status == "lacking":
        assert (answer.code, case["verdict"]) == (code, "NOT JUDGED")
        assert reason in case["reason"] and "offers thread level single" in answer.out
    else:
        record = next((run_folder(tmp_path) / "launches").glob("*/record.jsonl"))
        header = json.loads(record.read_text().splitlines()[0])
        assert header["thread_level"] == "single" and case["verdict"] != "ERROR"
