"""Compiling and running programs in tests."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import clang.cindex

from xacc.cli import main

TREE = Path(__file__).resolve().parent.parent
PROGRAMS = TREE / "tests" / "programs"
SUITE = TREE / "tests" / "suite"

ENVIRONMENT = {
    **os.environ, "PYTHONPATH": str(TREE / "src"), "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMP_NUM_THREADS": "2",
}


def header(path: Path, key: str) -> str:
    for line in path.read_text(encoding="latin-1").splitlines():
        if line.startswith(f"// {key}: "):
            return line[len(key) + 5 :].strip()
    return ""


def forked(words: list[str], folder: Path, environment: dict[str, str], seconds: int = 120) -> subprocess.CompletedProcess[str]:
    """What the command would do, in a copy of this process, which has its modules and libclang already."""
    assert clang.cindex.conf.lib is not None
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            code = 70
            try:
                signal.alarm(seconds)
                os.chdir(folder)
                os.environ.clear()
                os.environ.update(environment)
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                sys.stdout, sys.stderr = (io.TextIOWrapper(os.fdopen(n, "wb", closefd=False)) for n in (1, 2))
                code = main(words)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for file in out, err:
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
        return subprocess.CompletedProcess(words, code, *texts)


class Xacc:
    """xacc cc and mpirun in a folder of the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**ENVIRONMENT, "XACC_ROUTES": str(folder / "routes.tsv")}

    def xacc(self, *words: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return forked([*map(str, words)], cwd or self.folder, self.environment)

    def cc(self, *words: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return self.xacc("cc", *words, cwd=cwd)

    def build(self, text: str, *words: str) -> subprocess.CompletedProcess[str]:
        (self.folder / "program.c").write_bytes(text.encode("latin-1"))
        return self.cc("program.c", "-o", "program", *words)

    def run(self, program: str | Path, ranks: int, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["mpirun", "-n", str(ranks), str(program), *words], cwd=self.folder, env={**self.environment, **variables},
                              capture_output=True, text=True, errors="replace", timeout=120, check=False)
