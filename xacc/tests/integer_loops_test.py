"""Every form of condition, every integer type, every distribution, ranges of no, one and many elements: against a serial loop."""

from __future__ import annotations

import itertools
import os

import pytest

from xacc_harness import Xacc

TYPES = ("signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "size_t", "long long", "unsigned long long")
FORMATS = ("block", "cyclic", "cyclic(3)", "gblock(sizes)")
# Each visits the same numbers of 1 ... COUNT - 1 up to n, in either direction; steps other than 1 where the form allows them.
UP = ("i = 1; i < n; i++", "i = 1; i <= n - 1; ++i", "i = 1; n > i; i += 1", "i = 1; n - 1 >= i; i = i + 1", "i = 1; i < n; i += 3",
      "i = 2; i <= n; i += 2")
EQUAL = ("i = 1; i != n; i++",)  # where n is 1 or more
DOWN = ("i = n; i > 1; i--", "i = n; i >= 1; --i", "i = n; 1 < i; i -= 1", "i = n; i >= 2; i -= 4", "i = n; 1 <= i; i = i - 2")
SIZES = (0, 1, 2, 5, 17, 18)
HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#define COUNT 20
int sizes[4] = {3, 0, 12, 20}, seen[COUNT], wanted[COUNT], bad;
static __attribute__((constructor)) void fill(void) {
  const int ranks = atoi(getenv("RANKS"));
  if (ranks < 4) sizes[ranks - 1] = COUNT; /* the blocks of fewer ranks hold all, and one of four is empty */
}
#pragma xmp nodes p[*]
"""


def code_of(which: int, kind: str, form: str, inner: bool, template: str) -> str:
    """A loop, its serial twin and their comparison; `inner`: below another loop, whose variable is part of the bounds."""
    variable = form.partition(" ")[0]
    assert variable == "i"
    head, body = f"for ({kind} {form})", "seen[(long)i]++;"
    around = "for (int k = 0; k < 2; k++)" if inner else ""
    bounds = head.replace("= 1;", "= 1 + (k - k);").replace("= n;", "= n + (k - k);") if inner else head
    nest = (f"  #pragma xmp loop (i) on {template}[i]\n  {around}\n    {bounds} {body}\n" if inner else
            f"  #pragma xmp loop on {template}[i]\n  {bounds} {body}\n")
    serial = f"  {around} {bounds} wanted[(long)i]++;\n"
    return (f"static void loop{which}({kind} n) {{\n  memset(seen, 0, sizeof seen);\n  memset(wanted, 0, sizeof wanted);\n{nest}"
            f"  #pragma xmp reduction(+:seen)\n{serial}"
            f"  if (memcmp(seen, wanted, sizeof seen)) {{ printf(\"ERROR loop {which} n %d: {form} of {kind} on {template}\\n\", (int)n); bad++; }}\n}}\n")


def program(types: tuple[str, ...]) -> str:
    maps = "".join(f"#pragma xmp template t{i}[COUNT]\n#pragma xmp distribute t{i}[{text}] onto p\n" for i, text in enumerate(FORMATS))
    loops, calls = [], []
    for which, (kind, form, inner, template) in enumerate(itertools.product(types, (*UP, *EQUAL, *DOWN), (False, True), range(len(FORMATS)))):
        loops.append(code_of(which, kind, form, inner, f"t{template}"))
        least = 1 if form in EQUAL or "n - 1" in form else 0  # an unsigned 0 - 1 is no bound
        wraps = {"i -= 4": {2, 18}, "i - 2": {1, 5, 17}} if kind.startswith("unsigned") or kind == "size_t" else {}  # an endless loop
        endless = set().union(*(sizes for change, sizes in wraps.items() if change in form))
        calls += [f"  loop{which}({n});" for n in SIZES if n >= least and n not in endless]
    return HEAD + maps + "".join(loops) + "int main(void) {\n" + "\n".join(calls) + '\n  if (!bad) printf("PASS\\n");\n  return bad != 0;\n}\n'


@pytest.mark.parametrize("types", [TYPES[k : k + 2] for k in range(0, len(TYPES), 2)] if os.environ.get("XACC_CI") else [TYPES[1:8:6]], ids=str)
def test_loops_of_all_integers(types: tuple[str, ...], xacc: Xacc) -> None:
    path = xacc.folder / "loops.c"
    path.write_text(program(types))
    built = xacc.cc(path, "-o", xacc.folder / "program", "-O1", "-Wall", "-Werror")
    assert built.returncode == 0, built.stderr[-2000:]
    for ranks in (1, 2, 4):
        done = xacc.run("./program", ranks, RANKS=str(ranks))
        assert done.returncode == 0 and "PASS" in done.stdout, f"{ranks} ranks: {done.stdout[-2000:]}{done.stderr[-500:]}"
