"""The program as a whole: right halos for every plane, extent and number of ranks, faults with their place, bad input."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from programs import Lines, Program, failed_proofs, run_all, table, values

FEW = ["--samples", "3", "--seconds", "0.1"]
ROUTES = ("pack", "datatype", "window", "put", "neighbour", "staged")


def wrong(lines: Lines) -> dict[str, dict[str, Any]]:
    """The rows of wrong halos by rank."""
    assert failed_proofs(lines) == {"halos"}, failed_proofs(lines)
    found = table(lines, "wrong_halos")
    return {name.rpartition("/")[2]: dict(zip(found["columns"], row, strict=True))
            for name, row in zip(found["rows"], found["values"], strict=True)}


def test_halos_are_right_for_every_plane_and_number_of_ranks(program: Program) -> None:
    for ranks in program.counts:
        for face in ("xy", "xz", "yz"):
            for n in (5, 33) if ranks <= 2 else (9,):
                few = FEW if ranks <= 2 else ["--samples", "1", "--seconds", "0.1"]
                lines = program.proved(ranks, [*few, "--n", str(n), "--face", face])
                shown = table(lines, "exchange_times")
                routes = shown["columns"]
                assert tuple(routes) == (ROUTES if ranks > 1 or "put" in routes else tuple(x for x in ROUTES if x != "put")), shown
                assert all(time > 0 for time in shown["values"][0]), shown
                got = values(lines)
                for route, time in zip(routes, shown["values"][0], strict=True):
                    assert abs(got[f"{route}_us"] / time - 1) < 1e-12
                assert got["plane_bytes"] == 8 * n * n and 0 <= got["best_route"] < 6


def test_two_planes_at_once(program: Program) -> None:
    for ranks in program.counts[1:]:
        for second in ROUTES[:3] if ranks == 2 else ("window",):
            lines = program.proved(ranks, [*FEW, "--n", "16", "--face", "xy", "--second", second])
            got = values(lines)
            alone = got[f"xz_{second}_us"]
            for route in ROUTES:
                expected = got[f"both_{route}_us"] / (got[f"{route}_us"] + alone)
                assert abs(got[f"both_{route}_over_sum"] / expected - 1) < 1e-12, route


def test_threads_write_the_same_planes(program: Program) -> None:
    program.proved(1, [*FEW, "--n", "17", "--threads", "2"])


def test_faults_are_found_by_the_neighbours_and_placed(program: Program) -> None:
    ranks = program.counts[1]
    last = ranks - 1
    # The upper source of the last rank is old: its upper neighbour, rank 0, finds that at its lower side.
    stale = wrong(program.record(ranks, [*FEW, "--n", "8", "--face", "xz", "--fault", "stale_plane"]))
    assert list(stale) == ["0"] and stale["0"]["neighbour"] == last and stale["0"]["side"] == 0, stale
    assert stale["0"]["wrong values"] >= 64 and stale["0"]["face"] == 1, stale
    torn = wrong(program.record(ranks, [*FEW, "--n", "8", "--face", "xy", "--fault", "torn_window"]))
    first = torn["0"]
    assert first["neighbour"] == last and ROUTES[int(first["way"])] == "window", torn
    byte = wrong(program.record(ranks, [*FEW, "--n", "8", "--fault", "wrong_byte"]))
    assert list(byte) == [str(last)] and byte[str(last)]["place"] == 0 and byte[str(last)]["late samples"] == 0, byte


def test_times_are_appended_to_a_table_that_other_launches_read(program: Program) -> None:
    ranks = program.counts[1]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "routes.tsv")
        for face, blocks, block in (("xy", 1, 8 * 81), ("xz", 9, 8 * 9), ("yz", 81, 8)):
            lines = program.proved(ranks, [*FEW, "--n", "9", "--face", face, "--save_routes", str(file)])
            heading, *rows = (row.split("\t") for row in file.read_text().splitlines())
            assert heading[0] == "# processor" and len(heading) == len(rows[-1]) == 15, heading
            assert rows[-1][3:5] == [str(block), str(blocks)] and rows[-1][5] == ROUTES[int(values(lines)["best_route"])]
            times = table(lines, "exchange_times")
            for name, us in zip(times["columns"], times["values"][0], strict=True):
                assert abs(float(rows[-1][6 + ROUTES.index(name)]) / us - 1) < 1e-3, (name, rows[-1])
        assert len(rows) == 3
        assert "messages_through_memory" in values(program.proved(ranks, [*FEW, "--n", "9", "--routes", str(file)]))
        file.write_text(file.read_text().replace(rows[0][0], "Another"))
        program.refused(ranks, ["--routes", str(file)], "has no routes of")
        program.refused(ranks, ["--routes", folder], "cannot be read: Is a directory")
        program.refused(ranks, ["--routes", str(file) + "x"], "cannot be read: No such file")
        program.refused(ranks, ["--save_routes", folder], "cannot be written: Is a directory")
        Path(folder, "other").write_text("a letter to a friend")
        program.refused(ranks, ["--save_routes", str(Path(folder, "other"))], "another file than a table of routes")


def test_bad_input(program: Program) -> None:
    for words, sentence in (
        (["--n", "3"], "n"), (["--face", "zz"], "face"), (["--second", "pack"], "choose --face xy"),
        (["--n", "4", "--face", "xy", "--second", "pack"], "choose --n 5 or larger"),
    ):
        program.refused(1, words, sentence)


if __name__ == "__main__":
    run_all(globals())
