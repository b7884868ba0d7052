"""`tenken compare A B...`: reference systems side by side, with what was published of them. Shown, never judged."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.base.words import unknown
from tenken.cli import options, places
from tenken.model.errors import TenkenError


def main(arguments: Sequence[str]) -> int:
    """The word `compare`; returns 0."""
    parser = options.Parser(
        "compare", "Show reference systems side by side: specification and published results, ratios where size, ranks, "
        "precision and statistic agree. Nothing is judged. `tenken list machines` names them.",
    )
    parser.add_argument("names", nargs="+", metavar="SYSTEM", help="name of a reference system, two at least")
    parser.add_argument("--json", action="store_true", help="the same as JSON")
    typed = parser.parse(arguments)
    from tenken.machine.files import read_files
    from tenken.machine.peaks import verify
    from tenken.machine.side_by_side import side_by_side

    files = read_files(places.folders("machines"))
    verify(files)
    by_name = {name: one for one in files.machines.values() if one.reference for name in (one.name, *one.also)}
    for name in typed.names:
        if name not in by_name:
            raise unknown("reference system", name, by_name)
    machines = [by_name[name] for name in typed.names]
    if len({machine.name for machine in machines}) < 2 or len({machine.name for machine in machines}) < len(machines):
        raise TenkenError(f"compare takes two or more different systems, found {', '.join(one.name for one in machines)}.")
    systems = side_by_side(machines, files)
    if typed.json:
        import dataclasses
        import json

        print(json.dumps(dataclasses.asdict(systems), indent=1))
        return 0
    from tenken.report.systems_text import systems_text

    print(systems_text(systems), end="")
    return 0
