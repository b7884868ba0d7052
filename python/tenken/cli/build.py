"""`tenken build`: compile the checks for this node."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.base.errors import TenkenError
from tenken.cli import here, options, places
from tenken.cli.terminal import Progress
from tenken.launch import environment as environments
from tenken.launch.build import build, programs
from tenken.model.verdict import EXIT_BAD, EXIT_OK


def main(arguments: Sequence[str]) -> int:
    """The word `build`; prints the build folder. Returns 0, or 2 where a check does not compile and others do."""
    parser = options.Parser("build", "Compile the checks for this node; `run` compiles the checks that it needs.")
    parser.add_argument("names", nargs="*", metavar="CHECK", help="only these checks (default: all)")
    options.add_environment(parser)
    options.add_machine(parser)
    typed = parser.parse(arguments)
    progress = Progress()
    typed.names = [here.find_check(name, progress) for name in typed.names]
    chosen = environments.select(typed.environment, here.named_environments(here.look(typed.machine)))
    targets = programs(places.TREE, typed.names) if typed.names else None
    built = build(places.TREE, chosen, progress, targets=targets, look_again=True)
    for (check, variant), sentence in built.unavailable.items():
        if check in typed.names and not variant:
            raise TenkenError(f"{check} cannot be built here: {sentence}")
        if not typed.names or check in typed.names:
            progress(f"build    without {f'variant {variant} of {check}' if variant else check}: {sentence}")
    print(built.folder)
    return EXIT_BAD if built.broken else EXIT_OK
