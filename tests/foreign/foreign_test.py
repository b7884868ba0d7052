"""Whole commands at sites that differ from a developer's: another user, no home, a strict umask, no locks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenken.launch.installation import install

TREE = Path(__file__).resolve().parents[2]
NOBODY = 65534
NO_FLOCK = """#include <errno.h>
int flock(int file, int operation) { (void)file; (void)operation; errno = ENOLCK; return -1; }
"""
HOLD = """import sys
from pathlib import Path
from tenken.launch.lock import locked
with locked(Path(sys.argv[1]), lambda holder: sys.exit(f"busy: {holder}")) as descriptors:
    print(descriptors, *sorted(path.name for path in Path(sys.argv[1]).parent.iterdir()))
"""


@pytest.fixture(scope="module")
def installed() -> Iterator[Path]:
    """bin/tenken of a prefix that belongs to root, made under umask 077."""
    if os.geteuid() != 0:
        pytest.skip("only root becomes another user")
    try:
        as_nobody("true")
    except OSError as error:  # a user name space of one user
        pytest.skip(f"another user cannot be had: {error.strerror}")
    prefix = Path(tempfile.mkdtemp(prefix="tenken-foreign-"))
    prefix.chmod(0o755)
    before = os.umask(0o077)
    try:
        yield install(TREE, [], prefix)
    finally:
        os.umask(before)
        shutil.rmtree(prefix)


def as_nobody(*words: str | Path) -> subprocess.CompletedProcess[str]:
    environment = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
    return subprocess.run(
        words, user=NOBODY, group=NOBODY, extra_groups=[], umask=0o077, env=environment, cwd="/", capture_output=True,
        text=True, stdin=subprocess.DEVNULL, timeout=60, check=False)


def files(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*"))


@pytest.mark.parametrize("words", [("--version",), ("list",), ("list", "suites"), ("list", "machines")])
def test_a_user_without_a_home_uses_a_tree_of_root(installed: Path, words: tuple[str, ...]) -> None:
    before = files(installed.parent.parent)
    done = as_nobody(installed, *words)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout
    assert files(installed.parent.parent) == before


def test_a_prefix_that_cannot_be_written_is_one_sentence(installed: Path) -> None:
    place = installed.resolve().parent
    script = ("import sys; from pathlib import Path; from tenken.launch.installation import install; "
              "install(Path(sys.argv[1]), [], Path(sys.argv[2]))")
    before = files(installed.parent.parent)
    done = as_nobody("/usr/bin/env", f"PYTHONPATH={place}/python", sys.executable, "-c", script, TREE / "docs", place.parent)
    if "Permission denied" not in done.stderr:
        pytest.skip(f"another user cannot run {sys.executable}")
    assert "nothing was changed. Name another --prefix." in done.stderr
    assert files(installed.parent.parent) == before


def test_a_file_system_without_locks(tmp_path: Path) -> None:
    (tmp_path / "no_flock.c").write_text(NO_FLOCK)
    library = tmp_path / "no_flock.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "no_flock.c"], check=True)
    (tmp_path / "run").mkdir()
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", HOLD, tmp_path / "run/.lock"], capture_output=True, text=True, check=False,
            env={**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": str(TREE / "python")})
        assert (done.returncode, done.stdout) == (0, "() .lock .lock.holder\n"), done.stderr
        assert done.stderr.count("the file system has no locks (No locks available)") == 1
    assert files(tmp_path / "run") == [str(tmp_path / "run/.lock")]
