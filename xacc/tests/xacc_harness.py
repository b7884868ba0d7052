"""Compiling and running programs in tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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


class Xacc:
    """xacc cc and mpirun in a folder of the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**ENVIRONMENT, "XACC_ROUTES": str(folder / "routes.tsv")}

    def cc(self, *words: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "xacc", "cc", *map(str, words)], cwd=cwd or self.folder, env=self.environment,
                              capture_output=True, text=True, errors="replace", timeout=120, check=False)

    def build(self, text: str, *words: str) -> subprocess.CompletedProcess[str]:
        (self.folder / "program.c").write_bytes(text.encode("latin-1"))
        return self.cc("program.c", "-o", "program", *words)

    def run(self, program: str | Path, ranks: int, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["mpirun", "-n", str(ranks), str(program), *words], cwd=self.folder, env={**self.environment, **variables},
                              capture_output=True, text=True, errors="replace", timeout=120, check=False)
