"""The environments under which checks can be built and run here, and how one is chosen.

An environment is found (`<compiler>-<mpi>-<isa>`) or named in a machine file (`[environment.NAME]`). Its build folder
carries a fingerprint of everything that changes the machine code, so that two nodes or two modules never share one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tenken.launch import toolchain
from tenken.launch.suggest import unknown
from tenken.launch.toolchain import Compiler, Mpi
from tenken.model.errors import TenkenError

WORDS = ("gcc", "clang", "openmpi", "mpich", "portable", "sanitize")
_KEYS = ("cxx", "mpi_cxx", "mpirun", "modules", "flags", "preset", "launcher")


@dataclass(frozen=True, slots=True)
class BuildEnvironment:
    """Compiler, MPI, flags and modules under which kernels are built and run."""

    name: str
    compiler: Compiler
    mpi: Mpi
    isa: str  # native | portable
    isa_name: str  # what native means on this node
    flags: str = ""
    modules: tuple[str, ...] = ()
    sanitize: bool = False
    launcher: str = ""  # template of the start, see launch/command.py; "" = by the flavour of the MPI

    @property
    def fingerprint(self) -> str:
        """8 hex digits over all that changes the machine code."""
        facts = [
            self.compiler.family, self.compiler.version, self.mpi.flavour, self.mpi.version,
            self.isa, self.isa_name, self.flags, list(self.modules), self.sanitize,
        ]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:8]

    def build_folder(self, tree: Path) -> Path:
        return tree / "build" / f"{self.name}-{self.fingerprint}"

    @property
    def prelude(self) -> str:
        """Shell lines that load the modules; "" where there are none."""
        return module_prelude(self.modules)

    def describe(self) -> dict[str, Any]:
        """What run.json says of it."""
        return {
            "name": self.name, "compiler": f"{self.compiler.command} {self.compiler.version}", "mpi": self.mpi.title,
            "isa": self.isa_name if self.isa == "native" else self.isa, "flags": self.flags,
            "modules": list(self.modules), "sanitize": self.sanitize, "fingerprint": self.fingerprint,
        }


def module_prelude(modules: tuple[str, ...]) -> str:
    if not modules:
        return ""
    return f'. "${{LMOD_PKG:-${{MODULESHOME:-/usr/share/modules}}}}/init/bash"\nmodule load {" ".join(modules)}'


def select(wanted: str | None, named: Mapping[str, Mapping[str, Any]]) -> BuildEnvironment:
    """The environment to use here.

    `wanted` is None (the best), one of WORDS, several of them joined by "+", the name of a found one, or a name out of
    `named` (the `[environment.NAME]` tables of the machine file and the user's configuration).
    """
    if wanted in named:
        return _named(wanted, named[wanted])
    if wanted is None and named:
        name = next(iter(named))
        return _named(name, named[name])
    words = set(wanted.split("+")) if wanted else set()
    if words <= set(WORDS):
        return _pick(words)
    found = [_found(compiler, mpi, isa, sanitize) for sanitize in (False, True) for isa in ("native", "portable")
             for compiler in toolchain.compilers() for mpi in toolchain.mpis()]
    for environment in found:
        if environment.name == wanted:
            return environment
    raise unknown("environment", str(wanted), [*WORDS, *named, *(one.name for one in found if not one.sanitize)])


def available(named: Mapping[str, Mapping[str, Any]]) -> list[BuildEnvironment]:
    """All that can be used here, the default first."""
    environments = [_named(name, table) for name, table in named.items()]
    return environments + [
        _found(compiler, mpi, "native") for compiler in toolchain.compilers() for mpi in toolchain.mpis()
    ]


def _pick(words: set[str]) -> BuildEnvironment:
    compilers, mpis = toolchain.compilers(), toolchain.mpis()
    for family in words & {"gcc", "clang"}:
        compilers = tuple(one for one in compilers if one.family == family)
    for flavour in words & {"openmpi", "mpich"}:
        mpis = tuple(one for one in mpis if one.flavour == flavour)
    if not compilers or not mpis:
        asked = "+".join(sorted(words))
        have = ", ".join(one.label for one in toolchain.compilers() + toolchain.mpis())
        raise TenkenError(f"environment '{asked}' is not possible here: found {have}; install what is missing.")
    return _found(compilers[0], mpis[0], "portable" if "portable" in words else "native", "sanitize" in words)


def _found(compiler: Compiler, mpi: Mpi, isa: str, sanitize: bool = False) -> BuildEnvironment:
    isa_name = toolchain.native_isa(compiler) if isa == "native" else "portable"
    name = f"{compiler.label}-{mpi.label}-{isa_name}{'-sanitize' if sanitize else ''}"
    return BuildEnvironment(name, compiler, mpi, isa, isa_name, sanitize=sanitize)


def _named(name: str, table: Mapping[str, Any]) -> BuildEnvironment:
    for key in table:
        if key not in _KEYS:
            raise unknown("key", key, _KEYS, of=f" in [environment.{name}]")
    modules = table.get("modules", ())
    modules = tuple(modules.split() if isinstance(modules, str) else modules)
    prelude = module_prelude(modules)
    compiler = toolchain.compiler(table["cxx"], prelude) if "cxx" in table else toolchain.compilers()[0]
    if compiler is None:
        raise TenkenError(f"environment {name}: cxx = '{table['cxx']}' is not a GCC or Clang that runs on this node.")
    if "mpi_cxx" in table:
        wrapper = table["mpi_cxx"]
        launcher = table.get("mpirun", wrapper.replace("mpicxx", "mpirun").replace("mpic++", "mpirun"))
        mpi = toolchain.mpi(wrapper, launcher, prelude)
        if mpi is None:
            raise TenkenError(
                f"environment {name}: mpi_cxx = '{wrapper}' and launcher '{launcher}' do not run here or do not belong "
                "together; give both, as mpi_cxx and mpirun."
            )
    else:
        mpi = toolchain.mpis()[0]
    preset = table.get("preset", "native")
    if preset not in ("native", "portable", "sanitize"):
        raise unknown("preset", str(preset), ("native", "portable", "sanitize"), of=f" in [environment.{name}]")
    isa = "portable" if preset == "portable" else "native"
    isa_name = toolchain.native_isa(compiler, prelude) if isa == "native" else isa
    return BuildEnvironment(name, compiler, mpi, isa, isa_name, table.get("flags", ""), modules,
                            preset == "sanitize", table.get("launcher", ""))
