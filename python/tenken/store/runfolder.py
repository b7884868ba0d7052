"""The folder of a run: plan and state in `run.json`, a sub-folder for each launch. Finished launches are never lost."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from tenken.base.errors import RecordError, TenkenError
from tenken.base.words import nearest
from tenken.model.check import Case, Check, Topic
from tenken.model.record import Record
from tenken.model.run import CaseRun, Launch, Run
from tenken.model.study import StudyRun
from tenken.store.files import from_plain, read_json, to_plain, write_json, write_reserve
from tenken.store.older import with_chosen_precision, with_starved

ABANDONED = "the launch has no end: it is still running, or Tenken was killed"


def launch_folder(number: int, case_id: str) -> str:
    """Folder of a launch relative to the run folder, `launches/NNNN-check.case` or `launches/NNNN-check.study.point`."""
    return f"launches/{number:04d}-{re.sub('[:/]', '.', case_id)}"


def _seconds(stored: float | None, path: Path) -> float | None:
    """RecordError for a number that no float can have."""
    try:
        return None if stored is None else float(stored)
    except OverflowError:
        raise RecordError(f"{path}: seconds: expected a time, found a number of {len(str(stored))} digits") from None


class RunFolder:
    """A run on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(
        cls, runs: Path, suite: str, cases: Iterable[CaseRun], seed: int, environment: dict[str, Any],
        started: datetime | None = None, studies: Iterable[StudyRun] = (),
        topics: Iterable[Topic] = (),
    ) -> RunFolder:
        """A new folder `<UTC>-<suite>-<4 hex>` in `runs` with the plan of `cases` (their planned launches) written.

        `studies` are those whose points are among the cases, `topics` the parts of the report of a suite.
        `suite` is the selection as typed; `started` defaults to now. TenkenError where it cannot be written.
        """
        at = (started or datetime.now(timezone.utc)).astimezone(timezone.utc)
        label = re.sub(r"[^A-Za-z0-9_.]+", "-", suite).strip("-.")[:40] or "run"
        folder = cls(runs / f"{at:%Y%m%dT%H%M%SZ}-{label}-{secrets.token_hex(2)}")
        try:
            (folder.path / "launches").mkdir(parents=True)
        except OSError as error:
            raise TenkenError(
                f"cannot make the run folder {folder.path}: {error.strerror}; "
                "choose a folder that you can write to with --runs DIR"
            ) from error
        write_reserve(folder.path)
        folder.write_run(
            Run(
                name=folder.path.name,
                folder=str(folder.path),
                suite=suite,
                state="planned",
                started=f"{at:%Y-%m-%dT%H:%M:%SZ}",
                seed=seed,
                seconds=None,
                environment=environment,
                cases=tuple(cases),
                studies=tuple(studies),
                topics=tuple(topics),
            )
        )
        return folder

    def write_run(self, run: Run) -> None:
        """Write plan and state; the outcome of launches is in their own files."""
        write_json(
            self.path / "run.json",
            {
                "schema": "tenken.run/1",
                "suite": run.suite,
                "state": run.state,
                "started": run.started,
                "seed": run.seed,
                "seconds": run.seconds,
                "environment": to_plain(run.environment),
                "cases": [
                    {
                        "case": to_plain(case_run.case),
                        "check": to_plain(case_run.check),
                        "launches": [{"number": launch.number, "folder": launch.folder} for launch in case_run.launches],
                        "unavailable": case_run.unavailable,
                    }
                    for case_run in run.cases
                ],
                "studies": to_plain(run.studies),
                "topics": to_plain(run.topics),
            },
        )

    def write_started(self, launch: Launch) -> None:
        """Write `started.json` into the folder of that launch: by its id it is known if nobody writes its end."""
        path = self.path / launch.folder / "started.json"
        write_json(path, {"schema": "tenken.started/1", "id": launch.id, "started": launch.started})

    def write_launch(self, launch: Launch) -> None:
        """Write `launch.json` into the folder of that launch, which has ended."""
        folder = self.path / launch.folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TenkenError(
                f"cannot make {folder}: {error.strerror}; free some space, or choose another --runs DIR"
            ) from error
        write_json(folder / "launch.json", {"schema": "tenken.launch/1", **to_plain(launch)})

    def read(self) -> Run:
        """The run with every launch and record that can be read.

        RecordError only where `run.json` itself cannot be believed; a bad launch or record becomes a sentence.
        """
        path = self.path / "run.json"
        plan = read_json(path, "run")
        launches, unreadable = self._read_launches()
        cases = tuple(
            self._read_case(entry, launches, unreadable, f"{path}: cases[{i}]") for i, entry in enumerate(plan["cases"])
        )
        strangers = [
            f"{launch.folder}: launch of {launch.case_id}, which this run did not plan" for launch in launches.values()
        ]
        return Run(
            name=self.path.name,
            folder=str(self.path),
            suite=plan["suite"],
            state=plan["state"],
            started=plan["started"],
            seed=plan["seed"],
            seconds=_seconds(plan["seconds"], path),
            environment=plan["environment"],
            cases=cases,
            studies=from_plain(tuple[StudyRun, ...], plan.get("studies", []), f"{path}: studies"),
            topics=from_plain(tuple[Topic, ...], plan.get("topics", []), f"{path}: topics"),
            notes=tuple(strangers + list(unreadable.values())),
        )

    def _read_launches(self) -> tuple[dict[str, Launch], dict[str, str]]:
        """Launches by folder, and a sentence for each folder whose launch.json cannot be believed."""
        launches: dict[str, Launch] = {}
        unreadable: dict[str, str] = {}
        for path in sorted(self.path.glob("launches/*/launch.json")):
            folder = f"launches/{path.parent.name}"
            try:
                launch = with_starved(from_plain(Launch, read_json(path, "launch"), str(path)))
                if launch.folder != folder:
                    raise RecordError(f"{path}: belongs to {launch.folder}; it was copied from elsewhere")
                launches[folder] = launch
            except RecordError as error:
                unreadable[folder] = str(error)
        return launches, unreadable

    def abandoned(self) -> tuple[Launch, ...]:
        """Launches (folder, id and start alone) without a written outcome."""
        places = [path.parent for path in sorted(self.path.glob("launches/*/started.json"))]
        folders = [f"launches/{place.name}" for place in places if not (place / "launch.json").exists()]
        return tuple(self._started(Launch(0, "", "planned", folder)) for folder in folders)

    def _started(self, launch: Launch) -> Launch:
        """A launch without its end, with the known facts of its start."""
        try:
            started = read_json(self.path / launch.folder / "started.json", "started")
        except RecordError:
            return launch
        return replace(launch, id=started["id"], started=started["started"])

    def _adopted(self, launch: Launch, case: Case) -> Launch | None:
        """An abandoned launch as done, where it wrote its whole record nevertheless."""
        path = self.path / launch.folder / "record.jsonl"
        launch = self._started(launch)
        try:
            if not launch.id or _own_record(path, case, launch).launch != launch.id:
                return None
            seconds = path.stat().st_mtime - (self.path / launch.folder / "started.json").stat().st_mtime
        except (RecordError, OSError):
            return None
        return replace(launch, status="done", returncode=0, seconds=round(max(seconds, 0.0), 3))

    def _read_case(
        self, entry: dict[str, Any], by_folder: dict[str, Launch], unreadable: dict[str, str], where: str
    ) -> CaseRun:
        """A case of the plan with its launches; takes those out of `by_folder` and `unreadable`."""
        case = from_plain(Case, entry["case"], f"{where}: case")
        check = with_chosen_precision(from_plain(Check, entry["check"], f"{where}: check"), entry["check"], case)
        launches: list[Launch] = []
        sentences: list[str] = []
        for planned in entry["launches"]:
            folder = planned["folder"]
            if folder in unreadable:
                sentences.append(unreadable.pop(folder))
            launch = by_folder.pop(folder, None) or Launch(planned["number"], case.id, "planned", folder)
            if launch.status == "planned" and (self.path / folder).is_dir():
                launch = self._adopted(launch, case) or replace(launch, status="interrupted", reason=ABANDONED)
            launches.append(launch)
        launches += [by_folder.pop(extra.folder) for extra in list(by_folder.values()) if extra.case_id == case.id]
        launches.sort(key=lambda launch: launch.number)
        records: list[Record] = []
        for launch in launches:
            if launch.status == "done":
                try:
                    records.append(_own_record(self.path / launch.folder / "record.jsonl", case, launch))
                except RecordError as error:
                    sentences.append(str(error))
        return CaseRun(case, check, tuple(launches), tuple(records), tuple(sentences), entry["unavailable"])


def _own_record(path: Path, case: Case, launch: Launch) -> Record:
    from tenken.store.record import read_record  # needs NumPy, which the help of a word does without

    record = read_record(path)
    if launch.id and record.launch and record.launch != launch.id:
        raise RecordError(f"{path}: written by another launch than launch.json; repeat this launch")
    if (record.check, record.ranks) != (case.check, case.ranks):
        raise RecordError(
            f"{path}: written by {record.check} on {record.ranks} ranks, expected {case.check} on {case.ranks}; "
            "the record belongs to another launch: repeat this launch"
        )
    return record


def list_runs(runs: Path) -> tuple[Path, ...]:
    """Folders of all runs in `runs`, oldest first."""
    folders = [path.parent for path in runs.glob("*/run.json")]
    return tuple(sorted(folders, key=lambda path: (path.name[:16], (path / "run.json").stat().st_mtime_ns, path.name)))


def find_run(runs: Path, name: str) -> Path:
    """The run folder called `name`: a path, a unique prefix of a name in `runs`, or `last`."""
    path = Path(name)
    if (path / "run.json").is_file():
        return path
    known = list_runs(runs)
    if not known:
        raise TenkenError(f"no runs in {runs}: start one with ./tenken run, or name the folder with --runs DIR")
    if name == "last":
        return known[-1]
    fitting = [folder for folder in known if folder.name.startswith(name)]
    if len(fitting) == 1 and name:
        return fitting[0]
    names = [folder.name for folder in known]
    if not fitting or not name:
        raise TenkenError(f"no run '{name}' in {runs}; {nearest(name, names[-10:])}")
    raise TenkenError(
        f"'{name}' fits {len(fitting)} runs{', the newest' if len(fitting) > 5 else ''}: "
        f"{', '.join(folder.name for folder in fitting[-5:])}; type more of it"
    )
