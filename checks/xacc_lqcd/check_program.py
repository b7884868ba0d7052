"""Runs the check as a program: `check_program.py PROGRAM MPIEXEC LQCD RANKS...`. Exit code 1 with the failures named.

- Residuals and time slices agree with the serial program to 1e-12 in every variant, on every number of ranks, and every proof holds.
- They agree with what the check lqcd (LQCD, where it is built) finds on the same links.
- The planted fault breaks a proof. What cannot be run is refused with exit code 3 and one sentence.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "xacc" / "tests"))
AGREEMENT = 1e-12
ITERATIONS = 20
SHAPE = (8, 6, 4, 4)  # of --lattice odd: t, z, y, x
failures: list[str] = []


def start(command: list[str], ranks: int, mpiexec: str) -> subprocess.CompletedProcess[str]:
    launcher = [mpiexec, "-n", str(ranks)] if ranks > 1 else []
    return subprocess.run([*launcher, *command], env=os.environ | {"OMP_NUM_THREADS": "1"}, capture_output=True, text=True, timeout=300,
                          check=False)


def expect(condition: bool, sentence: str) -> None:
    if not condition:
        failures.append(sentence)


def lines_of(command: list[str], ranks: int, mpiexec: str) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.jsonl"
        done = start([*command, "--record", str(record)], ranks, mpiexec)
        if not record.is_file():
            failures.append(f"{' '.join(command)} on {ranks} ranks wrote no record: {done.stderr[-500:]}")
            return []
        return [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]


def values(lines: list[dict[str, Any]]) -> dict[str, float]:
    return {x["name"]: x["value"] for x in lines if x["type"] == "value" and (x["name"] == "residual" or x["name"].startswith("slice_"))}


def broken(lines: list[dict[str, Any]]) -> set[str]:
    return {x["name"] for x in lines if x["type"] == "validity" and not abs(x["value"] - x["expected"]) <= x["limit"]}


def compare(what: str, got: dict[str, float], want: dict[str, float], bound: float) -> None:
    expect(bool(want) and got.keys() == want.keys(), f"{what}: values {sorted(got)} instead of {sorted(want)}")
    for name in got.keys() & want.keys():
        off = abs(got[name] - want[name]) / abs(want[name])
        expect(off <= bound, f"{what}: {name} is {got[name]!r} instead of {want[name]!r}, {off:.1e} off")


def nersc(path: Path) -> None:
    """The links of the example in a NERSC file: x fastest, three rows, 64 bits, big-endian."""
    import lqcd_twin
    import numpy as np

    links = lqcd_twin.random_links(SHAPE)  # [mu, t, z, y, x, row, column]
    plaquette = 0.0
    for mu in range(4):
        for nu in range(mu):
            along, across = lqcd_twin.AXIS[mu], lqcd_twin.AXIS[nu]
            one = links[mu] @ np.roll(links[nu], -1, along)
            other = links[nu] @ np.roll(links[mu], -1, across)
            plaquette += float((one * other.conj()).sum().real)
    plaquette /= 3 * 6 * np.prod(SHAPE)
    trace = float(np.trace(links, axis1=-2, axis2=-1).sum().real) / (3 * 4 * np.prod(SHAPE))
    data = np.moveaxis(links, 0, 4).astype(">c16").tobytes()
    total = sum(struct.unpack(f">{len(data) // 4}I", data)) % 2**32
    head = {"HDR_VERSION": "1.0", "DATATYPE": "4D_SU3_GAUGE_3x3", "DIMENSION_1": SHAPE[3], "DIMENSION_2": SHAPE[2], "DIMENSION_3": SHAPE[1],
            "DIMENSION_4": SHAPE[0], "LINK_TRACE": f"{trace:.12g}", "PLAQUETTE": f"{plaquette:.12g}", "BOUNDARY_1": "PERIODIC",
            "BOUNDARY_2": "PERIODIC", "BOUNDARY_3": "PERIODIC", "BOUNDARY_4": "PERIODIC", "CHECKSUM": f"{total:08x}", "FLOATING_POINT": "IEEE64BIG"}
    text = "BEGIN_HEADER\n" + "".join(f"{key} = {value}\n" for key, value in head.items()) + "END_HEADER\n"
    path.write_bytes(text.encode() + data)


def two_faces(odd: list[str], counts: list[int], mpiexec: str) -> None:
    """Halos are right by every route, on blocks that are alike and not; a face that is not sent makes them wrong."""
    few = [*odd, "--faces", "2"]
    for ranks in (n for n in (2, 3, 4) if n <= max(counts)):
        lines = lines_of(few, ranks, mpiexec)
        proofs = {x["name"] for x in lines if x["type"] == "validity"}
        expect("halos" in proofs and not broken(lines), f"two faces, {ranks} ranks: proofs {proofs}, broken {broken(lines)}")
        found = {x["name"]: x["value"] for x in lines if x["type"] == "value"}
        longer = max(found.get("face_t_us", 0), found.get("face_z_us", 0))
        expect(abs(found["overlap_efficiency"] * found["both_faces_us"] - longer) <= 1e-9 * longer, f"two faces: {found}")
    faulty = broken(lines_of([*few, "--fault", "unsent_face"], 2, mpiexec))
    expect(faulty == {"halos"}, f"a face that is not sent broke {faulty}")
    refused = start(few, 1, mpiexec)
    expect(refused.returncode == 3 and "--faces exchanges" in refused.stderr, f"faces of 1 rank: {refused.returncode}")


def main(program: str, mpiexec: str, lqcd: str, counts: list[int]) -> int:
    odd = [program, "--lattice", "odd", "--iterations", str(ITERATIONS), "--repetitions", str(ITERATIONS + 2)]
    one = lines_of(odd, 1, mpiexec)
    want = values(one)
    expect(not broken(one), f"1 rank: broken proofs {broken(one)}")
    for variant in ("reflect", "nowait", "hand"):
        for ranks in counts:
            lines = lines_of([*odd, "--variant", variant], ranks, mpiexec)
            expect(not broken(lines), f"{variant}, {ranks} ranks: broken proofs {broken(lines)}")
            compare(f"{variant}, {ranks} ranks", values(lines), want, AGREEMENT)
            names = [x["path"] for line in lines if line["type"] == "header" for x in line["sections"]]
            sections = {names[x["section"]] for x in lines if x["type"] == "series"}
            missing = {f"solve/{name}" for name in ("reflect", "operator", "vector", "reduction")} - sections
            expect(not missing, f"{variant}, {ranks} ranks: no samples of {missing}")
    two_faces(odd, counts, mpiexec)
    for lattice in ("8", "16"):  # six iterations do not reach every slice of the larger one
        wrong = broken(lines_of([program, "--lattice", lattice, "--iterations", "2", "--repetitions", "1"], 2, mpiexec))
        expect(not wrong, f"lattice {lattice}: broken proofs {wrong}")
    for route in ("datatype", "packed", "shared"):
        compare(route, values(lines_of([*odd, "--route", route], 2, mpiexec)), want, AGREEMENT)
    for variant in ("reflect", "hand"):
        faulty = broken(lines_of([*odd, "--variant", variant, "--fault", "link_sign"], 2, mpiexec))
        expect({"residuals", "slices"} <= faulty, f"{variant}: the planted fault broke {faulty} only")
    for ranks in counts:
        by_hand = lines_of([*odd, "--variant", "hand", "--route", "packed"], ranks, mpiexec)
        compare(f"packed by hand, {ranks} ranks", values(by_hand), want, AGREEMENT)
    refused = start([*odd, "--variant", "hand", "--route", "shared"], 2, mpiexec)
    expect(refused.returncode == 3 and "no route shared" in refused.stderr, f"shared by hand: {refused.returncode}, {refused.stderr[-300:]}")
    refused = start([*odd, "--variant", "hand"], 3, mpiexec)
    expect(refused.returncode == 3 and "powers of two" in refused.stderr, f"3 ranks by hand: {refused.returncode}, {refused.stderr[-300:]}")
    if not Path(lqcd).is_file():
        print("the check lqcd is not built here: not compared with it")
    else:
        with tempfile.TemporaryDirectory() as folder:
            nersc(Path(folder) / "links")
            theirs = lines_of([lqcd, "--configuration", str(Path(folder) / "links"), "--kappa", "0.15", "--iterations", str(ITERATIONS),
                               "--repetitions", "1"], 1, mpiexec)
        expect(not broken(theirs), f"lqcd on the links of the example: broken proofs {broken(theirs)}")
        compare("lqcd", values(theirs), want, AGREEMENT)
    print("\n".join(failures) or "all answers agree")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], [int(n) for n in sys.argv[4:]]))
