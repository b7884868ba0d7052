"""Reads of stale halos are found at compile time, on all paths as errors, on some as warnings; what is fresh or unclear gets no message."""

from __future__ import annotations

import pytest

from xacc_harness import Xacc

HEAD = """#define N 16
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp nodes q[*][*]
#pragma xmp template t[N]
#pragma xmp template u[N][N]
#pragma xmp distribute t[block] onto p
#pragma xmp distribute u[block][block] onto q
double a[N], b[N], x[N][N], y[N][N], s;
int l[N];
#pragma xmp align l[i] with t[i]
#pragma xmp align a[i] with t[i] shadow [2]
#pragma xmp align b[i] with t[i] shadow [1]
#pragma xmp align x[i][j] with u[i][j] shadow [1][1]
#pragma xmp align y[i][j] with u[i][j]
void elsewhere(void);
double plain(double v) { return v + 1; }
void f(int k, double *z, int *id) {
"""
WRITE = "#pragma xmp loop on t[i]\nfor (int i = 0; i < N; i++) a[i] = z[i];\n"
READ = "#pragma xmp loop on t[i]\nfor (int i = 2; i < N - 2; i++) z[i] = plain(a[i-1]);\n"
FAR = READ.replace("a[i-1]", "a[i-2]")
UP = READ.replace("a[i-1]", "a[i+1]")
PLANE = "#pragma xmp loop (i, j) on u[i][j]\nfor (int i = 1; i < N - 1; i++)\nfor (int j = 1; j < N - 1; j++) "
FILL = PLANE + "x[i][j] = 1;\n"
REFLECT = "#pragma xmp reflect (a)\n"
INIT = "#pragma xmp reflect_init (a) width(1:0)\n"

# After HEAD -> lines of errors, lines of warnings.
STALE = {
    "never reflected": (WRITE + READ, [4], []),
    "reflected before": (REFLECT + WRITE + READ, [5], []),
    "too narrow": (WRITE + "#pragma xmp reflect (a) width(1)\n" + FAR, [5], []),
    "the other side": (WRITE + "#pragma xmp reflect (a) width(1:0)\n" + UP, [5], []),
    "another array": (WRITE + "#pragma xmp reflect (b)\n" + READ, [5], []),
    "one branch": (WRITE + "if (k) {\n" + REFLECT + "}\n" + READ, [], [7]),
    "written in one branch": (REFLECT + "if (k) {\n" + WRITE + "}\n" + READ, [], [7]),
    "the second time round": (REFLECT + "for (int r = 0; r < k; r++) {\n" + READ + WRITE + "}\n", [], [4]),
    "a loop that may be left": (WRITE + "while (1) {\nif (k) break;\n" + REFLECT + "if (k == 2) break;\n}\n" + READ, [], [9]),
    "on its way": (WRITE + "#pragma xmp reflect (a) async(1)\n" + READ + "#pragma xmp wait_async(1)\n", [5], []),
    "another id": (WRITE + "#pragma xmp reflect (a) async(1)\n#pragma xmp wait_async(2)\n" + READ, [6], []),
    "written on its way": (WRITE + "#pragma xmp reflect (a) async(1)\n" + WRITE + "#pragma xmp wait_async(1)\n" + READ, [8], []),
    "planned too narrow": (INIT + WRITE + "#pragma xmp reflect_do (a)\n" + UP, [6], []),
    "below a condition": (WRITE + READ.replace("z[i] =", "if (i > 2) z[i] ="), [], [4]),
    "one dimension of two": (FILL + "#pragma xmp reflect (x) width(1, 0)\n" + PLANE + "y[i][j] = x[i-1][j] + x[i][j-1];\n", [7], []),
    "expanded too little": (WRITE.replace("t[i]\n", "t[i] expand(1)\n").replace("z[i]", "0") + FAR, [4], []),
    "copied to another array": (WRITE + "#pragma xmp gmove\nb[:] = a[:];\n" + READ, [6], []),
    "copied from another array": (REFLECT + "#pragma xmp gmove\na[:] = b[:];\n" + READ, [5], []),
    "a part is copied": (REFLECT + "#pragma xmp array on t[2:N-4]\na[2:N-4] = 1;\n" + READ, [5], []),
    "by a short loop inside": (REFLECT + WRITE + "#pragma xmp reflect (a) width(2:1)\n"
                               + READ.replace("z[i]", "for (int j = -2; j <= 2; j++) z[i]").replace("i-1", "i+j"), [6], []),
    "sorted into": (REFLECT + "xmp_sort_up(xmp_desc_of(b), xmp_desc_of(a));\n" + READ, [4], []),
    "stale, then sorted elsewhere": (WRITE + "xmp_sort_up(xmp_desc_of(a), xmp_desc_of(b));\n" + READ, [5], []),
    "gathered on some paths": (REFLECT + "if (k) xmp_gather(xmp_desc_of(a), xmp_desc_of(b), xmp_desc_of(l));\n" + READ, [], [4]),
    "a parameter": ("}\nvoid g(double c[N], double *z) {\n#pragma xmp align c[i] with t[i] shadow [1]\n" + (WRITE + READ).replace("a[i", "c[i"), [7], []),
}


@pytest.mark.parametrize("name", STALE)
def test_stale_halos(name: str, xacc: Xacc) -> None:
    text, errors, warnings = STALE[name]
    (xacc.folder / "program.c").write_text(HEAD + text + "\n}\n", encoding="utf-8")
    done = xacc.cc("program.c", "--emit", "-o", "out.c")
    told = [line.split(":") for line in done.stderr.splitlines() if line.startswith("program.c:")]
    found = [[int(t[1]) - HEAD.count("\n") for t in told if t[3] == level] for level in (" error", " warning")]
    assert found == [errors, warnings], done.stderr
    assert "shadow of array" in done.stderr and done.returncode == bool(errors)


FRESH = {
    "reflected": WRITE + REFLECT + READ + FAR + UP,
    "wide enough": WRITE + "#pragma xmp reflect (a) width(1:0)\n" + READ,
    "both branches": WRITE + "if (k) {\n" + REFLECT + "} else {\n#pragma xmp reflect (a) width(1)\n}\n" + READ,
    "each time": "for (int r = 0; r < k; r++) {\n" + WRITE + REFLECT + READ + "}\n",
    "waited for": WRITE + "#pragma xmp reflect (a) async(1)\n#pragma xmp wait_async(1)\n" + READ,
    "waited for by a variable": WRITE + "#pragma xmp reflect (a) async(1)\n#pragma xmp wait_async(*id)\n" + READ,
    "asked for": WRITE + "#pragma xmp reflect (a) async(1)\nwhile (!xmp_test_async(id)) k++;\n" + READ,
    "peeled": WRITE + "#pragma xmp reflect (a) async(1)\n" + READ.replace("t[i]\n", "t[i] peel_and_wait(1, -1)\n"),
    "planned": INIT + WRITE + "#pragma xmp reflect_do (a)\n" + READ,
    "unknown function": WRITE + "elsewhere();\n" + READ,
    "written by the node itself": WRITE.replace("t[i]\n", "t[i] expand(2)\n").replace("z[i]", "0") + FAR,
    "written elsewhere": "#pragma xmp loop on t[i]\nfor (int i = 0; i < 3; i++) a[i] = 1;\n" + READ.replace("i = 2", "i = 5"),
    "written where a condition holds": WRITE.replace("a[i] =", "if (i == 3) a[i] =") + READ,
    "its own elements": WRITE + READ.replace("i-1", "i"),
    "at the end of a function": "if (k) {\n" + WRITE + "return;\n}\n" + READ,
    "sorted elsewhere": REFLECT + "xmp_sort_up(xmp_desc_of(a), xmp_desc_of(b));\n" + READ,
    "scattered to": REFLECT + "xmp_scatter(xmp_desc_of(a), xmp_desc_of(b), xmp_desc_of(l));\n" + READ,
    "sorted into any": WRITE + "xmp_desc_t d = xmp_desc_of(a);\nxmp_sort_up(xmp_desc_of(b), d);\n" + READ,
    "its address is taken": WRITE + "void *v;\nxmp_array_laddr(xmp_desc_of(a), &v);\n" + READ,
    "jumps": WRITE + "goto end;\nend:\n" + REFLECT.replace("a", "b", 0) + READ,
    "other ranges": WRITE + READ.replace("i = 2", "i = k"),
    "never written": READ,
    "one element is copied": "#pragma xmp reflect (a)\n#pragma xmp gmove\na[0] = b[0];\n" + READ,
    "copied to other nodes, some time": "#pragma xmp reflect (a)\n#pragma xmp gmove out\na[:] = b[:];\n" + READ,
    "by hand": WRITE + "a[-1] = 0;\n" + READ,
    "in a task": WRITE + "#pragma xmp task on p\n{\n" + REFLECT + "}\n" + READ,
    "under another name": "}\nvoid g(double c[N], double *z) {\n#pragma xmp align c[i] with t[i] shadow [2]\n" + WRITE + "#pragma xmp reflect (c)\n" + READ,
}


@pytest.mark.parametrize("name", FRESH)
def test_fresh_or_unclear_halos(name: str, xacc: Xacc) -> None:
    (xacc.folder / "program.c").write_text(f"{HEAD}{FRESH[name]}\n}}\n", encoding="utf-8")
    done = xacc.cc("program.c", "--emit", "-o", "out.c")
    assert (done.returncode, done.stderr) == (0, "")


CALLS = """static void fill(double c[N]) {
#pragma xmp align c[i] with t[i] shadow [2]
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) c[i] = 1;
}
static void refresh(double c[N], int often) {
#pragma xmp align c[i] with t[i] shadow [2]
  if (often > 0) refresh(c, often - 1);
#pragma xmp reflect (c)
}
static void look(double *z) {
#pragma xmp loop on t[i]
  for (int i = 2; i < N - 2; i++) z[i] = a[i-1];
}
void g(int k, double *z) {
"""
FOLLOWED = {
    "stale in a function": ("fill(a);\nlook(z);", [13], []),
    "after a function": ("fill(a);\n" + READ, [18], []),
    "on some paths": ("if (k) fill(a);\n" + READ, [], [18]),
    "behind a condition": ("k && (fill(a), 1);\n" + READ, [], [18]),
    "brought up to date": ("fill(a);\nrefresh(a, 3);\nlook(z);\n" + READ, [], []),
    "another array": ("fill(b2);\nlook(z);", [], []),
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_calls_are_followed(name: str, xacc: Xacc) -> None:
    text, errors, warnings = FOLLOWED[name]
    head = HEAD.replace("a[N], b[N]", "a[N], b2[N], b[N]").replace("align a[i]", "align [i]").replace("shadow [2]", "shadow [2] :: a, b2")
    (xacc.folder / "program.c").write_text(f"{head}}}\n{CALLS}{text}\n}}\n", encoding="utf-8")
    done = xacc.cc("program.c", "--emit", "-o", "out.c")
    told = [line.split(":") for line in done.stderr.splitlines() if line.startswith("program.c:")]
    assert [[int(t[1]) - head.count("\n") - 1 for t in told if t[3] == level] for level in (" error", " warning")] == [errors, warnings], done.stderr


# Functions -> the lines with a comment are those of the messages.
RECURSIVE = {
    "calls itself": """static void deep(int n) {
  if (n > 0) deep(n - 1);
  else fill(a);
}
void g(int k, double *z) {
  deep(k);
#pragma xmp loop on t[i]
  for (int i = 2; i < N - 2; i++) z[i] = a[i-1]; /* error */
}
""",
    "two that call each other": """static void odd(int n);
static void even(int n) {
  if (n > 0) { odd(n - 1); return; }
  fill(a);
}
static void odd(int n) {
  if (n > 0) even(n - 1);
  else refresh(a, n);
}
void g(int k, double *z) {
  even(k);
#pragma xmp loop on t[i]
  for (int i = 2; i < N - 2; i++) z[i] = a[i-1]; /* warning */
}
""",
    "after its own call": """static void up(int n, double *z) {
  if (n == 0) { fill(a); return; }
  up(n - 1, z);
#pragma xmp loop on t[i]
  for (int i = 2; i < N - 2; i++) z[i] = a[i-1]; /* error */
  refresh(a, n);
}
""",
    "brought up to date by each": """static void up(int n, double *z) {
  if (n > 0) up(n - 1, z);
  fill(a);
#pragma xmp reflect (a)
  look(z);
}
void g(int k, double *z) {
  fill(a);
  up(k, z);
  look(z);
}
""",
    "behind a call that never returns": """static void up(int n) { up(n + 1); fill(a); }
void g(int k, double *z) {
  fill(a);
  if (k) up(k);
  else refresh(a, 1);
  look(z);
}
""",
}


@pytest.mark.parametrize("name", RECURSIVE)
def test_recursion_is_followed_until_nothing_changes(name: str, xacc: Xacc) -> None:
    head = HEAD + "}\n" + CALLS[: CALLS.index("void g(")]
    text = head + RECURSIVE[name]
    (xacc.folder / "program.c").write_text(text, encoding="utf-8")
    done = xacc.cc("program.c", "--emit", "-o", "out.c")
    told = [(int(t[1]), t[3].strip()) for t in (line.split(":") for line in done.stderr.splitlines()) if t[0] == "program.c"]
    marked = [(n, word) for n, line in enumerate(text.split("\n"), 1) for word in ("error", "warning") if f"/* {word} */" in line]
    assert told == marked, done.stderr


def test_many_functions_that_call_each_other_end(xacc: Xacc) -> None:
    """Each calls four others, under names of arrays that change: paths without number, of which only so many are followed."""
    count = 60
    text = HEAD + "}\n" + "".join(f"void f{k}(int n, double c[N], double *z);\n" for k in range(count))
    for k in range(count):
        calls = "".join(f"if (n > {j}) f{(k * step + j) % count}(n - 1, {'abc'[(k + j) % 3]}, z);\n" for j, step in enumerate((1, 3, 7, 11)))
        text += f"void f{k}(int n, double c[N], double *z) {{\n#pragma xmp align c[i] with t[i] shadow [2]\n{calls}"
        text += (WRITE + READ).replace("a[", "c[" if k % 2 else "b[") + (REFLECT if k % 3 else "") + "}\n"
    (xacc.folder / "program.c").write_text(text, encoding="utf-8")
    done = xacc.cc("program.c", "--emit", "-o", "out.c")
    assert done.returncode == 1 and done.stderr.count("error: the lower shadow of array") == count, done.stderr


FOR = "for (int i = 0; i < N; i++)"
ENDS = "#pragma xmp loop on t[i]\nfor (int i = 0; i < N - 2; i++) z[i] = a[i-1];\n"
FULL = "double w[N];\n#pragma xmp align w[i] with t[i] shadow [*]\n#pragma xmp loop on t[i]\nfor (int i = 0; i < N; i++) w[i] = 1;\n"
ALL = "#pragma xmp loop on t[i]\nfor (int i = 0; i < N; i++)\nfor (int j = 0; j < N; j++) z[i] += w[j];\n"
MORE = {
    "beyond the lower end": (REFLECT + ENDS, ["warning: i-1 of dimension 1 of array a comes to -1, beyond its ends, and the reflect before"]),
    "a ring": ("#pragma xmp reflect (a) width(/periodic/1)\n" + ENDS, []),
    "behind a guard": (REFLECT + ENDS.replace("z[i] =", "if (i > 0) z[i] ="), []),
    "beyond an array": ("double l[N][4];\n#pragma xmp align l[i][*] with t[i]\n#pragma xmp loop on t[i]\n" + FOR + " l[i][4] = 0;\n",
                        ["warning: 4 of dimension 2 of array l comes to 4, beyond its ends."]),
    "full shadow": (FULL + ALL, ["error: the lower shadow of array w is stale here: line"]),
    "full shadow, reflected": (FULL + "#pragma xmp reflect (w)\n" + ALL, []),
    "full shadow, own elements": (FULL + "#pragma xmp loop on t[i]\nfor (int i = 0; i < 3; i++)\nz[i] = w[i];\n", []),
}


@pytest.mark.parametrize("name", MORE)
def test_ends_and_full_shadows(name: str, xacc: Xacc) -> None:
    text, parts = MORE[name]
    (xacc.folder / "program.c").write_text(f"{HEAD}{text}\n}}\n", encoding="utf-8")
    told = [line for line in xacc.cc("program.c", "--emit", "-o", "out.c").stderr.splitlines() if line.startswith("program.c:")]
    assert len(told) == len(parts) and all(part in line for part, line in zip(parts, told, strict=True)), told
