"""Writes the programs of the check: `programs.py EXAMPLES FOLDER` prints their names, `programs.hpp` lists them.

They are those of xacc/examples/lqcd, one source for each way of writing, with the main renamed and steps.c behind it. Nothing else is
changed in those with directives (reflect: reflect_do with its barrier, without the clause nowait). By hand, each part that is timed is put between two calls
that say so, the grid of ranks is a constant of the program, and packed.c is a second way for the halos.
faces.c is the program of two faces that travel at once, once for each route.
"""

from __future__ import annotations

import sys
from pathlib import Path

LATTICES = {"odd": (8, 6, 4, 4), "8": (8, 8, 8, 8), "16": (16, 16, 16, 16)}  # sites in t, z, y, x
ROUTES = ("datatype", "packed", "shared")
GRIDS = ((1, 1), (2, 1), (2, 2), (4, 2), (4, 4), (8, 4), (8, 8), (16, 8), (16, 16))  # ranks in t and z, by hand

_TELL = '#include "version.h"\n#define TELL(section, begins) if (xacc_lqcd_told) xacc_lqcd_told(section, begins);\nstatic MPI_Comm world;\n'
_BY_HAND = (
    ("MPI_COMM_WORLD", "world"),
    ("MPI_Init(argc, argv);", "(void)argc, (void)argv;"),
    ("  exchange(in);\n", '  TELL("reflect", 1) (xacc_lqcd_packed ? exchange_packed : exchange)(in); TELL("reflect", 0) TELL("operator", 1)\n'),
    ("}\n\n/* out = f in", '  TELL("operator", 0) }\n\n/* out = f in'),
    ("Field other) {\n", 'Field other) { TELL("vector", 1)\n'),
    ("}\n\n/* The real part", '  TELL("vector", 0) }\n\n/* The real part'),
    ("  double sum = 0;\n  for (int t", '  double sum = 0; TELL("vector", 1)\n  for (int t'),
    ("  MPI_Allreduce(MPI_IN_PLACE, &sum", '  TELL("vector", 0) TELL("reduction", 1) MPI_Allreduce(MPI_IN_PLACE, &sum'),
    ("  return sum;", '  TELL("reduction", 0) return sum;'),
)

_LINKS = "/* Links are needed on the lower sides only"  # behind the exchange as a datatype, before its first use


def replaced(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    for old, new in pairs:
        if old not in text:
            raise SystemExit(f"programs.py: the program has no {old!r} any more; adapt what is looked for.")
        text = text.replace(old, new)
    return text


def write(path: Path, text: str) -> None:
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def sizes_of(lattice: str) -> str:
    return "".join(f"#define N{axis} {n}\n" for axis, n in zip("TZYX", LATTICES[lattice], strict=True))


def main(examples: Path, folder: Path) -> None:
    steps, packed, faces = (Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("steps.c", "packed.c", "faces.c"))
    directives = (examples / "lqcd_xacc.c").read_text(encoding="utf-8")
    texts = {
        "serial": (examples / "lqcd.c").read_text(encoding="utf-8"),
        "nowait": directives,
        "reflect": replaced(directives, (("reflect_do (in) acc nowait", "reflect_do (in) acc"),)),
        "hand": replaced((examples / "lqcd_mpi.c").read_text(encoding="utf-8"), ((_LINKS, packed + _LINKS), *_BY_HAND)),
    }
    names, faces_of = [], []

    def version(variant: str, lattice: str, suffix: str, head: str, grid: tuple[int, int]) -> None:
        name = f"xacc_lqcd_{variant}_{lattice}{suffix}"
        names.append((name, variant, lattice))
        own = f"#define VERSION {name}\n#define main {name}_main\n#define NODES_OF_VERSION {grid[0]}, {grid[1]}\n"
        write(folder / f"{name}.c", f"{sizes_of(lattice)}{own}{head}{texts[variant]}{steps}")

    def write_faces(lattice: str, route: str) -> None:
        name = f"xacc_lqcd_faces_{lattice}_{route}"
        faces_of.append((name, lattice, route))
        write(folder / f"{name}.c", f'#include "version.h"\n{sizes_of(lattice)}#define VERSION {name}\n{faces}')

    for lattice, (t, z, _, _) in LATTICES.items():
        for route in ROUTES:
            write_faces(lattice, route)
        version("serial", lattice, "", "", (1, 1))
        for variant in ("reflect", "nowait"):
            version(variant, lattice, "", '#include "version.h"\n#define NODES_Z xacc_lqcd_nodes_z\n', (0, 0))
        for grid in GRIDS:
            if t % grid[0] == z % grid[1] == 0:
                head = f"{_TELL}#define BY_HAND\n#define NODES_T {grid[0]}\n#define NODES_Z {grid[1]}\n"
                version("hand", lattice, f"_{grid[0]}x{grid[1]}", head, grid)
    lines = [f'extern "C" const XaccLqcdVersion {name};\n' for name, _, _ in names]
    lines += ["struct NamedVersion {\n  const char *variant, *lattice;\n  const XaccLqcdVersion* version;\n};\nconstexpr NamedVersion versions[] = {\n"]
    lines += [f'    {{"{variant}", "{lattice}", &{name}}},\n' for name, variant, lattice in names]
    lines += ["};\n", *(f'extern "C" const XaccLqcdFaces {name};\n' for name, _, _ in faces_of)]
    lines += ["struct NamedFaces {\n  const char *lattice, *route;\n  const XaccLqcdFaces* faces;\n};\nconstexpr NamedFaces all_faces[] = {\n"]
    lines += [f'    {{"{lattice}", "{route}", &{name}}},\n' for name, lattice, route in faces_of]
    write(folder / "programs.hpp", f'#include "version.h"\n{"".join(lines)}}};\n')
    print("\n".join(name for name, _, _ in (*names, *faces_of)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
