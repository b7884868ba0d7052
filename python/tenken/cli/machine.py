"""`tenken machine`: what this machine is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tenken.cli import here, options, places
from tenken.cli.progress import Progress
from tenken.launch import environment as environments
from tenken.launch.build import PROBE, build
from tenken.machine.match import facts


def main(arguments: Sequence[str]) -> int:
    """The word `machine`; prints one screen, or all as JSON, and returns 0."""
    parser = options.Parser("machine", "Describe this machine, its peak, and doubts about its timings.")
    parser.add_argument("--json", action="store_true", help="print the description as JSON")
    parser.add_argument("--svg", metavar="FILE", help="draw the machine into FILE")
    options.add_environment(parser)
    options.add_machine(parser)
    typed = parser.parse(arguments)
    progress = Progress()
    known = here.look(typed.machine)
    chosen = environments.select(typed.environment, here.named_environments(known))
    built = build(places.TREE, chosen, progress, targets=[PROBE])
    progress("probe    this node ...", False)
    machine_json = here.probe(built, known)
    progress.clear()
    machine = facts(machine_json, known.files, known.file)
    if typed.svg:
        from tenken.report import machine_svg

        Path(typed.svg).write_text(machine_svg.drawing(machine_json), encoding="utf-8")
        progress(f"machine  drawn into {typed.svg}")
    if typed.json:
        print(json.dumps(machine_json, indent=1))
    else:
        from tenken.report import machine_text

        print(machine_text.screen(machine_json, machine), end="")
    return 0
