"""Published figures beside the metrics of the topics of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import assessments
from tenken.machine.beside import with_references
from tenken.machine.beside_test import MACHINES, checks, reference, run
from tenken.machine.files import Files, read_cores
from tenken.model.assessment import Assessment, Beside, TopicResult


def beside(folder: Path, assessment: Assessment, **published: object) -> tuple[Beside, ...]:
    topic = TopicResult("x", "X", "?", tuple(case.id for case in assessment.cases))
    machine = reference(folder, **published)
    files = Files(read_cores(MACHINES / "cores.toml"), (), {machine.name: machine})
    return with_references(replace(assessment, topics=(topic,)), checks(), files).topics[0].beside


def test_a_metric_stands_beside_its_published_figure(tmp_path: Path) -> None:
    [row] = beside(tmp_path, run())
    assert row == Beside("toy:a", "rate", "3 GFLOP/s", None, "x", "1e9 FLOP/s", None, "App, 101 kernel, n=4", "")


@pytest.mark.parametrize(("published", "apart"), [({"size": "n=8"}, "size"), ({"size": "n=8", "ranks": 9}, "size, ranks")])
def test_what_differs_is_named(tmp_path: Path, published: dict[str, object], apart: str) -> None:
    [row] = beside(tmp_path, run(), **published)
    assert row.apart == apart


def test_of_a_repeated_metric_the_best_figure_is_shown(tmp_path: Path) -> None:
    figures = ((8, 1.0), (16, 4.0), (32, 2.0))
    rates = [replace(assessments.metric("rate", "kernel", value, "GFLOP/s"), at=at) for at, value in figures]
    [row] = beside(tmp_path, run(metrics=tuple(rates)))
    assert (row.metric, row.here) == ("rate/16", "4 GFLOP/s")


def test_other_quantities_and_wrong_answers_have_nothing_beside_them(tmp_path: Path) -> None:
    assert beside(tmp_path, run(value=None)) == ()
    assert beside(tmp_path, run("other:a")) == ()
