"""Golden outputs: compared whole after every number has been blanked, so that shape is tested and digits are not.

TENKEN_UPDATE_GOLDEN=1 writes them anew; read the difference before it is committed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"
_NUMBER = re.compile(r"(?<![A-Za-z_0-9])\d+(\.\d+)?(e[+-]?\d+)?(?![A-Za-z_0-9])")


def blank(text: str) -> str:
    """Every number that stands alone becomes #, and runs of blanks and of numbers shrink to one."""
    text = re.sub(r"(?<=\S) {2,}", "  ", _NUMBER.sub("#", text))
    return re.sub(r"#(,\s*#)+", "#, ...", text)


def check(name: str, text: str) -> None:
    """Compare `text` with tests/golden/NAME."""
    path, found = FOLDER / name, blank(text)
    if os.environ.get("TENKEN_UPDATE_GOLDEN"):
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8"), f"{path} differs; TENKEN_UPDATE_GOLDEN=1 writes it anew"
