"""The program as a whole: one energy on any blocks and groups of ranks; planted faults; refusals.

    check_program.py PROGRAM MPIEXEC RANKS…
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from programs import SANITIZED, Lines, Program, failed_proofs, run_all, table, values

SMALL = ["--crystal", "c", "--points", "12,12,12", "--coarse", "true", "--tolerance", "1e-7"]
SPEED = ["--points", "12,12,12", "--coarse", "true", "--converge", "false"]
LAYOUTS = {
    1: [[], ["--threads", "2", "--batch", "1"], ["--block", "3", "--eigen", "leader"]],
    2: [[], ["--groups", "2", "--block", "4"], ["--blocks", "2,1,1", "--batch", "7", "--rank_map", "reversed"]],
    4: [["--groups", "2", "--block", "5", "--eigen", "leader"], ["--groups", "4"], ["--blocks", "1,2,2"], ["--groups", "2", "--rank_map", "2x2"]],
    8: [["--groups", "2", "--block", "8", "--blocks", "2,1,2"]],
}
# Of the ground state that check tddft makes of the same grid at k = 0, in complex numbers, to 1e-8 electrons.
SILICON_16 = -31.356652455668616


def energies(lines: Lines) -> dict[str, float]:
    found = table(lines, "energies")
    return {row: value[0] for row, value in zip(found["rows"], found["values"], strict=True)}


def test_every_layout_of_ranks_gives_one_energy(program: Program) -> None:
    found = {}
    for ranks in program.counts:
        for words in LAYOUTS[ranks][:1] if SANITIZED else LAYOUTS[ranks]:
            lines = program.proved(ranks, [*SMALL, *words])
            found[ranks, *words] = values(lines)["energy"], [row[0] for row in table(lines, "levels")["values"]]
    first, first_levels = next(iter(found.values()))
    for words, (energy, levels) in found.items():
        assert abs(energy - first) < 1e-9, (words, energy, first)
        assert max(abs(one - other) for one, other in zip(levels, first_levels, strict=True)) < 1e-6, words


def test_silicon_is_that_of_tddft(program: Program) -> None:
    if SANITIZED:
        return
    lines = program.proved(program.counts[min(1, len(program.counts) - 1)], ["--points", "16,16,16", "--tolerance", "1e-6"])
    found = energies(lines)
    assert abs(found["total"] - SILICON_16) < 1e-7, found
    assert table(lines, "grid")["rows"] == ["Si"]
    assert abs(sum(value for name, value in found.items() if name != "total") - found["total"]) < 1e-9
    levels = [row[0] for row in table(lines, "levels")["values"]]
    assert levels == sorted(levels) and abs(table(lines, "gap")["values"][0][0] / 27.211386245988 - (levels[16] - levels[15])) < 1e-9


def test_speed_alone_is_proved(program: Program) -> None:
    lines = program.proved(program.counts[-1], [*SPEED, "--bands", "40", "--block", "8", "--groups", "1" if len(program.counts) < 2 else "2", "--degree", "3"])
    assert values(lines)["bands"] == 40
    assert table(lines, "coarse_grid_energies_not_meant")["rows"] == ["Si"]
    paths = {one["id"]: one["path"] for one in lines[0]["sections"]}
    series = {paths[one["section"]]: one for one in lines if one["type"] == "series" and one["rank"] == 0}
    gram_schmidt = "iteration/gram_schmidt"
    work = series[f"{gram_schmidt}/mm/dgemm1"]["work"]
    assert (work[-1] if isinstance(work, list) else work)["flop"] > 0
    # Degree 3 for the bands of this group in batches of 4, and the matrix of the subspace.
    mine = 40 if len(program.counts) < 2 else 20
    assert series["iteration/stencil"]["calls"][-1] == (3 + 1) * mine // 4, series["iteration/stencil"]
    if len(program.counts) > 1:
        assert series[f"{gram_schmidt}/allgatherv"]["calls"][-1] == 1 and series[f"{gram_schmidt}/bcast"]["calls"][-1] == 5


def test_a_wire_ends_in_hydrogen(program: Program) -> None:
    if SANITIZED:
        return
    lines = program.proved(program.counts[0], ["--crystal", "wire", "--diameter", "9", "--coarse", "true", "--converge", "false", "--points",
                                               "24,24,12", "--degree", "3"])
    assert values(lines)["atoms"] > 8 and "energy" not in values(lines)  # which is not proved


def test_memory_is_that_of_the_formula(program: Program) -> None:
    if SANITIZED:
        return
    without, small = program.peak([*SPEED, "--threads", "1"])
    used, large = program.peak([*SPEED[2:], "--points", "24,24,24", "--bands", "600", "--degree", "1", "--threads", "1"])
    stated = values(large)["memory_of_a_rank"] - values(small)["memory_of_a_rank"]
    assert abs((used - without) / stated - 1) < 0.15, (used - without, stated)


def test_planted_faults_are_found(program: Program) -> None:
    if program.counts[-1] >= 2:
        for fault, proof in (("stale_halo", "hamiltonian"), ("lost_sum", "orthonormal"), ("lost_projector", "hamiltonian")):
            assert proof in failed_proofs(program.record(2, [*SPEED, "--fault", fault])), fault
    assert not failed_proofs(program.record(1, SPEED))


def test_bad_input_is_refused(program: Program) -> None:
    for words, sentence in [
        (["--bands", "16"], "use at least 17"),
        (["--points", "12,12,12"], "the grid is too coarse for the pseudopotential of Si"),
        (["--points", "12,12,3", "--coarse", "true"], "fewer than 5 points"),
        (["--points", "5,5,5", "--coarse", "true", "--bands", "126"], "is too coarse for 126 bands"),
        (["--crystal", "wire", "--diameter", "1"], "has no atom with two neighbours"),
        (["--crystal", "c"], "the grid is too coarse for the pseudopotential of C"),
        (["--blocks", "2,1,1"], "do not make 1 ranks; use a number of groups that divides the ranks (1)"),
        (["--blocks", "0,1,1"], "has a number below 1"),
        (["--fault", "stale_halo"], "needs two ranks that share the grid"),
    ]:
        program.refused(1, words, sentence)
    if program.counts[-1] >= 4:
        program.refused(4, [*SPEED[2:], "--points", "7,7,7", "--groups", "1"], "cannot be cut over 4 ranks")
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "crystal.toml"
        path.write_text('cell = [10.26, 10.26, 10.26]\ngrid = [16, 16, 16]\nkpoints = [2, 1, 1]\n[[atom]]\nelement = "Si"\nbohr = [0, 0, 0]\n')
        program.refused(1, ["--input", str(path)], "bands are real numbers at k = 0")
        program.refused(1, ["--input", str(path), "--points", "16,16,16"], "--points and --input are both given")
    program.refused(1, ["--repeat", "12,12,12"], "GiB", code=4)


if __name__ == "__main__":
    run_all(globals())
