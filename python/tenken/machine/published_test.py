from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import builders
from tenken.base.errors import TenkenError
from tenken.machine.files import read_files
from tenken.machine.published import published_points
from tenken.model.check import CaseSpec, Plot, PublishedRow, Study, StudyAxis
from tenken.model.study import PublishedPoint

FILES = read_files([Path(__file__).parents[3] / "machines"])
CHECK = builders.check(metrics=[builders.metric("rate", "a"), builders.metric("time", "a", "time", "ms", better="lower")])
ROW = PublishedRow("rate", "fx100", "Lattice QCD", "kernel3", "", 8.0)


BYTES = builders.check(metrics=[
    builders.metric("rate", "a", "byte_rate", "GB/s"), builders.metric("time", "a", "time_per_call", "ms", better="lower")])


def _study(*rows: PublishedRow) -> Study:
    case = CaseSpec("s", "plain", {}, 1, 1, 1, 1.0, ())
    axes, plot = (StudyAxis("threads", {"threads": [1]}),), Plot("curve", "threads", ("rate",), None, None, (), ())
    return Study("s", "t", "q", case, axes, plot, rows)


def points(*rows: PublishedRow) -> tuple[PublishedPoint, ...]:
    return published_points(CHECK, _study(*rows), FILES)


def test_rates_come_from_the_percentage_of_the_peak_of_a_rank_times_and_rates_as_printed() -> None:
    rate, time, hpl = points(ROW, replace(ROW, metric="time"), PublishedRow("rate", "ito-b", "HPL", "whole", "", 36.0))
    assert rate.value == pytest.approx(0.1894 * 16 * 1.975 * 8)  # GFLOP/s: 18.94 % of 16 flop a cycle on 8 cores
    assert time.value == pytest.approx(1217.0) and hpl.value == pytest.approx(1760.0)
    assert rate.label == "fx100, Lattice QCD kernel3" and "RIKEN symposium" in rate.source and "second table" in rate.source


def test_rows_of_results_are_converted_to_the_unit_of_the_metric() -> None:
    inside = PublishedRow("rate", "k", "MPI_Bcast", "inside a node, 1 node, 2 ranks", "256 MB", "node")
    barrier = PublishedRow("time", "k", "MPI_Barrier", "8 nodes, 8 ranks", "", 8.0)
    bcast, wait = published_points(BYTES, _study(inside, barrier), FILES)
    assert bcast.value == pytest.approx(5.037 * 2**30 / 1e9)  # GiB/s, drawn in GB/s
    assert wait.value == pytest.approx(2.202e-3)  # us, drawn in ms
    assert bcast.x == "node" and "kitazawa/bcast" in bcast.source and "RIKEN symposium" in bcast.source
    row = PublishedRow("rate", "oakforest-pacs", "MPI between nodes, highest rate", "TMI", "", 8.0)
    sent = published_points(BYTES, _study(row), FILES)
    assert sent[0].source.startswith("Y. Hirokawa and others") and sent[0].source.endswith("(in Japanese); hirokawa/section-6")
    with pytest.raises(TenkenError, match="has 0 results of MPI_Bcast"):  # a rate is no time
        published_points(BYTES, _study(replace(inside, metric="time")), FILES)


def test_a_change_is_added_to_what_it_is_a_change_of() -> None:
    size, before = "Si: 24^3 k-points, 16 bands, 16x16x16", ("ARTED stencil, before prefetches", "explicit vectors")
    row = PublishedRow("rate", "oakforest-pacs", "ARTED stencil, change by prefetches", "Xeon Phi", size, "128", "si", 1, before)
    (point,) = points(row)
    assert point.value == pytest.approx(729.1 - 78.23) and (point.x, point.panel) == ("128", "si")
    assert point.label.endswith("Xeon Phi: 729.1 -78.23")
    assert point.source.startswith("Y. Hirokawa") and point.source.endswith("hirokawa/table-3"), "the paper of the row, of two"
    (other,) = points(replace(row, size="SiO2: 4^3 k-points, 48 bands, 20x36x52"))
    assert other.value == pytest.approx(542.9 + 2.11), "both are of the size that is asked for"
    for wrong in (replace(row, number=None), replace(row, number=4), replace(row, change_of=("ARTED stencil", "none"))):
        with pytest.raises(TenkenError, match="has 0 results of ARTED stencil, change by prefetches"):
            points(wrong)
    told = replace(CHECK, studies=(_study(row, ROW),)).counterparts
    assert [one.application for one in told] == ["Lattice QCD"], "no figure of a run stands beside a change"


@pytest.mark.parametrize(("row", "sentence"), [
    (replace(ROW, machine="fx10"), "no machine file is named 'fx10'; known: "),
    (replace(ROW, section="kernel9"), "fx100.toml has 0 results of Lattice QCD, section kernel9"),
    (replace(ROW, size="8x8x8x8"), "has 0 results of Lattice QCD, section kernel3, size 8x8x8x8"),
    (replace(ROW, section="send"), "has no rate of Lattice QCD, section send, for metric rate"),
])
def test_a_row_that_is_not_there_is_named(row: PublishedRow, sentence: str) -> None:
    with pytest.raises(TenkenError) as error:
        points(row)
    assert sentence in str(error.value) and "study demo:s, published" in str(error.value)
