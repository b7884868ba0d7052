"""`tenken list`: suites, checks and studies, runs, and the machines and environments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tenken.base.errors import RecordError, TenkenError
from tenken.base.words import plural, unknown
from tenken.cli import options, places
from tenken.machine.devices import cuda_devices
from tenken.model.check import CaseSpec, Check, Study, older_ids

if TYPE_CHECKING:
    from tenken.launch.build import Built

KINDS = ("checks", "suites", "studies", "runs", "machines", "environments")


def main(arguments: Sequence[str]) -> int:
    """The word `list`; returns 0."""
    parser = options.Parser("list", "List checks, suites, studies, runs, machines or environments.")
    parser.add_argument("kind", nargs="?", default="checks", metavar="KIND", help=", ".join(KINDS))
    options.add_runs(parser)
    options.add_machine(parser)
    typed = parser.parse(arguments)
    if typed.kind not in KINDS:
        raise unknown("list", typed.kind, KINDS)
    rows = {
        "checks": lambda: _checks(typed.machine), "suites": _suites, "studies": _studies, "machines": _machines,
        "runs": lambda: _runs(typed.runs), "environments": lambda: _environments(typed.machine),
    }[typed.kind]()
    _print(rows)
    return 0


def _print(rows: Iterable[Sequence[str]]) -> None:
    rows = [list(row) for row in rows]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(max(map(len, rows), default=0))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _checks(machine: str | None) -> list[list[str]]:
    from tenken.cli.here import catalogue

    rows = []
    checks = catalogue()[0]
    built = _built(machine)
    missing = {} if built is None else built.unavailable
    no_device = _no_device(built, checks.values())
    for check in checks.values():
        named = [old for old in check.formerly if ":" not in old]
        rows.append([check.name, "broken" if check.problem else "", (check.problem or check.title) + _formerly(named)])
        if sentence := missing.get((check.name, "")):
            rows.append(["  whole check", "", f"not built: {sentence}"])
        for variant in check.variant_needs:
            sentence = missing.get((check.name, variant.name))
            needs = f"requires {', '.join(variant.requires)}" if variant.requires else ""
            if (check.name, variant.name) in no_device:
                needs = "built, no device"
            rows.append([f"  variant {variant.name}", "", f"not built: {sentence}" if sentence else needs])
        for case in check.cases:
            meaning = f"{case.variant}, {_size(case)}{_of(check, case)}"
            rows.append([f"  {check.name}:{case.name}", " ".join(case.suites), meaning])
        rows += [[f"  {check.name}:{study.name}", "study", study.title + _of(check, study)] for study in check.studies]
    return rows


def _size(case: CaseSpec) -> str:
    """ "a rank on each core, 1 thread, 2 launches"."""
    ranks = plural(case.ranks, "rank") if isinstance(case.ranks, int) else f"a rank on each {case.ranks}"
    threads = plural(case.threads, "thread") if isinstance(case.threads, int) else "threads on all cores"
    return f"{ranks}, {threads}, {plural(case.launches, 'launch')}"


def _of(check: Check, case: CaseSpec | Study) -> str:
    """The mark of a case or study; an older name by that of the check alone needs none."""
    named = [old for old in check.formerly if ":" not in old]
    return _formerly([old for old in older_ids(check, case.name) if old.removesuffix(f":{case.name}") not in named])


def _formerly(names: Sequence[str]) -> str:
    return f" (formerly {', '.join(names)})" if names else ""


def _built(machine: str | None) -> Built | None:
    """The build of the environment that a run would take, as far as it has been built; None where no environment fits."""
    from tenken.cli.here import look, named_environments
    from tenken.launch import environment
    from tenken.launch.build import built_already

    try:
        return built_already(places.TREE, environment.select(None, named_environments(look(machine))))
    except TenkenError:
        return None


def _no_device(built: Built | None, checks: Iterable[Check]) -> set[tuple[str, str]]:
    """The variants, as (check, variant), that are built and have no device on this node."""
    if built is None:
        return set()
    variants = {
        (check.name, variant) for check in checks for variant in check.variants
        if check.on_device(variant) and not built.missing(check, variant) and built.program(check.name).exists()
    }
    return set() if not variants or cuda_devices() else variants


def _studies() -> list[list[str]]:
    from tenken.cli.here import catalogue

    return [
        [f"{check.name}:{study.name}", " x ".join(axis.name for axis in study.axes), study.question]
        for check in catalogue()[0].values() for study in check.studies
    ]


def _suites() -> list[list[str]]:
    from tenken.cli.here import catalogue
    from tenken.store.suitefile import suite_cases

    checks, suites = catalogue()
    drawn = {f"{check.name}:{study.name}" for check in checks.values() for study in check.studies}
    rows = []
    for suite in suites.values():
        named = suite_cases(suite, checks)
        studies = len(drawn.intersection(named))
        count = f"{len(named) - studies} cases" + (f", {studies} studies" if studies else "")
        rows.append([suite.name, count, suite.title])
    return rows


def _runs(option: str | None) -> list[list[str]]:
    from tenken.store.files import read_json
    from tenken.store.runfolder import list_runs

    rows = []
    for folder in list_runs(places.runs(option)):
        try:
            state = read_json(folder / "run.json")["state"]
            results = folder / "results.json"
            rows.append([folder.name, state, read_json(results)["verdict"] if results.exists() else "not judged yet"])
        except (RecordError, KeyError, TypeError):
            rows.append([folder.name, "damaged", "run.json cannot be read"])
    return rows


def _machines() -> list[list[str]]:
    from tenken.machine.files import read_files

    machines = read_files(places.folders("machines")).machines.values()
    return [[machine.name, "reference system" if machine.reference else "", machine.title] for machine in machines]


def _environments(machine: str | None) -> list[list[str]]:
    from tenken.cli.here import look, named_environments
    from tenken.launch.build import STAMP
    from tenken.launch.environment import available

    environments = available(named_environments(look(machine)))
    return [
        [environment.name, f"{environment.compiler.command} {environment.compiler.version}", environment.mpi.title,
         "built" if any((folder / STAMP).exists() for folder in environment.build_folders(places.TREE)) else ""]
        for environment in environments
    ]
