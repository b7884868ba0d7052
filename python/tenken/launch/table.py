"""Turns `check.toml` into the constexpr table that the check program is compiled with.

Called by CMake at configure time: `python -m tenken.launch.table FOLDER unavailable.txt checks/NAME/check.toml ...` writes
FOLDER/NAME/generated/this_check.hpp of each check where its text changes, and prints the names with semicolons between.
unavailable.txt has the variants that are not built (lines CHECK, VARIANT, SENTENCE with tabs between); a check.toml that
cannot be turned is added to it.
It needs only the standard library; the full validation of check.toml is `tenken.store.checkfile`.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from tenken.base.toml import expanded, split_range

_TYPES = {"int": "integer", "float": "real", "choice": "choice", "ints": "integers", "size": "bytes", "flag": "flag",
          "path": "path"}
_RESERVED = {"double", "float", "int", "short", "long", "char", "bool", "signed", "unsigned", "register", "switch", "default",
             "delete", "new", "and", "or", "not", "xor", "auto", "union", "static", "const", "void", "this", "operator",
             "explicit", "inline", "virtual", "volatile", "private", "public", "protected", "template", "export"}


def _text(value: Any) -> str:
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def _typed(value: Any) -> str:
    """A default as it would be typed on the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) or split_range(value):
        return ",".join(map(str, expanded(value if isinstance(value, list) else [value], int)))
    return str(value)


def identifier(path: str) -> str:
    """C++ name of a section path: a/b -> a_b; a keyword gets a trailing underscore."""
    name = re.sub(r"\W", "_", path)
    return name + "_" if name in _RESERVED or name[0].isdigit() else name


def _parameter(name: str, table: dict[str, Any]) -> str:
    kind = table["type"]
    limits = table.get("range", [])
    default = table.get("default", "") if kind == "path" else table["default"]
    numeric = kind not in ("choice", "flag", "path") and len(limits) == 2
    low, high = (limits[0], limits[1]) if numeric else ("-9007199254740992.0", "9007199254740992.0")
    choices = "|".join(map(str, limits)) if kind == "choice" else ""
    return (f"    {{{_text(name)}, ParameterType::{_TYPES[kind]}, {_text(_typed(default))}, {low}, {high}, "
            f"{_text(choices)}, {table.get('length', 0)}, {_text(table['meaning'])}}},")


def _tolerance(value: Any) -> str:
    """NaN for an expression: the judge evaluates it, and the program by hand. The program may state a stricter limit."""
    return "std::numeric_limits<double>::quiet_NaN()" if isinstance(value, str) else str(value)


def _proof(name: str, table: dict[str, Any]) -> str:
    tolerance = table["tolerance"]
    expression = f", {_text(tolerance)}" if isinstance(tolerance, str) else ""
    return (f"inline constexpr ValiditySpec {identifier(name)}{{{_text(name)}, {_tolerance(tolerance)}, "
            f"{_text(table['source'])}{expression}}};")


def _array(kind: str, name: str, items: list[str]) -> list[str]:
    return [f"inline constexpr std::array<{kind}, {len(items)}> {name} = {{{{", *items, "}};"]


def _variant(name: str, check: dict[str, Any], left_out: dict[str, str]) -> str:
    needs = check.get("requires", []) + check.get("variant", {}).get(name, {}).get("requires", [])
    return f"    {{{_text(name)}, {_text(left_out.get(name, ''))}, {str('cuda' in needs).lower()}}},"


def _held_to_peak(check: dict[str, Any]) -> bool:
    return any(metric.get("ceiling") == "flop" for metric in check.get("metric", {}).values())


def header(check: dict[str, Any], name: str, left_out: dict[str, str] | None = None) -> str:
    """The text of this_check.hpp for a parsed check.toml; `left_out`: why, by variant that is not built."""
    left_out = left_out or {}
    paths = list(check.get("section", {}))
    leaves = [path for path in paths if not any(other.startswith(path + "/") for other in paths)]
    validity = check.get("validity", {})
    lines = ["// Generated from check.toml; do not edit.", "#pragma once", "", "#include <array>", "#include <limits>",
             "#include <string_view>", "",
             '#include "base/table.hpp"', "", "namespace this_check {", "", "using namespace tenken;", ""]
    lines += _array("ParameterSpec", "parameters", [_parameter(n, t) for n, t in check.get("parameter", {}).items()])
    lines += _array("SectionSpec", "sections", [
        f"    {{{_text(path)}, Kind::{check['section'][path]['kind']}, {str(path in leaves).lower()}, "
        f"{_text(check['section'][path].get('by', ''))}}}," for path in paths])
    lines += _array("VariantSpec", "variants", [_variant(variant, check, left_out) for variant in check["variants"]])
    lines += _array("std::string_view", "faults", [f"    {_text(f)}," for f in check.get("faults", [])])
    lines += ["", f"inline constexpr CheckTable table{{{_text(name)}, {_text(check['title'])}, {_text(check['question'])}, "
              f"{_text(check['repetition'])}, parameters, sections, variants, faults, "
              f"{_text(check.get('thread_level', ''))}, {str(_held_to_peak(check)).lower()}, "
              f"{str(bool(check.get('counters', False))).lower()}}};", "", "namespace section {"]
    lines += [f"inline constexpr {'Leaf' if path in leaves else 'Group'} {identifier(path)}{{{index}}};"
              for index, path in enumerate(paths)]
    lines += ["}  // namespace section", "", "namespace validity {"]
    lines += [_proof(name, proof) for name, proof in validity.items()]
    lines += ["}  // namespace validity", "", "namespace built {  // whether a variant is: what is not has no symbols to link"]
    lines += [f"inline constexpr bool {identifier(variant)} = {str(variant not in left_out).lower()};"
              for variant in check["variants"]]
    lines += ["}  // namespace built", "", "}  // namespace this_check", ""]
    return "\n".join(lines)


def _left_out(file: Path, check: str) -> dict[str, str]:
    """Why each variant of `check` that is not built is left out."""
    lines = [line.split("\t", 2) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    return {variant: sentence for name, variant, sentence in lines if name == check and variant}


def main(folder: Path, unavailable: Path, tables: list[Path]) -> None:
    done = []
    for path in tables:
        name = path.parent.name
        try:
            text = header(tomllib.loads(path.read_text(encoding="utf-8")), name, _left_out(unavailable, name))
        except (OSError, LookupError, ValueError, TypeError, AttributeError, RecursionError) as error:
            reason = " ".join(f"{type(error).__name__} {error}".split())
            with unavailable.open("a", encoding="utf-8") as file:
                file.write(f"{name}\t\t{path} cannot be turned into a table: {reason}; see docs/check-toml.md\n")
            continue
        done.append(name)
        generated = folder / name / "generated" / "this_check.hpp"
        if not generated.exists() or generated.read_text(encoding="utf-8") != text:  # else all of the check is compiled anew
            generated.parent.mkdir(parents=True, exist_ok=True)
            generated.write_text(text, encoding="utf-8")
    print(*done, sep=";", end="")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), [Path(word) for word in sys.argv[3:]])
