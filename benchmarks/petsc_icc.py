"""Conjugate gradients with PETSc's ICC(0), its default shift, on the small matrices of the check iccg.

    python3 benchmarks/petsc_icc.py [NAME...]

Prints a line of JSON a matrix: iterations to |b - A x| <= 1e-8 |b| with b = A 1 and the true residual, in the matrix's order and in
the order of the colours that the check takes by default. Exit code 77 with a sentence where PETSc for Python is missing.
"""

from __future__ import annotations

import glob
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "checks" / "iccg"))
from matrices import MATRICES, Matrix  # noqa: E402

MISSING = "PETSc for Python is missing (apt install python3-petsc4py)"
DEBIAN = "/usr/lib/petscdir/petsc*/*-real/lib/python3/dist-packages"
COLOURS = 12


def petsc() -> Any:
    """The module; None where it is missing."""
    sys.path.extend(sorted(glob.glob(DEBIAN)))
    try:
        import petsc4py
        petsc4py.init([])
        from petsc4py import PETSc
    except ImportError:
        return None
    return PETSc


def rows_of(matrix: Matrix) -> list[dict[int, float]]:
    size, entries = matrix
    rows: list[dict[int, float]] = [{} for _ in range(size)]
    for (i, j), value in entries.items():
        rows[i][j] = rows[j][i] = value
    return [dict(sorted(row.items())) for row in rows]


def levels_of(rows: list[dict[int, float]]) -> list[list[int]]:
    """Cuthill-McKee, as in cpp/numerics/ordering.cpp."""
    seen, levels = set(), []
    for start in sorted(range(len(rows)), key=lambda i: len(rows[i])):
        level = [start] if start not in seen else []
        seen.add(start)
        while level:
            levels.append(level)
            after: list[int] = []
            for i in level:
                fresh = sorted((j for j in rows[i] if j not in seen), key=lambda j: len(rows[j]))
                seen.update(fresh)
                after += fresh
            level = after
    return levels


def coloured_order(rows: list[dict[int, float]]) -> list[int]:
    """CM-RCM(12), or greedy colours in Cuthill-McKee's order where two rows of a level touch."""
    levels = levels_of(rows)
    number = {i: n for n, level in enumerate(levels) for i in level}
    order = [i for level in levels for i in level]
    colour: dict[int, int] = {}
    if any(number[i] == number[j] for i in order for j in rows[i] if j != i):
        for i in order:
            taken = {colour[j] for j in rows[i] if j in colour}
            colour[i] = next(c for c in range(len(rows)) if c not in taken)
    else:
        colour = {i: number[i] % COLOURS for i in order}
    return sorted(order, key=lambda i: colour[i])


def solved(module: Any, rows: list[dict[int, float]], order: list[int]) -> tuple[int, float]:
    """Iterations and true residual."""
    place = {i: n for n, i in enumerate(order)}
    begin, columns, values = [0], [], []
    for i in order:
        for j, value in sorted((place[j], value) for j, value in rows[i].items()):
            columns.append(j)
            values.append(value)
        begin.append(len(columns))
    a = module.Mat().createAIJ((len(rows), len(rows)), csr=(begin, columns, values))
    a.setOption(module.Mat.Option.SPD, True)
    ones, b = a.createVecs()
    ones.set(1.0)
    a.mult(ones, b)
    x = b.duplicate()
    solver = module.KSP().create()
    solver.setOperators(a)
    solver.setType("cg")
    solver.setNormType(module.KSP.NormType.UNPRECONDITIONED)
    solver.setTolerances(rtol=1e-8, atol=0, max_it=20000)
    solver.getPC().setType("icc")
    solver.solve(b, x)
    residual = b.duplicate()
    a.mult(x, residual)
    residual.aypx(-1.0, b)
    return solver.getIterationNumber(), residual.norm() / b.norm()


def figures(module: Any, name: str) -> dict[str, Any]:
    rows = rows_of(MATRICES[name]())
    natural, coloured = (solved(module, rows, order) for order in (list(range(len(rows))), coloured_order(rows)))
    return {"name": name, "rows": len(rows), "iterations": natural[0], "residual": natural[1], "iterations_coloured": coloured[0],
            "residual_coloured": coloured[1]}


def main() -> int:
    module = petsc()
    if module is None:
        print(MISSING, file=sys.stderr)
        return 77
    for name in sys.argv[1:] or MATRICES:
        print(json.dumps(figures(module, name)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
