"""Runs the check as a program: `check_program.py PROGRAM MPIEXEC RANKS…` (tests/programs.py).

- Grids of processes, broadcasts and look-ahead end with a residual below 1; with a planted fault it is above 16.
- The sections of all ranks together have the flop of the stated formula.
- Variant cuda with its updates in loops on the host does the same work, and finds the same faults.
- The memory that is stated is the memory that is used. What cannot be run is refused with one sentence.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from programs import SANITIZED, Program, failed_proofs, run_all, values

N = 200
GRIDS = {1: ((1, 1),), 2: ((1, 2), (2, 1)), 4: ((2, 2),), 6: ((2, 3),)}  # of ranks; the MPI test has the others


def test_every_grid_solves_the_system(program: Program) -> None:
    for ranks in program.counts:
        for p, q in GRIDS[ranks]:
            sizes = ["--n", str(N), "--nb", "24", "--p", str(p), "--q", str(q), "--broadcast", "ring" if p < 2 else "tree"]
            lines = program.proved(ranks, sizes)
            residual = next(float(line["value"]) for line in lines if line["type"] == "validity" and line["name"] == "residual")
            assert residual < 1, f"{p} x {q}: residual {residual}"
            assert values(lines)["grid_rows"] == p and values(lines)["grid_columns"] == q


def test_every_way_of_a_panel_and_look_ahead_solves_the_system(program: Program) -> None:
    ranks = program.counts[-1]
    for broadcast, ahead, rows in (("long", 2, 1), ("ring", 2, 1), ("tree", 2, 1), ("long", 0, 2), ("long", 3, 2)):
        for p in (rows, ranks // rows):
            program.proved(ranks, ["--n", str(N), "--nb", "24", "--p", str(p), "--broadcast", broadcast, "--lookahead", str(ahead)])


def test_the_flop_are_those_of_the_formula(program: Program) -> None:
    assert_flop_of_the_formula(program.record(1, ["--n", str(N), "--nb", "32"]))


def assert_flop_of_the_formula(lines: list[dict[str, Any]]) -> None:
    paths = {section["id"]: section["path"] for section in lines[0]["sections"]}
    found = 0.0
    for series in (line for line in lines if line["type"] == "series" and paths[line["section"]].startswith("lu/")):
        works = series["work"] if isinstance(series["work"], list) else [series["work"]]
        found += works[-1].get("flop", 0) if len(works) == 1 else sum(work.get("flop", 0) for work in works) / len(works)
    expected = 2 / 3 * N**3 + 3 / 2 * N**2 - 7 / 6 * N
    assert abs(found - expected) <= 1e-3 * expected, f"{found} flop a system, expected {expected}"


def test_faults_are_found(program: Program) -> None:
    for fault, ranks in (("wrong_pivot", 1), ("stale_panel", 2)):
        assert failed_proofs(program.record(ranks, ["--n", str(N), "--nb", "16", "--fault", fault])) == {"residual"}, fault


def test_updates_on_a_card_as_loops(program: Program) -> None:
    on_host = program.on_host()
    lines = on_host.proved(1, ["--n", str(N), "--nb", "32"])
    assert_flop_of_the_formula(lines)
    assert values(lines)["section_cost"] > 0
    swaps = {line["section"] for line in lines if line["type"] == "series"}
    assert {"lu/swap", "lu/update", "lu/wait"} <= {section["path"] for section in lines[0]["sections"] if section["id"] in swaps}
    ranks = program.counts[-1]
    for p in {1, ranks}:
        on_host.proved(ranks, ["--n", str(N), "--nb", "24", "--p", str(p)])
    for fault, count in (("wrong_pivot", 1), ("stale_panel", 2)):
        assert failed_proofs(on_host.record(count, ["--n", str(N), "--nb", "16", "--fault", fault])) == {"residual"}, fault
    on_host.refused(1, ["--solve_seconds", "1"], "counts on the rate of the processors")
    lines = on_host.proved(2, ["--percent_of_memory", "1", "--nb", "64", "--repetitions", "1"])  # of a card of 1 GiB, shared
    assert values(lines)["equations"] == 1100, values(lines)


def test_memory_is_what_is_stated(program: Program) -> None:
    if SANITIZED:  # whose memory it would be
        return
    without, _ = program.peak(["--n", "64", "--nb", "64"])
    used, lines = program.peak(["--n", "2000"])
    used, stated = used - without, values(lines)["memory_bytes"]
    assert abs(used - stated) <= 0.05 * stated, f"{used:.0f} bytes used, {stated:.0f} stated"


def test_an_input_file_of_the_benchmark(program: Program) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "HPL.dat")
        lines = program.proved(2, ["--n", "120", "--nb", "16", "--p", "2", "--broadcast", "tree", "--write_input", str(file)])
        again = program.proved(2, ["--input", str(file)])
        for name in ("equations", "grid_rows", "grid_columns"):
            assert values(lines)[name] == values(again)[name], name
        one = file.read_text()
        many = one.replace("1            # of problems", "2            # of problems").replace("120          Ns", "60 120       Ns")
        file.write_text(one.replace("1            DEPTHs", "2            DEPTHs"))
        assert "WR24R2R4         120" in program.start(2, ["--input", str(file)]).stdout
        file.write_text(many)
        program.refused(2, ["--input", str(file), "--record", str(Path(folder, "r.jsonl"))], "asks for 2 systems, and a record has one")
        printed = program.start(2, ["--input", str(file)]).stdout
        results = [line.split() for line in printed.splitlines() if line.startswith("WR1")]
        assert [(row[0], *map(int, row[1:5])) for row in results] == [("WR14R2R4", 60, 16, 2, 1), ("WR14R2R4", 120, 16, 2, 1)], printed
        for row in results:  # two digits of seconds are few for small systems
            n, seconds, rate = int(row[1]), float(row[5]), float(row[6])
            assert abs((2 / 3 * n**3 + 3 / 2 * n**2) / rate * 1e-9 - seconds) <= 0.0051, row
        assert printed.count("PASSED") == 2 and "without effect: line 17 (recursion ends NBMIN: 4)" in printed
        program.refused(1, ["--input", str(file)], "has no grid of 1 ranks, only 2 x 1")
        file.write_text(one.replace("16           NBs", "0            NBs"))
        program.refused(2, ["--input", str(file)], "line 8 of --input")
        program.refused(1, ["--input", folder], "cannot be read: Is a directory")
        program.refused(1, ["--input", str(file), "--solve_seconds", "1"], "--input states the numbers of equations")


def test_the_default_block_fits_small_systems(program: Program) -> None:
    assert values(program.proved(1, ["--n", "50"]))["equations"] == 50


def test_refusals(program: Program) -> None:
    program.refused(2, ["--p", "3"], "--p 3 does not divide the 2 ranks; choose one of 1, 2")
    program.refused(2, ["--q", "4"], "--q 4 does not divide the 2 ranks")
    program.refused(2, ["--p", "2", "--q", "2"], "is a grid of 4 processes, but there are 2 ranks; choose p x q = ranks")
    program.refused(1, ["--n", "100", "--nb", "200"], "--nb 200 is more than the 100 equations; choose at most --nb 100")
    for nb in ("2", "64"):
        singular = ["--n", "300", "--nb", nb, "--matrix", "singular"]
        program.refused(1, singular, "the matrix is singular: column 150 has no pivot", code=4)
    program.refused(1, ["--percent_of_memory", "10", "--solve_seconds", "1"], "give one of them")
    program.refused(1, ["--n", "4000000"], "hpl needs", code=4)


if __name__ == "__main__":
    run_all(globals())
