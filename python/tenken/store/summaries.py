"""Reading `summary` lines of a record: a program's figures of a section where the samples of all ranks were too many."""

from __future__ import annotations

from typing import Any

import numpy as np

from tenken.base.rows import Array, Rows, loss
from tenken.model.errors import RecordError
from tenken.model.record import Summary
from tenken.store.samples import ADVICE, MAX_COUNT, MAX_NS, rising, stated_work

_OF_REPETITIONS = ("calls", "ns", "slowest")
_OF_RANKS = ("count", "sum_ns", "median_ns", "mad_ns", "loss", "least_ns", "low_ns", "high_ns", "outlying_ns", "memory",
             "flop", "bytes")  # fmt: skip
_ROUNDED = 1e-5  # as programs write the loss


def read_summary(line: dict[str, Any], where: str, ranks: int, sections: set[int]) -> Summary:
    """The summary of a line that fits the schema; RecordError, starting with `where`, where it cannot be believed."""

    def refuse(why: str) -> RecordError:
        return RecordError(f"{where}: {why}; {ADVICE}")

    section, repetition, rank = line["section"], line["repetition"], line["rank"]
    if section not in sections:
        raise refuse(f"summary of unknown section {section}")
    for names, of in ((_OF_REPETITIONS, repetition), (_OF_RANKS, rank)):
        for name in names:
            if len(line[name]) != len(of):
                raise refuse(f"{len(line[name])} {name} for {len(of)} {'ranks' if of is rank else 'repetitions'}")
    if not repetition or not rank or not rising(repetition) or not rising(rank) or rank[-1] >= ranks:
        raise refuse("repetitions or ranks are missing, unknown or not in rising order")
    work = stated_work(line["work"])
    if len(work) not in (1, len(repetition)) or (isinstance(line["work"], list) and len(work) != len(repetition)):
        raise refuse(f"{len(work)} work for {len(repetition)} repetitions")
    if not set(line["slowest"]) <= set(rank):
        raise refuse("the slowest rank of a repetition took no part")
    figure = {name: np.array(line[name], dtype=np.float64) for name in _OF_RANKS}
    ns = np.array(line["ns"], dtype=np.float64)
    least, low, middle, high, most = (figure[f"{statistic}_ns"] for statistic in ("least", "low", "median", "high", "sum"))
    ordered = (least <= low) & (low <= middle) & (middle <= high) & (high <= most) & (figure["count"] >= 1)
    if not bool(ordered.all()) or float(figure["count"].max()) > len(repetition) or float(ns.max()) > MAX_NS:
        raise refuse("figures of ranks contradict each other or are absurd")
    if max(map(float, (figure["flop"].max(), figure["bytes"].max(), *line["calls"]))) > MAX_COUNT:
        raise refuse("absurd calls or work")
    if not _agrees(figure):
        raise refuse("the loss of a rank is not that of its sum, count and median")
    rows = Rows(
        figure["count"], most, middle, figure["mad_ns"], least, low, high, figure["outlying_ns"], figure["memory"]
    )
    return Summary(
        section, tuple(repetition), np.array(line["calls"], dtype=np.float64), ns, tuple(line["slowest"]),
        work * len(repetition) if len(work) == 1 else work, tuple(rank), rows, figure["flop"], figure["bytes"],
    )


def _agrees(figure: dict[str, Array]) -> bool:
    expected = loss(figure["count"], figure["sum_ns"], figure["median_ns"])
    return bool(np.all(np.abs(figure["loss"] - expected) <= _ROUNDED * np.maximum(1.0, np.abs(expected))))
