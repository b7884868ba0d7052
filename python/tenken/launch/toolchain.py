"""Compilers and MPI installations on this node. Nothing here is chosen, only detected and asked for its version."""

from __future__ import annotations

import os
import platform
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from tenken.base.errors import TenkenError
from tenken.launch import packages

# The oldest versions that compile the C++20 used here.
OLDEST = {"gcc": 12, "clang": 14}
_COMPILERS = ("g++", *(f"g++-{v}" for v in range(16, 11, -1)), "clang++", *(f"clang++-{v}" for v in range(22, 13, -1)))
_ASK_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Compiler:
    command: str
    family: str  # gcc | clang
    version: str  # "12.2.0"

    @property
    def label(self) -> str:
        return f"{self.family}{self.version.split('.')[0]}"


@dataclass(frozen=True, slots=True)
class Mpi:
    """A compiler wrapper and the launcher that belongs to it."""

    wrapper: str
    launcher: str
    flavour: str  # openmpi | mpich (also Intel MPI and MVAPICH: all start by Hydra)
    version: str

    @property
    def label(self) -> str:
        return f"{self.flavour}{self.version.split('.')[0]}"

    @property
    def title(self) -> str:
        return f"{'Open MPI' if self.flavour == 'openmpi' else 'MPICH'} {self.version}"


def ask(command: Sequence[str], prelude: str = "") -> str:
    """The output of a command on both channels (after the shell lines `prelude`); "" where it cannot be run or fails."""
    if prelude:
        command = ["bash", "-c", f"{prelude}\nexec {shlex.join(command)}"]
    try:
        answer = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=_ASK_SECONDS, env={**os.environ, "LC_ALL": "C"}, check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout.decode(errors="replace") if answer.returncode == 0 else ""


def compiler(command: str, prelude: str = "") -> Compiler | None:
    """The compiler called `command`, or None where it is none that is known."""
    text = ask([command, "--version"], prelude)
    clang = re.search(r"clang version (\d+[.\d]*)", text)
    if clang:
        return Compiler(command, "clang", clang[1])
    version = ask([command, "-dumpfullversion"], prelude).strip() if "Free Software Foundation" in text else ""
    return Compiler(command, "gcc", version) if re.fullmatch(r"\d+[.\d]*", version) else None


def compilers() -> tuple[Compiler, ...]:
    """The first compiler of each family that is new enough, GCC before Clang. TenkenError where there is none."""
    by_family: dict[str, Compiler] = {}
    old = []
    for command in _COMPILERS:
        if ("clang" if command.startswith("clang") else "gcc") in by_family or not shutil.which(command):
            continue
        candidate = compiler(command)
        if candidate and int(candidate.version.split(".")[0]) >= OLDEST[candidate.family]:
            by_family.setdefault(candidate.family, candidate)
        elif candidate:
            old.append(f"{command} {candidate.version}")
    if not by_family:
        seen = f" (found only {', '.join(old)})" if old else ""
        raise TenkenError(
            f"no C++20 compiler found{seen}: Tenken needs g++ >= {OLDEST['gcc']} or clang++ >= {OLDEST['clang']}; "
            f"{packages.advice('C++20 compiler')}."
        )
    return tuple(by_family.values())


def _flavour(text: str) -> tuple[str, str]:
    """(flavour, version) out of the output of a launcher or a wrapper; ("", "") where it is unknown."""
    for flavour, pattern in (
        ("openmpi", r"(?:Open MPI|OpenRTE\)|Open MPI\))\s+v?(\d+[.\d]*)"),
        ("mpich", r"(?:HYDRA build details:\s+Version:|Intel\(R\) MPI Library.*?Version|MPICH Version:)\s+(\d+[.\d]*)"),
    ):
        match = re.search(pattern, text, re.DOTALL)
        if match:
            return flavour, match[1]
    return "", ""


def mpi(wrapper: str, launcher: str, prelude: str = "") -> Mpi | None:
    """The pair, or None where either cannot be run or the two belong to different installations."""
    flavour, version = _flavour(ask([launcher, "--version"], prelude))
    if not flavour:
        return None
    of_wrapper = _flavour(ask([wrapper, "--showme:version"], prelude))[0]
    if not of_wrapper and ask([wrapper, "-show"], prelude):
        of_wrapper = "mpich"
    return Mpi(wrapper, launcher, flavour, version) if of_wrapper == flavour else None


def mpis() -> tuple[Mpi, ...]:
    """Every MPI, best first: that loaded by the user (a module), Open MPI, MPICH. TenkenError without any."""
    pairs = [("mpicxx.openmpi", "mpirun.openmpi"), ("mpicxx.mpich", "mpirun.mpich")]
    plain = shutil.which("mpicxx")
    if plain and os.path.dirname(plain) not in ("/usr/bin", "/bin"):
        pairs.insert(0, ("mpicxx", "mpirun"))
    elif not any(shutil.which(wrapper) and shutil.which(launcher) for wrapper, launcher in pairs):
        pairs = [("mpicxx", "mpirun"), ("mpicxx", "mpiexec")]
    by_flavour: dict[str, Mpi] = {}
    for wrapper, launcher in pairs:
        if shutil.which(wrapper) and shutil.which(launcher):
            candidate = mpi(wrapper, launcher)
            if candidate:
                by_flavour.setdefault(candidate.flavour, candidate)
    if not by_flavour:
        raise TenkenError(
            "no MPI found: Tenken needs mpicxx and the mpirun that belongs to it; "
            f"{packages.advice('MPI compiler')} (package openmpi-bin for mpirun)."
        )
    return tuple(by_flavour.values())


def native_isa(compiler: Compiler, prelude: str = "") -> str:
    """The meaning of `-march=native` to this compiler here, e.g. "znver3"; the architecture where it does not say."""
    if compiler.family == "gcc":
        text = ask([compiler.command, "-march=native", "-Q", "--help=target"], prelude)
        match = re.search(r"-m(?:arch|cpu)=\s+([\w.+-]+)", text)
    else:
        text = ask([compiler.command, "-march=native", "-###", "-c", "-x", "c++", os.devnull], prelude)
        match = re.search(r'"-target-cpu" "([\w.+-]+)"', text)
    return match[1] if match else platform.machine()
