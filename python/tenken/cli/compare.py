"""`tenken compare A B...`: reference systems and runs side by side. Shown, never judged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenken.base.errors import TenkenError
from tenken.base.words import unknown
from tenken.cli import options, places
from tenken.machine.files import Files, MachineFile, read_files
from tenken.model.machine import Systems

if TYPE_CHECKING:  # only runs need it
    from tenken.model.assessment import Assessment


def main(arguments: Sequence[str]) -> int:
    """The word `compare`; returns 0."""
    parser = options.Parser(
        "compare", "Show reference systems and runs side by side: specification, published and measured results, ratios "
        "where quantity, size, ranks, precision and statistic agree. Nothing is judged. `tenken list machines` names systems.",
    )
    add = parser.add_argument
    add("names", nargs="+", metavar="NAME", help="a reference system, or a run (path, unique prefix or last); two at least")
    add("--json", action="store_true", help="the same as JSON")
    add("--html", metavar="FILE", help="write the same as a page, with a drawing")
    options.add_runs(parser)
    options.add_baselines(parser)
    typed = parser.parse(arguments)
    systems = _systems(typed.names, places.runs(typed.runs), places.baselines(typed.baselines))
    if typed.html:
        from tenken.cli.answer import write_text
        from tenken.report.pages import systems_page

        write_text(Path(typed.html), systems_page(systems))
    if typed.json:
        import dataclasses
        import json

        print(json.dumps(dataclasses.asdict(systems), indent=1))
        return 0
    from tenken.report.compared import systems_text

    print(systems_text(systems), end="")
    return 0


def _systems(names: Sequence[str], runs: Path, baselines: Path) -> Systems:
    from tenken.machine.side_by_side import side_by_side, verify

    files = read_files(places.folders("machines"))
    verify(files)
    columns = [_column(name, files, runs) for name in names]
    keys = [machine.name if isinstance(machine, MachineFile) else str(machine.resolve()) for machine in columns]
    if len(keys) < 2 or len(set(keys)) < len(keys):
        shown = [machine.name for machine in columns]
        raise TenkenError(f"compare takes two or more different systems or runs, found {', '.join(shown)}.")
    assessments = {number: _assessed(machine, baselines) for number, machine in enumerate(columns) if isinstance(machine, Path)}
    if not assessments:
        return side_by_side([machine for machine in columns if isinstance(machine, MachineFile)], files)
    from tenken.machine.beside import column, with_runs
    from tenken.store.checkfile import load_checks

    machines = [
        machine if isinstance(machine, MachineFile) else column(assessments[number], _label(name, machine))
        for number, (name, machine) in enumerate(zip(names, columns, strict=True))
    ]
    checks = load_checks([places.TREE / "checks"])
    return with_runs(side_by_side(machines, files), machines, files, assessments, checks)


def _column(name: str, files: Files, runs: Path) -> MachineFile | Path:
    """The reference system or the folder of the run that is called so."""
    references = [machine for machine in files.machines.values() if machine.reference]
    by_name = {name: machine for machine in references for name in (machine.name, *machine.also)}
    if name in by_name:
        return by_name[name]
    from tenken.store.runfolder import find_run, list_runs

    if name == "last" or Path(name).is_dir() or any(folder.name.startswith(name) for folder in list_runs(runs)):
        return find_run(runs, name)
    raise unknown("reference system or run", name, by_name)


def _label(typed: str, folder: Path) -> str:
    """As typed, but for a path its last part."""
    return folder.name if Path(typed).is_dir() else typed


def _assessed(folder: Path, baselines: Path) -> Assessment:
    from tenken.cli.answer import assess
    from tenken.store.runfolder import RunFolder

    return assess(RunFolder(folder).read(), baselines)
