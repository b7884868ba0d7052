"""--fix: its patch, applied, takes the messages away, and the program is right on 3 ranks."""

from __future__ import annotations

import subprocess

import pytest

from xacc_harness import Xacc

PROGRAM = """#include <stdio.h>
#define N 32
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double a[N], b[N], c[N], r[N];
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
#pragma xmp align [i] with t[i] :: b, c, r
#pragma xmp shadow c[1:2]
#pragma xmp shadow r[1]
int main(void) {
  double s = 0, want = 0;
  for (int n = 0; n < 3; n++) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) { a[i] = i + n; b[i] = 2 * i; c[i] = 3 * i; r[i] = i; }
    #pragma xmp reflect (c) width(1)  // one less than it takes
#pragma xmp reflect (r) width(/periodic/1) async(4)
    #pragma xmp loop on t[i] reduction(+:s)
    for (int i = 2; i < N - 2; i++) s += a[i - 2] + b[i + 1] + c[i + 2] + c[i - 1];
#pragma xmp loop on t[i] reduction(+:s)
    for (int i = 1; i < N - 1; i++) s += r[i - 1];
#pragma xmp wait_async (4)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) r[i] += n;
#pragma xmp loop on t[i] reduction(+:s)
    for (int i = 0; i < N; i++) s += r[i - 1];
    for (int i = 2; i < N - 2; i++) want += i - 2 + n + 2 * (i + 1) + 3 * (i + 2) + 3 * (i - 1);
    for (int i = 1; i < N - 1; i++) want += i - 1;
    for (int i = 0; i < N; i++) want += i + n;
  }
#pragma xmp task on p[0]
  printf("%s\\n", s == want ? "PASS" : "FAIL");
  return 0;
}"""
PATCH = """-#pragma xmp shadow a[1]
+#pragma xmp shadow a[2:1]
+#pragma xmp shadow b[0:1]
-    #pragma xmp reflect (c) width(1)  // one less than it takes
+    #pragma xmp reflect (c) width(1:2)  // one less than it takes
+    #pragma xmp reflect (a)
+    #pragma xmp reflect (b)
+#pragma xmp wait_async(4)
+#pragma xmp reflect (r) width(/periodic/1:1)"""


def test_a_program_is_right_once_the_patch_is_applied(xacc: Xacc) -> None:
    (xacc.folder / "program.c").write_text(PROGRAM, encoding="utf-8")
    fixed = xacc.cc("program.c", "--fix")
    assert (fixed.returncode, fixed.stderr) == (0, "")
    assert [line for line in fixed.stdout.splitlines() if line[0] in "+-" and line[:3] not in ("+++", "---")] == PATCH.splitlines()
    subprocess.run(["patch", "-p0"], input=fixed.stdout, text=True, cwd=xacc.folder, check=True)
    built = xacc.cc("program.c", "-o", "program")
    assert (built.returncode, built.stderr) == (0, "")
    assert xacc.run("./program", 3).stdout == "PASS\n"


# In place of the loops of the program above -> what is left after --fix.
LEFT = {
    "the only statement of a loop": "for (int n = 0; n < 3; n++)\n#pragma xmp loop on t[i] reduction(+:s)\nfor (int i = 1; i < N; i++) s += r[i - 1];\n",
    "below a pragma of OpenMP": "#pragma omp parallel for reduction(+:s)\n#pragma xmp loop on t[i] reduction(+:s)\nfor (int i = 1; i < N; i++) s += r[i - 1];\n",
}


@pytest.mark.parametrize("name", LEFT)
def test_no_directive_where_none_can_stand(name: str, xacc: Xacc) -> None:
    head = PROGRAM.partition("  for (int n = 0;")[0]
    text = f"{head}#pragma xmp loop on t[i]\nfor (int i = 0; i < N; i++) r[i] = i;\n{LEFT[name]}return 0;\n}}\n"
    (xacc.folder / "program.c").write_text(text, encoding="utf-8")
    fixed = xacc.cc("program.c", "--fix")
    assert fixed.stdout == "" and fixed.returncode == 1 and "the lower shadow of array r is stale here" in fixed.stderr
