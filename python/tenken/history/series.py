"""Histories out of the run folder (results.json of each run) and the accepted sittings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tenken.base.errors import RecordError, TenkenError
from tenken.base.words import unknown
from tenken.history.points import Entry, class_in_results, doubt, hosts_in_results, in_order, of_sitting
from tenken.machine.facts import environment_of
from tenken.model.baseline import History, HistoryPoint, Quantity, occasion_of
from tenken.model.check import Check, parameters_now, present
from tenken.store.baseline import Accepted, case_hash, scan
from tenken.store.files import read_json
from tenken.store.runfolder import list_runs

_NAMED = 8  # candidates in a refusal


@dataclass(frozen=True, slots=True)
class Seen:
    """A quantity of a case in a run, from results.json."""

    folder: Path
    node_class: str
    case_id: str
    case: Mapping[str, Any]  # variant, parameters, ranks, threads
    case_hash: str
    quantity: Quantity
    point: HistoryPoint
    hosts: tuple[str, ...]
    environment: Mapping[str, Any]


def histories(metric: str, runs: Path, baselines: Path, checks: Mapping[str, Check]) -> tuple[list[History], list[str]]:
    """The histories of the quantity that `metric` names, for each node class and resolved case, and notes.

    What was measured under an older name of a case is a part of its history. TenkenError for a name that fits none or several.
    """
    accepted, notes = scan(baselines)
    seen, more = _runs(runs)
    metric = present(metric, checks)
    accepted = tuple(_accepted_now(baseline, checks) for baseline in accepted if not baseline.sitting.occasion.name)
    seen = [_seen_now(earlier, checks) for earlier in seen]
    names = {(baseline.case_id, quantity.name) for baseline in accepted for quantity in baseline.quantities}
    case_id, name = _choose(metric, names | {(earlier.case_id, earlier.quantity.name) for earlier in seen})
    chosen = [earlier for earlier in seen if (earlier.case_id, earlier.quantity.name) == (case_id, name)]
    sittings = [
        one for one in accepted if one.case_id == case_id and any(each.name == name for each in one.quantities)
    ]
    several: list[Seen | Accepted] = [*sittings, *chosen]
    keys = dict.fromkeys((seen.node_class, seen.case_hash) for seen in several)
    result = []
    for key in keys:
        own = [seen for seen in chosen if (seen.node_class, seen.case_hash) == key]
        kept = [sitting for sitting in sittings if (sitting.node_class, sitting.case_hash) == key]
        result.append(_history(case_id, name, key, own, kept, more))
    return result, [*notes, *more]


def _accepted_now(accepted: Accepted, checks: Mapping[str, Check]) -> Accepted:
    """`accepted` under the name that its case has now."""
    now = present(accepted.case_id, checks)
    if now == accepted.case_id:
        return accepted
    of = _hash_now(accepted.case_id, accepted.case, checks)
    return replace(accepted, case_id=now, case_hash=of, sitting=replace(accepted.sitting, formerly=accepted.case_id))


def _seen_now(seen: Seen, checks: Mapping[str, Check]) -> Seen:
    now = present(seen.case_id, checks)
    if now == seen.case_id:
        return seen
    of = _hash_now(seen.case_id, seen.case, checks)
    return replace(seen, case_id=now, case_hash=of, point=replace(seen.point, formerly=seen.case_id))


def _hash_now(case_id: str, case: Mapping[str, Any], checks: Mapping[str, Check]) -> str:
    return case_hash({**case, "parameters": parameters_now(case_id, case["parameters"], checks)})


def _history(
    case_id: str, name: str, key: tuple[str, str], seen: list[Seen], sittings: list[Accepted], notes: list[str]
) -> History:
    known = {accepted.sitting.id for accepted in sittings}
    quantities = [each for accepted in sittings for each in accepted.quantities if each.name == name]
    newest = (quantities + [earlier.quantity for earlier in seen])[-1]
    entries = []
    for earlier in seen:
        if (earlier.quantity.unit, earlier.quantity.better) != (newest.unit, newest.better):
            notes.append(f"{earlier.folder}: {name} in {earlier.quantity.unit}, now {newest.unit}; left out")
            continue
        entries.append(Entry(replace(earlier.point, accepted=earlier.point.run in known), _environment(earlier, notes)))
    ran = {entry.point.run for entry in entries}
    for each in sittings:
        unit = next(quantity.unit for quantity in each.quantities if quantity.name == name)
        if each.sitting.id not in ran and unit == newest.unit:
            entry = of_sitting(each.sitting, name)
            wrong = doubt(each.sitting.started, each.accepted)
            entries.append(replace(entry, point=replace(entry.point, doubt=wrong)))
    return History(case_id, *key, name, newest.unit, newest.better, in_order(entries))


def _environment(seen: Seen, notes: list[str]) -> Mapping[str, Any] | None:
    try:
        return environment_of(read_json(seen.folder / "machine.json", "machine"), seen.environment, seen.hosts)
    except RecordError as error:
        notes.append(f"{error}; changes of that environment are unknown")
        return None


def _choose(typed: str, names: set[tuple[str, str]]) -> tuple[str, str]:
    """The (case, quantity) that was meant: the whole name before a part of it, a metric before the time of a section."""

    def spellings(one: tuple[str, str]) -> tuple[str, ...]:
        case_id, name = one
        kind, _, short = name.partition(":")
        return (f"{case_id}/{name}", *((f"{case_id}/{short}",) if kind in ("metric", "time") else ()))

    for fits in (lambda text: text == typed, lambda text: typed in text):
        fitting = sorted(name for name in names if any(map(fits, spellings(name))))
        if "loss:" not in typed and "jitter:" not in typed:
            fitting = [one for one in fitting if one[1].startswith(("metric:", "time:"))]
        if fitting and len({spellings(one)[-1] for one in fitting}) == 1:
            return fitting[0]  # "metric" sorts before "time"
        if len(fitting) > 1:
            some = ", ".join(spellings(one)[0] for one in fitting[:_NAMED])
            more = ", ..." if len(fitting) > _NAMED else ""
            raise TenkenError(f"'{typed}' fits {len(fitting)} figures: {some}{more}.")
    raise unknown("metric", typed, {spellings(name)[-1] for name in names})


def _runs(runs: Path) -> tuple[list[Seen], list[str]]:
    seen: list[Seen] = []
    notes: list[str] = []
    for folder in list_runs(runs):
        path = folder / "results.json"
        if not path.exists():
            notes.append(f"{folder}: not judged yet; ./tenken report {folder.name} adds it")
            continue
        try:
            seen += _cases(folder, read_json(path))
        except (RecordError, KeyError, TypeError, AttributeError, ValueError) as error:
            why = str(error) if isinstance(error, RecordError) else f"{path}: damaged ({error!r})"
            notes.append(f"{why}; skipped")
    return seen, notes


def _cases(folder: Path, results: Mapping[str, Any]) -> list[Seen]:
    if occasion_of(results["environment"]).name:
        return []  # a drill is no result of this machine
    seen = []
    for case in results["cases"]:
        if case["fault"] is not None:
            continue
        hosts, node_class = hosts_in_results(case), class_in_results(case, results)
        of = {name: case[name] for name in ("variant", "parameters", "ranks", "threads")}
        begun = [launch["started"] for launch in case["launches"]]
        wrong = doubt(str(results["started"]), *begun)
        for quantity, value, spread, disturbed in _quantities(case):
            value = None if case["verdict"] == "INVALID" else value  # a wrong answer has no figure
            verdict, started = str(case["verdict"]), str(results["started"])
            point = HistoryPoint(folder.name, started, value, spread, verdict, False, (), wrong, disturbed=disturbed)
            environment = dict(results["environment"])
            seen.append(Seen(folder, node_class, str(case["id"]), of, case_hash(of), quantity, point, hosts, environment))
    return seen


def _quantities(case: Mapping[str, Any]) -> Iterator[tuple[Quantity, float | None, float | None, bool]]:
    """The quantities of a case of results.json under the names of baselines: value, spread, whether other load made it a bound.

    Loss and jitter have no spread there.
    """
    loaded = bool((case.get("trust") or {}).get("disturbed"))  # as in the table of cases
    for metric in case["metrics"]:
        name = f"metric:{metric['name']}" + ("" if metric["at"] is None else f"/{metric['at']}")
        quantity = Quantity(name, str(metric["unit"]), str(metric["better"]), str(metric["class"]))
        yield quantity, _number(metric["value"]), _number(metric["mad"]), bool(metric.get("disturbed"))
    for section in case["sections"]:
        time = Quantity(f"time:{section['path']}", "ns", "lower", "")
        yield time, _number(section["median_ns"]), _number(section["mad_ns"]), loaded
        for kind in ("loss", "jitter"):
            yield Quantity(f"{kind}:{section['path']}", "1", "lower", ""), _number(section[kind]), None, loaded


def _number(value: Any) -> float | None:
    """A finite figure; None for text that is no number, and for "nan"."""
    return float(value) if isinstance(value, (int, float)) and abs(value) < 1e300 else None
