"""The program as a whole: one energy on any grid of ranks, that of ABINIT; planted faults; refusals.

    check_program.py PROGRAM MPIEXEC RANKS… [--long]

--long: the cut-offs and crystals that take minutes, and the ground state of the grid in real space.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from delayed_communicator import named_where_delayed
from programs import SANITIZED, Lines, Program, failed_proofs, run_all, table, values

SMALL = ["--cut_off", "4", "--kpoints", "2,2,1", "--tolerance", "1e-8"]
SPEED = ["--cut_off", "4", "--kpoints", "1,1,1", "--converge", "false"]
HARTREE_EV = 27.211386245988
GRIDS = {  # and rank maps; row, where none is stated
    1: [[], ["--variant", "cholesky", "--merge", "1", "--threads", "2"], ["--merge", "64", "--block", "1"]],
    2: [["--grid", "2,1,1"], ["--grid", "1,2,1", "--block", "4", "--rank_map", "reversed"], ["--grid", "1,1,2", "--eigen", "leader"], ["--grid", "1,1,2", "--rows", "2"]],
    4: [["--grid", "1,2,2", "--block", "3", "--variant", "cholesky", "--rank_map", "2x2"], ["--grid", "1,1,4"],
        ["--grid", "2,2,1", "--block", "5", "--rank_map", "reversed"]],
    8: [["--grid", "1,2,4", "--block", "7", "--eigen", "leader"], []],
}
# ABINIT 9.6.2 with the same pseudopotentials and 4^3 k-points: crystal, cut-off, functional, Hartree a cell.
TOTALS = [("si", 20, "perdew_zunger", -31.747905), ("si", 35, "perdew_zunger", -31.748913), ("si", 35, "pade", -31.731497),
          ("c", 40, "perdew_zunger", -45.681751), ("c", 60, "perdew_zunger", -45.713779), ("c", 90, "perdew_zunger", -45.716828),
          ("sic", 40, "perdew_zunger", -38.806548)]
PARTS_OF_SILICON = {"kinetic": 12.622276, "Hartree": 2.188440, "exchange and correlation": -9.603718, "Ewald": -33.601859, "core": -1.179571,
                    "local": -8.503766, "non-local": 6.330292}  # 20 Ha
LEVELS_OF_SILICON = [(-0.17392, 1), (-0.06044, 3), (0.00705, 3), (0.13164, 3), (0.15983, 3), (0.19898, 1)]  # at k = (1/8, 1/8, 1/8), 20 Ha
LEVELS_OF_DIAMOND_EV = [(-7.67906, 1), (-1.08628, 3), (2.70785, 3), (5.86510, 3), (7.29810, 3), (10.82317, 1)]  # there, 90 Ha


def energies(lines: Lines) -> dict[str, float]:
    found = table(lines, "energies")
    return {row: value[0] for row, value in zip(found["rows"], found["values"], strict=True)}


def levels_at(lines: Lines, k: tuple[float, float, float]) -> list[float]:
    """Occupied levels at k or a point that symmetry makes the same, Hartree."""
    found = table(lines, "levels")
    for row in found["values"]:
        if sorted(map(abs, row[:3])) == sorted(map(abs, k)):
            return [value for value, column in zip(row, found["columns"], strict=True) if column.startswith("occupied")]
    raise AssertionError(f"no k-point {k} among the levels")


def spread(groups: list[tuple[float, int]]) -> list[float]:
    return [value for value, times in groups for _ in range(times)]


def test_every_grid_of_ranks_gives_one_energy(program: Program) -> None:
    found = {}
    for ranks in program.counts:
        for words in GRIDS[ranks][:1] if SANITIZED else GRIDS[ranks]:
            lines = program.proved(ranks, [*SMALL, *words])
            found[ranks, *words] = values(lines)["energy"], table(lines, "levels")["values"]
    first, first_levels = next(iter(found.values()))
    for words, (energy, levels) in found.items():
        assert abs(energy - first) < 1e-9, (words, energy, first)
        off = max(abs(one - other) for row, other_row in zip(levels, first_levels, strict=True) for one, other in zip(row, other_row, strict=True))
        assert off < 1e-6, (words, off)


def test_silicon_is_that_of_abinit(program: Program) -> None:
    if SANITIZED:
        return
    lines = program.proved(1, ["--reduction", "8", "--tolerance", "1e-5"])
    assert values(lines)["has_published"] == 1
    found = energies(lines)
    assert abs(found["total"] + 31.738546) < 5e-5 and abs(found["total of ABINIT 9.6.2"] + 31.738546) < 1e-9, found
    assert abs(found["Ewald"] + 33.601859) < 1e-6 and abs(found["core"] + 1.179571) < 1e-6, found
    assert abs(sum(value for name, value in found.items() if "total" not in name) - found["total"]) < 1e-9
    assert 0.9 < table(lines, "gap")["values"][0][0] < 1.3


def test_symmetries_leave_the_energy(program: Program) -> None:
    if SANITIZED:
        return
    words = ["--cut_off", "4", "--kpoints", "2,2,2", "--tolerance", "1e-7"]
    whole = program.proved(1, words)
    reduced = program.proved(1, [*words, "--reduction", "8"])
    assert values(whole)["k_points"] == 4 and values(reduced)["k_points"] < 4  # of eight, with k and -k as one
    # On grids that differ: multiples of 4 points are needed for symmetries.
    same = [*words, "--points", ",".join(str(int(values(reduced)[f"points_{axis}"])) for axis in "xyz")]
    assert abs(values(program.proved(1, same))["energy"] - values(reduced)["energy"]) < 1e-7


def test_speed_alone_is_proved_but_for_the_energy(program: Program) -> None:
    lines = program.proved(program.counts[-1], [*SPEED, "--bands", "30"])
    got = values(lines)
    assert "energy" not in got and all(line["name"] != "levels" for line in lines if line["type"] == "table")  # neither is proved
    assert got["has_published"] == 0 and got["iterations"] >= 4 and got["bands"] == 30
    paths = {one["id"]: one["path"] for one in lines[0]["sections"]}
    series = {paths[one["section"]]: one for one in lines if one["type"] == "series" and one["rank"] == 0}
    for path in ("iteration/fft_inverse/alltoall1", "iteration/eigen", "iteration/gs/w1sw2_dgemm1"):
        assert sum(series[path]["calls"]) > 0 or program.counts[-1] == 1, path
    # Two applications of the Hamiltonian and the density; 30 bands in messages of 8, and 16 occupied ones.
    assert series["iteration/fft_inverse"]["calls"][-1] == 4 + 4 + 2 and series["iteration/fft_direct"]["calls"][-1] == 8


def test_the_record_names_the_communicators(program: Program) -> None:
    if 4 not in program.counts:
        return
    lines = program.proved(4, [*SPEED, "--grid", "1,2,2"])
    found = table(lines, "communicators")
    assert found["columns"] == ["k", "bands", "waves", "rows", "columns"]
    assert [row.rsplit("/", 1)[1] for row in found["rows"]] == ["0", "1", "2", "3"]
    assert (places(lines, "bands"), places(lines, "waves")) == ([[0, 2], [1, 3]], [[0, 1], [2, 3]])
    assert found["values"] == [[None, 0, 0, None, 0], [None, 1, 0, None, 0], [None, 0, 1, None, 1], [None, 1, 1, None, 1]], found["values"]


def test_rank_maps_move_the_communicators(program: Program) -> None:
    """In a grid of 2 groups of bands and 1 or 2 ranks that share waves: the places that share a communicator of bands and of waves."""
    maps = {2: {"reversed": ([[0, 1]], [])},
            4: {"reversed": ([[0, 2], [1, 3]], [[0, 1], [2, 3]]), "2x2": ([[0, 1], [2, 3]], [[0, 2], [1, 3]])}}
    for ranks in {2, 4}.intersection(program.counts):
        for rank_map, expected in maps[ranks].items():
            lines = program.proved(ranks, [*SPEED, "--grid", f"1,2,{ranks // 2}", "--rank_map", rank_map])
            assert (places(lines, "bands"), places(lines, "waves")) == expected, (ranks, rank_map)
        program.refused(ranks, [*SPEED, "--rank_map", "3x2"], f"rank_map 3x2: a box of 6 places, and the launch has {ranks} ranks")
    program.refused(1, [*SPEED, "--rank_map", "columns"], "rank_map columns: no file that can be read; expected row, reversed, a box")


def places(lines: Lines, axis: str) -> list[list[int]]:
    """Places, as the launcher numbers them, of the ranks of each communicator of an axis."""
    communicators = table(lines, "communicators")
    column, place = communicators["columns"].index(axis), {line["rank"]: line["place"] for line in lines if line["type"] == "rank"}
    shared: dict[int, list[int]] = {}
    for row, cells in zip(communicators["rows"], communicators["values"], strict=True):
        if cells[column] is not None:
            shared.setdefault(cells[column], []).append(place[int(row.rpartition("/")[2])])
    return sorted(sorted(one) for one in shared.values())


def test_a_low_cut_off_is_named(program: Program) -> None:
    lines = program.proved(1, SPEED)
    assert table(lines, "low_cut_off_energies_not_converged")["rows"] == ["Si"]


def test_memory_is_that_of_the_formula(program: Program) -> None:
    if SANITIZED:
        return
    without, small = program.peak([*SPEED, "--threads", "1"])
    used, large = program.peak([*SPEED[2:], "--cut_off", "12", "--repeat", "2,1,1", "--bands", "150", "--threads", "1"])
    stated = values(large)["memory_of_a_rank"] - values(small)["memory_of_a_rank"]
    assert abs((used - without) / stated - 1) < 0.15, (used - without, stated)


def test_planted_faults_are_found(program: Program) -> None:
    for fault, proof in (("lost_column", "hamiltonian"), ("conjugate_phase", "hamiltonian"), ("stale_projector", "products")):
        assert proof in failed_proofs(program.record(program.counts[-1], [*SPEED, "--fault", fault])), fault
    assert not failed_proofs(program.record(1, SPEED))


def test_bad_input_is_refused(program: Program) -> None:
    for words, sentence in [
        (["--bands", "16"], "use at least 17"),
        (["--bands", "2000"], "need at least twice as many as bands"),
        (["--points", "20,20,20", "--cut_off", "12"], "is too coarse for a cut-off of 12 Ha, whose products of two waves need 31; use 32"),
        (["--points", "33,33,33"], "has a prime factor above 7, which makes transforms slow; use 32 or 35"),
        (["--crystal", "sic", "--reduction", "8"], "the symmetries of diamond"),
        (["--kpoints", "1,1,1", "--grid", "2,1,1"], "does not divide the ranks"),
        (["--fault", "delayed_communicator"], "needs two ranks that share the waves of a row"),
        (["--pseudopotentials", "/no/such/file"], "/no/such/file"),
    ]:
        program.refused(1, [*SMALL, *words] if "--cut_off" not in words else [*SMALL[2:], *words], sentence)
    if program.counts[-1] >= 2:
        program.refused(2, [*SMALL, "--grid", "0,1,3"], "use divisors of the 2 ranks (1, 2)")
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "crystal.toml"
        path.write_text('cell = [10.26, 10.26, 10.26]\ngrid = [16, 16, 16]\n[[atom]]\nelement = "Si"\nbohr = [0, 0, 0]\n')
        program.refused(1, ["--input", str(path), "--kpoints", "2,2,2"], "--kpoints and --input are both given")
        program.refused(1, ["--input", str(path), "--cut_off", "12"], "use 32")
        path.write_text('cell = [8, 8, 8]\ngrid = [20, 20, 20]\n[[atom]]\nelement = "Xx"\nbohr = [0, 0, 0]\n')
        program.refused(1, ["--input", str(path), "--cut_off", "4"], "element 'Xx' has no pseudopotential here")
    program.refused(1, ["--repeat", "12,12,12", "--cut_off", "90"], "GiB", code=4)


def test_a_delayed_communicator_is_named(program: Program) -> None:
    named_where_delayed(program)


def long_totals_are_those_of_abinit(program: Program) -> None:
    for crystal, cut_off, functional, total in TOTALS:
        lines = program.proved(2, ["--crystal", crystal, "--cut_off", str(cut_off), "--functional", functional,
                                   "--reduction", "1" if crystal == "sic" else "8"])
        found = energies(lines)
        assert abs(found["total"] - total) < 2e-4, (crystal, cut_off, functional, found)
        if (crystal, cut_off) == ("si", 20):
            for part, exact in PARTS_OF_SILICON.items():
                assert abs(found[part] - exact) < (1e-6 if part in ("Ewald", "core") else 2e-4), (part, found)
            off = [abs(one - exact) for one, exact in zip(levels_at(lines, (0.125, 0.125, 0.125)), spread(LEVELS_OF_SILICON), strict=False)]
            assert max(off) * HARTREE_EV < 1e-3, off
        if (crystal, cut_off) == ("c", 90):
            got = [value * HARTREE_EV for value in levels_at(lines, (0.125, 0.125, 0.125))]
            off = [abs(one - exact) for one, exact in zip(got, spread(LEVELS_OF_DIAMOND_EV), strict=False)]
            assert max(off) < 1e-3, off


def long_l_2_and_three_projectors_are_those_of_abinit(program: Program) -> None:
    examples = Path(__file__).resolve().parent / "examples"
    for cut_off, total in ((15, -34.634235), (20, -34.640644)):
        lines = program.proved(2, ["--input", str(examples / "gallium_arsenide.toml"), "--cut_off", str(cut_off),
                                   "--pseudopotentials", str(examples / "gallium_arsenide.gth")])
        assert abs(energies(lines)["total"] - total) < 1e-5, (cut_off, energies(lines))


ABINIT_FILES = Path("/usr/share/abinit/psp/PseudosHGH_pwteter")  # of Debian's abinit-data
ABINIT = """
ecut {cut_off}
acell 3*{lattice}
ngkpt 4 4 4
nshiftk 1
shiftk 0.5 0.5 0.5
ntypat 1
znucl 14
natom 8
typat 8*1
xred 0 0 0  0.25 0.25 0.25  0 0.5 0.5  0.25 0.75 0.75  0.5 0 0.5  0.75 0.25 0.75  0.5 0.5 0  0.75 0.75 0.25
chkprim 0
nband 16
occopt 1
ixc 2
toldfe 1e-8
nstep 60
diemac 12
pp_dirpath "{files}"
pseudos "14si.4.hgh"
prtwf 0
prtden 0
prteig 0
"""


def long_abinit_agrees_beside_us(program: Program) -> None:
    """At cut-offs and lattice constants of which no table has the total."""
    if shutil.which("abinit") is None or not ABINIT_FILES.is_dir():
        print("abinit is not installed: not compared (Debian: abinit, abinit-data)")
        return
    for lattice, cut_off in ((10.4, 15), (10.1, 18)):
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "run.abi").write_text(ABINIT.format(cut_off=cut_off, lattice=lattice, files=ABINIT_FILES))
            subprocess.run(["abinit", "run.abi"], cwd=name, check=True, capture_output=True, timeout=1200)
            found = re.search(r"^ +etotal +(\S+)", (Path(name) / "run.abo").read_text(), re.MULTILINE)
        assert found is not None
        lines = program.proved(2, ["--lattice", str(lattice), "--cut_off", str(cut_off), "--reduction", "8"])
        assert abs(energies(lines)["total"] - float(found[1])) < 2e-4, (lattice, cut_off, found[1], energies(lines))


if __name__ == "__main__":
    run_all(globals(), *(("long_", 7200) if "--long" in sys.argv else ("test_",)))
