"""Runs the check as a program: `check_program.py PROGRAM MPIEXEC RANKS… [--long]` (tests/programs.py).

- All proofs pass for every variant, medium and layer, on any number of ranks and threads.
- A run that was killed continues from its checkpoint with equal bits. The seismogram agrees with the exact one.
- With each planted fault a proof fails. Bad input is refused with one sentence.

--long: only waves on the free surface against the solution of lamb.py (Lamb's problem).
"""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import lamb
import numpy as np
from programs import SANITIZED, Program, failed_proofs, run_all, table, values

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


def killed(program: Program, ranks: int, arguments: list[str], file: Path) -> None:
    """Runs, and all of its processes are killed as soon as there is `file`."""
    command = [*([program.mpiexec, "-n", str(ranks)] if ranks > 1 else []), program.path, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    end = time.monotonic() + 120
    while not file.exists():
        assert process.poll() is None, f"the run ended before it had written {file.name}"
        assert time.monotonic() < end, f"{file.name} was not written"
        time.sleep(0.002)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_a_killed_run_continues_with_equal_bits(program: Program) -> None:
    ranks = program.counts[1]
    steps = 48 if SANITIZED else 200
    of = ["--cells", "32,32,32", "--absorb", "none", "--steps", str(steps), "--checkpoint_steps", "8"]
    whole = table(program.record(ranks, of), "seismogram")["values"]
    assert len(whole) == steps and any(abs(v) > 0 for v in whole[-1]), whole[-1]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        killed(program, ranks, [*of, "--checkpoint", str(path)], Path(f"{path}.steps.0.b"))
        continued = table(program.record(ranks, [*of, "--restart", str(path), "--threads", "2"]), "seismogram")["values"]
        assert continued == whole
        by_hand = program.start(ranks, [*of, "--restart", str(path)]).stdout
        assert "no repetition was timed" in by_hand, by_hand
        for arguments, words in ((["--steps", "8"], "use more --steps"), (["--cells", "36,32,32"], "of another input")):
            program.refused(ranks, [*of, *arguments, "--restart", str(path)], words)
        program.refused(1, [*of, "--restart", f"{path}x"], "there is no checkpoint")
        damage(Path(f"{path}.steps.0.b"))
        assert "damaged: going on from the other place" in program.start(ranks, [*of, "--restart", str(path)]).stderr
        for place in ("a", "b"):
            damage(Path(f"{path}.steps.0.{place}"))
        program.refused(ranks, [*of, "--restart", str(path)], "is damaged; remove it and start anew")


def damage(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[5000:5008] = b"damaged."
    file.write_bytes(content)


def test_the_seismogram_agrees_with_the_exact_one(program: Program) -> None:
    if SANITIZED:
        return
    for source in ("explosion", "force_x"):
        lines = program.record(1, ["--cells", "64,64,64", "--surface", "false", "--contrast", "0", "--source", source, "--steps", "160"])
        seismogram = table(lines, "seismogram")
        assert seismogram["columns"] == ["vx", "vy", "vz", "exact_vx", "exact_vy", "exact_vz"]
        assert seismogram["form"] == "curves" and seismogram["rows"][0].startswith("t ")
        off = sum((row[n] - row[3 + n]) ** 2 for row in seismogram["values"] for n in range(3))
        norm = sum(row[3 + n] ** 2 for row in seismogram["values"] for n in range(3))
        assert 0 < off < 0.03**2 * norm, f"{source}: {(off / norm) ** 0.5}"


def test_slice_layers_and_places_of_ranks(program: Program) -> None:
    most = program.counts[1]
    of = ["--cells", "160,32,32", "--surface", "false", "--contrast", "0", "--source", "force_z", "--steps", "48", "--sides", "x"]
    records = [program.record(ranks, [*of, "--grid", f"{ranks},1"]) for ranks in (1, most)]
    for lines in records:
        assert values(lines)["absorbing_points"] == 2 * 10 * 32 * 32 and not failed_proofs(lines)
    places = table(records[1], "ranks")
    assert places["form"] == "ranks" and places["values"] == [list(range(most))]
    assert places["columns"] == [f"x {rank}" for rank in range(most)] and places["rows"] == ["y 0"]
    planes = [table(lines, "slice_vz") for lines in records]
    for plane in planes:
        assert plane["form"] == "field" and plane["values"] == planes[0]["values"]
        assert (plane["rows"][1], plane["columns"][1]) == ("z 0.15 km", "x 0.2 km") and len(plane["columns"]) == 80
    # Up and down a force is even along x, and both waves have arrived five cells beside it: the source is column 40.
    rows = planes[0]["values"]
    size = max(abs(value) for row in rows for value in row)
    assert size > 0 and all(abs(row[40 - n] - row[40 + n]) < 1e-4 * size for row in rows for n in range(1, 39))
    assert max(abs(row[40]) for row in rows) > 0.1 * size > max(abs(row[0]) for row in rows)


MOST_A_PROCESSOR = 32 << 20  # more is the cache of a socket that a virtual machine has a part of (cpp/base/caches.cpp)


def last_level_cache() -> int:
    """Bytes of the largest cache of a core that the core's processors can have; 0 where the system shows none."""
    sizes = [0]
    for folder in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        size = (folder / "size").read_text().strip()
        parts = (folder / "shared_cpu_list").read_text().strip().split(",")
        processors = sum(int(part.split("-")[-1]) - int(part.split("-")[0]) + 1 for part in parts)
        sizes.append(min(int(size[:-1]) * {"K": 1024, "M": 1024**2}[size[-1]], MOST_A_PROCESSOR * processors))
    return max(sizes)


def test_the_record_states_whether_classic_stores_past_the_caches(program: Program) -> None:
    cache = last_level_cache() if platform.machine() == "x86_64" else 0  # no such stores elsewhere
    for cells, least, most in ((24, 2e6, 4e6), *([] if SANITIZED else [(128, 200e6, 260e6)])):  # bytes of the arrays
        lines = program.record(1, ["--variant", "classic", "--cells", f"{cells},{cells},{cells}"])
        (chosen,) = (line for line in lines if line.get("chosen"))
        assert (chosen["name"], chosen["unit"]) == ("stores_past_caches", "flag")
        if cache == 0 or cache > most:
            assert chosen["value"] == 0
        elif cache < least:
            assert chosen["value"] == 1


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
        (1, 3, ["--steps", "6"], "--steps 6 is not a multiple of 4"),
        (1, 3, ["--checkpoint", "here"], "--checkpoint needs --steps"),
        (1, 4, ["--steps", "8", "--checkpoint_steps", "4", "--checkpoint", "/nowhere/at/all"], "cannot be written"),
        (1, 3, ["--variant", "temporal", "--depth", "3"], "--depth 3 is not possible"),
        (2, 3, ["--variant", "temporal", "--cells", "48,24,32", "--layer", "4", "--grid", "1,2"], "is too small for --variant"),
        (1, 4, ["--cells", "65535,65535,65535"], "GiB are available; choose a smaller size"),
    )

    def refused(case: tuple[int, int, list[str], str]) -> None:
        ranks, code, arguments, words = case
        program.refused(ranks, arguments, words, code)

    with ThreadPoolExecutor(max_workers=4) as pool:
        list(pool.map(refused, cases))


def off_lamb(program: Program, points: int, wavelengths: int, force: bool) -> float:
    """Relative L2 of the three velocities at the surface, against those of a half-space. The shortest S wave is `points` cells long;
    the receiver is so many of these from a force half a cell below the surface, or from an explosion half a wavelength below."""
    h, rock = 0.1, lamb.Rock(2.7, 6.0, 3.5)
    duration, away, deep = 2 * points * h / rock.vs, wavelengths * points, 0 if force else points // 2
    steps = 4 * (away + 2 * points + away // 10 + 5)  # until the surface wave has passed: S goes a cell in 3.9 steps
    cells, place = (away + 64, 4 * points + 16, 4 * points), (32, 2 * points + 8, deep)
    receiver = (32 + away, place[1], 0)
    lines = program.record(1, [
        "--cells", ",".join(map(str, cells)), "--contrast", "0", "--source", "force_z" if force else "explosion",
        "--place", ",".join(map(str, place)), "--receiver", ",".join(map(str, receiver)), "--duration", str(duration),
        "--steps", str(steps), "--threads", str(len(os.sched_getaffinity(0)))])
    assert not failed_proofs(lines), failed_proofs(lines)
    seismogram = table(lines, "seismogram")
    t = np.array([float(row.split()[1]) for row in seismogram["rows"]])
    off = norm = 0.0
    for c in range(3):
        x, y = ((receiver[d] - place[d] + (0.5 if d == c else 0)) * h for d in range(2))
        r, z, below = np.hypot(x, y), (0.5 * h if c == 2 else 0), (deep + (0.5 if force else 0)) * h
        times, along_r, along_z = lamb.motion(rock, force, lambda s: lamb.kuepper(s, duration), duration, below, r, z, t[-1] + duration)
        exact = np.interp(t, times, (along_r * x / r, along_r * y / r, along_z)[c]) * (1 if force else 1e-3) * 1000  # 1e15 N m; m/s
        off += ((np.array(seismogram["values"])[:, c] - exact) ** 2).sum()
        norm += (exact**2).sum()
    return float(np.sqrt(off / norm))


def long_lamb_is_what_pekeris_found(_: Program) -> None:
    rock, distance, duration = lamb.Rock(2.7, 3.5 * 3**0.5, 3.5), 10.0, 3.4
    times, _r, found = lamb.motion(rock, True, lambda s: lamb.kuepper(s, duration), duration, distance / 400, distance, distance / 400, 8, False)
    apart = times[1] / 2000
    t = np.arange(2000 * len(times)) * apart
    slope = np.gradient(lamb.kuepper(t, duration), apart)
    step = lamb.pekeris((t + apart / 2) * rock.vs / distance) / (16 * np.pi * rock.density * rock.vs**2 * distance)
    exact = np.fft.irfft(np.fft.rfft(slope, 2 * len(t)) * np.fft.rfft(step, 2 * len(t)))[:len(t):2000] * apart
    off = np.linalg.norm(found - exact) / np.linalg.norm(exact)
    assert off < 0.01, f"{off}"  # measured: 0.005; both lie a little below the surface


def long_waves_on_the_free_surface_are_those_of_lamb(program: Program) -> None:
    # The force lies in the first cells, where D along z is of order 2. Measured: 0.025, 0.009; 0.0085, 0.018.
    force = {points: off_lamb(program, points, 2, True) for points in (20, 40)}
    assert force[20] < 0.03 and force[40] < 0.011 and force[20] > 2.5 * force[40], f"{force}"
    explosion = {wavelengths: off_lamb(program, 20, wavelengths, False) for wavelengths in (2, 5)}
    assert explosion[2] < 0.01 and explosion[5] < 0.02, f"{explosion}"
    print(f"waves on the free surface: relative L2 of a force {force}, of an explosion {explosion}")


if __name__ == "__main__":
    run_all(globals(), "long_" if "--long" in sys.argv else "test_", 7000)
