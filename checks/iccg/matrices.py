"""Small symmetric positive definite matrices of the kinds that users have, made anew from their equations.

`MATRICES` has the generators by name; each returns the rows and the entries of the lower triangle, {(row, column): value}.
`write(path, matrix)` writes a Matrix Market file. No figure is taken from a collection: the names of well-known matrices in
comments name the kind only. Elements: O. C. Zienkiewicz, R. L. Taylor, The Finite Element Method (2000); the plate of four
corners is that of T. J. R. Hughes, R. L. Taylor, W. Kanoknukulchai, Int. J. Num. Meth. Eng. 11 (1977) 1529.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable
from pathlib import Path

Entries = dict[tuple[int, int], float]
Matrix = tuple[int, Entries]
Dense = list[list[float]]
GAUSS = (-1 / math.sqrt(3), 1 / math.sqrt(3))


def assembled(parts: Iterable[tuple[list[int], Dense]], fixed: Callable[[int], bool] = lambda _: False) -> Matrix:
    """The sum of small dense matrices at their unknowns, without the unknowns that are fixed. Zeros stay entries."""
    sums: Entries = {}
    for unknowns, dense in parts:
        for a, i in enumerate(unknowns):
            for b, j in enumerate(unknowns):
                if i >= j and not fixed(i) and not fixed(j):
                    sums[i, j] = sums.get((i, j), 0.0) + dense[a][b]
    number = {i: n for n, i in enumerate(sorted({i for i, _ in sums}))}
    return len(number), {(number[i], number[j]): value for (i, j), value in sums.items()}


def added(matrix: Dense, strain: Dense, law: Dense, weight: float) -> None:
    """matrix += weight strain^T law strain"""
    stress = [[sum(law[s][t] * strain[t][j] for t in range(len(law))) for j in range(len(matrix))] for s in range(len(law))]
    for i, row in enumerate(matrix):
        for j in range(len(row)):
            row[j] += weight * sum(strain[s][i] * stress[s][j] for s in range(len(law)))


def brick(nodes: int, length: list[float], point: tuple[float, ...]) -> list[tuple[float, list[float]]]:
    """Shape functions of a box with 2^d corners and their gradients at a point of [-1, 1]^d."""
    result = []
    for corner in range(nodes):
        signs = [1 if corner >> d & 1 else -1 for d in range(len(length))]
        factors = [(1 + s * x) / 2 for s, x in zip(signs, point, strict=True)]
        gradient = [s / size * math.prod(f for e, f in enumerate(factors) if e != d)
                    for d, (s, size) in enumerate(zip(signs, length, strict=True))]
        result.append((math.prod(factors), gradient))
    return result


def elastic(dimensions: int, length: list[float], poisson: float, plane_stress: bool = False) -> Dense:
    """Stiffness of a box of unit modulus; unknowns: the displacements, corner by corner."""
    shear = 1 / (2 * (1 + poisson))
    lame = poisson / (1 - poisson**2) if plane_stress else poisson / ((1 + poisson) * (1 - 2 * poisson))
    pairs = list(itertools.combinations(range(dimensions), 2))
    size = dimensions + len(pairs)
    law = [[(lame if max(s, t) < dimensions else 0) + ((2 * shear if s < dimensions else shear) if s == t else 0)
            for t in range(size)] for s in range(size)]
    nodes = 2**dimensions
    stiffness = [[0.0] * (dimensions * nodes) for _ in range(dimensions * nodes)]
    for point in itertools.product(GAUSS, repeat=dimensions):
        strain = [[0.0] * (dimensions * nodes) for _ in range(size)]
        for n, (_, gradient) in enumerate(brick(nodes, length, point)):
            for d in range(dimensions):
                strain[d][n * dimensions + d] = gradient[d]
            for s, (d, e) in enumerate(pairs):
                strain[dimensions + s][n * dimensions + d] = gradient[e]
                strain[dimensions + s][n * dimensions + e] = gradient[d]
        added(stiffness, strain, law, math.prod(length) / nodes)
    return stiffness


def plate(length: list[float], thickness: float, poisson: float) -> Dense:
    """A plate that bends, of unit modulus; unknowns of a corner: deflection and both rotations. Shear at the centre."""
    bending = thickness**3 / (12 * (1 - poisson**2))
    law = [[bending, bending * poisson, 0], [bending * poisson, bending, 0], [0, 0, bending * (1 - poisson) / 2]]
    shear = 5 / 6 * thickness / (2 * (1 + poisson))
    area = length[0] * length[1]
    stiffness = [[0.0] * 12 for _ in range(12)]
    for point in itertools.product(GAUSS, repeat=2):
        strain = [[0.0] * 12 for _ in range(3)]
        for n, (_, (x, y)) in enumerate(brick(4, length, point)):
            strain[0][3 * n + 2], strain[1][3 * n + 1] = x, -y
            strain[2][3 * n + 1], strain[2][3 * n + 2] = -x, y
        added(stiffness, strain, law, area / 4)
    strain = [[0.0] * 12 for _ in range(2)]
    for n, (value, (x, y)) in enumerate(brick(4, length, (0.0, 0.0))):
        strain[0][3 * n], strain[0][3 * n + 2] = x, value
        strain[1][3 * n], strain[1][3 * n + 1] = y, -value
    added(stiffness, strain, [[shear, 0], [0, shear]], area)
    return stiffness


def beam(elements: int = 60) -> Matrix:
    """A beam that is held at its left end: deflection, rotation and length, in metres and newtons (as LFAT5)."""
    h, bending, tension = 0.05, 2.1e11 * 1e-8, 2.1e11 * 1e-4
    bent = [[12.0, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
            [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]]
    bent = [[bending / h**3 * value for value in row] for row in bent]
    pulled = [[tension / h, -tension / h], [-tension / h, tension / h]]
    parts = [part for n in range(elements) for part in (
        ([3 * n, 3 * n + 1, 3 * n + 3, 3 * n + 4], bent), ([3 * n + 2, 3 * n + 5], pulled))]
    return assembled(parts, lambda i: i < 3)


def box_of_elements(cells: list[int], unknowns: int, stiffness: Callable[[tuple[int, ...]], Dense],
                    fixed: Callable[[tuple[int, ...], int], bool]) -> Matrix:
    """A box of equal elements, the first index fastest; fixed(node, unknown)."""
    def number(node: Iterable[int]) -> int:
        at = 0
        for index, size in reversed(list(zip(node, cells, strict=True))):
            at = at * (size + 1) + index
        return at

    parts, of_number = [], {}
    for node in itertools.product(*(range(size + 1) for size in cells)):
        of_number[number(node)] = node
    for cell in itertools.product(*(range(size) for size in reversed(cells))):
        corners = [number(index + (corner >> d & 1) for d, index in enumerate(reversed(cell))) for corner in range(2**len(cells))]
        parts.append(([corner * unknowns + u for corner in corners for u in range(unknowns)], stiffness(tuple(reversed(cell)))))
    return assembled(parts, lambda i: fixed(of_number[i // unknowns], i % unknowns))


def plate_of(n: int = 20, thickness: float = 0.01) -> Matrix:
    """A thin square plate on supports all around (as bcsstk of plates)."""
    element = plate([1 / n, 1 / n], thickness, 0.3)
    return box_of_elements([n, n], 3, lambda _: element, lambda node, u: u == 0 and (node[0] in (0, n) or node[1] in (0, n)))


def shell(n: int = 12, thickness: float = 0.02) -> Matrix:
    """A part of a cylinder from flat elements, six unknowns a node, in SI units of steel (as bcsstk of shells)."""
    angle, radius = math.pi / 3 / n, 1.0
    length = [2 * radius * math.sin(angle / 2), 1.5 / n]
    flat = [[0.0] * 24 for _ in range(24)]
    places = {0: (0, 1), 1: (2, 3, 4)}  # of unknowns in membrane and plate
    for which, part in ((0, elastic(2, length, 0.3, plane_stress=True)), (1, plate(length, thickness, 0.3))):
        own, scale = places[which], thickness if which == 0 else 1.0
        index = [6 * corner + u for corner in range(4) for u in own]
        for a, i in enumerate(index):
            for b, j in enumerate(index):
                flat[i][j] += scale * part[a][b]
    for corner in range(4):
        flat[6 * corner + 5][6 * corner + 5] += 1e-3 * thickness * length[0] * length[1]

    def turned(cell: tuple[int, ...]) -> Dense:
        middle = (cell[0] + 0.5) * angle
        axes = ((math.cos(middle), 0.0, -math.sin(middle)), (0.0, 1.0, 0.0), (math.sin(middle), 0.0, math.cos(middle)))
        result = [[0.0] * 24 for _ in range(24)]
        for i, j in itertools.product(range(0, 24, 3), repeat=2):
            for a, b, s, t in itertools.product(range(3), repeat=4):
                if flat[i + s][j + t] != 0:
                    result[i + a][j + b] += 2.1e11 * axes[s][a] * flat[i + s][j + t] * axes[t][b]
        return result

    return box_of_elements([n, n], 6, turned, lambda node, u: u < 3 and node[0] in (0, n))


def elasticity_2d(n: int = 24) -> Matrix:
    element = elastic(2, [1.0, 1.0], 0.45)
    return box_of_elements([n, n], 2, lambda _: element, lambda node, _: node[0] == 0)


def elasticity_3d(n: int = 8) -> Matrix:
    """A cube of n^3 elements on a fixed floor; with all nodes as rows where the floor is tied by springs."""
    element = elastic(3, [1.0, 1.0, 1.0], 0.3)
    return box_of_elements([n, n, n], 3, lambda _: element, lambda node, _: node[2] == 0)


def elastic_cube(n: int = 16) -> Matrix:
    """A cube of n^3 elements between smooth planes: rows of fixed unknowns stay, with 1 on the diagonal. 14,739 rows."""
    element = elastic(3, [1.0, 1.0, 1.0], 0.3)
    rows, entries = box_of_elements([n, n, n], 3, lambda _: element, lambda *_: False)

    def fixed(i: int) -> bool:
        place = (i // 3 // (n + 1) ** (i % 3)) % (n + 1)
        return place == 0 or (i % 3 == 2 and place == n)

    return rows, {(i, j): 1.0 if i == j and fixed(i) else value for (i, j), value in entries.items()
                  if i == j or not (fixed(i) or fixed(j))}


def power_network(buses: int = 1138) -> Matrix:
    """Susceptances of lines: a tree with chords, values over four decades, three buses grounded (as 1138_bus)."""
    of = random.Random(7)
    lines = [(bus, max(0, bus - 1 - int(of.expovariate(0.1)))) for bus in range(1, buses)]
    lines += [(bus, of.randrange(max(0, bus - 40), bus)) for bus in of.sample(range(1, buses), buses // 4)]
    parts = [([i, j], [[y, -y], [-y, y]]) for i, j in lines for y in [10 ** of.uniform(-0.5, 3.5)]]
    return assembled([*parts, *(([bus], [[1.0]]) for bus in (0, 400, 900))])


def stencil(cells: list[int], conductivity: Callable[[tuple[int, ...], int], float]) -> Matrix:
    """Diffusion on a box by finite volumes, zero outside; conductivity of the face of a cell towards higher indices."""
    entries: Entries = {}
    step = [math.prod(cells[:d]) for d in range(len(cells))]
    for cell in itertools.product(*(range(size) for size in cells)):
        i = sum(index * s for index, s in zip(cell, step, strict=True))
        for d, size in enumerate(cells):
            entries[i, i] = entries.get((i, i), 0.0) + conductivity(cell, d) * (2 if cell[d] == 0 else 1)
            if cell[d] + 1 < size:
                j = i + step[d]
                entries[j, i] = -conductivity(cell, d)
                entries[j, j] = entries.get((j, j), 0.0) + conductivity(cell, d)
    return math.prod(cells), entries


def anisotropic() -> Matrix:
    return stencil([30, 30], lambda _, d: (1.0, 1e-3)[d])


def anisotropic_turned(n: int = 28) -> Matrix:
    """Linear elements on squares, 1 : 1000 along a line at 30 degrees: entries of both signs."""
    c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
    law = [[c * c + 1e-3 * s * s, (1 - 1e-3) * c * s], [(1 - 1e-3) * c * s, s * s + 1e-3 * c * c]]
    element = [[0.0] * 4 for _ in range(4)]
    for point in itertools.product(GAUSS, repeat=2):
        gradients = [gradient for _, gradient in brick(4, [1.0, 1.0], point)]
        added(element, [[g[0] for g in gradients], [g[1] for g in gradients]], law, 0.25)
    return box_of_elements([n, n], 1, lambda _: element, lambda node, _: node[0] in (0, n) or node[1] in (0, n))


def jumping() -> Matrix:
    return stencil([9, 10, 11], lambda cell, _: 1e4 if sum(index // 3 for index in cell) % 2 else 1.0)


def graph_laplacian(n: int = 600) -> Matrix:
    """Of a random graph with some hubs, plus the identity."""
    of, ends = random.Random(11), [0]
    parts: list[tuple[list[int], Dense]] = [([i], [[1.0]]) for i in range(n)]
    for i in range(1, n):
        for j in {of.choice(ends) for _ in range(3)} - {i}:
            parts.append(([i, j], [[1.0, -1.0], [-1.0, 1.0]]))
            ends += [i, j]
    return assembled(parts)


def diagonal(n: int = 200) -> Matrix:
    return n, {(i, i): 10.0 ** (i % 11 - 5) for i in range(n)}


def arrow(n: int = 300) -> Matrix:
    """First row and column full: elimination in this order would fill the matrix."""
    return n, {(i, i): 2.0 + 0.01 * i for i in range(1, n)} | {(i, 0): -1.0 for i in range(1, n)} | {(0, 0): 2.0 * n}


def dense_row(n: int = 400) -> Matrix:
    """A chain with one row in the middle that touches all others."""
    middle = n // 2
    entries = {(i, i): 2.5 for i in range(n)} | {(i, i - 1): -1.0 for i in range(1, n)}
    for i in range(n):
        if i != middle:
            pair = (max(i, middle), min(i, middle))
            entries[pair] = entries.get(pair, 0.0) + 0.03 * (-1) ** i
    return n, entries


def disconnected() -> Matrix:
    """Three boxes and rows that touch no other."""
    rows, entries = 0, {}
    for n, part in ((5, stencil([5, 5], lambda *_: 1.0)), (1, (1, {(0, 0): 3.0})), (4, stencil([4, 4, 4], lambda *_: 100.0)),
                    (1, (1, {(0, 0): 1e-3})), (7, stencil([7], lambda *_: 1e-2))):
        entries |= {(i + rows, j + rows): value for (i, j), value in part[1].items()}
        rows += part[0]
        del n
    return rows, entries


def kershaw(rings: int = 40) -> Matrix:
    """Rings of four rows after D. S. Kershaw, J. Comput. Phys. 26 (1978) 43, in a chain: IC(0) has a pivot below 0."""
    entries: Entries = {}
    for ring in range(rings):
        at = 4 * ring
        for i in range(4):
            entries[at + i, at + i] = 3.0
        entries |= {(at + 1, at): -2.0, (at + 2, at + 1): -2.0, (at + 3, at + 2): -2.0, (at + 3, at): 2.0}
        if ring > 0:
            entries[at, at - 1] = 0.02
    return 4 * rings, entries


def biharmonic(n: int = 30) -> Matrix:
    """The square of the five-point Laplacian: 13 points."""
    rows, lower = stencil([n, n], lambda *_: 1.0)
    whole: list[dict[int, float]] = [{} for _ in range(rows)]
    for (i, j), value in lower.items():
        whole[i][j] = whole[j][i] = value
    entries: Entries = {}
    for i, row in enumerate(whole):
        for k, left in row.items():
            for j, right in whole[k].items():
                if j <= i:
                    entries[i, j] = entries.get((i, j), 0.0) + left * right
    return rows, entries


MATRICES: dict[str, Callable[[], Matrix]] = {
    "beam": beam, "plate": plate_of, "shell": shell, "elasticity_2d": elasticity_2d, "elasticity_3d": elasticity_3d,
    "power_network": power_network, "anisotropic": anisotropic, "anisotropic_turned": anisotropic_turned, "jumping": jumping,
    "graph_laplacian": graph_laplacian, "diagonal": diagonal, "arrow": arrow, "dense_row": dense_row,
    "disconnected": disconnected, "kershaw": kershaw, "biharmonic": biharmonic,
}


def write(path: Path, matrix: Matrix, scale: float = 1.0) -> None:
    rows, entries = matrix
    lines = [f"{i + 1} {j + 1} {scale * value!r}" for (i, j), value in sorted(entries.items())]
    path.write_text("\n".join(["%%MatrixMarket matrix coordinate real symmetric", f"{rows} {rows} {len(entries)}", *lines, ""]))
