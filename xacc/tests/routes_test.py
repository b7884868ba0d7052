"""The choice of a route for each face: by a table of the check halo_paths, by the file of earlier runs, or measured."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from xacc_harness import Xacc

# The halo of a is one block of 1600 bytes, that of b 40 blocks of 8 bytes, each 80 bytes after the one before.
PROGRAM = """#include <stdio.h>
#define N 16
#define M 200
#define K 40
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double a[N][M], b[K][N];
#pragma xmp align a[i][*] with t[i]
#pragma xmp align b[*][i] with t[i]
#pragma xmp shadow a[1][0]
#pragma xmp shadow b[0][1:0]
int main(void) {
  int wrong = 0;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < M; j++) a[i][j] = i;
    for (int j = 0; j < K; j++) b[j][i] = i;
  }
#pragma xmp reflect (a, b)
#pragma xmp loop on t[i] reduction(+:wrong)
  for (int i = 1; i < N - 1; i++) {
    for (int j = 0; j < M; j++) wrong += a[i - 1][j] != i - 1 || a[i + 1][j] != i + 1;
    for (int j = 0; j < K; j++) wrong += b[j][i - 1] != i - 1;
  }
#pragma xmp task on p[0]
  printf("%s\\n", wrong ? "ERROR" : "PASS");
  return wrong != 0;
}
"""
A, B = ("node", 1600, 1), ("node", 8, 40)
HEADING = "# processor\tMPI\tneighbours\tblock_bytes\tblocks\tfastest\t...\n"


class Routes:
    """The program, and tables of routes for it."""

    def __init__(self, xacc: Xacc) -> None:
        self.xacc = xacc
        self.table, self.kept = xacc.folder / "table.tsv", xacc.folder / "routes.tsv"
        self.origin = ("", "")
        self.write([self.line(A, "packed")])
        named = re.search(r"where routes of (.*) with (.*) are expected; write a table", self.run().stderr)
        assert named
        self.origin = (named[1], named[2])

    def line(self, case: tuple[str, int, int], fastest: str, *, near: float = 20, origin: tuple[str, str] | None = None) -> str:
        us = {"packed": near, "datatype": near, "shared": near, fastest: 10.0}
        times = [us["packed"], us["datatype"], 1, 1, 1, us["shared"]]  # a window, puts and collectives are no routes here
        cells = [*(origin or self.origin), *case, "window", *times, "compact", "-", "2026-01-02T03:04:05Z"]
        return "\t".join(map(str, cells)) + "\n"

    def write(self, lines: list[str]) -> None:
        self.table.write_text(HEADING + "".join(lines), encoding="utf-8")
        self.kept.unlink(missing_ok=True)

    def run(self, ranks: int = 2, table: str | Path | None = None, **variables: str) -> Done:
        chosen = {"XACC_EXPLAIN": "1", "XACC_ROUTE_TABLE": str(self.table if table is None else table), **variables}
        return Done(self.xacc.run("./program", ranks, **chosen))


class Done:
    def __init__(self, done) -> None:  # type: ignore[no-untyped-def]
        self.stdout, self.stderr, self.code = done.stdout, done.stderr, done.returncode

    def route(self, name: str) -> str:
        """Route and source of the first face of an array."""
        assert self.code == 0 and self.stdout == "PASS\n", self.stdout + self.stderr
        said = re.search(rf"reflect {name}, dimension \d \w+: rank 0 sends .* by route (\w+ \(\w+\))", self.stderr)
        assert said, self.stderr
        return said[1]


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> Routes:
    xacc = Xacc(tmp_path_factory.mktemp("routes"))
    built = xacc.build(PROGRAM, "-O1")
    assert built.returncode == 0, built.stderr
    return Routes(xacc)


def test_a_table_decides_by_length_and_number_of_blocks(routes: Routes) -> None:
    for first, second in (("shared", "datatype"), ("datatype", "packed"), ("packed", "shared")):
        # Of three launches the median; the nearest case; of equal ones the farthest neighbours on the node.
        lines = [routes.line(A, first), routes.line(A, first), routes.line(A, second, near=1000)]
        lines += [routes.line(("node", 1600, 40), second), routes.line(("core", 1600, 1), second), routes.line(B, second)]
        lines += [routes.line(("network", 1600, 1), second), routes.line(("unknown", 8, 160), first)]
        for origin in ("Another", routes.origin[1]), (routes.origin[0], "Another"):
            lines += [routes.line(A, second, origin=origin)] * 5
        routes.write(lines)
        before = routes.table.read_bytes()
        done = routes.run()
        assert done.route("a") == f"{first} (table)" and done.route("b") == f"{second} (table)"
        assert routes.table.read_bytes() == before and not routes.kept.exists()  # nothing was measured
        assert f"{routes.table}: note: same node, one block: route {first} from 1 x 1600 bytes on" in done.stderr
        assert routes.run(XACC_ROUTE="packed").route("a") == "packed (environment)"


def test_packed_messages_win_a_tie(routes: Routes) -> None:
    routes.write([routes.line(A, "shared", near=10.4), routes.line(B, "shared", near=10.6)])
    done = routes.run()
    assert done.route("a") == "packed (table)" and done.route("b") == "shared (table)"


def test_a_face_without_a_case_near_to_it_is_measured(routes: Routes) -> None:
    routes.write([routes.line(("node", 400, 1), "shared"), routes.line(("node", 8, 161), "shared")])
    done = routes.run()
    assert done.route("a") == "shared (table)" and "(measured)" in done.route("b")


def cell(line: str, at: int, text: str) -> str:
    cells = line.split("\t")
    cells[at] = text
    return "\t".join(cells)


@pytest.mark.parametrize("at, text, expected", [
    (2, "kache", "has 'kache' where a class such as core"), (3, "5x", "has '5x' where a number of 1 or more"),
    (3, "9" * 30, "where a number of 1 or more"), (4, "0", "has '0' where a number of 1 or more"),
    (5, "warp", "has the route 'warp' where pack, datatype, window"), (6, "nan", "has 'nan' where microseconds above 0"),
    (8, "-3", "has '-3' where microseconds above 0"), (11, "", "has '' where microseconds"),
    (14, "x\ty", "has 16 columns where 15"), (7, "\x1b[1m", "has '?[1m' where microseconds"),
])
def test_a_line_that_does_not_fit_is_named(at: int, text: str, expected: str, routes: Routes) -> None:
    routes.write([routes.line(B, "packed"), cell(routes.line(A, "packed"), at, text)])
    refused(routes.run(3), f"error: rank 0: XACC_ROUTE_TABLE: line 3 of {routes.table} has ", expected)


def refused(done: Done, *parts: str) -> None:
    assert done.code != 0 and "PASS" not in done.stdout, done.stdout + done.stderr
    said = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(said) == 1 and all(part in said[0] for part in parts), done.stderr
    assert said[0].endswith("write a table with the check halo_paths (save_routes), or unset the variable."), said


def test_a_table_cut_off_of_another_machine_or_missing(routes: Routes) -> None:
    routes.write([routes.line(A, "packed"), routes.line(B, "packed")])
    whole = routes.table.read_text(encoding="utf-8")
    routes.table.write_text(whole[:-50], encoding="utf-8")
    refused(routes.run(3), f"line 3 of {routes.table} has ", "columns where 15 separated by tabs are expected")
    routes.table.write_text(routes.line(A, "packed", origin=("Another", "Its MPI")), encoding="utf-8")
    refused(routes.run(3), f"{routes.table} has line 1 of Another with Its MPI where routes of {routes.origin[0]} with ")
    routes.table.write_text("", encoding="utf-8")
    refused(routes.run(), f"{routes.table} has no measurement at all where routes of ")
    refused(routes.run(table="missing.tsv"), "missing.tsv cannot be read: No such file", "expected a table of routes")
    refused(routes.run(table="/dev/zero"), "/dev/zero is no regular file")
    routes.table.write_bytes(b"\0\t" * 600000)
    refused(routes.run(), "has more than 1048576 bytes")
    routes.table.write_bytes(b"\0\t\xff" * 1000)
    refused(routes.run(), "line 1 of ", "has 1001 columns")


def test_each_face_is_explained(routes: Routes) -> None:
    routes.write([])
    fast = r"datatype [\d.e-]+ s, packed [\d.e-]+ s, shared [\d.e-]+ s"
    done = routes.run(3, table="")
    assert "(measured)" in done.route("a")
    shapes = {"a, dimension 1 below": "one block: 1 x 1600 bytes, stride 1600",
              "a, dimension 1 above": "one block: 1 x 1600 bytes, stride 1600",
              "b, dimension 2 below": "single elements: 40 x 8 bytes, stride 56"}  # 16 in blocks of 6, and the halo
    for face, shape in shapes.items():
        expected = rf"reflect {face}: rank 0 sends .* \(measured\); same node, {shape}; {fast}\n"
        assert re.search(expected, done.stderr), done.stderr
    fixed = routes.run(3, table="", XACC_ROUTE="shared").stderr
    assert fixed.count("by route shared (environment); same node") == 3, fixed
    assert fixed.count("; datatype -, packed -, shared -\n") == 3, fixed


def kept(routes: Routes, packed: str, others: str) -> str:
    """The file of an earlier run says that packed is the route of every face, and what each took."""
    lines = []
    for line in routes.kept.read_text(encoding="utf-8").splitlines():
        machine, key = line.split("\t")[:2]
        lines.append("\t".join((machine, key, "1", *([others, packed, others] if others else ()))) + "\n")
    routes.kept.write_text("".join(lines), encoding="utf-8")
    return "".join(lines)


def test_a_kept_route_that_is_no_longer_the_best_is_measured_again(routes: Routes) -> None:
    routes.write([])
    assert "(measured)" in routes.run(table="").route("a")
    for packed, others in (("1e-6", "1e3"), ("", "")):  # lines without times are those of an older version
        before = kept(routes, packed, others)
        done = routes.run(table="")
        assert done.route("a") == done.route("b") == "packed (kept)" and "measured again" not in done.stderr, done.stderr
        assert routes.kept.read_text(encoding="utf-8") == before
    before = kept(routes, "1e-12", "1e-12")
    done = routes.run(table="", XACC_EXPLAIN="0")
    again = re.findall(r"program.c:20: note: reflect (.*): the kept route packed takes [\d.e-]+ s, datatype took 1e-12 s before; "
                       r"measured again: (?:datatype|packed|shared)\n", done.stderr)
    assert again == ["a, dimension 1 below", "a, dimension 1 above", "b, dimension 2 below"], done.stderr
    after = routes.kept.read_text(encoding="utf-8")
    assert after.startswith(before) and len(after.splitlines()) == 6 and "e-12" not in after[len(before):], after
    kept_now = routes.run(table="")
    assert "1e-12" not in kept_now.stderr and kept_now.code == 0  # the newest line of a face counts


def test_sixteen_ranks_agree_on_one_table(routes: Routes) -> None:
    routes.write([])
    done = routes.run(16, table="")
    assert "(measured)" in done.route("a")
    lines = [line.split("\t") for line in routes.kept.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 3 and all(len(line) == 6 for line in lines), lines  # the first rank alone writes
    with ThreadPoolExecutor(2) as at_once:
        routes.write([])
        both = [*at_once.map(lambda _: routes.run(8, table=""), range(2))]
    assert all("PASS" in run.stdout and run.code == 0 for run in both)
    assert all(len(line.split("\t")) == 6 for line in routes.kept.read_text(encoding="utf-8").splitlines())
    for unwritable in "/proc/version", "/proc/none/routes.tsv", str(routes.xacc.folder), "":
        done = routes.run(16 if unwritable == "/proc/version" else 2, table="", XACC_ROUTES=unwritable)
        assert "(measured)" in done.route("a") and "(measured)" in done.route("b")
