"""Runs the check as a program: `check_program.py PROGRAM MPIEXEC RANKS… [--long]` (tests/programs.py).

- All proofs pass for every variant, medium and layer, on any number of ranks and threads.
- With each planted fault a proof fails. Bad input is refused with one sentence.


"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from programs import SANITIZED, Program, failed_proofs, run_all, values

BOX = ["--cells", "48,48,48", "--layer", "6"]
FAULTS = {
    "wrong_coefficient": {"twin", "trace"},
    "swapped_shear": {"twin", "variant", "trace"},
    "stale_halo": {"variant", "trace"},
    "pml_everywhere": {"twin", "variant", "trace"},
}


def test_all_variants_on_any_ranks_and_threads(program: Program) -> None:
    most = program.counts[:3][-1]
    cases = [(1, 1, "classic"), (most, 1, "one_sweep"), (2, 2, "temporal")]
    for ranks, threads, variant in cases[2:] if SANITIZED else cases:
        lines = program.proved(ranks, [*BOX, "--variant", variant, "--threads", str(threads), "--depth", "2"])
        assert values(lines)["points"] == 48**3
        assert {"twin", "variant", "trace", "finite"} <= {line["name"] for line in lines if line["type"] == "validity"}
        # Each rank has the layers of its sides: together all points of layers, once. In z they are whole vectors of 16.
        assert values(lines)["absorbing_points"] == 48**3 - 36 * 36 * 32


def test_media_and_layers(program: Program) -> None:
    viscous = ["--quality_p", "80", "--quality_s", "40"]
    for extra in (viscous,) if SANITIZED else (viscous, ["--absorb", "sponge", "--surface", "false"]):
        program.proved(1, [*BOX, *extra])


def test_faults_are_found(program: Program) -> None:
    for fault, proofs in FAULTS.items():
        ranks = 2 if fault == "stale_halo" else 1
        if SANITIZED and fault not in ("stale_halo", "swapped_shear"):
            continue
        lines = program.record(ranks, [*BOX, "--fault", fault])
        assert lines[0]["fault"] == fault
        assert proofs <= failed_proofs(lines), f"{fault}: only {failed_proofs(lines)} failed"


def test_refusals(program: Program) -> None:
    cases = (
        (1, 3, ["--step", "0.1"], "is unstable: the longest stable step of this box is 0.00"),
        (1, 3, ["--place", "70,30,30"], "--place 70,30,30 lies outside of the box or in an absorbing layer: x must be"),
        (1, 3, ["--place", "30,30,0"], "z must be from"),  # a moment needs room below the surface
        (1, 3, ["--receiver", "3,30,30"], "--receiver 3,30,30 lies outside of the box or in an absorbing layer"),
        (1, 3, ["--receiver", "30,30,-1"], "--receiver"),
        (1, 3, ["--layer", "33"], "--layer 33 is more than half of a block of 64 cells"),
        (2, 3, ["--cells", "32,32,32", "--grid", "2,1"], "--layer 10 is more than half of a block of 16 cells"),
        (1, 3, ["--vs", "0"], "fluid cells are not supported"),
        (1, 3, ["--vp", "0"], "--vp"),
        (1, 3, ["--vp", "3"], "is too slow beside --vs"),
        (1, 3, ["--quality_p", "0.5", "--quality_s", "30"], "a quality factor of 0.5"),
        (1, 3, ["--quality_p", "50"], "go together"),
        (1, 3, ["--grid", "2,1"], "--grid 2,1 needs 2 ranks, but 1 were started"),
        (1, 3, ["--fault", "stale_halo"], "needs at least 2 ranks"),
        (1, 3, ["--variant", "temporal", "--depth", "3"], "--depth 3 is not possible"),
        (2, 3, ["--variant", "temporal", "--cells", "48,24,32", "--layer", "4", "--grid", "1,2"], "is too small for --variant"),
        (1, 4, ["--cells", "65535,65535,65535"], "GiB are available; choose a smaller size"),
    )

    def refused(case: tuple[int, int, list[str], str]) -> None:
        ranks, code, arguments, words = case
        program.refused(ranks, arguments, words, code)

    with ThreadPoolExecutor(max_workers=4) as pool:
        list(pool.map(refused, cases))


if __name__ == "__main__":
    run_all(globals(), "long_" if "--long" in sys.argv else "test_", 7000)
