"""`tenken install`: a copy of the tree with its builds for all users of a machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tenken.cli import builds, here, options, places
from tenken.cli.terminal import Progress
from tenken.launch import environment as environments
from tenken.launch.build import build
from tenken.launch.installation import install
from tenken.model.verdict import EXIT_BAD, EXIT_OK


def main(arguments: Sequence[str]) -> int:
    """The word `install`; prints the link. Returns 0, or 2 where a check does not compile and others do."""
    parser = options.Parser("install", "Copy Tenken with its build to DIR/share/tenken-VERSION; DIR/bin/tenken starts it.")
    parser.add_argument("--prefix", metavar="DIR", required=True, help="a folder that all nodes see, such as /opt/tenken")
    options.add_environment(parser)
    options.add_machine(parser)
    typed = parser.parse(arguments)
    progress = Progress()
    named = here.named_environments(here.look(typed.machine))
    names: list[str | None] = [*builds.typed_names(typed.environment)] or [None]
    made = [build(places.TREE, environments.select(name, named), progress) for name in names]
    progress("install  copying ...", False)
    link = install(places.TREE, made, Path(typed.prefix).absolute())
    progress.clear()
    print(link)
    return EXIT_BAD if any(built.broken for built in made) else EXIT_OK
