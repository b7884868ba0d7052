"""`tenken machine`: a description of this machine."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tenken.base.errors import TenkenError
from tenken.cli import here, options, places
from tenken.cli.terminal import Progress
from tenken.launch import environment as environments
from tenken.launch.build import built_already
from tenken.machine.match import facts
from tenken.machine.probe import assemble
from tenken.machine.software import allocation, software


def main(arguments: Sequence[str]) -> int:
    """The word `machine`; prints a screen, or all as JSON, and returns 0. Nothing is built."""
    parser = options.Parser("machine", "Describe this machine, its peak, and doubts about its timings.")
    parser.add_argument("--json", action="store_true", help="print the description as JSON")
    parser.add_argument("--svg", metavar="FILE", help="draw the machine into FILE")
    options.add_environment(parser)
    options.add_machine(parser)
    typed = parser.parse(arguments)
    progress = Progress()
    known = here.look(typed.machine)
    machine_json = _described(known, typed.environment, progress)
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


def _described(known: here.Here, environment: str | None, progress: Progress) -> dict[str, Any]:
    """machine.json by the probe where it is built, else by Python's reading; a sentence names the reason."""
    try:
        built = built_already(places.TREE, environments.select(environment, here.named_environments(known)))
        if built.probe.exists():
            progress("probe    this node ...", False)
            return here.probe(built, known)
        why = "it is not built; build it with: ./tenken build"
    except TenkenError as error:
        if environment is not None:
            raise
        why = str(error)
    finally:
        progress.clear()
    progress(f"probe    clock, vectors and latencies need the probe: {why}")
    node = known.node | {"load": {"average": [round(part, 2) for part in os.getloadavg()]}}
    return assemble([node], software(os.environ), allocation(os.environ), here.now(), [])
