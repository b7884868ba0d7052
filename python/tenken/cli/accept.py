"""Which cases of a run may become a baseline, and the text that describes an accepted sitting."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from tenken.base import units
from tenken.base.errors import TenkenError
from tenken.base.words import plural
from tenken.cli.answer import assess_ready, ready
from tenken.history.points import class_of, doubt, summary
from tenken.judge.common import Prepared, other_load, quantities_of
from tenken.judge.sittings import first_runs
from tenken.machine.facts import between, environment_of
from tenken.model.assessment import CaseAssessment
from tenken.model.baseline import Sitting, named, occasion_of, placed
from tenken.model.run import Run, hosts_of
from tenken.model.verdict import Axis, Verdict
from tenken.report.plain import plain, table
from tenken.store.baseline import Accepted, case_hash, resolved, scan
from tenken.store.baseline_write import write
from tenken.store.files import read_json

_DRILL = "a fault was injected in this run: a drill is no baseline"
_BOUNDS = "its times are bounds: other hardware threads worked on its cores"
_FIGURES = 12  # quantities of a case that `show` prints


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a case."""

    case_id: str
    word: str  # accepted | known | refused
    why: str = ""
    path: Path | None = None


def accept(run: Run, root: Path, only: Set[str], note: str, now: str) -> list[Outcome]:
    """Accept the cases of `run` (those called `only`, where any are named) into `root`, each or not, and why."""
    made = ready(run)
    assessment, run, machine = assess_ready(made, root), made.run, made.machine
    machine_json = read_json(Path(run.folder) / "machine.json", "machine")
    faulty = any(case.fault is not None for case in assessment.cases)
    begun = [launch.started for case_run in run.cases for launch in case_run.launches]
    wrong = doubt(run.started, *begun, now)
    outcomes = []
    for case_run, case in zip(run.cases, assessment.cases, strict=True):
        if only and case.id not in only:
            continue
        prepared = made.prepared(case_run)
        quantities, launches = quantities_of(prepared, machine)
        why = _DRILL if faulty else refusal(case, prepared, bool(launches))
        why = why or (f"its time cannot be right: {wrong}" if wrong else "")
        if why:
            outcomes.append(Outcome(case.id, "refused", why))
            continue
        hosts = hosts_of(case_run)
        of = resolved(case_run.case)
        environment = environment_of(machine_json, run.environment, hosts)
        sitting = Sitting(run.name, run.started, hosts, environment, launches, occasion=occasion_of(run.environment))
        accepted = Accepted(class_of(case_run, machine), case.id, case_hash(of), of, sitting, quantities, now, note)
        path = write(root, accepted)
        if path is None:
            outcomes.append(Outcome(case.id, "known", "this run was accepted before; nothing was changed"))
        else:
            good = case.verdict in (Verdict.OK, Verdict.NOT_JUDGED)
            judged = [] if good else [f"although {case.verdict.value}: {case.reason}"]
            same = [f"of one sitting with {other}: they count as one" for other in _same_sitting(path, run.name)]
            bounds = [_BOUNDS] if any(each.best for each in launches) else []
            outcomes.append(Outcome(case.id, "accepted", "; ".join((*judged, *bounds, *same)), path))
    return outcomes


def require_kind(run: Run, root: Path, given: bool, drill: bool) -> None:
    """TenkenError unless a drill is accepted as a drill, into a folder of drills that was `given`, and a run as no drill."""
    name = occasion_of(run.environment).name
    if not name and drill:
        raise TenkenError(
            f"--drill: the sitting of {run.name} was not named with TENKEN_SITTING, so it is no drill; leave out --drill."
        )
    if name and not drill:
        raise TenkenError(
            f"{run.name} is a drill (TENKEN_SITTING={name}), and a drill is no baseline; to compare drills, accept "
            "them into a folder of drills: --drill --baselines DIR."
        )
    if drill and not given:
        raise TenkenError("--drill: name a folder of drills with --baselines DIR.")
    real = next((accepted for accepted in scan(root)[0] if not accepted.sitting.occasion.name), None) if drill else None
    if real is not None:
        raise TenkenError(f"--drill: {root} contains other runs, such as {real.path}; name a folder of drills: --baselines DIR.")


def _same_sitting(path: Path, run: str) -> list[str]:
    """The first other accepted run of the sitting of `run`, beside its file `path`; none where there is none."""
    first = first_runs(accepted.sitting for accepted in scan(path.parent)[0])
    return [each for each, of in first.items() if each != run and of == first.get(run)][:1]


def refusal(case: CaseAssessment, prepared: Prepared, measured: bool) -> str:
    """Why a case cannot become a baseline; "" where it can. Slow is no reason: then the slow figures are accepted."""
    validity = next(axis for axis in case.axes if axis.axis is Axis.VALIDITY)
    if case.verdict in (Verdict.INVALID, Verdict.ERROR) or validity.verdict is not Verdict.OK:
        return f"{case.verdict.value}: {case.reason}"
    if case.trust is not None and case.trust.crowded:
        return f"{case.trust.crowded}: its times are not comparable"
    load = next((load_of for each in prepared.measured if (load_of := other_load(each)) is not None), None)
    if load is not None:
        return f"disturbed: {load.sentence}"
    return "" if measured else "no record of an undisturbed launch"


def describe(sittings: Sequence[Accepted]) -> list[str]:
    """Lines on the sittings of a case: when, where, why; figures side by side; changes between them."""
    groups: dict[tuple[str, str], list[Accepted]] = {}
    for accepted in sittings:
        groups.setdefault((accepted.node_class, accepted.case_hash), []).append(accepted)
    lines: list[str] = []
    for (node_class, hash8), sittings_alike in sorted(groups.items()):
        case = sittings_alike[0].case
        size = f"{plural(case['ranks'], 'rank')} x {plural(case['threads'], 'thread')}"
        given = " ".join(f"{name}={value}" for name, value in case["parameters"].items())
        lines += [""] if lines else []
        lines.append(plain(f"{sittings_alike[0].case_id} on {node_class}, {hash8}: {case['variant']}, {size} {given}"))
        lines += _figures(sittings_alike)
        first = first_runs(accepted.sitting for accepted in sittings_alike)
        for before, accepted in zip([None, *sittings_alike], sittings_alike, strict=False):
            sitting = accepted.sitting
            wrong = doubt(sitting.started, accepted.accepted)
            launched = plural(len(sitting.launches), "launch")
            lines.append("  ".join(map(plain, (sitting.id, f"{launched} on {named(sitting.hosts)}", accepted.note))).rstrip())
            lines += [f"  {_BOUNDS}"] if any(each.best for each in sitting.launches) else []
            lines += [f"  its time cannot be right: {wrong}"] if wrong else []
            lines += [f"  a drill: sitting {sitting.occasion.name}"] if sitting.occasion.name else []
            lines += [f"  of one sitting with {first[sitting.id]}"] if first[sitting.id] != sitting.id else []
            changes = between(before.sitting.environment, sitting.environment, "") if before else ()
            lines += [f"  changed: {plain(placed(change))}" for change in changes]
    return lines


def _figures(sittings_alike: Sequence[Accepted]) -> list[str]:
    """A row for each of the first quantities: the newest sittings side by side."""
    newest = sittings_alike[-4:]
    rows = []
    shown = [quantity for quantity in sittings_alike[-1].quantities if not quantity.name.startswith(("loss:", "jitter:"))]
    for quantity in shown[:_FIGURES]:
        show = units.median_mad_ns if quantity.unit == "ns" else units.median_mad
        cells = [show(*summary(accepted.sitting.launches, quantity.name)) for accepted in newest]
        rows.append((plain(quantity.name), "" if quantity.unit == "ns" else plain(quantity.unit), *cells))
    return table(("median +- MAD", "unit", *(accepted.sitting.started[:10] for accepted in newest)), rows, 2)
