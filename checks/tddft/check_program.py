"""The program as a whole: one current on any ranks and threads and after a kill, planted faults found, refusals in one sentence.

    check_program.py PROGRAM MPIEXEC RANKS… [--long]

--long: only what takes minutes (long_runs.py).
"""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import long_runs

SMALL = ("--coarse", "true", "--grid", "8,8,8", "--kpoints", "2,2,2", "--ground_state", "1e-9", "--steps", "6", "--pulse_length", "0.0058",
         "--layout", "bands")  # bits depend on the layout
REDUCED = ("--threads", "1", "--reduction", "4")
FOUR = ("--kpoints", "2,1,2")  # one for each of four ranks
TWO = ("--threads", "1", "--kpoints", "2,1,1", "--observe", "3", "--ground_state", "1e-10")  # of which more ranks divide the bands
# Light goes a point further in a step.
FILM = (*REDUCED, "--steps", "16", "--macro_points", "2", "--macro_spacing", "6", "--macro_vacuum", "1")
# Short and thin: the light has left before the run ends.
THIN = (*REDUCED, "--steps", "300", "--dt", "0.15", "--pulse_length", "0.42", "--photon", "20", "--intensity", "1e10", "--ground_state",
        "1e-6", "--macro_points", "1", "--macro_spacing", "24", "--macro_vacuum", "1")
REFUSED = 3
SANITIZED = "TENKEN_SANITIZED" in os.environ  # twenty times slower: what differs by numbers alone is left out
IMPOSSIBLE = 4
PATIENCE_S = 120.0
# SMALL with REDUCED as a file.
FILE = """
cell = [10.26, 10.26, 10.26]
grid = [8, 8, 8]
kpoints = [2, 2, 2]
reduction = 4
[run]
ground_state = 1e-9
steps = 6
coarse = true
pulse = "asin2cos"
pulse_length = 0.0058
""" + "".join(f"""[[atom]]
element = "Si"
fraction = [{x + basis}, {y + basis}, {z + basis}]
""" for x, y, z in ((0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)) for basis in (0.0, 0.25))


def started(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True)


def ranks_below(process: int, program: str) -> list[int]:
    """This process and those that it started, and so on, as far as they run `program`."""
    found = [process] if os.path.samefile(f"/proc/{process}/exe", program) else []
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += ranks_below(int(child), program)
    return found


class Program:
    def __init__(self, program: str, mpiexec: str) -> None:
        self.program = program
        self.mpiexec = mpiexec

    def command(self, ranks: int, *arguments: str) -> list[str]:
        launcher = (self.mpiexec, "-n", str(ranks)) if ranks > 1 else ()  # costs half a second
        return [*launcher, self.program, *SMALL, *arguments]

    def killed(self, ranks: int, file: Path, *arguments: str) -> None:
        """Runs, and the last rank is killed as soon as there is `file`."""
        process = subprocess.Popen(self.command(ranks, *arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE_S
        while not file.exists():
            assert process.poll() is None, f"the run ended before it had written {file.name}"
            assert time.monotonic() < end, f"{file.name} was not written"
            time.sleep(0.002)
        found = ranks_below(process.pid, self.program)
        assert len(found) == ranks, f"{found} run below {process.pid}, {ranks} ranks were asked for"
        os.kill(max(found), signal.SIGKILL)
        code = process.wait()
        assert code == -signal.SIGKILL if ranks == 1 else code != 0, code

    def of_file(self, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "input.toml"
            path.write_text(text)
            return started(self.program, "--input", str(path), "--layout", "bands", *arguments)

    def record(self, ranks: int, *arguments: str) -> list[dict]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "record.jsonl"
            done = started(*self.command(ranks, *arguments), "--record", str(path))
            assert done.returncode == 0, done.stderr
            return [json.loads(line) for line in path.read_text().splitlines()]

    @functools.cached_property
    def plain(self) -> list[dict]:
        return self.record(1, *REDUCED)

    def refusal(self, *arguments: str, code: int = REFUSED) -> str:
        done = started(self.program, *SMALL, *arguments)
        assert done.returncode == code, f"{arguments} ended with {done.returncode}: {done.stderr}"
        return done.stderr


def broken(record: list[dict]) -> set[str]:
    return {line["name"] for line in record if line["type"] == "validity" and not float(line["value"]) <= line["limit"]}


def last_current(record: list[dict]) -> float:
    return currents(record)[-1][-1]


def currents(record: list[dict]) -> list[list[float]]:
    return next(line["values"] for line in record if line["type"] == "table" and line["name"] == "current")


def check_restart(program: Program, ranks: int) -> None:
    """Killed in the ground state and in real time, both go on to the same bits on the same ranks."""
    of = (*REDUCED, "--steps", "40" if SANITIZED else "200") if ranks == 1 else (*FOUR, "--threads", "1", "--steps", "100")
    steps, kept = int(of[-1]), (*of, "--checkpoint_steps", "2")
    whole = currents(program.record(ranks, *of))
    assert len(whole) == steps + 1 and abs(whole[-1][-1]) > 1e-6, whole[-1]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        # Where the second place is written, all ranks have the first.
        program.killed(ranks, Path(f"{path}.ground_state.0.b"), *kept, "--checkpoint", str(path))
        assert not Path(f"{path}.real_time.0.a").exists()
        program.killed(ranks, Path(f"{path}.real_time.0.b"), *kept, "--restart", str(path))
        record = program.record(ranks, *kept, "--restart", str(path))
        assert currents(record) == whole
        assert len(next(line["ns"] for line in record if line["type"] == "series" and len(line["ns"]) > 1)) < steps
        assert not broken(record), broken(record)
        if ranks > 1:
            return
        newest = Path(f"{path}.real_time.0.b")
        newest.write_bytes(newest.read_bytes()[:-1])
        assert currents(program.record(ranks, *kept, "--restart", str(path))) == whole
        for arguments, word in ((("--restart", str(path), "--steps", "2"), "more --steps"),
                                (("--restart", str(path), "--steps", "60", "--dt", "0.03"), "another input"),
                                (("--restart", str(Path(folder) / "nothing")), "no checkpoint")):
            said = program.refusal(*REDUCED, *arguments)
            assert word in said, said
        said = program.refusal(*REDUCED, "--checkpoint", str(Path(folder) / "no" / "run"), code=IMPOSSIBLE)
        assert "cannot be written" in said, said


def check_bands(program: Program, counts: list[int]) -> None:
    """Ranks that divide the bands of a k-point have the current, energies, forces and excited electrons of a single rank."""
    ranks = max(counts)
    if ranks > 2 and not SANITIZED:
        alone, shared = (program.record(n, *TWO) for n in (1, ranks + ranks // 4))  # unlike parts of 16 bands
        assert not broken(shared), broken(shared)
        assert abs(last_current(shared) - last_current(alone)) < 1e-11
        for name in ("energy", "forces"):
            one, other = (next(line["values"] for line in record if line["type"] == "table" and line["name"] == name)
                          for record in (alone, shared))
            assert max(abs(a - b) for x, y in zip(one, other, strict=True) for a, b in zip(x, y, strict=True)) < 1e-8, name
    said = program.refusal("--kpoints", "2,1,1", "--weights", "1,2,3")
    assert "--weights" in said, said


def check_longest_steps(program: Program) -> None:
    """A dt that breaks a proof is refused with the longest dt that does not."""
    for of, dt, words in ((("--pulse_length", "0"), "0.15", "of the norm"), (("--pulse", "none", "--steps", "100"), "0.3", "of the work")):
        said = program.refusal(*REDUCED, *of, "--dt", dt)
        assert "the proof " + words in said, said
        found = broken(program.record(1, *REDUCED, *of, "--dt", said.split("use dt ")[1].split()[0]))
        assert not found & {"norm", "work"}, found


def check_file(program: Program) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.jsonl"
        done = program.of_file(FILE, "--threads", "1", "--observe", "3", "--record", str(path))
        assert done.returncode == 0, done.stderr
        record = [json.loads(line) for line in path.read_text().splitlines()]
    assert currents(record) == currents(program.plain)
    observed = next(line["values"] for line in record if line["type"] == "table" and line["name"] == "energy")
    assert len(observed) == 3
    assert abs(observed[-1][1] - energy(record)) < 1e-9
    assert abs(observed[0][2]) < 1e-9
    for text, arguments, word in ((FILE.replace("steps = 6", "stepz = 6"), (), "stepz"),
                                  (FILE.replace("steps = 6", "steps = -6"), (), "run.steps"),
                                  (FILE.replace("coarse = true", ""), (), "at most 0.7402 Bohr"),
                                  (FILE.replace('"asin2cos"', '"asin"'), (), "asin"), (FILE, ("--grid", "8,8,8"), "--grid"),
                                (FILE, ("--levels", "1,2"), "--levels has 2 numbers")):
        done = program.of_file(text, *arguments)
        assert done.returncode == REFUSED and word in done.stderr, done.stderr


def check_pseudopotentials(program: Program) -> None:
    """Silicon of a file in CP2K's form is the program's own; an unfit file is refused with line and element."""
    text = ("Si GTH-PADE-q4\n 2 2\n 0.44 1 -7.33610297\n 2\n 0.42273813 2 5.90692831 -1.26189397\n 3.25819622\n"
            " 0.48427842 1 2.72701346\n")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "GTH_POTENTIALS"
        path.write_text(text)
        own, read = energy(program.plain), energy(program.record(1, *REDUCED, "--pseudopotentials", str(path)))
        assert abs(own - read) < 1e-6, (own, read)
        if not SANITIZED:
            path.write_text(text.replace("2.72701346", "3.72701346"))
            assert abs(energy(program.record(1, *REDUCED, "--pseudopotentials", str(path))) - own) > 1e-3
        path.write_text(text.replace("-q4\n 2 2", "-q3\n 2 1").replace("Si ", "Ge "))
        said = program.refusal("--pseudopotentials", str(path))
        assert "no entry for element Si" in said, said
        path.write_text(text.replace("5.90692831", "much"))
        said = program.refusal("--pseudopotentials", str(path))
        assert "line 5, element Si: 'much'" in said, said


def check_film(program: Program, counts: list[int]) -> None:
    """One film on any ranks and by either exchange; messages that come late break the balance of light."""
    def seen(record: list[dict]) -> list[list[float]]:
        return [line["values"][-1] for line in record if line["type"] == "table" and line["name"] in ("light", "film_current")]

    alone = program.record(1, *FILM)
    assert not broken(alone), broken(alone)
    light, current = seen(alone)
    assert abs(light[2]) > 1e-6 and abs(current[1]) > 1e-6 and abs(current[2]) > 1e-6, (light, current)
    for ranks, exchange in ((2, "gather"), (4, "neighbours")):
        if ranks in counts and not (SANITIZED and ranks == 2):  # two ranks: stale_message, below
            other = program.record(ranks, *FILM, "--exchange", exchange)
            assert not broken(other), broken(other)
            for mine, its in zip(seen(alone), seen(other), strict=True):
                assert max(abs(a - b) for a, b in zip(mine, its, strict=True)) < 1e-11, (ranks, exchange)
    found = broken(program.record(2, *FILM, "--fault", "stale_message"))
    assert found == {"light"}, found
    for arguments, word in ((("--pulse", "step"), "pulse"), (("--macro_spacing", "5"), "macro_spacing"),
                            (("--restart", "run"), "--restart"), (("--fault", "stale_message"), "stale_message")):
        said = program.refusal(*FILM, *arguments)
        assert word in said, said


def check_reflectance(program: Program) -> None:
    """Vacuum does not change light, a film that still rings names the steps that it needs, a film that gives energy is found."""
    vacuum = program.record(1, *THIN, "--macro_medium", "vacuum")
    assert not broken(vacuum), broken(vacuum)
    curve = next(line["values"] for line in vacuum if line["type"] == "table" and line["name"] == "reflectance")
    assert len(curve) > 50 and all(row[1] < 1e-4 and abs(row[2] - 1) < 1e-2 for row in curve), curve
    healthy = program.record(1, *THIN)
    assert not broken(healthy), broken(healthy)
    thick = program.record(1, *THIN, "--macro_spacing", "500", "--steps", "400")
    assert "decay" in broken(thick), broken(thick)
    decay = next(line["source"] for line in thick if line["type"] == "validity" and line["name"] == "decay")
    assert 400 < int(decay.split("run longer: --steps ")[1]) < 5000, decay
    assert "reflectance" in broken(program.record(1, *THIN, "--fault", "growing_film"))
    growing = program.record(1, *THIN, "--macro_spacing", "500", "--steps", "400", "--fault", "growing_film")
    assert {"decay", "growth", "reflectance"} <= broken(growing), broken(growing)
    short = program.record(1, *THIN, "--pulse_length", "0")
    assert not any(line["name"] in ("reflectance", "decay", "growth") for line in short if line["type"] in ("table", "validity"))
    for arguments, word in ((("--intensity", "0"), "intensity"), (("--fault", "growing_film", "--macro_medium", "vacuum"), "crystal")):
        said = program.refusal(*THIN, *arguments)
        assert word in said, said


def energy(record: list[dict]) -> float:
    return next(line["value"] for line in record if line["type"] == "value" and line["name"] == "energy")


def main() -> int:
    counts = [int(word) for word in sys.argv[3:] if word != "--long"]
    program = Program(*sys.argv[1:3])
    if "--long" in sys.argv:
        return long_runs.run_all(sys.argv[1])
    alone = program.record(1, *FOUR, "--threads", "1")
    assert not broken(alone), broken(alone)
    assert {"coarse_grid_energies_not_meant", "gap"} <= {line["name"] for line in alone if line["type"] == "table"}
    paths = {section["path"] for section in alone[0]["sections"]}
    assert {f"step/{part}" for part in
            ("stencil", "nonlocal", "update", "density", "current", "hartree", "xc", "allreduce")} <= paths
    for ranks in counts:
        for threads in ("1", "2") if ranks < 4 else ("1",):
            if (ranks, threads) == (1, "1") or (SANITIZED and (ranks, threads) != (1, "2")):
                continue
            other = program.record(ranks, *FOUR, "--threads", threads)
            assert not broken(other), broken(other)
            assert abs(last_current(other) - last_current(alone)) < 1e-11, (ranks, threads)
            assert abs(energy(other) - energy(alone)) < 1e-11 * abs(energy(alone)), (ranks, threads)
    check_bands(program, counts)
    uneven = program.record(2, *FOUR, "--threads", "1", "--weights", "3,1")
    assert not broken(uneven), broken(uneven)
    assert abs(last_current(uneven) - last_current(alone)) < 1e-11
    if not SANITIZED:
        step = program.record(1, *REDUCED, "--pulse", "step", "--steps", "100")
        assert not broken(step), broken(step)
    for ranks in (1,) if SANITIZED else (1, 2):
        if ranks in counts:
            check_restart(program, ranks)
    check_file(program)
    check_pseudopotentials(program)
    check_film(program, counts)
    if not SANITIZED:  # film_proofs_test and norm_loss_test have the same proofs
        check_reflectance(program)
        check_longest_steps(program)
    still = program.record(1, *REDUCED, "--pulse", "none")
    assert not broken(still), broken(still)
    faults = {"gradient_sign": "hamiltonian", "missing_phase": "hamiltonian", "stale_current": "current",
              "unsymmetric_density": "density"}
    for fault, proof in list(faults.items())[-1 if SANITIZED else 0:]:
        found = broken(program.record(1, "--threads", "1", "--reduction", "4", "--fault", fault))
        assert proof in found, f"{fault} was not found: {found}"
    for arguments, word in (
            (("--dt", "5"), "dt"), (("--pulse_length", "10"), "pulse"), (("--reduction", "4", "--axis", "x"), "axis"),
            (("--coarse", "false"), "--coarse true where energies are not meant"), (("--grid", "2,8,8"), "grid"), (("--reduction", "3"), "3"),
            (("--weights", "1,2,3"), "--weights"), (("--input", "a.cif"), "is not TOML; write 'cell'"), (("--input", "/no/such/file"), "/no/such/file")):
        said = program.refusal(*arguments)
        assert word in said and "Traceback" not in said and "terminate called" not in said, said
    return 0


if __name__ == "__main__":
    sys.exit(main())
