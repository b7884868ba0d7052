"""What translation may not touch: bytes that are not its own, and the numbers of lines."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from xacc_harness import PROGRAMS, TREE, Xacc

PROLOGUE = 2  # #include "xacc.h" and #line


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.c")), ids=lambda p: p.stem)
def test_lines_stay(path: Path, xacc: Xacc) -> None:
    out = xacc.folder / path.name
    done = xacc.cc(path, "--emit", "-o", out)
    assert done.returncode == 0, done.stderr
    before, after = path.read_bytes().split(b"\n"), out.read_bytes().split(b"\n")
    prologue = PROLOGUE + (after[0] == b"#define XACC_ONE_SIDED")  # its arrays lie in windows
    assert len(after) == len(before) + prologue
    touched = re.compile(rb"#\s*pragma|xmp_desc_of|\bfor\b|\{|\}|#include \"|\[")
    for old, new in zip(before, after[prologue:], strict=True):
        if not touched.search(old) and not old.startswith(b" ") and "xacc_g_" not in new.decode("latin-1"):
            assert old == new


def test_a_program_of_twenty_lines_grows_by_less_than_its_length(xacc: Xacc) -> None:
    example = TREE / "examples" / "heat.c"
    before, after = example.read_text(encoding="utf-8"), xacc.cc(example, "--emit").stdout
    assert before.count("\n") < 30 and after.count("\n") - before.count("\n") == PROLOGUE


def test_a_program_without_directives_passes_unchanged(xacc: Xacc) -> None:
    text = b"/* \xe9\xff */\r\n#include <stdio.h>\r\nint main(void)\r\n{\r\n\tprintf(\"\xe4\\n\");  return 0;\r\n}"
    (xacc.folder / "plain.c").write_bytes(text)
    done = xacc.cc("plain.c", "--emit", "-o", "out.c")
    assert done.returncode == 0, done.stderr
    assert (xacc.folder / "out.c").read_bytes() == text


def test_other_encodings_line_ends_and_long_lines(xacc: Xacc) -> None:
    long = b"/* " + b"x" * 10000 + b" */ int wide;"
    text = (
        b"#include <stdio.h>\r\n#pragma xmp nodes p[*]\r\n#pragma xmp template t[9] /* \xe9 */\r\n"
        b"#pragma xmp distribute t[block] \\\r\n  onto p\r\n" + long + b"\r\nint a[9];\r\n#pragma xmp align a[i] with t[i]\r\n"
        b"int main(void)\r\n{\r\n  int s = 0;\r\n#pragma xmp loop on t[i] reduction(+:s)\r\n"
        b"  for (int i = 0; i < 9; i++) { a[i] = i; s += a[i]; }\r\n"
        b"  if (s == 36) printf(\"\xe9t\xe9\\n\");\r\n  return s != 36;\r\n}\r\n"
    )
    (xacc.folder / "program.c").write_bytes(text)
    assert xacc.cc("program.c", "-o", "program").returncode == 0
    assert xacc.run("./program", 2).returncode == 0
    xacc.cc("program.c", "--emit", "-o", "out.c")
    out = (xacc.folder / "out.c").read_bytes()
    assert out.count(b"\n") == text.count(b"\n") + PROLOGUE
    assert long in out and b'"\xe9t\xe9\\n"' in out


def test_serial_is_the_program_without_directives(xacc: Xacc) -> None:
    assert xacc.cc(PROGRAMS / "rings.c", "--serial", "-o", "serial").returncode == 0


def test_diff_shows_only_what_changed(xacc: Xacc) -> None:
    done = xacc.cc(PROGRAMS / "fullshadow.c", "--diff")
    assert done.returncode == 0
    removed = [line[1:] for line in done.stdout.splitlines() if line.startswith("-") and not line.startswith("---")]
    assert not any(r.startswith(("#include", "#define", "//", "    int want", "    if (y[i] != want")) for r in removed), removed


def test_the_tutorial_gives_the_serial_answer(xacc: Xacc) -> None:
    example = TREE / "examples" / "heat.c"
    assert xacc.cc(example, "--serial", "-o", "serial").returncode == 0
    assert xacc.cc(example, "-o", "heat", "--explain").stderr.count("note:") == 12
    serial = subprocess.run(["./serial"], cwd=xacc.folder, capture_output=True, text=True, check=True).stdout
    done = xacc.run("./heat", 4)
    assert done.stdout == serial == "heat in the rod: 1.000000000000\n"
    assert "reflect u, dimension 1 below: rank 0 sends 1 of 8 bytes by route" in done.stderr
