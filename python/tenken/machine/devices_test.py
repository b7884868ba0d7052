"""Devices are counted by the driver; a library that stands for the driver answers as the environment says."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tenken.cli.places import TREE
from tenken.machine.devices import cuda_devices

COUNT = "import sys; from tenken.machine.devices import cuda_devices; print(cuda_devices(sys.argv[1]))"


def test_without_a_driver_there_is_no_device() -> None:
    assert cuda_devices("libno-such-driver.so.1") == 0
    assert cuda_devices("libm.so.6") == 0, "no driver"


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize(("variables", "expected"), [
    ({}, 0), ({"FAKE_CUDA_DEVICES": "2"}, 2), ({"FAKE_CUDA_DEVICES": "2", "FAKE_CUDA_ERROR": "100"}, 0),
])  # fmt: skip
def test_the_driver_counts(tmp_path: Path, variables: dict[str, str], expected: int) -> None:
    driver = tmp_path / "driver.so"
    subprocess.run(["g++", "-shared", "-fPIC", "-o", driver, TREE / "cpp/testing/fake_cuda.cpp"], check=True)
    done = subprocess.run([sys.executable, "-c", COUNT, driver], capture_output=True, text=True, check=True,
                          env={"PYTHONPATH": str(TREE / "python"), **variables})
    assert int(done.stdout) == expected
