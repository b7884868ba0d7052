"""Runs the check as a program: `check_program.py PROGRAM MPIEXEC RANKS…`. Exit code 1 with the failures named.

- Values agree to 1e-10 on every number of ranks, and every proof holds.
- With each planted fault at least one proof fails.
- What cannot be run is refused with exit code 3 and one sentence.
- The kernels of variant cuda, as loops on the host, give the values of the plain variant, and ranks that share a card
  are reported.
- Configurations are read and written: check_configuration.py.
"""

from __future__ import annotations

import functools
from concurrent.futures import ThreadPoolExecutor

import check_configuration
from programs import Lines, Program, failed_proofs, run_all, values

AGREEMENT = 1e-10
LATTICE = "4,4,4,8"
REPETITIONS = "12"  # of iterations, replayed after a whole solve
HOT = ["--start", "hot"]
FAULTS = {
    "link_sign": {"links"},
    "gamma_sign": {"reference", "free_field"},
    "zero_halo_face": {"reference", "free_field"},
}


def record(program: Program, ranks: int, arguments: list[str]) -> Lines:
    return launched(program, ranks, tuple(arguments))


@functools.cache  # a launch that answers several questions is started once
def launched(program: Program, ranks: int, arguments: tuple[str, ...]) -> Lines:
    return program.record(ranks, ["--lattice", LATTICE, "--repetitions", REPETITIONS, *arguments])


def test_ranks_agree(program: Program) -> None:
    counts = program.counts
    for arguments, some in (
        # Each start and each solver on some number of ranks; the eight and the sixteen that need blocks cut in three and
        # four dimensions for one solver of either family. All grids of up to 4 ranks: *_mpi_test.cpp.
        (HOT, (*counts[:2], *counts[3:4])),
        (["--start", "warm", "--kappa", "0.12", "--source", "random", "--iterations", "0"], counts[:2]),
        (["--start", "cold", "--kappa", "0.12", "--iterations", "10"], counts[:2]),
        (["--solver", "even_odd", "--lattice", "8,4,4,8", "--kappa", "0.12", "--links", "18", "--iterations", "12"],
         (counts[0], *counts[4:5])),
        (["--solver", "mixed", "--lattice", "8,4,4,8", "--kappa", "0.12", "--iterations", "0", "--links", "12"], counts[:3:2]),
        (["--start", "heatbath", "--sweeps", "3", "--kappa", "0.12", "--iterations", "10"], counts[:2]),
    ):
        first: dict[str, float] = {}
        for ranks in some:
            where = f"{ranks} ranks {arguments}"
            lines = record(program, ranks, arguments)
            assert not failed_proofs(lines), f"{where}: {failed_proofs(lines)}"
            got = values(lines)
            first = first or got
            if "warm" in arguments:
                assert any(line.get("name") == "residual/converged" for line in lines)
            assert {"plaquette", "link_trace", "residual", "slice_000", "slice_007"} <= got.keys()
            for name, value in got.items():
                # The mean link of a hot start is 0 up to statistics: an absolute comparison.
                if name in ("time_to_solution", "link_copies", "lanes"):
                    continue  # measured, and chosen for the block of a rank
                if name == "residual" and "mixed" in arguments:
                    continue  # known to the rounding of single precision only; what it must be below is proved
                scale = 1 if name in ("plaquette", "link_trace") else abs(first[name])
                assert abs(value - first[name]) <= AGREEMENT * scale, f"{where}: {name} {value}, 1 rank {first[name]}"


def test_every_width_of_vectors(program: Program) -> None:
    """The compiler splits vectors that are wider than a register; narrower ones take the place of those that do not fit."""
    counts = program.counts
    for solver, real_bytes in (("even_odd", 8), ("mixed", 4)):
        first: dict[str, float] = {}
        for vector_bytes, ranks in zip((16, 32, 64), (counts[1], 1, counts[1]), strict=True):
            arguments = ["--solver", solver, "--lattice", LATTICE, "--kappa", "0.12", "--iterations", "0", "--links", "18"]
            lines = record(program, ranks, [*arguments, "--vector_bytes", str(vector_bytes)])
            where = f"{arguments} with vectors of {vector_bytes} bytes on {ranks} ranks"
            assert not failed_proofs(lines), f"{where}: {failed_proofs(lines)}"
            got = values(lines)
            assert got["lanes"] == vector_bytes / real_bytes, f"{where}: {got['lanes']} lanes"
            first = first or got
            for name in (name for name in got if name.startswith("slice_")):
                # Solved to |b - D x| / |b| <= 1e-10.
                assert abs(got[name] - first[name]) <= 1e-8 * first[name], f"{where}: {name} {got[name]}, {first[name]}"
    # A block that fits but narrower ones; smaller ones: lanes_mpi_test.cpp.
    lines = record(program, 1, ["--solver", "mixed", "--lattice", "4,2,6,2", "--kappa", "0.12", "--iterations", "5"])
    assert not failed_proofs(lines), f"small block: {failed_proofs(lines)}"
    assert values(lines)["lanes"] == 2, f"small block: {values(lines)['lanes']} lanes"


def test_faults_are_found(program: Program) -> None:
    """Each fault by one launch: that proofs find it on 1, 2 and 4 ranks is shown by wilson_mpi_test.cpp."""
    counts = program.counts
    for (fault, proofs), ranks in zip(FAULTS.items(), (counts[1], 1, counts[1]), strict=True):
        lines = record(program, ranks, ["--fault", fault])
        assert lines[0]["fault"] == fault
        assert proofs <= failed_proofs(lines), f"{fault} on {ranks} ranks: only {failed_proofs(lines)} failed"


def test_faults_of_vectors_are_found(program: Program) -> None:
    counts = program.counts
    for solver, ranks in (("even_odd", 1), ("mixed", counts[1])):
        arguments = ["--solver", solver, "--fault", "lane_swap", "--iterations", "5"]
        lines = record(program, ranks, arguments)
        assert "vectors" in failed_proofs(lines), f"{arguments} on {ranks} ranks: {failed_proofs(lines)}"


def test_refusals(program: Program) -> None:
    cases = (
        (1, ["--fault", "zero_halo_face"], "needs at least 2 ranks"),
        (1, ["--fault", "lane_swap"], "needs a solver that works on vectors"),
        (2, ["--lattice", "3,3,3,3"], "cannot be divided over 2 ranks"),
        (2, ["--lattice", "4,4,4,4", "--grid", "2,2,1,1"], "needs 4 ranks, but 2 were started"),
        (1, ["--lattice", "4,1,4,4"], "extent 1 in y; 2 or more is needed"),
        (1, ["--start", "heatbath", "--lattice", "4,3,4,4"], "extent 3 in y; a heat bath"),
        (1, ["--lattice", "4,4,4"], "must be 4 whole numbers"),
        (1, ["--source_site", "0,0,8,0"], "outside the lattice, whose extent in z is 8"),
        (2, ["--boundary", "1,1,1,-1", "--links", "12", "--solver", "mixed"], "leave --links out or give 18"),
        (1, ["--lattice", "5,4,4,4", "--solver", "even_odd"], "a multiple of 2 here: 4 or 6"),
        (1, ["--lattice", "2,6,2,2", "--solver", "mixed", "--fault", "lane_swap"], "needs lanes"),
    )

    with ThreadPoolExecutor(max_workers=8) as pool:  # an MPI that aborts sleeps for a second or so: together
        list(pool.map(lambda case: program.refused(*case), cases))


def test_kernels_of_the_device_give_the_values_of_the_host(program: Program) -> None:
    """The program of variant cuda with its kernels in loops on the host: all proofs, the same values on some ranks."""
    on_host = program.on_host()
    counts = program.counts
    for arguments, some in (
        (["--lattice", "3,5,4,4", "--boundary", "1,1,1,-1", "--start", "warm"], counts[:2]),
        (["--solver", "even_odd", "--lattice", "8,4,4,8", "--kappa", "0.12", "--iterations", "0"], (counts[0], *counts[3:4])),
        (["--solver", "mixed", "--lattice", "4,4,8,8", "--kappa", "0.12", "--iterations", "0", "--tolerance", "1e-12",
          "--links", "12", "--overlap", "off", "--barrier", "on"], counts[:3:2]),
    ):
        repeated = ["--repetitions", REPETITIONS, *arguments]
        expected = values(program.proved(1, repeated))
        for ranks in some:
            got = values(on_host.proved(ranks, repeated))
            for name in (name for name in expected if name.startswith("slice_") or name == "plaquette"):
                limit = 1e-8 if "--tolerance" in arguments else AGREEMENT
                where = f"{ranks} ranks {arguments}: {name} {got[name]}, plain {expected[name]}"
                assert abs(got[name] - expected[name]) <= limit * abs(expected[name]), where
    lines = on_host.record(1, ["--solver", "even_odd", "--lattice", LATTICE, "--fault", "gamma_sign"])
    assert {"reference", "free_field", "vectors"} <= failed_proofs(lines)
    lines = on_host.record(2, ["--lattice", "4,4,4,4", "--repetitions", "1"])
    cards = [line["card"] for line in lines if line["type"] == "rank"]
    assert cards == 2 * [{"id": "host-0", "name": "host", "visible": 1, "numa": None}], cards
    costs = {name: values(lines)[name] for name in ("section_cost", "section_shown", "device_clock_error")}
    assert costs["section_cost"] > 0 and costs["section_shown"] >= 0 and costs["device_clock_error"] >= 0, costs
    printed = on_host.start(2, ["--lattice", "4,4,4,4", "--repetitions", "1"]).stdout
    assert "note     2 ranks share 1 card: times are not comparable" in printed, printed
    assert "value    section_cost is " in printed, printed
    for words, sentence in (
        (["--storage", "once"], "stores each link twice"),
        (["--vector_bytes", "32"], "has no vectors"),
        (["--solver", "mixed", "--fault", "lane_swap"], "needs a solver that works on vectors"),
        (["--solver", "mixed", "--lattice", "5,4,4,4"], "a multiple of 2 here: 4 or 6"),
    ):
        on_host.refused(1, words, sentence)


def test_solves_that_do_not_converge_fail(program: Program) -> None:
    """Unit links have a zero mode at kappa = 1/8. Solves that converge: test_ranks_agree, test_every_width_of_vectors."""
    for solver, proof in (("normal", "residual/converged"), ("even_odd", "solution"), ("mixed", "solution")):
        arguments = ["--start", "cold", "--kappa", "0.125", "--iterations", "0", "--solver", solver, "--lattice", "4,4,4,4"]
        lines = record(program, 1, arguments)
        assert proof in failed_proofs(lines), f"{solver}: {failed_proofs(lines)}"


def test_blocks_of_a_rank(program: Program) -> None:
    counts = program.counts
    ranks = counts[1]
    one = values(record(program, 1, HOT))
    block = ["--lattice", f"4,4,4,{8 // ranks}", "--lattice_of", "rank"]
    many = values(record(program, ranks, [*HOT, *block]))
    assert all(abs(many[name] - one[name]) <= AGREEMENT for name in one)


if __name__ == "__main__":
    run_all(globals() | check_configuration.TESTS)
