"""xacc count on programs whose lines are counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from xacc.cli import main
from xacc.count import Difference, difference, read_lines

SERIAL = r"""/* a comment
   of two lines */
#include <stdio.h>

double a[9]; // another
int main(void)
{
  for (int i = 0; i < 9; i++) {
    a[i] = i;
    a[i + 1] = a[b[i]] * 2;
  }
  printf("// no comment\n");
}
"""
PARALLEL = r"""#include <stdio.h>
#include <mpi.h>
#pragma xmp template t[9] \
        onto p
double a[9];
int main(void) {
#pragma xmp reflect (a) acc
  #  pragma acc parallel loop present(a) // acc
#pragma omp parallel for
  for (int i = 0; i < 9; i++) {
    a[i]  =  i;
    a[i - low + 1] = a[b[i]] * 2; ;
  }
  MPI_Barrier(MPI_COMM_WORLD);
}
"""


@pytest.fixture
def programs(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "serial.c").write_text(SERIAL)
    (tmp_path / "parallel.c").write_text(PARALLEL)
    return tmp_path / "serial.c", tmp_path / "parallel.c"


def test_lines_and_kinds(programs: tuple[Path, Path]) -> None:
    serial, parallel = map(read_lines, programs)
    assert [x.text for x in serial] == ["#include<stdio.h>", "doublea[9];", "intmain(void)", "for(inti=0;i<9;i++){", "a[i]=i;", "a[i+1]=a[b[i]]*2;",
                                        'printf("//nocomment\\n");']
    assert [x.kind for x in parallel] == ["other", "other", "XMP", "XMP", "other", "other", "XACC", "OpenACC", "OpenMP", "other", "other", "other", "MPI"]


def test_difference(programs: tuple[Path, Path]) -> None:
    """Added: mpi.h and five lines of directives; modified: the head of main (its brace), the subscript i + 1, and the last call."""
    serial, parallel = map(read_lines, programs)
    assert difference(serial, parallel) == Difference(added=6, deleted=0, modified=3, directives=5, edited=1)
    assert difference(serial, serial) == Difference(0, 0, 0, 0, 0)
    back = difference(parallel, serial)
    assert (back.added, back.deleted, back.modified) == (0, 6, 3)


def test_the_command_prints_its_rule(programs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", *map(str, programs)]) == 0
    out = capsys.readouterr().out
    assert "DSLOC 9: 6 added (5 of directives), 0 deleted, 3 modified; 1 subscripts edited" in out and "Rule: comments" in out
    assert main(["count", "missing.c"]) == 3
    assert main(["count"]) == 3
