"""Runs the check as a program: `check_program.py PROGRAM MPIEXEC RANKS…`. Exit code 1 with the failures named.

- Every proof holds in both precisions and at every width of vectors, and the record says the precision of each section.
- With each planted fault at least one proof fails. What cannot be run is refused with one sentence.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from programs import Program, failed_proofs, run_all, values

# Hops are compared with themselves every five repetitions.
COMMON = ["--lattice", "4,4,4,8", "--repetitions", "12"]
PROOFS = {"links", "plaquette", "hermiticity", "covariance", "free_field", "reference", "vectors", "repeat", "residual"}
FAULTS = {
    "link_sign": {"links"},
    "gamma_sign": {"reference", "free_field"},
    "zero_halo_face": {"reference", "free_field"},
    "lane_swap": {"vectors"},
}


def test_both_precisions_are_proved_and_stated(program: Program) -> None:
    for precision, ranks in (("double", 1), ("single", program.counts[1]), ("single", program.counts[-1])):
        lines = program.proved(ranks, [*COMMON, "--precision", precision])
        assert {line["name"] for line in lines if line["type"] == "validity"} == PROOFS
        assert {line["name"] for line in lines if line.get("chosen")} == {"link_reals", "link_copies", "lanes"}
        stated = {one["path"]: one.get("precision", "double") for one in lines[0]["sections"]}
        assert stated["constant"] == stated["dependent"] == stated["proof/solve"] == precision, stated
        assert stated["setup"] == stated["proof"] == "double", stated


def test_every_start_is_proved(program: Program) -> None:
    for start in ("cold", "warm"):
        program.proved(1, [*COMMON, "--start", start, "--links", "12", "--storage", "once"])


def test_every_width_of_vectors(program: Program) -> None:
    first: dict[str, float] = {}
    for vector_bytes in (16, 32, 64):
        arguments = [*COMMON, "--links", "18", "--storage", "twice", "--vector_bytes", str(vector_bytes)]
        got = values(program.proved(1, arguments))
        assert got["lanes"] == vector_bytes / 8, f"{vector_bytes} bytes: {got['lanes']} lanes"
        first = first or got
        assert got["operator_norm"] == first["operator_norm"] and got["plaquette"] == first["plaquette"]


def test_faults_are_found(program: Program) -> None:
    for fault, proofs in FAULTS.items():
        lines = program.record(program.counts[1] if fault == "zero_halo_face" else 1, [*COMMON, "--fault", fault])
        assert lines[0]["fault"] == fault
        assert proofs <= failed_proofs(lines), f"{fault}: only {failed_proofs(lines)} failed"


def test_refusals(program: Program) -> None:
    cases = (
        (["--fault", "zero_halo_face"], "needs at least 2 ranks"),
        (["--lattice", "5,4,4,4"], "a multiple of 2 here: 4 or 6"),
        (["--lattice", "2,6,2,2", "--fault", "lane_swap"], "needs lanes"),
        (["--solver", "operator"], "solver"),
    )
    with ThreadPoolExecutor(max_workers=4) as pool:  # an MPI that aborts sleeps for a second or so: together
        list(pool.map(lambda case: program.refused(1, *case), cases))


if __name__ == "__main__":
    run_all(globals())
