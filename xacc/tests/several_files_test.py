"""Programs of several files: a name that no file defines is an error at its first use."""

from __future__ import annotations

from xacc_harness import Xacc


def test_a_function_of_another_file_behind_a_plain_header(xacc: Xacc) -> None:
    mapping = "#define N 8\n#pragma xmp nodes p[*]\n#pragma xmp template t[N]\n#pragma xmp distribute t[block] onto p\n"
    texts = {"step.h": "void step(double x[8]);\n",
             "step.c": mapping + "void step(double x[N]) {\n#pragma xmp align x[i] with t[i]\n#pragma xmp loop on t[i]\nfor (int i = 0; i < N; i++) x[i] = 1;\n}\n",
             "program.c": f'#include "step.h"\n{mapping}double a[N];\n#pragma xmp align a[i] with t[i]\nint main(void) {{ step(a); }}\n'}
    for name, text in texts.items():
        (xacc.folder / name).write_text(text, encoding="utf-8")
    done = xacc.cc("program.c", "step.c", "-o", "program")
    assert (done.returncode, done.stderr) == (0, "")
    assert xacc.cc("program.c", "-c").returncode == 0
    (xacc.folder / "step.c").write_text(texts["step.c"].replace("#pragma xmp align x[i] with t[i]\n", ""), encoding="utf-8")
    assert "step is given the distributed array a, but does not align its parameter 1" in xacc.cc("program.c", "step.c").stderr


UNDEFINED = """#include <stdio.h>
void given(int);
extern double there[4];
int main(void) {
#pragma xmp nodes p[*]
  given(0);
  printf("%g\\n", there[1]);
#pragma xmp barrier
  return unknown(1);
}
"""


def test_what_no_file_defines_is_named_where_it_is_used(xacc: Xacc) -> None:
    done = xacc.build(UNDEFINED, "-w")
    assert done.returncode == 1 and "ld" not in done.stderr.split(), done.stderr
    errors = sorted(line for line in done.stderr.splitlines() if ": error: " in line)
    assert [line.partition(": error: ")[2].partition(" in no file given")[0] for line in errors] == [
        "given is declared in program.c:2 and defined", "there is declared in program.c:3 and defined", "unknown is defined"]
    assert [line.partition(": error: ")[0] for line in errors] == ["program.c:6:3", "program.c:7:18", "program.c:9:10"]


def test_a_program_without_main(xacc: Xacc) -> None:
    assert xacc.build("void given(void) {}\n").stderr.startswith("program.c:1:1: error: main is defined in no file given")


def test_the_linker_names_what_an_object_lacks(xacc: Xacc) -> None:
    for name, text in (("more", "int other(void);\nint more(void) { return other(); }\n"), ("program", "int main(void) { return 0; }\n")):
        (xacc.folder / f"{name}.c").write_text(text, encoding="utf-8")
    assert xacc.cc("more.c", "-c").returncode == 0
    done = xacc.cc("program.c", "more.o", "-o", "program")
    assert done.returncode == 1 and "undefined reference to `other'" in done.stderr
