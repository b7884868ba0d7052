"""--serial: the program without its directives, also where it calls MPI or sizes arrays by constant variables."""

from __future__ import annotations

from xacc_harness import PROGRAMS, Xacc

TEXT = """#include <stdio.h>
%s
#define N 4
const int M = 3 * N;
double a[M], b[N][M]; /* C allows no variable here */
#pragma xmp nodes p[*]
#pragma xmp template t[M]
#pragma xmp distribute t[block] onto p
#pragma xmp align a[i] with t[i]
int main(void) {
  %s
  double sum = 0;
#pragma xmp loop on t[i] reduction(+:sum)
  for (int i = 0; i < M; i++) a[i] = i, sum += a[i] + b[1][i];
  printf("%%g line %%d\\n", sum, __LINE__);
  return 0;
}
"""


def test_arrays_sized_by_a_constant_variable(xacc: Xacc) -> None:
    (xacc.folder / "program.c").write_text(TEXT % ("", ""))
    built = xacc.cc("program.c", "--serial", "-o", "program", "-Wno-unknown-pragmas", "-Wall", "-Werror")
    assert (built.returncode, built.stderr) == (0, "")
    assert xacc.run("./program", 1).stdout == "66 line 15\n"


def test_a_program_that_calls_mpi(xacc: Xacc) -> None:
    begins = "MPI_Init(0, 0); int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Finalize(); if (rank) return 1;"
    (xacc.folder / "program.c").write_text(TEXT % ("#include <mpi.h>", begins))
    built = xacc.cc("program.c", "--serial", "-o", "program", "-Wno-unknown-pragmas", "-Wall", "-Werror")
    assert (built.returncode, built.stderr) == (0, "")
    assert xacc.run("./program", 1).stdout == "66 line 15\n"


def test_library_procedures(xacc: Xacc) -> None:
    built = xacc.cc(PROGRAMS / "library.c", "--serial", "-o", xacc.folder / "program", "-Wno-unknown-pragmas", "-Wall", "-Wextra", "-Werror")
    assert (built.returncode, built.stderr) == (0, "")
    assert xacc.run("./program", 1).stdout == "PASS\n"
