"""NERSC gauge configurations by a second program, which shares nothing with the C++ one: for its tests and fuzzers.

`nersc_file.py FOLDER` writes the seeds of the fuzzers there. Pure Python: slow, but for tiny lattices.
"""

from __future__ import annotations

import math
import random
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

Matrix = list[list[complex]]
Site = tuple[int, int, int, int]
Gauge = dict[tuple[Site, int], Matrix]  # by (x, y, z, t) and direction
Shape = tuple[int, int, int, int]
FLOATING_POINT = ("IEEE32", "IEEE32LITTLE", "IEEE32BIG", "IEEE64", "IEEE64LITTLE", "IEEE64BIG")
SEEDS = {
    "two-rows-32-big": ((1, 1, 1, 1), 2, "IEEE32BIG"),
    "two-rows-64-little": ((1, 1, 1, 1), 2, "IEEE64LITTLE"),
    "three-rows-32-unsaid": ((2, 1, 1, 1), 3, "IEEE32"),
    "three-rows-64-big": ((1, 1, 1, 1), 3, "IEEE64BIG"),
}


def sites(shape: Shape) -> Iterator[Site]:
    """In the order of the file: x fastest."""
    nx, ny, nz, nt = shape
    return ((x, y, z, t) for t in range(nt) for z in range(nz) for y in range(ny) for x in range(nx))


def single(x: float) -> float:
    """Rounded to 32 bits."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def random_gauge(shape: Shape, seed: int, bits: int = 64, rows: int = 3) -> Gauge:
    """Links uniform in SU(3), `rows` of them rounded to `bits`, so that a file of that form holds them exactly."""
    chance = random.Random(seed)

    def row() -> list[complex]:
        return [complex(chance.gauss(0, 1), chance.gauss(0, 1)) for _ in range(3)]

    def unit(v: list[complex]) -> list[complex]:
        norm = math.sqrt(sum(abs(c) ** 2 for c in v))
        return [c / norm for c in v]

    def rounded(v: list[complex]) -> list[complex]:
        return v if bits == 64 else [complex(single(c.real), single(c.imag)) for c in v]

    gauge = {}
    for site in sites(shape):
        for mu in range(4):
            u, w = unit(row()), row()
            overlap = sum(a.conjugate() * b for a, b in zip(u, w, strict=True))
            v = unit([b - overlap * a for a, b in zip(u, w, strict=True)])
            u, v = rounded(u), rounded(v)
            gauge[site, mu] = [u, v, rounded(third_row(u, v)) if rows == 3 else third_row(u, v)]
    return gauge


def third_row(u: list[complex], v: list[complex]) -> list[complex]:
    return [(u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2]).conjugate() for i in range(3)]


def product(a: Matrix, b: Matrix) -> Matrix:
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def dagger(a: Matrix) -> Matrix:
    return [[a[j][i].conjugate() for j in range(3)] for i in range(3)]


def trace(a: Matrix) -> float:
    return sum(a[i][i].real for i in range(3)) / 3


def step(site: Site, mu: int, shape: Shape) -> Site:
    return tuple((x + (d == mu)) % n for d, (x, n) in enumerate(zip(site, shape, strict=True)))


def averages(gauge: Gauge, shape: Shape) -> tuple[float, float]:
    """Mean plaquette and mean trace, each 1 for unit links."""
    plaquettes, traces = [], []
    for site in sites(shape):
        for mu in range(4):
            traces.append(trace(gauge[site, mu]))
            for nu in range(mu + 1, 4):
                there = product(gauge[site, mu], gauge[step(site, mu, shape), nu])
                other = product(gauge[site, nu], gauge[step(site, nu, shape), mu])
                plaquettes.append(trace(product(there, dagger(other))))
    return math.fsum(plaquettes) / len(plaquettes), math.fsum(traces) / len(traces)


def file_bytes(gauge: Gauge, shape: Shape, rows: int, floating_point: str, order: str = "", **changed: object) -> bytes:
    """A whole file; `changed` replaces header lines (None leaves one out). `order` ("<" or ">") where it is not said."""
    width = "f" if "32" in floating_point else "d"
    order = order or (">" if floating_point.endswith("BIG") else "<")
    reals = [part for site in sites(shape) for mu in range(4) for row in gauge[site, mu][:rows] for c in row
             for part in (c.real, c.imag)]
    data = struct.pack(f"{order}{len(reals)}{width}", *reals)
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    plaquette, mean_trace = averages(gauge, shape)
    lines = {
        "HDR_VERSION": "1.0", "DATATYPE": "4D_SU3_GAUGE" if rows == 2 else "4D_SU3_GAUGE_3x3", "STORAGE_FORMAT": "1.0",
        **{f"DIMENSION_{d + 1}": n for d, n in enumerate(shape)},
        "LINK_TRACE": f"{mean_trace:.10g}", "PLAQUETTE": f"{plaquette:.10g}",
        **{f"BOUNDARY_{d + 1}": "PERIODIC" for d in range(4)},
        "CHECKSUM": f"{sum(words) % 2**32:x}", "ENSEMBLE_ID": "test", "SEQUENCE_NUMBER": 1, "FLOATING_POINT": floating_point,
        **changed,
    }
    text = "".join(f"{key} = {value}\n" for key, value in lines.items() if value is not None)
    return f"BEGIN_HEADER\n{text}END_HEADER\n".encode() + data


def seed_files() -> dict[str, bytes]:
    """The seeds of the fuzzers, by name."""
    return {name: file_bytes(random_gauge(shape, 1), shape, rows, kind) for name, (shape, rows, kind) in SEEDS.items()}


if __name__ == "__main__":
    for seed_name, content in seed_files().items():
        (Path(sys.argv[1]) / seed_name).write_bytes(content)
