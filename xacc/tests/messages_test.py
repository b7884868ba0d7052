"""Wrong programs get a sentence with place and caret; right ones none."""

from __future__ import annotations

import json
import re

import pytest

from xacc_harness import Xacc

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 16
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double a[N], b[N][N];
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
#pragma xmp align b[i][*] with t[i]
static void plain(double *x) { x[0] = 1; }
static void whole(double *x) {
#pragma xmp align x[i] with t[i]
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) x[i] = 1;
}
int main(int argc, char **argv) {
  int n = 0, k = argc;
  double s = 0, *q = &s;
"""
TAIL = """
  return (int)(s * 0) + n * 0 + (q == NULL) + (k == 0);
}
"""
FOR = "for (int i = 0; i < N; i++)"

OPEN = "#pragma xmp template u[:]\n#pragma xmp distribute u[block] onto p\n"
POINTER = "double *v;\n#pragma xmp align v[i] with t[i]\n"

# What is written after HEAD -> the line (from 1, after HEAD), part of the sentence.
WRONG = {
    "misspelt directive": ("#pragma xmp refect (a)", 1, "did you mean reflect?"),
    "misspelt clause": (f"#pragma xmp loop on t[i] reducton(+:s)\n{FOR} s += a[i];", 1, "did you mean reduction?"),
    "coarray": ("double w[N]:[*];", 1, "coarrays are not supported yet"),
    "scalar coarray": ("int w:[*], u = 0;", 1, "coarrays are not supported yet"),
    "value of another image": ("n = k:[1];", 1, "coarrays are not supported yet"),
    "misspelt array": ("#pragma xmp reflect (aa)", 1, "aa is not a distributed array"),
    "misspelt template": (f"#pragma xmp loop on tt[i]\n{FOR} a[i] = 1;", 1, "did you mean t?"),
    "_Pragma": (f'_Pragma("xmp loop on t[i]")\n{FOR} a[i] = 1;', 1, "write this directive as #pragma xmp"),
    "unclosed": ("#pragma xmp reflect (a", 1, ") expected"),
    "left over": ("#pragma xmp barrier on p 5", 1, "a clause"),
    "loop on no for": ("#pragma xmp loop on t[i]\nn = 3;", 1, "before a for"),
    "loop over while": ("#pragma xmp loop on t[i]\nwhile (n < 3) n++;", 1, "before a for"),
    "odd loop": ("#pragma xmp loop on t[i]\nfor (int i = 1; i < N; i *= 2) a[i] = 1;", 1, "i += n"),
    "no loop variable": (f"#pragma xmp loop on t[k]\n{FOR} a[i] = 1;", 1, "none of the loop variables"),
    "scaled subscript": (f"#pragma xmp loop on t[2*i]\n{FOR} a[i] = 1;", 1, "i + n"),
    "dimensions": (f"#pragma xmp loop on t[i][j]\n{FOR} a[i] = 1;", 1, "1 dimensions"),
    "width above shadow": ("#pragma xmp reflect (a) width(2)", 1, "wider than the lower shadow"),
    "width count": ("#pragma xmp reflect (a) width(1,1)", 1, "1 dimensions"),
    "outside of functions": ("", 0, ""),
    "not braced": ("if (k)\n#pragma xmp barrier\nn = 1;", 2, "braces"),
    "fixed template": ("#pragma xmp template_fix [block] t[N]", 1, "has its shape and blocks already"),
    "fix of an unknown template": ("#pragma xmp template_fix [block] tt[N]", 1, "did you mean t?"),
    "fix by another word": (OPEN + "#pragma xmp template_fix [cyclic] u[N]", 3, "distributed by block"),
    "fix without shape": (OPEN + "#pragma xmp template_fix [block] u", 3, "the shape of template u is left open"),
    "fix of other dimensions": (OPEN + "#pragma xmp template_fix u[N][N]", 3, "has 1 dimensions and is given 2"),
    "fix without sizes": (OPEN.replace("block", "gblock(*)") + "#pragma xmp template_fix u[N]", 3, "name them, as in template_fix [gblock(m)]"),
    "template open in part": ("#pragma xmp template u[:][N]", 1, "all dimensions of template u are left open, or none"),
    "malloc without template": ("q = xmp_malloc(xmp_desc_of(t), N);", 1, "a pointer that is aligned"),
    "malloc of another": (POINTER + "v = xmp_malloc(xmp_desc_of(a), N);", 3, "is xmp_desc_of(v)"),
    "malloc with too many extents": (POINTER + "v = xmp_malloc(xmp_desc_of(v), N, N);", 3, "1 dimensions and is given 2 extents by xmp_malloc"),
    "malloc in an expression": (POINTER + "if ((v = xmp_malloc(xmp_desc_of(v), N)) == NULL) n = 1;", 3, "a pointer that is aligned"),
    "other value of an aligned pointer": (POINTER + "v = q;", 3, "as a pointer"),
    "aligned pointer with a value": ("double *v = q;\n#pragma xmp align v[i] with t[i]", 1, "give it no value here"),
    "pointer to pointers": ("double **v;\n#pragma xmp align v[i][j] with t[i][*]", 2, "T (*a)[n]"),
    "free of something else": ("xmp_free(q);", 1, "an array that xmp_malloc has made"),
    "library": ("xmp_atomic_define(1, 2);", 1, "xmp_atomic_define is not in the library"),
    "misspelt library": ("n = xmp_node_nun();", 1, "did you mean xmp_node_num?"),
    "reduce_shadow wider": ("#pragma xmp reduce_shadow (a) width(2)", 1, "wider than the lower shadow"),
    "reduce_shadow of no array": ("#pragma xmp reduce_shadow (s)", 1, "s is not a distributed array"),
    "reduce_shadow clause": ("#pragma xmp reduce_shadow (a) nowait", 1, "unknown clause nowait"),
    "gmove in and out": ("#pragma xmp gmove in out\ns = a[0];", 1, "unknown clause out of gmove"),
    "gmove before a call": ("#pragma xmp gmove\nplain(q);", 1, "gmove must stand before an assignment"),
    "gmove of a call": ("#pragma xmp gmove\ns = abs((int)a[0]);", 2, "each side of gmove is a section"),
    "gmove of a sum": ("#pragma xmp gmove\ns = a[0] + 1;", 2, "each side of gmove is a section"),
    "gmove of a local sum": ("double c[4];\n#pragma xmp gmove\na[0:4] = c[:] + 1;", 3, "each side of gmove is a section"),
    "gmove of an array as a whole": ("#pragma xmp gmove\ns = b[0][0] = 1;", 2, "each side of gmove is a section"),
    "gmove: other lengths": ("#pragma xmp gmove\na[0:4] = b[0][0:5];", 2, "5 elements and that of a has 4"),
    "gmove: other dimensions": ("#pragma xmp gmove\na[0:4] = b[0:4][0:4];", 2, "2 dimensions and that of a has 1"),
    "gmove: section to an element": ("#pragma xmp gmove\ns = a[:];", 2, "a has a section here"),
    "gmove: other types": ("int c[N];\n#pragma xmp gmove\na[:] = c[:];", 3, "elements of type int and a of type double"),
    "gmove: index of a distributed array": ("#pragma xmp gmove\na[0] = b[(int)a[1]][0];", 2, "each side of gmove is a section"),
    "gmove: pointers": ("double *c[4];\n#pragma xmp gmove\nc[0:4][0] = a[0];", 3, "array of pointers"),
    "gmove: beyond the end": ("#pragma xmp gmove\na[8:9] = 1;", 2, "the section 8:9:1 of array a leaves"),
    "gmove: acc of something else": ("#pragma xmp gmove acc(q)\na[:] = b[:][0];", 1, "q of the clause acc is no side of this gmove"),
    "acc list": ("#pragma xmp reflect (a) acc(a)", 1, "acc of reflect has no list of variables"),
    "gmove: clause": ("#pragma xmp gmove on t\na[:] = 1;", 1, "unknown clause on of gmove"),
    "array on an element": ("#pragma xmp array on t[:]\na[0] = 1;", 1, "before an assignment of array sections"),
    "array without template": ("#pragma xmp array\na[:] = 1;", 1, "array needs on TEMPLATE"),
    "array on nodes": ("#pragma xmp array on p[:]\na[:] = 1;", 1, "p is not the name of a template"),
    "array: subscripts": ("#pragma xmp array on t[:][:]\na[:] = 1;", 1, "1 dimensions and is given 2"),
    "array: other length": ("#pragma xmp array on t[0:4]\na[0:5] = 1;", 1, "4 elements and that of a has 5"),
    "array: other length, round": ("#pragma xmp array on t(2:6)\na[0:4] = 1;", 1, "5 elements and that of a has 4"),
    "array: element and section": ("#pragma xmp array on t[:]\nb[3][:] = 1;", 1, "where b has one element"),
    "array: section and element": ("#pragma xmp array on t[3]\nb[:][0] = 1;", 2, "where t has one element"),
    "section of a distributed array": ("a[0:3] = 1;", 1, "below array or gmove"),
    "read section of a distributed array": ("double c[3];\nc[:] = a[0:3];", 2, "below array or gmove"),
    "section as an argument": ("plain(&q[0:2]);", 1, "stands where none can"),
    "section in a subscript": ("int c[4];\nc[c[0:2]] = 1;", 2, "in the subscript of an array"),
    "section in a condition": ("int c[4];\nif (c[0:2]) n = 1;", 2, "stands where none can"),
    "section of four parts": ("int c[4];\nc[0:1:1:1] = 1;", 2, "first:count:step"),
    "negative length": ("int c[4];\nc[0:-2] = 1;", 2, "the length -2"),
    "step of 0": ("int c[4];\nc[0:2:0] = 1;", 2, "the step 0"),
    "section beyond the end": ("int c[N];\nc[2:N-1] = 1;", 2, "leaves its elements 0 to 15"),
    "whole section of a pointer": ("q[:] = 1;", 1, "q is a pointer here"),
    "other lengths": ("int c[4], d[5];\nc[:] = d[:];", 2, "5 elements and that of c has 4"),
    "other dimensions": ("int c[4], d[4][4];\nc[:] = d[:][:];", 2, "2 dimensions and that of c has 1"),
    "section on the right only": ("int c[4];\nn = c[:];", 2, "left side of this assignment has no section"),
    "counting section": ("int c[4], d[4];\nc[:] = d[:] + n++;", 2, "once for each element"),
    "compound assignment": ("int c[4];\nc[:] += 1;", 2, "stands where none can"),
    "bound of a distributed array": ("int c[4];\nc[0:(int)a[0]] = 1;", 2, "element of the distributed array a"),
    "undeclared bound": ("int c[4];\nc[0:nn] = 1;", 2, "undeclared identifier 'nn'"),
    "sizeof": ("n = sizeof(a);", 1, "sizeof"),
    "sizeof of a row kept": ("n = sizeof(b) / sizeof(b[0]);", 1, "sizeof"),
    "address of the array": ("q = (double *)&a;", 1, "address"),
    "memcpy": ("memcpy(a, a, 8);", 1, "memcpy"),
    "memset of an element": ("memset(&a[1], 0, 8);", 1, "pointer to an element"),
    "pointer to the array": ("q = a;", 1, "as a pointer"),
    "element pointer": ("q = &a[3]; q++;", 1, "pointer to an element"),
    "element handed to a function that walks": ("plain(&a[3]);", 1, "pointer to an element"),
    "not aligned parameter": ("plain(a);", 1, "does not align its parameter x"),
    "reduction of a pointer": ("#pragma xmp reduction(+:q)", 1, "pointer"),
    "unknown reduction": ("#pragma xmp reduction(avg:s)", 1, "unknown reduction avg"),
    "twice declared": ("double c[N];\n#pragma xmp align c[i] with t[i]\n#pragma xmp align c[i] with t[i]", 3, "twice"),
    "no declaration": ("#pragma xmp align cc[i] with t[i]", 1, "no variable cc"),
    "typedef": ("typedef double grid[N];\ngrid c;\n#pragma xmp align c[i] with t[i]", 3, "typedef"),
    "initialised": ("double c[N] = {1};\n#pragma xmp align c[i] with t[i]", 1, "initialised"),
    "onto too small a part": ("#pragma xmp template u[4][4]\n#pragma xmp distribute u[block][block] onto p[0:2]", 2, "they must be as many"),
    "section of four parts": ("#pragma xmp array on t[0:3:1:2]\na[0:3] = 1;", 1, "more than three parts"),
    "alias of no pointer": ("#pragma xmp local_alias n => a", 1, "n is no pointer that is declared here"),
    "alias of no array": ("#pragma xmp local_alias q => s", 1, "s is not a distributed array here"),
    "alias without an arrow": ("#pragma xmp local_alias q = a", 1, "> expected after ="),
    "distribution": ("#pragma xmp template u[4]\n#pragma xmp distribute u[blok] onto p", 2, "did you mean block?"),
    "not distributed": ("#pragma xmp template u[4]\n#pragma xmp task on u[1]\n{}", 2, "not distributed"),
    "loops inside of each other": (f"#pragma xmp loop on t[i]\n{FOR}\n{FOR} a[i] = 1;", 3, "inside of each other"),
    "changed loop variable": (f"#pragma xmp loop on t[i]\n{FOR} {{ a[i] = 1;\n i++; }}", 3, "i is changed inside of the loop"),
    "a second loop of another form": (f"#pragma xmp loop (i) on t[i]\nfor (int m = 0; m < 2; m++) {{\n{FOR} a[i] = 1;\n"
                                      "for (int i = 1; i < N; i *= 2) a[i] = 2; }", 4, "i += n"),
    "overwritten sum": (f"#pragma xmp loop on t[i] reduction(+:s)\n{FOR} s = a[i];", 2, "write s = s + ..."),
    "overwritten flag": (f"#pragma xmp loop on t[i] reduction(&&:n)\n{FOR} n = a[i] > 0;", 2, "write n = n && ..."),
    "older halo visited": (f"#pragma xmp reflect (a)\n#pragma xmp loop on t[i]\n{FOR} a[i] = k;\n#pragma xmp loop on t[i] expand(/unbound/1) "
                          f"reduction(+:n)\n{FOR} n += a[i] > 0;", 5, "warning: the lower shadow of array a is stale here"),
    "member": ("struct { double a[N]; } c;\n#pragma xmp align c.a[i] with t[i]", 2, "c is a structure: members"),
    "member of a structure in a block": ("struct z { double a[N]; };\n#pragma xmp align z.a[i] with t[i]\nstruct z c;", 1, "stand at file scope"),
    "member by pointer": ("#pragma xmp reflect (q->a)", 1, "q is a structure: members"),
    "shadow of a member": ("#pragma xmp shadow c.a[1]", 1, "c is a structure: members"),
    "undeclared subscript": (f"#pragma xmp template u[N][N]\n#pragma xmp nodes r[1][*]\n#pragma xmp distribute u[block][block] onto r\n"
                             f"#pragma xmp loop on u[i][jj]\n{FOR} a[i] = 1;", 4, "undeclared identifier 'jj'"),
    "two modifiers": ("#pragma xmp reflect (a) width(/periodic/1:/periodic/1)", 1, "expected expression"),
    "blocks of Fortran": ("#pragma xmp template u[9]\n#pragma xmp distribute u[gblock((/3,6/))] onto p", 2, "expected expression"),
    "unknown size": ("#pragma xmp template u[NN]\n#pragma xmp distribute u[block] onto p", 1, "undeclared identifier 'NN'"),
    "unknown set": ("#pragma xmp task on p[mm]\n{ n = 1; }", 1, "undeclared identifier 'mm'"),
    "shadow of cyclic": ("#pragma xmp template u[4]\n#pragma xmp distribute u[cyclic] onto p\nint c[4];\n"
                         "#pragma xmp align c[i] with u[i]\n#pragma xmp shadow c[1]", 5, "cyclic"),
}
del WRONG["outside of functions"]
WRONG_WITH_ACC = {"device address": ("#pragma acc host_data use_device(q, a)\nplain(q);", 1, "use_device of the distributed array a")}


@pytest.mark.parametrize("name", [*WRONG, *WRONG_WITH_ACC])
def test_wrong_program(name: str, xacc: Xacc) -> None:
    text, line, part = {**WRONG, **WRONG_WITH_ACC}[name]
    (xacc.folder / "program.c").write_text(HEAD + text + TAIL, encoding="utf-8")
    done = xacc.cc("program.c", "--emit", "-o", "out.c", *(["--acc"] if name in WRONG_WITH_ACC else []))
    want = HEAD.count("\n") + line
    first = done.stderr.splitlines()[0] if done.stderr else ""
    assert first.startswith(f"program.c:{want}:"), done.stderr
    assert part in first, done.stderr
    assert done.stderr.splitlines()[2].strip() == "^"
    assert "Traceback" not in done.stderr
    assert done.returncode == (0 if ": warning: " in first else 1)


def test_an_alias_of_no_array_is_one_error(xacc: Xacc) -> None:
    """The pointer is right, so it gets no message."""
    (xacc.folder / "program.c").write_text(HEAD + WRONG["alias of no array"][0] + TAIL, encoding="utf-8")
    assert xacc.cc("program.c", "--emit").stderr.count("error: ") == 1


def test_a_pointer_that_stays_on_its_element(xacc: Xacc) -> None:
    """Structures are handed on by their address; a function that uses no more than the one needs no warning, one that walks does."""
    text = """#pragma xmp nodes p[*]
#pragma xmp template t[9]
#pragma xmp distribute t[block] onto p
typedef struct { double v[3]; } S;
S a[9];
#pragma xmp align a[i] with t[i]
static double inner(const S *s, int k) { return k > 2 ? inner(s, k - 1) : (*s).v[k]; }
static double stays(int k, const S *s) { return inner(s, k) + (s)->v[0]; }
static double walks(int k, const S *s) { return inner(s + k, k); }
static double deep(int k, const S *s) { return walks(k, s); }
double f(void) {
  double sum = stays(1, &a[0]);
  sum += walks(1, &a[0]);
  sum += deep(1, &a[0]);
  return sum;
}
"""
    (xacc.folder / "program.c").write_text(text, encoding="utf-8")
    told = [line for line in xacc.cc("program.c", "--emit", "-o", "out.c").stderr.splitlines() if "warning" in line]
    assert [line.split(":")[1] for line in told] == ["13", "14"]


def test_a_variable_that_points_to_one_element(xacc: Xacc) -> None:
    """Right as long as nothing walks from it: the lines that are told are those where something does."""
    text = """#pragma xmp nodes p[*]
#pragma xmp template t[9]
#pragma xmp distribute t[block] onto p
typedef struct { double v[3]; } S;
S a[9];
#pragma xmp align a[i] with t[i]
static S *global;
double f(int k) {
  const S *one = &a[k], *other;
  other = &a[1];
  double sum = one->v[0] + (*other).v[1];
  S *walks = &a[2];
  other = &a[3];
  global = &a[4];
  walks += k;
  const S *indexed = &a[5];
  return sum + walks->v[0] + indexed[1].v[0] + global->v[1];
}
"""
    (xacc.folder / "program.c").write_text(text, encoding="utf-8")
    told = [line for line in xacc.cc("program.c", "--emit", "-o", "out.c").stderr.splitlines() if "warning" in line]
    assert [line.split(":")[1] for line in told] == ["12", "14", "16"]


def test_right_uses_of_reduction_variables_need_no_warning(xacc: Xacc) -> None:
    text = f"""#pragma xmp loop on t[i] reduction(max:s)
{FOR} if (a[i] > s) s = a[i];
#pragma xmp loop on t[i] reduction(||:n)
{FOR} if (a[i] > 1) n = 1;
#pragma xmp loop on t[i] reduction(+:s)
{FOR} s = a[i] + s;
"""
    (xacc.folder / "program.c").write_text(HEAD + text + TAIL, encoding="utf-8")
    assert xacc.cc("program.c", "--emit", "-o", "out.c").stderr == ""


@pytest.mark.parametrize("word", ["cc", "count", "runtime"])
def test_help_of_one_word(word: str, xacc: Xacc) -> None:
    for ask in ("--help", "-h"):
        done = xacc.xacc(word, ask)
        assert done.returncode == 0 and done.stdout.startswith(f"  xacc {word} ") and done.stderr == ""
        assert not [line for line in done.stdout.splitlines() if line.startswith("  xacc ") and not line.startswith(f"  xacc {word} ")]


def test_json(xacc: Xacc) -> None:
    (xacc.folder / "program.c").write_text(HEAD + "#pragma xmp refect (a)" + TAIL, encoding="utf-8")
    done = xacc.cc("program.c", "--emit", "--diagnostics-format=json")
    message = json.loads(done.stderr)[0]
    assert message["line"] == HEAD.count("\n") + 1 and message["column"] == 13 and message["level"] == "error"


def test_what_libclang_does_not_know_in_system_headers_is_no_error(xacc: Xacc) -> None:
    folder = xacc.folder / "include"
    folder.mkdir()
    (folder / "newer.h").write_text("void gone(void *);\nextern void *made(void) __attribute__((__malloc__(gone, 1)));\n")
    (xacc.folder / "program.c").write_text("#include <newer.h>\nint main(void) { return 0; }\n", encoding="utf-8")
    done = xacc.cc("program.c", "--emit", "-isystem", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "takes no arguments" in xacc.cc("program.c", "--emit", "-I", folder).stderr, "a header of the user"


def test_a_directive_outside_of_functions(xacc: Xacc) -> None:
    (xacc.folder / "program.c").write_text("#pragma xmp nodes p[*]\n#pragma xmp barrier\nint main(void) { return 0; }\n", encoding="utf-8")
    assert "program.c:2:13: error: barrier stands outside" in xacc.cc("program.c", "--emit").stderr


@pytest.mark.parametrize(("words", "part"), [
    (("nothing.c",), "does not exist"), (("a.f90",), "Fortran"), ((), "no source file"), (("--chek", "x.c"), "did you mean --check?"),
    (("-o",), "needs a value"),
])
def test_arguments(words: tuple[str, ...], part: str, xacc: Xacc) -> None:
    done = xacc.cc(*words)
    assert done.returncode == 3 and part in done.stderr and done.stderr.count("\n") == 1


RUN_TIME = {
    "more ranks than given": ("#pragma xmp nodes q[64]", (), "needs 64 ranks"),
    "blocks too small": ("int m[2] = {1, 2};\n#pragma xmp template u[9]\n#pragma xmp distribute u[gblock(m)] onto p", (), "hold 3 of its 9"),
    "read outside the halo": ("#pragma xmp reflect(a)\n#pragma xmp loop on t[i] reduction(+:s)\nfor (int i = 2; i < N - k - 1; i++) s += a[i+2*k];",
                              ("--check",), "is not on this node"),
    "missing reflect": ("#pragma xmp loop on t[i]\nfor (int i = 0; i < N; i++) a[i] = i;\n"
                        "#pragma xmp loop on t[i] reduction(+:s)\nfor (int i = k; i < N; i++) s += a[i-1];", ("--check",), "since the last reflect"),
    "literal subscript": ("s = a[0] + a[N-1];", ("--check",), "is not on this node"),
    "alias of other rows": ("double (*rows)[N + 1];\n#pragma xmp local_alias rows => b", (), "no rows of the caller's part of array b"),
    "no reflect_init": ("#pragma xmp reflect_do (a)", (), "no reflect_init"),
}


@pytest.mark.parametrize("name", RUN_TIME)
def test_found_while_running(name: str, xacc: Xacc) -> None:
    text, flags, part = RUN_TIME[name]
    built = xacc.build(HEAD + text + TAIL, *flags)
    assert built.returncode == 0, built.stderr
    done = xacc.run("./program", 2)
    assert done.returncode != 0
    line = next(line for line in done.stderr.splitlines() if "error: rank" in line)
    assert part in line and line.startswith(f"program.c:{HEAD.count(chr(10)) + text.count(chr(10)) + 1}:")


@pytest.mark.parametrize(("text", "part"), [
    ("#pragma xmp template u[2*N]\n#pragma xmp distribute u[block] onto p\ndouble c[N];\n#pragma xmp align c[i] with u[i]\nwhole(c);", "mapped in another way"),
    ("whole(&s);", "something else than a whole distributed array"),
], ids=["other mapping", "no array"])
def test_what_a_parameter_is_given_is_looked_at_while_running(text: str, part: str, xacc: Xacc) -> None:
    assert xacc.build(HEAD + "whole(a);\n" + text + TAIL).returncode == 0
    done = xacc.run("./program", 2)
    line = next(line for line in done.stderr.splitlines() if "error: rank" in line)
    assert done.returncode != 0 and part in line
    assert line.startswith(f"program.c:{HEAD[: HEAD.index('align x')].count(chr(10)) + 1}:")


def test_a_whole_structure_with_aligned_members_is_refused(xacc: Xacc) -> None:
    field = "struct field { double u[N]; };\n#pragma xmp align field.u[i] with t[i]\nstruct field one, two;\n"
    for text, part in (("two = one;", "only its members can be used"), ("struct field *z = 0;", "stand at file scope")):
        text = HEAD.replace("static void plain", field + "static void plain") + text + TAIL
        assert part in xacc.build(text).stderr


@pytest.mark.parametrize(("clause", "names"), [("acc", "ab"), ("acc(b)", "b"), ("acc(a)", "a"), ("acc(b, a)", "ab")])
def test_the_sides_of_a_gmove_on_the_device(clause: str, names: str, xacc: Xacc) -> None:
    (xacc.folder / "program.c").write_text(f"{HEAD}#pragma xmp gmove {clause}\na[:] = b[:][0];{TAIL}", encoding="utf-8")
    assert xacc.cc("program.c", "--emit", "--acc", "-o", "out.c").stderr == ""
    text = (xacc.folder / "out.c").read_text(encoding="utf-8")
    for word in "self", "device":
        (given,) = re.findall(rf"acc update {word}\((.*?)\) if_present", text)
        assert "".join(re.findall(r"\b([ab])\[", given)) == names


USED_OUTSIDE = """double c[9];
#pragma xmp nodes p[*]
int main(void) {
#pragma xmp template t[9]
#pragma xmp distribute t[block] onto p
#pragma xmp align c[i] with t[i]
  return 0;
}
double first(void) { return c[0]; }
"""


def test_an_array_that_a_block_aligns_is_unknown_outside(xacc: Xacc) -> None:
    assert "program.c:9:29: error: array c is aligned in a block" in xacc.build(USED_OUTSIDE).stderr


def test_a_value_before_the_loop_that_its_body_overwrites_does_not_count(xacc: Xacc) -> None:
    text = f'n = 0;\n#pragma xmp loop on t[i] reduction(&&:n)\n{FOR} n = i > -k;\nif (!n) printf("lost\\n");'
    assert "warning: n is assigned inside of a loop" in xacc.build(HEAD + text + TAIL).stderr
    assert "lost" not in xacc.run("./program", 2).stdout
