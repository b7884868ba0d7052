"""Halos whose faces take different routes, with a sender that is one exchange ahead of its receiver."""

from __future__ import annotations

from pathlib import Path

import pytest

from xacc_harness import Xacc

ROUTES = ("datatype", "packed", "shared")
ROW = 2000  # bytes; the halo below is one row, the one above two
PROGRAM = """// The middle node waits for a halo of the late one, while the data of the other node lie unread.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xmp.h>
#define N 12
#define M 500
#pragma xmp nodes p[3]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N][M];
#pragma xmp align a[i][*] with t[i]
#pragma xmp shadow a[1:2][0]
int main(int argc, char **argv) {
  int late = atoi(argv[1]), wrong = 0;
  for (int step = 1; step <= 8; step++) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++) a[i][j] = step * 100 + i;
    if (xmpc_node_num() == late) usleep(30000);
#pragma xmp reflect (a)
#pragma xmp loop on t[i]
    for (int i = 1; i < N - 2; i++)
      for (int j = 0; j < M; j++) wrong += a[i - 1][j] != step * 100 + i - 1 || a[i + 2][j] != step * 100 + i + 2;
  }
#pragma xmp reduction(+:wrong)
#pragma xmp task on p[0]
  { printf("%s %d\\n", wrong ? "ERROR" : "PASS", wrong); }
  return wrong != 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Xacc:
    """Built, and run once, which leaves the table of routes."""
    xacc = Xacc(tmp_path_factory.mktemp("halo"))
    built = xacc.build(PROGRAM, "-O2")
    assert built.returncode == 0, built.stderr
    assert xacc.run("./program", 3, "0").returncode == 0
    return xacc


def fixed(table: Path, below: str, above: str) -> None:
    """The table says these routes from now on."""
    lines = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
    route = {f"{ROW} bytes": below, f"{2 * ROW} bytes": above}
    for line in lines:
        line[2] = str(ROUTES.index(route[line[1].split(", ")[1]]))
        line[3:] = ["1e3" if at != int(line[2]) else "1" for at in range(3)]  # so slow that none is measured again
    assert len(lines) == len(route)
    table.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")


@pytest.mark.parametrize("late", [0, 2])
@pytest.mark.parametrize(("below", "above"), [(b, a) for b in ROUTES for a in ROUTES])
def test_a_sender_one_exchange_ahead(below: str, above: str, late: int, program: Xacc) -> None:
    fixed(program.folder / "routes.tsv", below, above)
    done = program.run("./program", 3, str(late), XACC_EXPLAIN="1")
    assert f"by route {below} (kept)" in done.stderr, done.stderr  # of rank 0, whose last row is the halo below another's
    assert done.returncode == 0 and "PASS" in done.stdout, done.stdout + done.stderr
