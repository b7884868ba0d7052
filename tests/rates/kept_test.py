from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest
from rates import kept, place, place_lines


def test_what_is_kept_is_not_counted_again(tmp_path: Path) -> None:
    counted: list[str] = []

    def job(name: str) -> Callable[[], list[int]]:
        def count() -> list[int]:
            counted.append(name)
            return [len(counted)]
        return count

    jobs = {name: job(name) for name in "abc"}
    assert kept.done(jobs, tmp_path / "new", (1, 2)) is None and counted == ["b"]
    assert kept.done(jobs, tmp_path / "new", None) == {"a": [2], "b": [1], "c": [3]} and counted == ["b", "a", "c"]
    assert kept.done(jobs, tmp_path / "new", None) == {"a": [2], "b": [1], "c": [3]} and len(counted) == 3
    assert kept.done({"a": job("a")}, None, None) == {"a": [4]}


def test_words_of_the_command_line() -> None:
    parser = argparse.ArgumentParser()
    kept.options(parser)
    typed = parser.parse_args(["--counts", "here", "--part", "1", "3"])
    assert (typed.counts, typed.part) == (Path("here"), [1, 3])


@pytest.mark.parametrize("part", [1.0, 0.2])
def test_a_line_in_pieces_is_the_whole_line(part: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "CHUNK", 15)
    line = next(one for one in place_lines.LINES if one.machine.startswith("2 ranks") and one.right)
    some = place_lines.Line(line.machine, line.planted, line.right, line.once, line.floor, part)
    monkeypatch.setattr(place_lines, "LINES", (some,))
    pieces = [job()[0] for name, job in place._jobs(4, 40).items() if name.startswith("line-0-")]
    assert [sum(one) for one in zip(*pieces, strict=True)] == [place_lines.count(some, 40), place_lines.runs_of(some, 40)]
    assert len(pieces) == 3


def test_rates_are_read_from_their_counts() -> None:
    counts = {f"nodes-{noise.name}-4": [[1, 9], [8, 9]] for noise in place.NOISES}
    first = place._rates(counts, "nodes", {4: ((1, 40),)})[:2]
    assert first == [place.Rate("quiet", 4, None, 1, 9), place.Rate("quiet", 4, (1, 40), 8, 9)]
