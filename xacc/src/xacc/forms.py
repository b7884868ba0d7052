"""Small texts of declarations, and what is added to a name in a subscript."""

from __future__ import annotations

import re

from xacc.program import Array


def mapping(array: Array, sizes: list[str]) -> str:
    """What the runtime must know of an array of these extents: its elements, and how each dimension is aligned."""
    maps = ", ".join(f"{{{a.axis}, {a.offset}, {a.below}, {a.above}, {int(a.full)}}}" for a in array.axes)
    extents = f"{len(sizes)}, (long[]){{{', '.join(sizes)}}}"
    return f"XACC_ELEMENT({array.element}), {extents}, {array.template.variable}, (xacc_align[]){{{maps}}}"


def new_array(array: Array, holder: str, own: int, sizes: list[str]) -> str:
    """The call that makes a descriptor; holder: where the address of its elements goes."""
    fixed = "(xacc_fixed[]){" + ", ".join(f"{{{k}, {e}}}" for k, e in array.fixed) + "}" if array.fixed else "0"
    return f'xacc_array_new(XACC_HERE, "{array.name}", {holder}, {own}, {mapping(array, sizes)}, {len(array.fixed)}, {fixed})'


def extent(text: str) -> str:
    """What stands between the brackets of a declaration, without the qualifiers that a parameter may have there."""
    return re.sub(r"^(?:(?:static|const|volatile|(?:__)?restrict(?:__)?)\b\s*)+", "", text.replace("\n", " ").strip())


def view(array: Array) -> str:
    """The declaration under which the rest of the block sees the array: its name, with local extents."""
    rest = "".join(f"[{a.extent}]" if a.plain else f"[xacc_ext({array.descriptor}, {i})]" for i, a in enumerate(array.axes) if i)
    name = f"(*{array.name}){rest}" if rest else f"*{array.name}"
    return f"__typeof__({array.element}) {name} = xacc_view({array.descriptor}); (void){array.name};"


def affine(text: str, name: str) -> str | None:
    """What is added to `name` in text; None where text is anything else than name plus or minus something."""
    found = list(re.finditer(rf"\b{name}\b", text))
    if len(found) != 1:
        return None
    before, after = text[: found[0].start()].strip(), text[found[0].end() :].strip()
    if not (before == "" or before.endswith("+") or before.endswith("(")) or not (after == "" or after[0] in "+-)"):
        return None
    if "*" in before or "/" in before or "%" in before or re.search(r"[*/%]", after.split(")")[-1] if ")" in after else "") and "(" in before:
        return None
    if before == after == "":
        return "0"
    return "(" + text[: found[0].start()] + "0" + text[found[0].end() :] + ")"
