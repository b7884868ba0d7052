"""Baselines on disk: a folder that a centre can keep under git, a file for each accepted sitting of a case.

`CLASS/CHECK--CASE-HASH/SITTING.json`. A file is believed whole or skipped with a reason. How they are written, by any
number of writers on shared storage without a lock: store/baseline_write.py.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import isfinite
from pathlib import Path
from typing import Any

from tenken.base.errors import RecordError, TenkenError
from tenken.model.baseline import Baseline, EarlierSitting, LaunchValues, Occasion, Quantity, Sitting
from tenken.model.check import Case
from tenken.model.machine import Offer
from tenken.store.files import from_plain, read_json, to_plain, write_json

SCHEMA = "tenken.baseline/1"
MAX_BYTES = 64 << 20  # of a file: more is no sitting
DROPPED = ".dropped"
TEMPORARY = ".tmp"


@dataclass(frozen=True, slots=True)
class Accepted:
    """A sitting of a case as accepted: the content of its file."""

    node_class: str
    case_id: str
    case_hash: str
    case: dict[str, Any]  # variant, parameters, ranks, threads
    sitting: Sitting
    quantities: tuple[Quantity, ...]
    accepted: str  # ISO 8601, UTC
    note: str = ""
    path: Path | None = field(default=None, compare=False)


def resolved(case: Case) -> dict[str, Any]:
    """The part of a resolved case that fixes the measurement: not how often it is launched, nor how long that may take."""
    return {
        "variant": case.variant, "parameters": to_plain(case.parameters), "ranks": case.ranks, "threads": case.threads,
    }


def case_hash(of: Mapping[str, Any]) -> str:
    """8 hex digits over the table of `resolved`."""
    return hashlib.sha256(json.dumps(of, sort_keys=True).encode()).hexdigest()[:8]


def checksum(content: Mapping[str, Any]) -> str:
    """SHA-256 over all that a file says but this, in 64 hex digits. How the file is laid out does not matter."""
    own = {key: value for key, value in content.items() if key != "sha256"}
    return hashlib.sha256(json.dumps(own, sort_keys=True).encode()).hexdigest()


def case_folder(root: Path, node_class: str, case_id: str, hash8: str) -> Path:
    """The folder of the sittings of a case on a node class. Whatever the names, it lies inside `root`."""
    return root / _file_name(node_class) / f"{_file_name(case_id.replace(':', '--'))}-{hash8}"


def _file_name(text: str) -> str:
    """`text` where it is a harmless file name; else its harmless part with 8 hex digits that keep it distinct."""
    safe = re.sub(r"[^A-Za-z0-9_.+-]+", "_", text).lstrip(".-")[:80]
    return safe if safe and safe == text else f"{safe or 'x'}-{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"


def read(path: Path) -> Accepted:
    """A file, strictly; RecordError, naming the file and the fault, where it cannot be believed."""
    try:
        if not path.is_file():
            raise RecordError(f"{path}: not a regular file")
        if not 0 < path.stat().st_size <= MAX_BYTES:
            raise RecordError(f"{path}: empty or larger than {MAX_BYTES >> 20} MiB: no sitting was written here")
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from error
    raw = read_json(path, "baseline")
    launches = [
        LaunchValues(each["launch"], *(_floats(each.get(name, {}), str(path)) for name in ("values", "best")))
        for each in raw["launches"]
    ]
    quantities = [Quantity(each["name"], each["unit"], each["better"], each["class"]) for each in raw["quantities"]]
    _unique([each.launch for each in launches], f"{path}: launch")
    _unique([each.name for each in quantities], f"{path}: quantity")
    unknown = {name for each in launches for name in (*each.values, *each.best)} - {each.name for each in quantities}
    if unknown:
        raise RecordError(f"{path}: value of '{min(unknown)}', which no quantity describes")
    if case_hash(raw["case"]) != raw["case_hash"]:
        raise RecordError(f"{path}: case_hash {raw['case_hash']} is not that of its case: damaged or edited")
    occasion = from_plain(Occasion, raw.get("occasion", {}), f"{path}: occasion")
    sitting = Sitting(
        raw["sitting"], raw["started"], tuple(raw["hosts"]), raw["environment"], tuple(launches), occasion=occasion
    )
    accepted = Accepted(
        raw["node_class"], raw["case_id"], raw["case_hash"], raw["case"], sitting, tuple(quantities), raw["accepted"],
        raw["note"], path,
    )
    belongs = case_folder(Path(), accepted.node_class, accepted.case_id, accepted.case_hash) / f"{sitting.id}.json"
    if path.parts[-3:] != belongs.parts:
        raise RecordError(f"{path}: belongs to {belongs}; it was moved or renamed")
    if raw.get("sha256", "") not in ("", checksum(raw)):
        raise RecordError(
            f"{path}: changed by hand after acceptance (sha256 differs), so its figures do not count; restore "
            f"the file, or delete it and accept {sitting.id} again"
        )
    return accepted


def _floats(values: Mapping[str, Any], where: str) -> dict[str, float]:
    try:
        result = {name: float(value) for name, value in values.items()}
    except OverflowError:
        raise RecordError(f"{where}: a number beyond every measurement") from None
    if not all(map(isfinite, result.values())):
        raise RecordError(f"{where}: a number that is not finite")
    return result


def _unique(names: list[Any], kind: str) -> None:
    twice = {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else set()
    if twice:
        raise RecordError(f"{kind} {sorted(twice)[0]} is there twice")


def scan(folder: Path) -> tuple[tuple[Accepted, ...], tuple[str, ...]]:
    """Every sitting under `folder` (the root, a class or a case), oldest first, and a sentence for each file skipped."""
    sittings, notes = [], []
    for path in _files(folder):
        if DROPPED in path.suffix:
            continue
        if path.name.endswith(TEMPORARY):
            notes.append(f"{path}: skipped: a writer is at work or was killed here; delete it if it is old")
        elif path.suffix != ".json":
            notes.append(f"{path}: skipped: not a baseline file")
        else:
            try:
                sittings.append(read(path))
            except RecordError as error:
                notes.append(f"{error}; skipped")
    sittings.sort(key=lambda accepted: (accepted.case_id, accepted.sitting.started, accepted.sitting.id))
    return tuple(sittings), tuple(notes)


def _files(folder: Path) -> Iterator[Path]:
    """Everything that lies in the case folders under `folder`; files of git and people beside them are skipped."""
    for at, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if re.search(r"--.*-[0-9a-f]{8}$", Path(at).name):
            names += [folder for folder in folders if folder.endswith(".json")]
            yield from (Path(at) / name for name in sorted(names) if name[0] != "." or name.endswith(TEMPORARY))


def baseline(accepted_sittings: tuple[Accepted, ...]) -> tuple[Baseline | None, tuple[str, ...]]:
    """The sittings of a case on a node class as the judge wants them, and sentences on the quantities left out.

    The newest sitting defines a quantity; older values under another unit or direction are left out.
    """
    if not accepted_sittings:
        return None, ()
    accepted_sittings = tuple(sorted(accepted_sittings, key=lambda accepted: (accepted.sitting.started, accepted.sitting.id)))
    meaning = {quantity.name: quantity for accepted in accepted_sittings for quantity in accepted.quantities}
    sittings, notes = [], []
    for accepted in accepted_sittings:
        strange = {each.name for each in accepted.quantities if meaning[each.name] != each}
        if strange:
            notes.append(f"{accepted.path}: {', '.join(sorted(strange))} in another unit or class than now; left out")
        launches = tuple(
            LaunchValues(each.launch, *(
                {name: value for name, value in of.items() if name not in strange} for of in (each.values, each.best)
            ))
            for each in accepted.sitting.launches
        )
        sittings.append(replace(accepted.sitting, launches=launches))
    last = accepted_sittings[-1]
    return Baseline(last.node_class, last.case_id, last.case_hash, tuple(meaning.values()), tuple(sittings)), tuple(notes)


def find(
    root: Path, node_class: str, case: Case, names: Iterable[str] = (), former: Mapping[str, Any] | None = None,
) -> tuple[Baseline | None, tuple[str, ...]]:
    """The baseline of `case` on nodes of `node_class`, and sentences on files that cannot be used.

    `names` are others of the same case (it was renamed), `former` parameters that it has under some of them alone: sittings
    accepted so count, with that mark.
    """
    hash8 = case_hash(resolved(case))
    less = {name: value for name, value in case.parameters.items() if name not in (former or {})}
    others = (replace(case, parameters=parameters) for parameters in (less, {**less, **(former or {})}))
    alike = dict.fromkeys([hash8, *(case_hash(resolved(other)) for other in others)])
    by_sitting: dict[str, Accepted] = {}  # by sitting: a run may be accepted under both names
    notes: list[str] = []
    for name, each in product((case.id, *names), alike):
        accepted, skipped = scan(case_folder(root, node_class, name, each))
        for stored in accepted:
            sitting = replace(stored.sitting, formerly="" if name == case.id else name)
            by_sitting.setdefault(sitting.id, replace(stored, case_id=case.id, case_hash=hash8, sitting=sitting))
        notes += skipped
    made, more = baseline(tuple(by_sitting.values()))
    elsewhere = [] if made else [note for name in (case.id, *names) for note in _others(root, node_class, name, hash8)]
    return made, (*notes, *more, *elsewhere)


def newest(root: Path, node_class: str, case_ids: Iterable[str], but: str, drills: bool) -> Accepted | None:
    """The last accepted sitting, other than run `but`, of the cases `case_ids` on nodes of `node_class`, of whatever sizes.

    `drills`: a sitting of a drill will do.
    """
    folders = [case_folder(root, node_class, case_id, "") for case_id in case_ids]
    files = [path for folder in folders for path in folder.parent.glob(f"{folder.name}*/*.json") if path.stem != but]
    for path in sorted(files, key=lambda file: file.name, reverse=True):  # runs are named by their start
        try:
            accepted = read(path)
        except RecordError:
            continue  # named where it is read as a baseline
        if drills or not accepted.sitting.occasion.name:
            return accepted
    return None


def _others(root: Path, node_class: str, case_id: str, hash8: str) -> list[str]:
    """Names baselines of this case that are not for here: of another node class, or of other sizes."""
    name, own = case_folder(root, node_class, case_id, hash8).name, _file_name(node_class)
    alike = [path for path in sorted(root.glob(f"*/{name[:-8]}*")) if path.is_dir() and any(path.glob("*.json"))]
    strange = [path.parent.name for path in alike if path.name == name and path.parent.name != own]
    resized = [path.name[-8:] for path in alike if path.name != name and path.parent.name == own]
    sentences = []
    if strange:
        sentences.append(f"{case_id}: baseline of node class {', '.join(strange)} is not used: this is {node_class}")
    if resized:
        sentences.append(f"{case_id}: its baseline is of other sizes, ranks or threads ({', '.join(resized)}, now {hash8})")
    return sentences


# Sittings that a run was compared with: `earlier.json` in its folder, so that judging again reads the same of earlier runs.

EARLIER = "earlier.json"
_EARLIER_SCHEMA = "tenken.earlier/1"


def write_earlier(folder: Path, sittings: tuple[EarlierSitting, ...]) -> None:
    """Into a run folder, once: the first reading stays."""
    if not (folder / EARLIER).exists():
        write_json(folder / EARLIER, {"schema": _EARLIER_SCHEMA, "sittings": [to_plain(earlier) for earlier in sittings]})


def read_earlier(folder: Path) -> tuple[EarlierSitting, ...] | None:
    """None where nothing was written, or it cannot be read: then it is as good as not there."""
    path = folder / EARLIER
    if not path.exists():
        return None
    try:
        content = read_json(path)
        if not isinstance(content, dict) or content.get("schema") != _EARLIER_SCHEMA:
            return None
        return from_plain(tuple[EarlierSitting, ...], content.get("sittings"), str(path))
    except TenkenError:
        return None


# Figures of a run's checks for all other checks: `ceilings.json` in its folder, read by later runs of the node class.

CEILINGS = "ceilings.json"
_CEILINGS_SCHEMA = "tenken.ceilings/1"
_MOST_RUNS = 100  # that are looked through, newest first


def write_ceilings(folder: Path, started: str, offers: tuple[Offer, ...]) -> None:
    """The good ones of a run, into its folder: not disturbed, of nodes of the same class. Nothing where there is none."""
    good = [offer for offer in offers if not offer.disturbed]
    if good:
        plain = [to_plain(offer) for offer in good]
        write_json(folder / CEILINGS, {"schema": _CEILINGS_SCHEMA, "started": started, "offers": plain})


def known_ceilings(runs: Path, before: str, node_classes: Collection[str]) -> tuple[Offer, ...]:
    """Of each kind those of the newest run of that node class before the run called `before`, with their date.

    Names of runs begin with their time. An unreadable file counts as missing.
    """
    files = sorted((path for path in runs.glob(f"*/{CEILINGS}") if path.parent.name < before), reverse=True)
    newest: dict[tuple[object, ...], list[Offer]] = {}
    for file in files[:_MOST_RUNS]:
        try:
            content = read_json(file)
            offers = from_plain(tuple[Offer, ...], content["offers"], str(file))
            date = str(content["started"])[:10]
        except (TenkenError, KeyError, TypeError):
            continue
        of_run: dict[tuple[object, ...], list[Offer]] = {}
        for offer in offers:
            if offer.node_class in node_classes:
                of_run.setdefault((offer.node_class, offer.kind), []).append(replace(offer, date=date))
        newest = of_run | newest  # offers already there are newer
    return tuple(offer for offers in newest.values() for offer in offers)
