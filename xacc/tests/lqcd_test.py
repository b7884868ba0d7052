"""The lattice QCD example: serial against a NumPy twin, distributed against serial, and nothing but directives added."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import lqcd_twin as twin
import numpy as np
import pytest

from xacc.count import difference, read_lines
from xacc_harness import TREE, Xacc

FOLDER = TREE / "examples" / "lqcd"
SHAPE = (8, 6, 4, 4)  # of the default lattice: t, z, y, x
_IN_CI = bool(os.environ.get("XACC_CI"))

GRIDS = [(t, z, 1) for t in range(1, 9) for z in range(1, 9) if t * z <= 8]
CUBES = [(t, z, y) for t in range(1, 5) for z in range(1, 5) for y in range(2, 9) if t * z * y <= 8]
if not _IN_CI:
    GRIDS, CUBES = [(1, 1, 1), (1, 2, 1), (5, 1, 1), (2, 4, 1)], [(1, 1, 2), (2, 1, 3)]



def without_directives(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#pragma"))


def numbers(text: str) -> dict[str, float]:
    """What the program prints, by the words before each number; the true residual is rounding alone."""
    return {key: float(value) for key, _, value in (line.rpartition(" ") for line in text.splitlines()) if not key.startswith("true")}


def agree(got: dict[str, float], want: dict[str, float], bound: float) -> None:
    assert got.keys() == want.keys()
    worst = max(want, key=lambda k: abs(got[k] - want[k]) / abs(want[k]))
    assert abs(got[worst] - want[worst]) <= bound * abs(want[worst]), (worst, got[worst], want[worst])


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    program = tmp_path_factory.mktemp("serial") / "lqcd"
    subprocess.run(["cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", str(FOLDER / "lqcd.c"), "-o", str(program), "-lm"], check=True)
    return numbers(subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout)


def run_on(xacc: Xacc, grid: tuple[int, int, int], program: str = "./lqcd") -> dict[str, float]:
    done = xacc.run(program, grid[0] * grid[1] * grid[2], GRID_Z=str(grid[1]), GRID_Y=str(grid[2]), ASAN_OPTIONS="detect_leaks=0")
    assert done.returncode == 0, f"{grid}: {done.stdout}{done.stderr}"
    return numbers(done.stdout)


def build(xacc: Xacc, source: Path, *flags: str) -> None:
    nodes = ('-DNODES_Z=atoi(getenv("GRID_Z"))', '-DNODES_Y=atoi(getenv("GRID_Y"))')
    built = xacc.cc(source, *nodes, "-Wall", "-Wextra", "-Werror", "-o", "lqcd", *(flags or ("-O2",)))
    assert built.returncode == 0 and built.stderr == "", built.stderr


def test_the_twin_maps_plane_waves_as_the_theory_says() -> None:
    """gamma_5 [(1 - 2 kappa sum cos p) + 2 i kappa sum gamma sin p], of an asymmetric momentum."""
    step = (1, 2, 1, 3)  # x, y, z, t
    p = [2 * np.pi * step[mu] / SHAPE[twin.AXIS[mu]] for mu in range(4)]
    t, z, y, x = np.indices(SHAPE)
    wave = np.exp(1j * (p[0] * x + p[1] * y + p[2] * z + p[3] * t))
    amplitude = np.arange(12).reshape(4, 3) + 1j
    unit = np.broadcast_to(np.eye(3), (4, *SHAPE, 3, 3))
    matrix = (1 - 2 * twin.KAPPA * sum(map(np.cos, p))) * np.eye(4) + 2j * twin.KAPPA * sum(g * np.sin(q) for g, q in zip(twin.GAMMA, p, strict=True))
    want = wave[..., None, None] * (twin.GAMMA_5 @ matrix @ amplitude)
    assert abs(twin.wilson(unit, wave[..., None, None] * amplitude) - want).max() < 1e-12


def test_serial_is_the_twin(serial: dict[str, float]) -> None:
    links = twin.random_links(SHAPE)
    assert abs(links @ links.conj().swapaxes(-1, -2) - np.eye(3)).max() < 1e-14
    assert abs(np.linalg.det(links) - 1).max() < 1e-14
    history, slices = twin.solve(links)
    want = {f"residual {n + 1}": r for n, r in enumerate(history)} | {f"slice {t}": s for t, s in enumerate(slices)}
    agree(serial, want, 1e-11)


@pytest.mark.parametrize(("program", "most"), [("lqcd_xacc.c", 35), ("lqcd_xacc_tzy.c", 36)])
def test_only_directives_are_added(program: str, most: int) -> None:
    assert without_directives((FOLDER / program).read_text()) == (FOLDER / "lqcd.c").read_text()
    d = difference(read_lines(FOLDER / "lqcd.c"), read_lines(FOLDER / program))
    print(f"{program}: DSLOC {d.lines}: {d.added} added, {d.deleted} deleted, {d.modified} modified")
    assert d.lines <= most and d.directives == d.added == d.lines and d.deleted == d.modified == d.edited == 0


def test_two_axes(serial: dict[str, float], xacc: Xacc) -> None:
    build(xacc, FOLDER / "lqcd_xacc.c")
    for grid in GRIDS:
        agree(run_on(xacc, grid), serial, 1e-12)


def test_three_axes(serial: dict[str, float], xacc: Xacc) -> None:
    build(xacc, FOLDER / "lqcd_xacc_tzy.c")
    for grid in CUBES:
        agree(run_on(xacc, grid), serial, 1e-12)


@pytest.mark.parametrize("grid", [(2, 2), (1, 1), (4, 2)] if _IN_CI else [(2, 2)], ids=str)
def test_by_hand_with_mpi(grid: tuple[int, int], serial: dict[str, float], xacc: Xacc) -> None:
    nodes = [f"-DNODES_T={grid[0]}", f"-DNODES_Z={grid[1]}"]
    subprocess.run(["mpicc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", *nodes, str(FOLDER / "lqcd_mpi.c"), "-o", "hand", "-lm"],
                   cwd=xacc.folder, env=xacc.environment, check=True)
    agree(run_on(xacc, (*grid, 1), "./hand"), serial, 1e-12)


def has_openacc() -> bool:
    return subprocess.run(["gcc", "-fopenacc", "-foffload=disable", "-x", "c", "-", "-o", os.devnull], input="int main(void) { return 0; }", text=True,
                          capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not has_openacc(), reason="this gcc has no OpenACC")
def test_openacc(serial: dict[str, float], xacc: Xacc) -> None:
    """On the host; also with the halos packed as on a device, sent from there (device) or by way of the host (staged)."""
    build(xacc, FOLDER / "lqcd_xacc.c", "-O2", "--acc", "--cc", "gcc", "-foffload=disable")
    for route, grid in ("", (2, 2, 1)), ("staged", (2, 3, 1)), ("device", (4, 1, 1)):
        xacc.environment["XACC_ROUTE"] = route
        agree(run_on(xacc, grid), serial, 1e-12)


@pytest.mark.parametrize("device_mpi", ["", "-DDEVICE_MPI"])
@pytest.mark.parametrize("program", ["lqcd_mpi_acc.c", "lqcd_cuda.cu"])
def test_by_hand_for_devices(program: str, device_mpi: str, serial: dict[str, float], xacc: Xacc) -> None:
    """On the host: with OpenACC where gcc has it, and with a CUDA that runs threads in turn."""
    if program.endswith(".cu"):
        compiler = ["mpicxx", "-std=c++17", "-DOMPI_SKIP_MPICXX", "-x", "c++", f"-I{TREE / 'tests' / 'cuda_on_host'}"]
    else:
        compiler = ["mpicc", "-std=gnu11", *(["-fopenacc", "-foffload=disable"] if has_openacc() else ["-Wno-unknown-pragmas"])]
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-DNODES_T=2", "-DNODES_Z=3", *([device_mpi] if device_mpi else [])]
    subprocess.run([*compiler, *flags, str(FOLDER / program), "-o", "hand", "-lm"], cwd=xacc.folder,
                   env={**xacc.environment, "OMPI_CC": "gcc", "OMPI_CXX": "g++", "MPICH_CC": "gcc", "MPICH_CXX": "g++"}, check=True)
    agree(run_on(xacc, (2, 3, 1), "./hand"), serial, 1e-12)


@pytest.mark.skipif(shutil.which("nvcc") is None and not Path("/usr/local/cuda/bin/nvcc").is_file(), reason="no nvcc (CUDA)")
def test_nvcc_compiles_the_program_in_cuda(xacc: Xacc) -> None:
    shown = subprocess.run(["mpicc", "-show"], capture_output=True, text=True, check=True).stdout.split()
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    subprocess.run([nvcc, "-std=c++17", "-DOMPI_SKIP_MPICXX", "-Werror", "all-warnings", *(w for w in shown if w.startswith("-I")), "-c",
                    str(FOLDER / "lqcd_cuda.cu"), "-o", "lqcd.o"], cwd=xacc.folder, check=True)


def accelerator_flags() -> list[str]:
    """Of a gcc that compiles for NVIDIA's devices; nothing where it does not. An assembler beside it may know new ones only."""
    folder = subprocess.run(["gcc", "-print-prog-name=accel/nvptx-none/mkoffload"], capture_output=True, text=True, check=False).stdout.strip()
    return ["-foffload=nvptx-none", "-foffload-options=nvptx-none=-misa=sm_80"] if Path(folder).is_file() else []


@pytest.mark.skipif(not accelerator_flags(), reason="no gcc for nvptx (Debian: gcc-offload-nvptx)")
def test_it_compiles_and_links_for_nvptx(xacc: Xacc) -> None:
    built = xacc.cc(FOLDER / "lqcd_xacc.c", "--acc", "--cc", "gcc", "-O2", "-DNODES_Z=1", "-o", "lqcd", *accelerator_flags())
    assert built.returncode == 0, built.stderr
    assert b"wilson" in (xacc.folder / "lqcd").read_bytes() and b".entry" in (xacc.folder / "lqcd").read_bytes()


@pytest.mark.skipif(not _IN_CI, reason="a further build each; CI does them")
@pytest.mark.parametrize("flags", [
    ("-O0", "--check"), ("-O3", "--cc", "clang"), ("-O1", "--no-shift", "-fsanitize=address,undefined"),
], ids=lambda f: f[1])
def test_other_forms(flags: tuple[str, ...], serial: dict[str, float], xacc: Xacc) -> None:
    build(xacc, FOLDER / "lqcd_xacc.c", *flags)
    agree(run_on(xacc, (2, 2, 1)), serial, 1e-12)
