"""`tenken build`: compile the checks for this node."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.cli import here, options, places
from tenken.cli.progress import Progress
from tenken.launch import environment as environments
from tenken.launch.build import build


def main(arguments: Sequence[str]) -> int:
    """The word `build`; prints the build folder and returns 0."""
    parser = options.Parser("build", "Compile the checks for this node; run does this by itself.")
    options.add_environment(parser)
    options.add_machine(parser)
    typed = parser.parse(arguments)
    progress = Progress()
    chosen = environments.select(typed.environment, here.named_environments(here.look(typed.machine)))
    built = build(places.TREE, chosen, progress, look_again=True)
    for (check, variant), sentence in built.unavailable.items():
        name = f"variant {variant} of {check}" if variant else check
        progress(f"build    without {name}: {sentence}")
    print(built.folder)
    return 0
