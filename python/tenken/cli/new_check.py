"""`tenken new-check`: a folder that is a check at once."""

from __future__ import annotations

import ctypes
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tenken.base.errors import TenkenError
from tenken.cli import options, places


def main(arguments: Sequence[str]) -> int:
    """The word `new-check`; prints the new folder and returns 0."""
    parser = options.Parser("new-check", "Make checks/NAME, a small measurement with kernel, twin, work, proof and tests. "
                            "The check builds and runs unchanged; change it into yours.")
    parser.add_argument("name", metavar="NAME", help="small letters, digits and _")
    name = parser.parse(arguments).name
    create(places.TREE, name)
    print(f"checks/{name}   next: ./tenken test --check {name}, ./tenken run {name} stream")
    return 0


TEMPLATE = Path(__file__).resolve().with_name("check_template")
_PLACE = re.compile(r"\bNAME\b")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_LONGEST = 40
# The name becomes a namespace and a target of the build.
_KEYWORDS = set(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const consteval "
    "constexpr constinit continue decltype default delete do double else enum explicit export extern false float for friend "
    "goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
    "register requires return short signed sizeof static struct switch template this throw true try typedef typeid typename "
    "union unsigned using virtual void volatile while xor xor_eq main std tenken this_check".split()
)
_TARGETS = set("all clean depend edit_cache fuzzers help install list_install_components package rebuild_cache test".split())


def create(tree: Path, name: str) -> Path:
    """Make `checks/NAME` in `tree` and return it; TenkenError for a name that is taken or not valid."""
    folder = tree / "checks" / name
    _require_name(tree, name)
    if folder.exists():
        raise TenkenError(f"checks/{name} is there already; choose another name, or remove that folder first.")
    try:
        # Beside its place, then renamed: a scan never meets half a check.
        with tempfile.TemporaryDirectory(prefix=".new-", dir=folder.parent) as beside:
            made = Path(beside) / name
            made.mkdir()
            for file in sorted(TEMPLATE.iterdir()):
                text = _PLACE.sub(name, file.read_text(encoding="utf-8"))
                (made / file.name).write_text(text, encoding="utf-8")
            shutil.move(made, folder)
    except OSError as error:
        raise TenkenError(f"{folder} cannot be written: {error.strerror}; use a copy of Tenken that you may change.") from None
    return folder


def _require_name(tree: Path, name: str) -> None:
    wanted = f"check name '{name}': expected small letters, digits and _, a letter first, at most {_LONGEST}, such as stencil_3d"
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise TenkenError(f"{wanted}.")
    taken = None
    if name in _KEYWORDS:
        taken = "a word of C++ or of Tenken"
    elif (tree / "cpp" / name).is_dir():
        taken = f"the folder cpp/{name}"
    elif name in _TARGETS or name.startswith(("tests_", "tenken_")):
        taken = "a target of the build"
    elif hasattr(ctypes.CDLL(None), name):
        taken = "a function of the C library"
    if taken:
        raise TenkenError(f"check name '{name}' is {taken}; choose another name, such as check_{name}.")
