"""`tenken new-check`: a folder that is a check at once."""

from __future__ import annotations

import ctypes
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tenken.base.errors import TenkenError
from tenken.base.words import unknown
from tenken.cli import options, places


def main(arguments: Sequence[str]) -> int:
    """The word `new-check`; prints the new folder and returns 0."""
    parser = options.Parser("new-check", "Make checks/NAME, a small measurement with kernel, twin, work, proof and tests. "
                            "The check builds and runs unchanged; change it into yours.")
    parser.add_argument("name", metavar="NAME", help="small letters, digits and _")
    parser.add_argument("--with", dest="parts", default="", metavar="PART[,PART]",
                        help="parts to write too: judge (judge.py), library (a variant that calls CBLAS), fortran (a variant)")
    typed = parser.parse(arguments)
    name = typed.name
    create(places.TREE, name, [part.strip() for part in typed.parts.split(",") if part.strip()])
    print(f"checks/{name}   next: ./tenken test --check {name}, ./tenken run {name} stream")
    return 0


TEMPLATE = Path(__file__).resolve().with_name("check_template")
PARTS = TEMPLATE.with_name("check_parts")
# A part that is a variant: what it requires, and its source that is compiled only with it.
_VARIANTS = {"library": ("cblas", "library.cpp"), "fortran": ("fortran", "fortran.cpp")}
_VALID = ("judge", *_VARIANTS)
_PLACE = re.compile(r"\bNAME(?=\b|_)")
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


def create(tree: Path, name: str, parts: Sequence[str] = ()) -> Path:
    """Make `checks/NAME` in `tree` and return it; TenkenError for a name that is taken or not valid, or an unknown part."""
    folder = tree / "checks" / name
    _require_name(tree, name)
    for part in parts:
        if part not in _VALID:
            raise unknown("part", part, _VALID)
    if folder.exists():
        raise TenkenError(f"checks/{name} is there already; choose another name, or remove that folder first.")
    try:
        # Beside its place, then renamed: a scan never meets half a check.
        with tempfile.TemporaryDirectory(prefix=".new-", dir=folder.parent) as beside:
            made = Path(beside) / name
            made.mkdir()
            for file, text in _files(parts).items():
                (made / file).write_text(_PLACE.sub(name, text), encoding="utf-8")
            shutil.move(made, folder)
    except OSError as error:
        raise TenkenError(f"{folder} cannot be written: {error.strerror}; use a copy of Tenken that you may change.") from None
    return folder


def _files(parts: Sequence[str]) -> dict[str, str]:
    """The files of a check with these parts, by name."""
    variants = [part for part in _VARIANTS if part in parts]
    folders = [TEMPLATE, *(PARTS / part for part in _VALID if part in parts), *([PARTS / "variants"] if variants else [])]
    # Files that end with .in are no module, test or source before they are in their place.
    files = {file.name.removesuffix(".in"): file.read_text(encoding="utf-8")
             for folder in folders for file in sorted(folder.iterdir())}
    return _with_variants(files, variants) if variants else files


def _with_variants(files: dict[str, str], variants: Sequence[str]) -> dict[str, str]:
    """Adds to main.cpp the choice of a kernel, to check.toml and README the variants, to the header each kernel."""
    arguments = "(double a, std::span<const double> x, std::span<double> y);"
    declared = "".join(f"void axpy_{variant}{arguments}\n" for variant in variants)
    chosen = "".join(f"  if constexpr (this_check::built::{variant}) {{\n"
                     f"    if (variant == \"{variant}\") return axpy_{variant};\n  }}\n" for variant in variants)
    names = ", ".join(f'"{variant}"' for variant in variants)
    needs = "".join(f'[variant.{variant}]\nrequires = ["{_VARIANTS[variant][0]}"]\nsources = ["{_VARIANTS[variant][1]}"]\n\n'
                    for variant in variants)
    case = files["check.toml"].partition("[case.all_cores]\n")[2].partition("\n\n")[0]
    cases = "".join(f"[case.{variant}]\n{case}\n\n".replace('"plain"', f'"{variant}"') for variant in variants)
    changes = {
        "variants.hpp": (("@DECLARED@", declared), ("@CHOSEN@", chosen)),
        "variants_test.cpp": (("@NAMES@", names),),
        "main.cpp": (
            ('#include "this_check.hpp"\n', '#include "this_check.hpp"\n#include "variants.hpp"\n'),
            ("  int passes = 0;\n", "  const Pass pass = pass_of(check.variant());\n  int passes = 0;\n"),
            ("    axpy(factor, x, y);\n", "    pass(factor, x, y);\n"),
        ),
        "check.toml": (
            ('variants = ["plain"]', f'variants = ["plain", {names}]'), ("[parameter.size]", f"{needs}[parameter.size]"),
            ("[study.sizes]", f"{cases}[study.sizes]"),
        ),
        "README.md": (("**Parameters.**", f"**Variants.** `plain`, {', '.join(f'`{variant}`' for variant in variants)}: the same "
                       "loop.\n\n**Parameters.**"),),
    }
    for file, pairs in changes.items():
        for old, new in pairs:
            files[file] = files[file].replace(old, new, 1)
    return files


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
