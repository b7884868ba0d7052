"""Simulations that take hours, in jobs whose counts are kept: --counts FOLDER goes on where it was left, --part shares the jobs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--counts", type=Path, help="folder of counts: what is there is not simulated again")
    parser.add_argument("--part", type=int, nargs=2, metavar=("N", "OF"), help="simulate this share alone and write no table")


def done(jobs: Mapping[str, Callable[[], T]], folder: Path | None, part: tuple[int, int] | None) -> dict[str, T] | None:
    """What each job counts, or what `folder` keeps of an earlier time; None of a part, which is for the folder alone.

    Counts are what JSON holds: numbers, and lists or objects of them."""
    chosen = list(jobs)[part[0] :: part[1]] if part else list(jobs)
    counts = {name: _one(name, folder, jobs[name]) for name in chosen}
    return None if part else counts


def _one(name: str, folder: Path | None, count: Callable[[], T]) -> T:
    kept = folder / f"{name}.json" if folder else None
    if kept and kept.exists():
        read: T = json.loads(kept.read_text(encoding="utf-8"))
        return read
    counts = count()
    print(f"{name}: done", file=sys.stderr, flush=True)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(counts), encoding="utf-8")
    return counts
