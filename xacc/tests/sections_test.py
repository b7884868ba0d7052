"""Sections: faults that show only when a program runs, and the serial answer."""

from __future__ import annotations

import subprocess

import pytest

from xacc_harness import PROGRAMS, Xacc

FAULTS = """#include <stdlib.h>
#define N 6
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N];
#pragma xmp align a[i] with t[i]
int main(int argc, char **argv) {
  int b[N], c[N], n = atoi(argv[2]), k = atoi(argv[1]);
  c[:] = 1;
  if (k == 0) b[0:n] = 1;
  if (k == 1) b[::n] = 1;
  if (k == 2) b[2:n] = 1;
  if (k == 3) b[0:n] = c[:];
  if (k == 4)
#pragma xmp array on t[0:n]
    a[:] = 1;
  if (k == 5)
#pragma xmp gmove
    c[k] = a[n];
  if (k == 6)
#pragma xmp gmove
    c[:] = a[0:n];
  if (k == 7) {
#pragma xmp task on p[1]
    {
#pragma xmp gmove
      c[0] = a[0];
    }
  }
  if (k == 8) {
#pragma xmp task on p[1]
    {
#pragma xmp gmove
      a[:] = c[:];
    }
  }
  return argc == 0;
}
"""
WANT = [("0", "-1", 11, "the section of dimension 1 has the length -1"), ("1", "0", 12, "has the step 0"),
        ("2", "5", 13, "the section 2:5:1 of dimension 1 leaves its elements 0 to 5"), ("3", "4", 14, "the section of b has 4 elements and that of c has 6"),
        ("4", "5", 17, "the section of t has 5 elements and that of a has 6"),
        ("5", "6", 20, "array a: index 6 of dimension 1 is none of 0 to 5"), ("6", "3", 23, "section of c has 6 elements and that of a has 3"),
        ("7", "0", 28, "array a has elements on rank 0, which does not take part"),
        ("8", "0", 35, "array a has elements on rank 0, which does not take part")]


@pytest.mark.parametrize("how", ["parallel", "serial"])
def test_a_wrong_section_names_the_line(how: str, xacc: Xacc) -> None:
    built = xacc.build(FAULTS, *(["--serial"] if how == "serial" else []))
    assert built.returncode == 0, built.stderr
    for k, n, line, sentence in WANT:
        if how == "serial":
            if k < "4":
                done = subprocess.run([xacc.folder / "program", k, n], capture_output=True, text=True, check=False)
                assert done.returncode == 3 and done.stderr.startswith(f"program.c:{line}: error: ") and sentence in done.stderr
            continue
        done = xacc.run("./program", 2, k, n)
        assert f"program.c:{line}: error: rank " in done.stderr and sentence in done.stderr, done.stderr
        assert done.returncode != 0


LATE = """#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp template t[:]
#pragma xmp distribute t[block] onto p
int *a;
#pragma xmp align a[i] with t[i]
int main(int argc, char **argv) {
  int k = atoi(argv[1]);
  if (k == 1 || (k == 3 && xmp_node_num() == 1)) {
#pragma xmp template_fix [block] t[8]
  }
  if (k == 1 || (k == 3 && xmp_node_num() == 1))
    a = xmp_malloc(xmp_desc_of(a), 8);
  if (k == 1) {
#pragma xmp template_fix [block] t[8]
  }
  if (k == 2) {
#pragma xmp template_fix [block] t[8]
  }
#pragma xmp loop on t[i]
  for (int i = 0; i < 8; i++) a[i] = argc;
  return 0;
}
"""


@pytest.mark.parametrize("flag", ["-O1", "--check"])
def test_use_before_fixing_and_fixing_twice_name_rank_and_line(flag: str, xacc: Xacc) -> None:
    assert xacc.build(LATE, flag).returncode == 0
    for k, line, sentence in (("0", 21, "template t is used before its shape is known"), ("1", 16, "template t is fixed twice"),
                              ("2", 22, "array a has no elements here"), ("3", 21, "rank 1: template t is used before its shape is known")):
        done = xacc.run("./program", 2, k)
        assert done.returncode != 0 and f"program.c:{line}: error: rank " in done.stderr and sentence in done.stderr, done.stderr


@pytest.mark.parametrize("name", ["local_sections", "array_on", "gmove", "gmove_in_out", "late"])
def test_the_serial_program_passes_too(name: str, xacc: Xacc) -> None:
    built = xacc.cc("--serial", PROGRAMS / f"{name}.c", "-o", "serial", "-lm")
    assert built.returncode == 0, built.stderr
    done = subprocess.run([xacc.folder / "serial"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "PASS" in done.stdout, done.stdout + done.stderr
