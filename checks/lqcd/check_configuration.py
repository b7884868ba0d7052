"""NERSC configurations through the whole program: the tests that check_program.py runs beside its own.

Files come from `nersc_file.py`, which shares no code with the program's reader and writer; their averages and |D b| are computed
anew by `wilson_formulas.py`.
"""

from __future__ import annotations

import functools
import math
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nersc_file
import numpy as np
import wilson_formulas
from programs import Lines, Program, failed_proofs, values

SHAPE = (4, 2, 2, 4)
# Rows, FLOATING_POINT and, where that does not say it, the byte order.
FORMS = (
    (2, "IEEE32BIG", ""), (3, "IEEE32LITTLE", ""), (3, "IEEE32", ">"), (2, "IEEE32", "<"),
    (3, "IEEE64BIG", ""), (2, "IEEE64LITTLE", ""), (3, "IEEE64", ">"),
)
GAUGES = {(bits, rows): nersc_file.random_gauge(SHAPE, 5, bits, rows) for bits in (32, 64) for rows in (2, 3)}


def good_file(**changed: object) -> bytes:
    return nersc_file.file_bytes(GAUGES[64, 3], SHAPE, 3, "IEEE64BIG", **changed)


def run(program: Program, ranks: int, path: Path, *more: str) -> Lines:
    return program.record(ranks, ["--configuration", str(path), "--repetitions", "2", *more])


def test_every_form_is_read(program: Program, folder: Path) -> None:
    def read(numbered: tuple[int, tuple[int, str, str]]) -> None:
        number, (rows, kind, order) = numbered
        gauge = GAUGES[32 if "32" in kind else 64, rows]
        path = folder / f"{rows}-{kind}{number}"
        path.write_bytes(nersc_file.file_bytes(gauge, SHAPE, rows, kind, order))
        lines = run(program, program.counts[number % 2], path)
        assert not failed_proofs(lines), f"{path.name}: {failed_proofs(lines)}"
        got = values(lines)
        for name, expected in zip(("plaquette", "link_trace"), nersc_file.averages(gauge, SHAPE), strict=True):
            assert math.isclose(got[name], expected, rel_tol=1e-12, abs_tol=1e-14), f"{path.name}: {name} {got[name]}, {expected}"

    with ThreadPoolExecutor(max_workers=4) as pool:
        list(pool.map(read, enumerate(FORMS)))


def test_other_spellings_are_read(program: Program, folder: Path) -> None:
    plaquette, mean_trace = nersc_file.averages(GAUGES[64, 3], SHAPE)
    checksum = next(line for line in good_file().split(b"\n") if line.startswith(b"CHECKSUM")).split()[-1].decode()
    path = folder / "file"
    for changed in (
        {"DATATYPE": "4D_SU(3)_GAUGE_(3X3)", "CHECKSUM": f"0X{checksum.upper():0>8}", "PLAQUETTE": f"{plaquette:.3f}",
         "HDR_VERSION": None, "STORAGE_FORMAT": None, "FLOATING_POINT": "ieee64big  "},
        {"DATATYPE": "\t4d_su3_gauge_3x3", "CHECKSUM": f"  {checksum:0>8}", "LINK_TRACE": f"{mean_trace:.3e}",
         "BOUNDARY_4": "ANTIPERIODIC", "ENSEMBLE_ID": "", "FLOATING_POINT": "IEEE64"},
    ):
        path.write_bytes(good_file(**changed))
        lines = run(program, program.counts[0], path)
        assert not failed_proofs(lines), f"{changed}: {failed_proofs(lines)}"
        assert math.isclose(values(lines)["plaquette"], plaquette, rel_tol=1e-12), changed


def test_links_of_32_bits_stay_as_they_are(program: Program, folder: Path) -> None:
    """Even-odd solvers could store two rows, which is another gauge field here: the proof `vectors` would fail."""
    path = folder / "file"
    path.write_bytes(nersc_file.file_bytes(GAUGES[32, 3], SHAPE, 3, "IEEE32BIG"))
    lines = run(program, program.counts[0], path, "--solver", "even_odd", "--kappa", "0.1")
    assert not failed_proofs(lines), failed_proofs(lines)
    assert values(lines)["link_reals"] == 18


def test_what_is_saved_is_what_was_read(program: Program, folder: Path) -> None:
    for ranks in program.counts[:2]:
        path, saved = folder / "given", folder / f"saved{ranks}"
        path.write_bytes(good_file())
        run(program, ranks, path, "--save", str(saved))
        end = b"END_HEADER\n"
        text, data = saved.read_bytes().split(end, 1)
        assert data == path.read_bytes().split(end, 1)[1], "other links than were read"
        sums = {line.split(" = ")[0]: line.split(" = ")[1] for line in text.decode().splitlines()[1:]}
        given = dict(line.split(" = ") for line in path.read_bytes().split(end)[0].decode().splitlines()[1:])
        assert int(sums["CHECKSUM"], 16) == int(given["CHECKSUM"], 16)
        assert all(sums[key] == given[key] for key in given if key.startswith(("DIMENSION", "DATATYPE", "FLOATING", "BOUND")))
        assert math.isclose(float(sums["PLAQUETTE"]), float(given["PLAQUETTE"]), abs_tol=1e-10)


def test_faults_are_found_in_files_too(program: Program, folder: Path) -> None:
    path = folder / "good"
    path.write_bytes(good_file())
    lines = run(program, program.counts[1], path, "--fault", "link_sign")
    assert {"links", "reference"} <= failed_proofs(lines), failed_proofs(lines)


def test_refusals(program: Program, folder: Path) -> None:
    good = good_file()
    not_a_number = {**GAUGES[64, 3], ((1, 0, 1, 2), 1): [[complex(math.nan, 0)] * 3] * 3}
    odd = (3, 3, 3, 3)
    loop = folder / "loop"
    loop.symlink_to(loop)
    cases = []
    for name, content, ranks, more, words in (
        ("cut off", good[:-1], 2, [], f"has {len(good) - 1} bytes, but its header asks for {len(good)}"),
        ("too long", good + b"x", 1, [], "something was added"),
        ("empty", b"", 1, [], "the file is empty"),
        ("text", b"Dear reader,\n", 1, [], "is no NERSC configuration: it starts with 'Dear reader,?'"),
        ("wrong sum", good_file(CHECKSUM="1234abcd"), 2, [], "but its header states 1234abcd"),
        ("wrong plaquette", good_file(PLAQUETTE="0.25"), 2, [], "mean plaquette"),
        ("wrong trace", good_file(LINK_TRACE="0.25"), 1, [], "mean trace"),
        ("mistyped", good_file(FLOATING_POINT="IEEE128"), 1, [], "valid are IEEE32, IEEE32LITTLE"),
        ("no size", good_file(DIMENSION_3=None), 1, [], "the header has no DIMENSION_3"),
        ("huge", good_file(DIMENSION_3=65536, DIMENSION_4=65536), 1, [], "asks for"),
        ("not finite", nersc_file.file_bytes(not_a_number, SHAPE, 3, "IEEE64BIG", PLAQUETTE=0, LINK_TRACE=0), 2, [],
         "the link of site 1,0,1,2 in direction y is not finite"),
        ("other lattice", good, 1, ["--lattice", "4,4,4,4"], "is 4,2,2,4; leave --lattice out"),
        ("unsavable", good, 2, ["--save", str(folder / "none" / "file")], "cannot be written"),
        ("odd", nersc_file.file_bytes(nersc_file.random_gauge(odd, 1), odd, 3, "IEEE64BIG"), 2, [],
         "cannot be divided over 2 ranks"),
        ("missing", None, 2, [], "No such file"),
        ("", None, 1, [], "Is a directory"),
        ("loop", None, 1, [], "cannot be read"),
    ):
        if content is not None:
            (folder / name).write_bytes(content)
        cases.append((name, ranks, more, words))

    def refused(case: tuple[str, int, list[str], str]) -> None:
        name, ranks, more, words = case
        program.refused(ranks, ["--configuration", str(folder / name), *more], words, 4 if name == "unsavable" else 3)

    with ThreadPoolExecutor(max_workers=8) as pool:  # an MPI that aborts sleeps for a second or so: together
        list(pool.map(refused, cases))


def test_a_second_program_has_the_same_digits(program: Program, folder: Path) -> None:
    shape, kappa, boundary = (4, 4, 4, 8), 0.12, (-1, 1, 1, -1)
    path = folder / "file"
    path.write_bytes(nersc_file.file_bytes(nersc_file.random_gauge(shape, 3), shape, 3, "IEEE64BIG"))
    u = wilson_formulas.read_links(path.read_bytes(), shape)
    constant = np.ones((*shape[::-1], 4, 3, 1), complex)
    signs = ",".join(map(str, boundary))
    got = values(run(program, program.counts[1], path, "--kappa", str(kappa), "--boundary", signs, "--source", "constant"))
    expected = (*wilson_formulas.averages(u), np.linalg.norm(constant),
                np.linalg.norm(wilson_formulas.dirac(u, constant, boundary, kappa)))
    for name, number in zip(("plaquette", "link_trace", "source_norm", "operator_norm"), expected, strict=True):
        assert abs(got[name] - number) <= 1e-12 * abs(number), f"{name}: {got[name]!r}, here {number!r}"


def test_the_seeds_of_the_fuzzer_are_whole_files(program: Program, folder: Path) -> None:
    del program, folder
    corpus = Path(__file__).parents[2] / "cpp" / "qcd" / "gauge" / "corpus"
    assert {path.name: path.read_bytes() for path in corpus.iterdir()} == nersc_file.seed_files()


def with_folder(test: Callable[[Program, Path], None]) -> Callable[[Program], None]:
    @functools.wraps(test)
    def run_in_folder(program: Program) -> None:
        with tempfile.TemporaryDirectory() as folder:
            test(program, Path(folder))

    return run_in_folder


# Under names that check_program.py has not.
TESTS: dict[str, Any] = {
    f"{name}_of_a_file": with_folder(test) for name, test in list(globals().items()) if name.startswith("test_")
}
