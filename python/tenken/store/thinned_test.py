"""Records whose samples are too many: reduced where they are read, or written so; both are judged as if all were there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import builders
from tenken.base.errors import RecordError
from tenken.judge.common import launch_sections, rank_work
from tenken.model.record import Record, Summary, Work
from tenken.model.run import Measured
from tenken.store import record as store_record
from tenken.store.record import read_record
from tenken.store.samples import as_written, from_line

RANKS, REPETITIONS, SLOW, SHAKEN = 60, 30, 17, 41
WORK = Work(10, 20, 5, 1)


def many(waited_ns: int = 0) -> Record:
    """A slow rank, one that is interrupted, communication, and a section timed once per launch."""
    random = np.random.default_rng(5)
    ns = 1e6 * (1 + 0.01 * random.standard_normal((RANKS, REPETITIONS)))
    ns[SLOW] *= 1.2
    ns[SHAKEN, ::6] *= 3
    sections = [
        builders.Timed("solve", 1.5 * ns, leaf=False),
        builders.Timed("solve/a", np.round(ns), work=WORK),
        builders.Timed("solve/b", np.round(4e5 * (1 + 0.01 * random.standard_normal(ns.shape))), kind="comm", work=WORK),
        builders.Timed("setup", np.full((RANKS, 1), 5e5), once=True),
    ]
    trusts = {rank: builders.trust(run_queue_wait_ns=waited_ns * (rank % 3)) for rank in range(RANKS)}
    return builders.record(*sections, trusts=trusts, hosts=("n0", "n1", "n2", "n3"))


def as_programs_write(path: Path, of: Record) -> Path:
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in builders.record_lines(of)))
    return path


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """So few samples are too many here, and so few are kept."""
    monkeypatch.setattr(store_record, "MOST_SAMPLES", 1000)
    monkeypatch.setattr("tenken.store.samples.MOST_KEPT", 8 * 4 * REPETITIONS)


def judged(of: Record) -> list[dict[str, Any]]:
    sections = launch_sections(Measured(builders.launch(), of))
    return [{name: getattr(one, name) for name in one.__slots__} for one in sections]


def test_a_line_as_programs_write_it_is_what_the_json_reader_makes_of_it(tmp_path: Path) -> None:
    lines = [line for line in builders.record_lines(many()) if line["type"] == "series"]
    for line in lines[::40]:
        slow = from_line(line, "w")
        for separators in ((",", ":"), (", ", ": ")):
            fast = as_written(json.dumps(line, separators=separators).encode(), "w")
            assert fast is not None and fast.series() == slow.series()


@pytest.mark.filterwarnings("ignore:string or file could not be read")
@pytest.mark.parametrize("damage", [
    ('"ns":[1,2]', '"ns":[1,-2]'), ('"ns":[1,2]', '"ns":[1]'), ('"ns":[1,2]', '"ns":[1,,2]'), ('"ns":[1,2]', '"ns":[1 2]'),
    ('"ns":[1,2]', '"ns":[1,2.0]'), ('"ns":[1,2]', '"ns":[]'), ('"ns":[1,2]', '"ns":[1,99999999999999999999]'),
    ('"repetition":[0,1]', '"repetition":[1,0]'), ('"repetition":[0,1]', '"repetition":[-2,0]'),
    ('"calls":[1,1]', '"calls":[1,true]'), ('"calls":[1,1]', '"calls":[1,"1"]'), ('"flop":1', '"flop":-1'),
    ('"flop":1,', ''), ('"flop":1', '"flop":1.5'), ('"rank":0', '"rank":00'), ("}}", "}} "), ("}}", "}"),
    ('"messages":0', '"m":0'),
])  # fmt: skip
def test_any_other_line_is_left_to_the_json_reader(damage: tuple[str, str]) -> None:
    right = ('{"type":"series","rank":0,"section":1,"repetition":[0,1],"calls":[1,1],"ns":[1,2],'
             '"work":{"flop":1,"bytes_read":2,"bytes_written":3,"messages":0}}')
    assert as_written(right.encode(), "w") is not None
    assert damage[0] in right and as_written(right.replace(*damage).encode(), "w") is None


def test_too_many_samples_are_reduced_to_summaries_and_the_ranks_that_stand_out(tmp_path: Path, few: None) -> None:
    whole = many()
    found = read_record(as_programs_write(tmp_path / "r", whole))
    assert [one.section for one in found.summaries] == [0, 1, 2, 3]
    assert {SLOW, SHAKEN} <= {one.rank for one in found.series} and len({one.rank for one in found.series}) <= 8
    kept = {(one.rank, one.section): one for one in whole.series}
    assert all(one == kept[one.rank, one.section] for one in found.series)
    ns = np.array([one.ns for one in whole.series if one.section == 1], dtype=float)
    one = found.summaries[1]
    assert one.ns.tolist() == ns.max(axis=0).tolist() and one.slowest == tuple(ns.argmax(axis=0).tolist())
    assert one.rows.sum.tolist() == ns.sum(axis=1).tolist() and one.rows.median.tolist() == np.median(ns, axis=1).tolist()
    assert one.work[0] == Work(*(RANKS * each for each in (10, 20, 5, 1))) and one.rank == tuple(range(RANKS))
    assert found.summaries[3].repetition == (-1,) and found.repetitions == whole.repetitions == REPETITIONS


def test_the_judge_sees_the_same_in_what_is_kept(tmp_path: Path, few: None) -> None:
    whole = many()
    thin = read_record(as_programs_write(tmp_path / "r", whole))
    assert judged(thin) == judged(whole)
    assert rank_work(thin, "solve/a") == rank_work(whole, "solve/a")


def test_where_load_was_met_what_is_kept_bounds_no_more_tightly(tmp_path: Path, few: None) -> None:
    """Time, loss and jitter are the same; what may hide in them is as large or larger, and equal for the ranks kept."""
    whole = many(waited_ns=2_000_000)
    thin = read_record(as_programs_write(tmp_path / "r", whole))
    kept = {one.rank for one in thin.series}
    hides = ("hidden_ns", "ranks", "least_loss", "least_jitter")
    for exact, bound in zip(judged(whole), judged(thin), strict=True):
        assert {name: value for name, value in exact.items() if name not in hides} == {
            name: value for name, value in bound.items() if name not in hides
        }
        assert bound["hidden_ns"] >= exact["hidden_ns"] - 1e-6
        for one, other in zip(exact["ranks"], bound["ranks"], strict=True):
            assert replace(one, hidden_ns=0) == replace(other, hidden_ns=0)
            assert other.hidden_ns >= one.hidden_ns - 1e-6
            if one.rank in kept and exact["kind"] != "comm":
                assert other.hidden_ns == pytest.approx(one.hidden_ns)


def summary_line(one: Summary) -> dict[str, Any]:
    """As cpp/measure/many_ranks.cpp writes it."""
    whole = {name: list(map(int, getattr(one, name))) for name in ("repetition", "calls", "ns", "slowest", "rank")}
    times = ("sum", "median", "mad", "least", "low", "high", "outlying")
    rows = {f"{name}_ns": getattr(one.rows, name).tolist() for name in times}
    works = [{name: getattr(work, name) for name in Work.__slots__} for work in one.work]
    return {"type": "summary", "section": one.section, **whole, "work": works if len(set(one.work)) > 1 else works[0], **rows,
            "count": list(map(int, one.rows.count)), "loss": one.rows.loss.round(6).tolist(),
            "memory": one.rows.memory.round(4).tolist(), "flop": list(map(int, one.flop)),
            "bytes": list(map(int, one.bytes_moved))}


def written(tmp_path: Path, change: Callable[[dict[str, Any]], Any] = lambda line: None, schema: int = 2) -> Path:
    """The record of the writer: `change` is done to the summary of section 1."""
    thin = read_record(as_programs_write(tmp_path / "all", many()))
    summaries = [summary_line(one) for one in thin.summaries]
    change(summaries[1])
    lines = builders.record_lines(replace(thin, summaries=()))
    place = 1 + max(i for i, line in enumerate(lines) if line["type"] in ("rank", "series"))
    lines = [*lines[:place], *summaries, *lines[place:]]
    lines[0]["schema"] = f"tenken.record/{schema}"
    lines[-1]["lines"] = len(lines)
    return builders.write_lines(tmp_path / "record.jsonl", lines)


def test_summaries_of_the_writer_are_read_and_judged_alike(tmp_path: Path, few: None) -> None:
    found = judged(read_record(written(tmp_path)))
    for one, other in zip(found, judged(many()), strict=True):
        assert one.pop("imbalance_limit") == pytest.approx(other.pop("imbalance_limit"), rel=1e-4)  # memory is rounded
        assert one == other


@pytest.mark.parametrize(("change", "says"), [
    (lambda line: line["ns"].pop(), "29 ns for 30 repetitions"),
    (lambda line: line["mad_ns"].pop(), "59 mad_ns for 60 ranks"),
    (lambda line: line.update(section=9), "summary of unknown section 9"),
    (lambda line: line.update(section=2), "summary of section 2 is there twice"),
    (lambda line: line["rank"].reverse(), "not in rising order"),
    (lambda line: line["rank"].__setitem__(-1, 60), "missing, unknown or not in rising order"),
    (lambda line: line["slowest"].__setitem__(0, 60), "the slowest rank of a repetition took no part"),
    (lambda line: line["median_ns"].__setitem__(3, 1.0), "contradict each other"),
    (lambda line: line["loss"].__setitem__(3, 0.5), "not that of its sum, count and median"),
    (lambda line: line["ns"].__setitem__(3, 10**18), "absurd"),
    (lambda line: line["flop"].__setitem__(3, 2**63 + 2**12), "absurd calls or work"),
    (lambda line: line["low_ns"].__setitem__(3, -1.0), "low_ns[3]: expected at least 0"),
    (lambda line: line["memory"].__setitem__(3, "nan"), "memory[3]: expected a finite number"),
    (lambda line: line.update(work=[]), "0 work for 30 repetitions"),
    (lambda line: line.pop("outlying_ns"), "'outlying_ns' is missing"),
])  # fmt: skip
def test_summaries_that_cannot_be_believed_are_refused(
    tmp_path: Path, few: None, change: Callable[[dict[str, Any]], Any], says: str
) -> None:
    with pytest.raises(RecordError, match=re.escape(says)):
        read_record(written(tmp_path, change))


def test_records_of_schema_1_have_no_summaries(tmp_path: Path, few: None) -> None:
    with pytest.raises(RecordError, match="a 'summary' line in a record of schema tenken.record/1"):
        read_record(written(tmp_path, schema=1))


def test_ranks_that_took_part_in_different_repetitions_are_reduced_too(tmp_path: Path, few: None) -> None:
    whole = many()
    series = tuple(
        replace(one, repetition=one.repetition[::2], calls=one.calls[::2], ns=one.ns[::2], work=one.work[::2])
        if one.section == 1 and one.rank % 2 else one for one in whole.series
    )
    whole = replace(whole, series=series)
    thin = read_record(as_programs_write(tmp_path / "r", whole))
    assert not thin.summaries[1].complete and thin.summaries[1].rows.count.tolist()[:2] == [REPETITIONS, REPETITIONS / 2]
    for one, other in zip(judged(thin), judged(whole), strict=True):
        assert (one["median_ns"], one["imbalance_limit"], one["slowest_rank"]) == (
            other["median_ns"], other["imbalance_limit"], other["slowest_rank"])
