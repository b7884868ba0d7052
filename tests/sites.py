"""A folder of runs made of synthetic records and one of baselines, with words typed on them."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import builders as b
from tenken.cli.main import main
from tenken.model.run import Launch
from tenken.store.files import to_plain, write_json
from tenken.store.runfolder import RunFolder

TREE = Path(__file__).resolve().parents[1]
NODE = json.loads((TREE / "tests/machines/two_sockets.node.json").read_text())


class Site:
    """A folder of runs and one of baselines."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.runs, self.baselines, self._capsys = folder / "runs", folder / "baselines", capsys
        self.runs.mkdir()

    def run(self, name: str, day: int = 1, rate: float = 30e9, host: str = "n0", **more: Any) -> Path:
        """A run of two cases, demo:a and demo:b, of three launches each, as it lies on disk."""
        record_changes, nodes = more.pop("record", {}), more.pop("nodes", None)
        check = b.check("demo", [b.bytes_metric()])
        cases = []
        folder = self.runs / name
        for case in "ab":
            records = []
            for number in (1, 2, 3):
                at = number + (3 if case == "b" else 0)
                timed = b.triad(rate * (1 + 0.001 * number))
                one = b.record(timed, case=case, launch=at, hosts=(host,), **record_changes)
                b.write_record(folder / f"launches/{at:04d}-demo.{case}/record.jsonl", one)
                records.append(one)
            case_run = b.case_run(*records, of=check)
            launches = tuple(replace(each, started=f"2026-11-{day:02d}T08:00:10Z") for each in case_run.launches)
            cases.append(replace(case_run, launches=launches, records=()))
        whole = b.run(*cases, name=name, folder=str(folder), started=f"2026-11-{day:02d}T08:00:00Z")
        build = {"name": "gcc", "compiler": "g++ 12", "mpi": "Open MPI 4", **more.pop("build", {})}
        whole = replace(whole, environment=build, **more)
        RunFolder(folder).write_run(whole)
        for case_run in whole.cases:
            for launch in case_run.launches:
                self._launch(folder, launch)
        nodes = nodes or [self.node(host)]
        machine = {"schema": "tenken.machine/1", "date": whole.started, "nodes": nodes, "software": {}, "allocation": {}}
        write_json(folder / "machine.json", machine)
        return folder

    @staticmethod
    def _launch(folder: Path, launch: Launch) -> None:
        write_json(folder / launch.folder / "launch.json", {"schema": "tenken.launch/1", **to_plain(launch)})

    @staticmethod
    def node(host: str, **os_: Any) -> dict[str, Any]:
        one = copy.deepcopy(NODE)
        one["host"] = host
        one["os"] |= os_
        return one

    def type(self, *words: str) -> tuple[int, str, str]:
        """Type `tenken words` with these folders."""
        runs = () if words[1] in ("list", "show", "drop") else ("--runs", str(self.runs))
        code = main([*words, *runs, "--baselines", str(self.baselines)])
        out, err = self._capsys.readouterr()
        assert "Traceback" not in out + err and "internal error" not in err, err
        return code, out, err

    def judge(self, name: str) -> None:
        """results.json, without the page."""
        (self.runs / name / "results.json").write_text(self.type("show", name, "--json")[1])

    def files(self) -> list[Path]:
        return sorted(path for path in self.baselines.rglob("*") if path.is_file())
