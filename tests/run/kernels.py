"""The step "kernels on devices" of `tenken test --ci`: every CUDA source is compiled, warnings as errors; none is run."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

ARCHITECTURES = ("80", "90")  # as cmake/requires/cuda.cmake has them where no device is
LOOKED = "CUDACXX, nvcc in PATH, CUDA_HOME, /usr/local/cuda"  # where `compiler` looks
FOLDERS = ("cpp", "checks", "tests")  # xacc is tested by itself
_SECONDS = 300  # a source and architecture
_LAST_LINES = 12


def compiler(variables: Mapping[str, str] = os.environ) -> str | None:
    """The CUDA compiler that a build takes (cmake/requires/cuda.cmake); None where there is none."""
    if variables.get("CUDACXX"):
        return shutil.which(variables["CUDACXX"], path=variables.get("PATH"))
    homes = [f"{variables[name]}/bin" for name in ("CUDA_HOME", "CUDA_PATH") if variables.get(name)]
    return shutil.which("nvcc", path=os.pathsep.join([*homes, variables.get("PATH", ""), "/usr/local/cuda/bin"]))


def sources(tree: Path) -> list[Path]:
    """All CUDA sources, relative to the tree."""
    return sorted(path.relative_to(tree) for name in FOLDERS for path in (tree / name).rglob("*.cu"))


def failures(tree: Path, nvcc: str, folder: Path) -> tuple[tuple[str, ...], int]:
    """Sentences on sources that do not compile, with the last lines of the compiler, and the number of compilations."""
    sentences, count = [], 0
    for source in sources(tree):
        for architecture in ARCHITECTURES:
            count += 1
            problem = _compiled(tree, nvcc, source, architecture, folder / "kernel.o")
            if problem:
                sentences.append(f"kernels on devices: {source} for architecture {architecture}:{problem}")
    return tuple(sentences), count


def _compiled(tree: Path, nvcc: str, source: Path, architecture: str, result: Path) -> str:
    """"" where the source compiles; else the last lines of the compiler, indented."""
    command = [
        nvcc, "-std=c++17", "-O3", "-Werror=all-warnings", "-Xcompiler=-Wall,-Wextra,-Werror",
        f"-gencode=arch=compute_{architecture},code=sm_{architecture}", "-I", "cpp", "-I", str(source.parent),
        "-c", str(source), "-o", str(result),
    ]  # fmt: skip
    try:
        done = subprocess.run(command, cwd=tree, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"\n    {error}"
    if done.returncode == 0:
        return ""
    lines = [line.rstrip()[:200] for line in done.stdout.splitlines() if line.strip()]
    return "".join(f"\n    {line}" for line in lines[-_LAST_LINES:] or [f"exit code {done.returncode}"])
