"""`tenken new-check`: a folder that is a check at once."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.cli import options, places
from tenken.launch.new_check import create


def main(arguments: Sequence[str]) -> int:
    """The word `new-check`; prints the new folder and returns 0."""
    parser = options.Parser("new-check", "Make checks/NAME, a small measurement with kernel, twin, work, proof and tests. "
                            "The check builds and runs unchanged; change it into yours.")
    parser.add_argument("name", metavar="NAME", help="small letters, digits and _")
    name = parser.parse(arguments).name
    create(places.TREE, name)
    print(f"checks/{name}   next: ./tenken test --check {name}, ./tenken run {name} stream")
    return 0
