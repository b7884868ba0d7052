"""Proofs about a program at compile time, and notes of --explain: counts of proofs, and halos that cost more than loops need."""

from __future__ import annotations

from math import prod

from xacc.around import Surroundings
from xacc.directive import Directive
from xacc.effects import Effects, Site
from xacc.fresh import Fresh
from xacc.loops import Loops
from xacc.place import PROVED, REFUTED, UNKNOWN, Place
from xacc.program import Array, Program
from xacc.references import References
from xacc.sections import inner_type
from xacc.values import Values


def prove(program: Program, loops: Loops, references: References, flags: tuple[str, ...], explain: bool) -> None:
    """Errors and warnings about uses of distributed arrays in distributed loops."""
    values = Values(program.tree, flags)
    around = Surroundings(program, loops, references, values)
    place = Place(around, references, values, program.messages)
    place.run()
    effects = Effects(program, place, around, references, program.messages)
    Fresh(program, effects, around).run()
    if not explain or not any(place.verdicts.values()):
        return
    waste(program, effects, references.defined <= program.tree.defined.keys())
    program.messages.note(program.tree.source, 0, f"of {sum(place.verdicts.values())} uses of distributed arrays in distributed loops "
                          f"{place.verdicts[PROVED]} are proved to be on their node, {place.verdicts[REFUTED]} are refuted, "
                          f"{place.verdicts[UNKNOWN]} are unknown; {sum(u.plain for u in references.uses)} need no --check.")


def needs(program: Program, effects: Effects, alone: bool) -> dict[int, list[tuple[int, int]] | None]:
    """How far loops reach below and above their own elements, by id of the array and dimension; None where that is not known."""
    needed: dict[int, list[tuple[int, int]] | None] = {id(a): [(0, 0)] * len(a.axes) for a in program.arrays if a.place != "parameter" and (alone or a.place != "file")}
    for _, d in program.directives:
        for array in effects.arrays_of(d) if d.kind == "reduce_shadow" else ():
            needed[id(array)] = None
    for use in effects.uses:
        found, known = effects.around.of(use), needed.get(id(use.array))
        whole = found is not None and found.symbol is not None and use.mode in ("r", "w", "b") and len(use.brackets) == len(use.array.axes)
        for d, wide in enumerate(effects.shadow(use.array)):
            reach = effects.reach(Site(use, found), d) if whole and wide != (0, 0) else None
            if known is None or (wide != (0, 0) and reach is None):
                needed[id(use.array)] = None
                break
            if reach is not None:
                known[d] = (max(known[d][0], -reach[0]), max(known[d][1], reach[1]))
    return needed


def bytes_of(array: Array, dimension: int, effects: Effects) -> int | None:
    """Of one layer across the whole array."""
    kind = effects.tree.nodes[array.nodes[0]].type
    while (inner := inner_type(kind)) is not None:
        kind = inner
    sizes = [effects.values.of(a.extent) for d, a in enumerate(array.axes) if d != dimension]
    return None if None in sizes else prod(sizes) * kind.get_size()


def tell(d: Directive, array: Array, widths: list[tuple[int, int]], needed: list[tuple[int, int]], word: str, effects: Effects) -> None:
    for k, (wide, need) in enumerate(zip(widths, needed, strict=True)):
        less = sum(max(w - n, 0) for w, n in zip(wide, need, strict=True))
        layer = bytes_of(array, k, effects) if less else None
        if layer:
            form = ":".join(str(min(w, n)) for w, n in zip(wide, need, strict=True))
            effects.messages.note(d.source, d.offset, f"loops need {word} {form} of array {array.name} in dimension {k + 1}, not {wide[0]}:{wide[1]}: "
                                                      f"{less * layer} bytes less {'on a node, at most' if word == 'shadow' else 'at each border of nodes'}.")


def waste(program: Program, effects: Effects, alone: bool) -> None:
    """alone: no other file has functions that use file-scope arrays of this one."""
    needed = needs(program, effects, alone)
    for array in program.arrays:
        if (need := needed.get(id(array))) is not None and not any(a.full for a in array.axes):
            tell(array.directive, array, list(effects.shadow(array)), need, "shadow", effects)
    for _, d in program.directives:
        for array in effects.arrays_of(d) if d.kind in ("reflect", "reflect_init") else ():
            if (need := needed.get(id(array))) is None or any(a.full for a in array.axes):
                continue
            given = [(0, 0)] * len(need)
            for k, wide in enumerate(effects.shadow(array)):
                ends = [effects.values.of(d.widths[k].parts[side].strip()) for side in (0, -1)] if d.widths is not None else list(wide)
                given[k] = (ends[0] or 0, ends[1] or 0)
            tell(d, array, given, need, "width", effects)
    for d, array, fresh in effects.idle.values():
        if fresh:
            effects.messages.note(d.source, d.offset, f"array {array.name} is fresh here: this {d.kind} brings nothing new.")
