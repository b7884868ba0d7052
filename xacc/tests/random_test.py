"""Random programs give the serial answer: some always, XACC_RANDOM of them where asked (300 in CI, 5,000 in the long tests)."""

from __future__ import annotations

import os

import pytest
from random_programs import program

from xacc_harness import Xacc

_BATCH = 20
_COUNT = int(os.environ.get("XACC_RANDOM", "20"))
_FLAGS = ("-O0", "--check", "--no-shift", "-O2")


@pytest.mark.parametrize("seed", range((_COUNT + _BATCH - 1) // _BATCH))
def test_random_programs(seed: int, xacc: Xacc) -> None:
    built = xacc.build(program(seed, _BATCH), _FLAGS[seed % len(_FLAGS)])
    assert built.returncode == 0 and built.stderr == "", built.stderr
    for ranks in ((1, 4), (2, 6), (3, 8))[seed % 3]:
        done = xacc.run("./program", ranks, XACC_ROUTE=("", "datatype", "packed", "shared")[seed % 4])
        assert done.returncode == 0 and "PASS" in done.stdout, f"{ranks} ranks: {done.stdout}{done.stderr}"
