"""--explain names halos that cost more than loops need, with the bytes; not where a use is unclear."""

from __future__ import annotations

import pytest

from xacc_harness import Xacc

HEAD = """#include <xmp.h>
#define N 16
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double a[N][4], b[N];
#pragma xmp align a[i][*] with t[i] shadow [2][0]
#pragma xmp align b[i] with t[i]
int main(int argc, char **argv) {
  int k = argc;
"""
FILL = "#pragma xmp loop on t[i]\nfor (int i = 0; i < N; i++) a[i][0] = i;\n"
REFLECT = "#pragma xmp reflect (a)\n"
READ = "#pragma xmp loop on t[i]\nfor (int i = 1; i < N; i++) b[i] = a[i-1][0];\n"
FAR = "#pragma xmp loop on t[i]\nfor (int i = 2; i < N - 2; i++) b[i] = a[i-2][0] + a[i+2][0];\n"
SHADOW = "loops need shadow 1:0 of array a in dimension 1, not 2:2: 96 bytes less on a node, at most."
WIDTH = "loops need width 1:0 of array a in dimension 1, not 2:2: 96 bytes less at each border of nodes."
IDLE = "array a is fresh here: this reflect brings nothing new."

WASTE = {
    "one side": (FILL + REFLECT + READ, [SHADOW, WIDTH]),
    "all is needed": (FILL + REFLECT + FAR, []),
    "a narrow reflect": (FILL + "#pragma xmp reflect (a) width(1:0, 0)\n" + READ, [SHADOW]),
    "twice": (FILL + REFLECT + FAR + REFLECT + FAR, [IDLE]),
    "written in between": (FILL + REFLECT + FAR + FILL + REFLECT + FAR, []),
    "changed by the library": (FILL + REFLECT + FAR + "xmp_sort_up(xmp_desc_of(b), xmp_desc_of(b)); xmp_transpose(xmp_desc_of(a), xmp_desc_of(a), 0);\n" + REFLECT + FAR,
                               []),
    "written where it may be": (FILL + REFLECT + FAR + "if (k) {\n" + FILL + "}\n" + REFLECT + FAR, []),
    "an offset that is not known": (FILL + REFLECT + READ.replace("i-1", "i-k"), []),
    "an element by itself": (FILL + REFLECT + READ + "#pragma xmp task on t[4]\nk = a[3][0];\n", []),
}


@pytest.mark.parametrize("name", WASTE)
def test_halos_that_are_not_needed(name: str, xacc: Xacc) -> None:
    text, want = WASTE[name]
    (xacc.folder / "program.c").write_text(f"{HEAD}{text}  return 0;\n}}\n", encoding="utf-8")
    done = xacc.cc("program.c", "--emit", "--explain", "-o", "out.c")
    told = [line.partition(" note: ")[2] for line in done.stderr.splitlines() if " note: loops need" in line or "brings nothing new" in line]
    assert (done.returncode, told) == (0, want), done.stderr
