"""The folder of a comparison: its plan. The launches are those of two ordinary runs beside it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from tenken.base.words import nearest
from tenken.model.comparison import ComparisonPlan
from tenken.model.errors import TenkenError
from tenken.store.files import read_json, write_json
from tenken.store.plain import to_plain

_FILE, _SCHEMA = "comparison.json", "tenken.comparison/1"


def new_folder(runs: Path, suite: str, started: datetime | None = None) -> Path:
    """A new folder `<UTC>-compare-<suite>-<4 hex>` in `runs`."""
    at = (started or datetime.now(timezone.utc)).astimezone(timezone.utc)
    label = re.sub(r"[^A-Za-z0-9_.]+", "-", suite).strip("-.")[:40] or "cases"
    path = runs / f"{at:%Y%m%dT%H%M%SZ}-compare-{label}-{secrets.token_hex(2)}"
    try:
        path.mkdir(parents=True)
    except OSError as error:
        raise TenkenError(
            f"cannot make {path}: {error.strerror}; choose a folder that you can write to with --runs DIR"
        ) from error
    return path


def write_plan(
    folder: Path, suite: str, seed: int, environments: tuple[str, str], runs: tuple[str, str], essential: Sequence[str],
    most_pairs: int,
) -> ComparisonPlan:
    started = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    plan = ComparisonPlan(folder.name, str(folder), suite, started, seed, environments, runs, tuple(essential), most_pairs)
    known = {key: value for key, value in to_plain(plan).items() if key not in ("name", "folder")}
    write_json(folder / _FILE, {"schema": _SCHEMA, **known})
    return plan


def read_plan(folder: Path) -> ComparisonPlan:
    """RecordError where `comparison.json` cannot be believed."""
    plan = read_json(folder / _FILE, "comparison")
    environments, runs = plan["environments"], plan["runs"]
    return ComparisonPlan(
        folder.name, str(folder), plan["suite"], plan["started"], plan["seed"], (environments[0], environments[1]),
        (runs[0], runs[1]), tuple(plan["essential"]), plan["most_pairs"],
    )


def find_comparison(runs: Path, name: str) -> Path:
    """The folder of the comparison called `name`: a path, a unique prefix of a name in `runs`, or `last`."""
    if (Path(name) / _FILE).is_file():
        return Path(name)
    known = sorted(path.parent for path in runs.glob(f"*/{_FILE}"))
    if not known:
        raise TenkenError(f"no comparisons in {runs}: ./tenken compare-env A B makes one, or name the folder with --runs DIR")
    if name == "last":
        return known[-1]
    fitting = [path for path in known if name and path.name.startswith(name)]
    if len(fitting) == 1:
        return fitting[0]
    names = [path.name for path in fitting or known]
    if fitting:
        raise TenkenError(f"'{name}' fits {len(fitting)} comparisons: {', '.join(names[-5:])}; type more of it")
    raise TenkenError(f"no comparison '{name}' in {runs}; {nearest(name, names[-10:])}")
