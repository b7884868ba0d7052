"""What is found at compile time: uses of elements of other nodes are refuted, right programs get no message."""

from __future__ import annotations

import re

import pytest

from xacc_harness import TREE, Xacc

HEAD = """#define N 16
#pragma xmp nodes p[*]
#pragma xmp nodes q[*][*]
#pragma xmp template t[N]
#pragma xmp template u[N][N]
#pragma xmp template c[N]
#pragma xmp distribute t[block] onto p
#pragma xmp distribute u[block][block] onto q
#pragma xmp distribute c[cyclic] onto p
double a[N], b[N], m[N - 2], w[N][9], x[N][N], y[N], s;
#pragma xmp align a[i] with t[i] shadow [1]
#pragma xmp align b[i] with t[i]
#pragma xmp align m[i] with t[i+1]
#pragma xmp align w[i][*] with u[i][*]
#pragma xmp align x[i][j] with u[i][j] shadow [0:1][0]
#pragma xmp align y[i] with c[i]
void f(int k, double *z) {
"""
FOR = "for (int i = 0; i < N; i++)"
INNER = "for (int i = 1; i < N - 2; i++)"
BOTH = f"{FOR}\nfor (int j = 0; j < N - 1; j++)"

# After HEAD -> the line (from 1), the column, part of the sentence.
REFUTED = {
    "above": (f"#pragma xmp loop on t[i]\n{INNER} b[i] = a[i + 2];", 2, 42, "lies 2 beyond the node's own elements, and the upper shadow of the array is 1"),
    "below": (f"#pragma xmp loop on t[i]\n{INNER} b[i] = b[i-1];", 2, 42, "the lower shadow of the array is 0"),
    "written": (f"#pragma xmp loop on t[i]\n{INNER} b[i + 1] = 0;", 2, 35, "i + 1 of dimension 1 of array b lies 1"),
    "offset of the loop": (f"#pragma xmp loop on t[i+1]\n{INNER} b[i] = 0;", 2, 35, "lies 1 beyond"),
    "offset of the array": (f"#pragma xmp loop on t[i]\n{INNER} m[i] = 0;", 2, 35, "i of dimension 1 of array m lies 1"),
    "expanded": (f"#pragma xmp loop on t[i] expand(0:1)\n{INNER} b[i] = 0;", 2, 35, "lies 1 beyond"),
    "margin": (f"#pragma xmp loop on t[i] margin(0:1)\n{INNER} z[i] = a[i+1];", 2, 42, "lies 2 beyond"),
    "one of two dimensions": (f"#pragma xmp loop (i, j) on u[i][j]\n{BOTH} x[i][j] = x[i+1][j+1];", 3, 50, "j+1 of dimension 2 of array x"),
    "the other axis": (f"#pragma xmp loop (i, j) on u[i][j]\n{BOTH} x[j][i] = 0;", 3, 35, "along another dimension of template u"),
    "no axis": (f"#pragma xmp loop on u[i][*]\n{BOTH} x[i][j] = 0;", 3, 38, "over the same range on all nodes"),
    "a number": (f"#pragma xmp loop on t[i]\n{FOR} b[i] = a[N - 1];", 2, 38, "N - 1 of dimension 1 of array a is the same on all nodes"),
    "cyclic": (f"#pragma xmp loop on c[i]\n{INNER} z[i] = y[i+1];", 2, 42, "a cyclic dimension has no shadow"),
    "by a short loop inside": (f"#pragma xmp loop on t[i]\n{INNER} for (int j = -1; j < 2; j++) b[i] = b[i+j];", 2, 71, "lies 1 beyond the node's own"),
    "beyond the array": (f"#pragma xmp loop on u[i][*]\n{FOR} for (int j = 0; j < 9; j++) s += z[i] > 0 || w[i][j+1];", 2, 79, "comes to 9, beyond"),
    "in a switch": (f"switch (k) {{ case 1:\n#pragma xmp loop on t[i]\n{INNER} b[i] = b[i-1]; }}", 3, 42, "warning"),
    "in a macro": (f"#define EXPECT(x) do {{ if (!(x)) s++; }} while (0)\n#pragma xmp loop on t[i]\n{INNER} EXPECT(b[i-1] > 0);", 3, 42, "warning"),
    "no directive": (f"{FOR} b[i] = 0;", 1, 31, "i of dimension 1 of array b runs over elements of several nodes, and no directive shares out the loop"),
    "no directive, halo": (f"for (int n = 0; n < 9; n++) {FOR} s += a[i];", 1, 64, "put #pragma xmp loop on t before it"),
    "no directive, cyclic": (f"while (s < 9) {FOR} s += y[i];", 1, 50, "of array y runs over elements of several nodes"),
    "no directive, two dimensions": (f"{BOTH} x[i][j] = 0;", 2, 35, "i of dimension 1 of array x"),
    "no directive, perhaps not reached": (f"if (k) return;\n{FOR} b[i] = 0;", 2, 31, "warning"),
    "below a condition": (f"#pragma xmp loop on t[i]\n{FOR} if (i > 0) b[i] = b[i-1];", 2, 49, "warning"),
}


@pytest.mark.parametrize("name", REFUTED)
def test_elements_of_other_nodes(name: str, xacc: Xacc) -> None:
    text, line, column, part = REFUTED[name]
    (xacc.folder / "program.c").write_text(HEAD + text + "\n}\n", encoding="utf-8")
    done = xacc.cc("program.c", "--emit", "-o", "out.c")
    first = done.stderr.splitlines()[0] if done.stderr else ""
    assert first.startswith(f"program.c:{HEAD.count(chr(10)) + line}:{column}: "), done.stderr
    assert part in first
    assert done.returncode == (0 if ": warning: " in first else 1)


RIGHT = {
    "inside of the shadow": f"#pragma xmp loop on t[i]\n{INNER} b[i] = a[i-1] + a[i+1];",
    "offsets that agree": f"#pragma xmp loop on t[i+1]\n{INNER} b[i+1] = m[i];",
    "pairs in blocks of even width": "#pragma xmp loop on t[i]\nfor (int i = 0; i < N; i += 2) b[i] = b[i+1];",
    "a range of one node": "#pragma xmp loop on t[i]\nfor (int i = 0; i < 3; i++) b[i] = b[i+1];",
    "a condition on data": f"#pragma xmp loop on t[i]\n{INNER} if (a[i] > 0) b[i] = b[i+1];",
    "a loop that is left": f"#pragma xmp loop on t[i]\n{INNER} {{ if (a[i] > 0) continue; b[i] = b[i+1]; }}",
    "a short loop inside": f"#pragma xmp loop on t[i]\n{INNER} for (int j = -1; j < 2; j++) b[i] = a[i+j];",
    "a macro that may leave it out": f"#define EITHER(c, x) ((c) || (x))\n#pragma xmp loop on t[i]\n{FOR} s += EITHER(i == 0, b[i-1] > 0);",
    "a macro behind a condition": f"#define VALUE(x) (x)\n#pragma xmp loop on t[i]\n{FOR} s += i == 0 || VALUE(b[i-1] > 0);",
    "a condition in a macro": f"#define VALUE(x) (x)\n#pragma xmp loop on t[i]\n{FOR} s += VALUE(i == 0 || b[i-1] > 0);",
    "a switch inside": f"#pragma xmp loop on t[i]\n{INNER} switch (i) {{ case 1: break; default: b[i] = b[i-1]; }}",
    "one node": "#pragma xmp nodes r[1][*]\n#pragma xmp template v[N][N]\n#pragma xmp distribute v[block][block] onto r\ndouble l[N][N];\n"
                f"#pragma xmp align l[i][j] with v[i][j]\n#pragma xmp loop (i, j) on v[i][j]\n{BOTH} l[i][j] = l[N-1-i][j] + l[0][j];",
    "a dimension that is not divided": "#pragma xmp template v[N][N]\n#pragma xmp distribute v[*][block] onto p\ndouble l[N][N];\n"
                                       f"#pragma xmp align l[i][j] with v[i][j]\n#pragma xmp loop (j) on v[*][j]\n{BOTH} l[i][j] = l[N-1-i][j];",
    "on the node of the element": f"#pragma xmp loop on u[3][i]\n{FOR} x[3][i] = x[4][i];",
    "indices from elsewhere": f"#pragma xmp loop on t[i]\n{INNER} b[i] = b[i+k] + b[(int)z[i]] + b[k];",
    "in a task": f"#pragma xmp task on p[0]\n{{\n#pragma xmp loop on t[i]\n{FOR} b[i] = b[i+1];\n}}",
    "no directive, in a task": f"#pragma xmp task on p[0]\n{{ {FOR} b[i] = 0; }}",
    "no directive, below a condition": f"if (k == 0) {FOR} b[i] = 0;\n{FOR} if (z[i] > 0) b[i] = 0;\n{FOR} s += k == i ? b[i] : 0;",
    "no directive, a part": f"for (int i = k; i < k + 2; i++) b[i] = 0;\nfor (int i = 0; i < N / 2; i++) b[i] = 0;\n{FOR} if (i >= k) b[i] = 0;",
    "no directive, left early": f"{FOR} {{ if (z[i] > 0) break; b[i] = 0; }}",
    "no directive, moved": f"{FOR} {{\n#pragma xmp gmove\ns = b[i];\n#pragma xmp array on u[i][:]\nx[i][:] = 0;\n#pragma xmp task on t[i]\nb[i] = 0;\n}}",
    "no directive, executing nodes": "#pragma xmp nodes e[*] = *\n#pragma xmp template v[N]\n#pragma xmp distribute v[block] onto e\ndouble l[N];\n"
                                     f"#pragma xmp align l[i] with v[i]\n{FOR} l[i] = 0;",
    "a loop over nodes": "#pragma xmp loop on p[i]\nfor (int i = 0; i < 2; i++) b[i] = 1;",
    "a variable of the same name": f"#pragma xmp loop on t[i]\n{INNER} {{ b[i] = 0; {{ int i = k; b[i+1] = 0; }} }}",
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_or_unclear_gets_no_message(name: str, xacc: Xacc) -> None:
    (xacc.folder / "program.c").write_text(f"{HEAD}{RIGHT[name]}\n}}\n", encoding="utf-8")
    done = xacc.cc("program.c", "--emit", "-o", "out.c")
    assert (done.returncode, done.stderr) == (0, "")


def counts(text: str) -> list[int]:
    return [int(n) for n in re.search(r"of (\d+) uses .* (\d+) are proved to be on their node, (\d+) are refuted, (\d+) are unknown", text).groups()]


def test_explain_counts_what_is_proved(xacc: Xacc) -> None:
    assert counts(xacc.cc(TREE / "examples" / "heat.c", "--emit", "--explain", "-o", "out.c").stderr) == [10, 10, 0, 0]
    text = f"#pragma xmp loop on t[i]\n{INNER} b[i] = a[i+1] + a[k] + a[(int)z[i]];"
    (xacc.folder / "program.c").write_text(f"{HEAD}{text}\n}}\n", encoding="utf-8")
    assert counts(xacc.cc("program.c", "--emit", "--explain", "-o", "out.c").stderr) == [4, 2, 0, 2]


def test_extents_that_are_variables(xacc: Xacc) -> None:
    """Any large value stands for a variable that gives a template its shape, unless it changes."""
    text = """void f(int n, double *z) {
#pragma xmp nodes p[*]
#pragma xmp template t[n]
#pragma xmp distribute t[block] onto p
  double a[n];
#pragma xmp align a[i] with t[i]
  %s
#pragma xmp loop on t[i]
  for (int i = 1; i < n - 1; i++) z[i] = a[i-1] + a[i+1];
}
"""
    for statement, wrong in (("", 2), ("n = 3;", 0)):
        (xacc.folder / "program.c").write_text(text % statement, encoding="utf-8")
        assert xacc.cc("program.c", "--emit", "-o", "out.c").stderr.count(": error: ") == wrong


def test_check_looks_at_what_is_not_proved(xacc: Xacc) -> None:
    """Elements of the node itself are plain; halos, indices that may lie outside, and what is unknown are looked at."""
    text = f"#pragma xmp loop on t[i]\n{INNER} b[i] = a[i] + a[i-1] + a[k];\n#pragma xmp loop on t[i]\nfor (int i = 0; i < k; i++) b[i] = 0;"
    (xacc.folder / "program.c").write_text(f"{HEAD}{text}\n}}\n", encoding="utf-8")
    xacc.cc("program.c", "--emit", "--check", "-o", "out.c")
    first, second = (line for line in (xacc.folder / "out.c").read_text(encoding="utf-8").splitlines() if line.startswith("for"))
    assert first.count("xacc_at(") == 2 and " b[i] = a[i] + (*" in first and second.count("xacc_at(") == 1


@pytest.mark.parametrize(("declared", "wrong"), [("static int last = N - 2;", 1), ("static int last = N - 2;\nvoid g(void) { last = 2; }", 0),
                                                 ("static int last;\nvoid g(int k) { if (k) last = N - 2; }", 0), ("int last = N - 2;", 0), ("enum { few, last = N - 2 };", 1)])
def test_variables_that_never_change(declared: str, wrong: int, xacc: Xacc) -> None:
    text = HEAD.replace("void f(", f"{declared}\nvoid f(") + "#pragma xmp loop on t[i]\nfor (int i = 1; i < last; i++) b[i] = b[i-1];\n}\n"
    (xacc.folder / "program.c").write_text(text, encoding="utf-8")
    assert xacc.cc("program.c", "--emit", "-o", "out.c").stderr.count(": error: ") == wrong


@pytest.mark.parametrize(("before", "wrong"), [("", 1), ("g(z);", 0), ("if (k)", 0), ("last = k;", 0)])
def test_a_variable_that_main_gives_its_value_first(before: str, wrong: int, xacc: Xacc) -> None:
    """Not where the program's functions may run before, nor on one path only, nor with another value besides."""
    text = HEAD.replace("void f(int k, double *z) {", f"static int last;\nvoid g(double *z) {{\n#pragma xmp loop on t[i]\nfor (int i = 1; i < last; i++) b[i] = b[i-1];\n}}\n"
                        f"int main(int k, char **v) {{\ndouble z[N];\n{before} last = N - 2;\ng(z);\n}}\n")
    (xacc.folder / "program.c").write_text(text, encoding="utf-8")
    assert xacc.cc("program.c", "--emit", "-o", "out.c").stderr.count(": error: ") == wrong


def test_an_index_beyond_an_extent_that_is_a_variable(xacc: Xacc) -> None:
    text = HEAD.replace("void f(int k", "void f(int k, int n") + """
#pragma xmp template v[n][n]
#pragma xmp distribute v[block][*] onto p
double l[n][n];
#pragma xmp align l[i][j] with v[i][j]
#pragma xmp loop on v[i][*]
for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) l[i][j] = l[i][j + 1];
}
"""
    (xacc.folder / "program.c").write_text(text, encoding="utf-8")
    assert "warning: j + 1 of dimension 2 of array l comes to n, beyond its ends." in xacc.cc("program.c", "--emit", "-o", "out.c").stderr
