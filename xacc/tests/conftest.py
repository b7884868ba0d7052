"""The fixture of the compiler's tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from xacc_harness import Xacc


@pytest.fixture
def xacc(tmp_path: Path) -> Xacc:
    return Xacc(tmp_path)
