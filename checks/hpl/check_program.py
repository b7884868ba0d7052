"""Runs the check as a program: `check_program.py PROGRAM MPIEXEC RANKS…` (tests/programs.py).

- Grids of processes and both broadcasts end with a residual below 1; with a planted fault it is above 16.
- The sections of all ranks together have the flop of the stated formula.
- The memory that is stated is the memory that is used. What cannot be run is refused with one sentence.
"""

from __future__ import annotations

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


def test_the_flop_are_those_of_the_formula(program: Program) -> None:
    lines = program.record(1, ["--n", str(N), "--nb", "32"])
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


def test_memory_is_what_is_stated(program: Program) -> None:
    if SANITIZED:  # whose memory it would be
        return
    without, _ = program.peak(["--n", "64", "--nb", "64"])
    used, lines = program.peak(["--n", "2000"])
    used, stated = used - without, values(lines)["memory_bytes"]
    assert abs(used - stated) <= 0.05 * stated, f"{used:.0f} bytes used, {stated:.0f} stated"


def test_refusals(program: Program) -> None:
    program.refused(2, ["--p", "2", "--q", "2"], "is a grid of 4 processes, but there are 2 ranks; choose p x q = ranks")
    program.refused(1, ["--n", "100", "--nb", "200"], "--nb 200 is more than the 100 equations; choose at most --nb 100")
    for nb in ("2", "64"):
        singular = ["--n", "300", "--nb", nb, "--matrix", "singular"]
        program.refused(1, singular, "the matrix is singular: column 150 has no pivot", code=4)
    program.refused(1, ["--percent_of_memory", "10", "--solve_seconds", "1"], "give one of them")
    program.refused(1, ["--n", "4000000"], "hpl needs", code=4)


if __name__ == "__main__":
    run_all(globals())
