"""What is found out about a program at compile time, and what --explain tells of it."""

from __future__ import annotations

from xacc.around import Surroundings
from xacc.effects import Effects
from xacc.fresh import Fresh
from xacc.loops import Loops
from xacc.place import PROVED, REFUTED, UNKNOWN, Place
from xacc.program import Program
from xacc.references import References
from xacc.values import Values


def prove(program: Program, loops: Loops, references: References, flags: tuple[str, ...], explain: bool) -> None:
    """Errors and warnings about uses of distributed arrays in distributed loops."""
    values = Values(program, flags)
    around = Surroundings(program, loops, references, values)
    place = Place(around, references, values, program.messages)
    place.run()
    Fresh(program, Effects(program, place, around, references, program.messages), around).run()
    if explain and any(place.verdicts.values()):
        program.messages.note(program.tree.source, 0, f"of {sum(place.verdicts.values())} uses of distributed arrays in distributed loops "
                              f"{place.verdicts[PROVED]} are proved to be on their node, {place.verdicts[REFUTED]} are refuted, "
                              f"{place.verdicts[UNKNOWN]} are unknown.")
