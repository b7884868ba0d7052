"""Figures of a run's checks for all other checks: `ceilings.json` in its folder, read by later runs of the node class."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from tenken.model.errors import TenkenError
from tenken.model.offer import Offer
from tenken.store.files import read_json, write_json
from tenken.store.plain import from_plain, to_plain

FILE = "ceilings.json"
SCHEMA = "tenken.ceilings/1"
_MOST_RUNS = 100  # that are looked through, newest first


def write_ceilings(folder: Path, started: str, offers: tuple[Offer, ...]) -> None:
    """The good ones of a run, into its folder: not disturbed, of nodes of the same class. Nothing where there is none."""
    good = [offer for offer in offers if not offer.disturbed]
    if good:
        write_json(folder / FILE, {"schema": SCHEMA, "started": started, "offers": [to_plain(offer) for offer in good]})


def known_ceilings(runs: Path, before: str, node_classes: Collection[str]) -> tuple[Offer, ...]:
    """Of each kind those of the newest run of that node class before the run called `before`, with their date.

    Names of runs begin with their time. An unreadable file counts as missing.
    """
    files = sorted((path for path in runs.glob(f"*/{FILE}") if path.parent.name < before), reverse=True)
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
