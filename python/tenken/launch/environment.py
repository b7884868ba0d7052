"""The environments under which checks can be built and run here, and the choice among them.

An environment is detected (`<compiler>-<mpi>-<isa>`) or named in a machine file (`[environment.NAME]`). Its build folder
carries a fingerprint of everything that changes the machine code, so that two nodes or two modules never share one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tenken.base.errors import TenkenError
from tenken.base.words import unknown
from tenken.launch import build_place, instructions, toolchain
from tenken.launch.toolchain import Compiler, Mpi

VECTOR_BYTES = (16, 32, 64)  # of vectors; 0 = native: those of the node
_VECTORS = {f"vector{size}": size for size in VECTOR_BYTES}
WORDS = ("gcc", "clang", "openmpi", "mpich", "portable", *instructions.SETS, *_VECTORS, "sanitize")
_KEYS = ("cxx", "mpi_cxx", "mpirun", "modules", "flags", "preset", "vector_bytes", "launcher", "variables")
_WITH_PROGRAMS_OF = ("programs_of", "launcher", "variables")  # keys that can change without another build


@dataclass(frozen=True, slots=True)
class BuildEnvironment:
    """Compiler, MPI, flags and modules under which kernels are built and run."""

    name: str
    compiler: Compiler
    mpi: Mpi
    isa: str  # native | portable, which `flags` may raise to a set of instructions
    isa_name: str  # the meaning of native on this node; else portable or the name of the set
    flags: str = ""
    modules: tuple[str, ...] = ()
    sanitize: bool = False
    launcher: str = ""  # template of the start, see launch/command.py; "" = by the flavour of the MPI
    variables: tuple[tuple[str, str], ...] = ()  # of every launch, over those that Tenken sets
    programs_of: str = ""  # name of the environment whose build runs here; "" = its own
    vector_bytes: int = 0  # a value of VECTOR_BYTES, or 0

    @property
    def fingerprint(self) -> str:
        """8 hex digits over all that changes the machine code."""
        facts = [
            self.compiler.family, self.compiler.version, self.mpi.flavour, self.mpi.version,
            self.isa, self.isa_name, self.flags, list(self.modules), self.sanitize,
        ]
        if self.vector_bytes:
            facts.append(f"vectors of {self.vector_bytes} bytes")
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:8]

    def build_folders(self, tree: Path) -> list[Path]:
        """Where its programs may be, in this order; they are built in the last."""
        return [root / f"{self.build_name}-{self.fingerprint}" for root in build_place.roots(tree)]

    @property
    def build_name(self) -> str:
        """The name under which its programs were built."""
        return self.programs_of or self.name

    @property
    def prelude(self) -> str:
        """Shell lines that load the modules; "" where there are none."""
        return module_prelude(self.modules)

    def describe(self) -> dict[str, Any]:
        """Its description in run.json."""
        return {
            "name": self.name, "compiler": f"{self.compiler.command} {self.compiler.version}", "mpi": self.mpi.title,
            "isa": self.isa_name or self.isa, "flags": self.flags,
            "modules": list(self.modules), "variables": dict(self.variables), "launcher": self.launcher,
            "sanitize": self.sanitize, "vector_bytes": self.vector_bytes or "native", "fingerprint": self.fingerprint,
        }


def module_prelude(modules: tuple[str, ...]) -> str:
    if not modules:
        return ""
    return f'. "${{LMOD_PKG:-${{MODULESHOME:-/usr/share/modules}}}}/init/bash"\nmodule load {" ".join(modules)}'


class Named(dict[str, Mapping[str, Any]]):
    """Tables of environments by name; `default` is the first of the machine file, None where it has none.

    A file in a folder of environments lists possible environments, not this machine's choice.
    """

    default: str | None = None


def select(wanted: str | None, named: Mapping[str, Mapping[str, Any]]) -> BuildEnvironment:
    """The environment to use here.

    `wanted` is None (the machine file's first, else the best detected), a word of WORDS, several of them joined by "+", the
    name of a detected environment, or a name out of
    `named` (the `[environment.NAME]` tables of the machine file and the user's configuration).
    """
    if wanted is not None and wanted in named:
        return _named(wanted, named)
    default = getattr(named, "default", None)
    if wanted is None and default is not None:
        return _named(default, named)
    words = set(wanted.split("+")) if wanted else set()
    if words <= set(WORDS):
        return _pick(words)
    sets = [isa_set for isa_set in instructions.SETS if f"-{isa_set}" in str(wanted)]  # these alone are refused where they lack
    environments = [_detected(compiler, mpi, isa, sanitize, vector_bytes) for sanitize in (False, True)
             for vector_bytes in (0, *VECTOR_BYTES) for isa in ("native", "portable", *sets)
             for compiler in toolchain.compilers() for mpi in toolchain.mpis()]
    for environment in environments:
        if environment.name == wanted:
            return environment
    plain = [environment.name for environment in environments
             if not (environment.sanitize or environment.vector_bytes or environment.isa_name in sets)]
    raise unknown("environment", str(wanted), [*WORDS, *named, *plain])


def available(named: Mapping[str, Mapping[str, Any]]) -> list[BuildEnvironment]:
    """All that can be used here, the default first."""
    best = select(None, named).name
    environments = [_named(name, named) for name in named] + [
        _detected(compiler, mpi, "native") for compiler in toolchain.compilers() for mpi in toolchain.mpis()
    ]
    return sorted(environments, key=lambda environment: environment.name != best)


def _pick(words: set[str]) -> BuildEnvironment:
    compilers, mpis = toolchain.compilers(), toolchain.mpis()
    for family in words & {"gcc", "clang"}:
        compilers = tuple(compiler for compiler in compilers if compiler.family == family)
    for flavour in words & {"openmpi", "mpich"}:
        mpis = tuple(mpi for mpi in mpis if mpi.flavour == flavour)
    if not compilers or not mpis:
        asked = "+".join(sorted(words))
        have = ", ".join(compiler.label for compiler in toolchain.compilers() + toolchain.mpis())
        raise TenkenError(f"environment '{asked}' is not possible here: found {have}; install the missing part.")
    vectors = [word for word in _VECTORS if word in words]
    if len(vectors) > 1:
        asked, valid = "+".join(sorted(words)), ", ".join(vectors)
        raise TenkenError(f"environment '{asked}' asks for vectors of several sizes; give one of {valid}.")
    isas = [word for word in ("portable", *instructions.SETS) if word in words]
    if len(isas) > 1:
        asked = "+".join(sorted(words))
        raise TenkenError(f"environment '{asked}' asks for several sets of instructions; give one of {', '.join(isas)}.")
    return _detected(compilers[0], mpis[0], isas[0] if isas else "native", "sanitize" in words,
                     _VECTORS[vectors[0]] if vectors else 0)


def _detected(compiler: Compiler, mpi: Mpi, isa: str, sanitize: bool = False, vector_bytes: int = 0) -> BuildEnvironment:
    isa_name = toolchain.native_isa(compiler) if isa == "native" else isa
    isa_set = instructions.required(isa) if isa in instructions.SETS else None
    vectors = f"-vector{vector_bytes}" if vector_bytes else ""
    name = f"{compiler.label}-{mpi.label}-{isa_name}{vectors}{'-sanitize' if sanitize else ''}"
    return BuildEnvironment(
        name, compiler, mpi, "portable" if isa_set else isa, isa_name, isa_set.flags if isa_set else "", sanitize=sanitize,
        variables=isa_set.variables if isa_set else (), vector_bytes=vector_bytes,
    )


def _named(name: str, named: Mapping[str, Mapping[str, Any]]) -> BuildEnvironment:
    table = named[name]
    if "programs_of" in table:
        return _like(name, named)
    for key in table:
        if key not in _KEYS:
            raise unknown("key", key, _KEYS, of=f" in [environment.{name}]")
    modules = table.get("modules", ())
    modules = tuple(modules.split() if isinstance(modules, str) else modules)
    _require_plain(name, table, modules)
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
                            preset == "sanitize", table.get("launcher", ""), _variables(name, table),
                            vector_bytes=_vector_bytes(name, table))


def _vector_bytes(name: str, table: Mapping[str, Any]) -> int:
    size = table.get("vector_bytes", "native")
    if size == "native":
        return 0
    if isinstance(size, bool) or size not in VECTOR_BYTES:
        raise TenkenError(
            f"environment {name}: vector_bytes = {size!r}: expected {', '.join(map(str, VECTOR_BYTES))} or 'native'."
        )
    return int(size)


# A file's text for these keys reaches shells, of modules and of the build: nothing in it may mean anything to a shell.
_WORD = r"[A-Za-z0-9_/][A-Za-z0-9_.+@:/-]*", "letters, digits and _ . + @ : / - only"
_FLAGS = r"[A-Za-z0-9_.+@:/=,%~ -]*", "letters, digits, blanks and _ . + @ : / = , % ~ - only"


def _require_plain(name: str, table: Mapping[str, Any], modules: tuple[Any, ...]) -> None:
    """TenkenError, naming the key, where the table of an environment has text that a shell would take for more than a word."""
    words = [("name", name), *(("modules", module) for module in modules)]
    words += [(key, table[key]) for key in ("cxx", "mpi_cxx", "mpirun") if key in table]
    for key, value, (pattern, letters) in [*((*word, _WORD) for word in words), ("flags", table.get("flags", ""), _FLAGS)]:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise TenkenError(f"environment {name}: {key}: '{value}' is refused, because it would reach a shell; {letters}.")


def _like(name: str, named: Mapping[str, Mapping[str, Any]]) -> BuildEnvironment:
    """An environment that runs the programs of another environment, with other variables or another launcher."""
    table = named[name]
    for key in table:
        if key not in _WITH_PROGRAMS_OF:
            raise unknown("key", key, _WITH_PROGRAMS_OF, of=f" in [environment.{name}] beside programs_of")
    other = str(table["programs_of"])
    if "programs_of" in named.get(other, {}):
        raise TenkenError(f"environment {name}: programs_of = '{other}' builds no programs; name an environment that does.")
    base = select(other, named)
    variables = dict(base.variables) | dict(_variables(name, table))
    return replace(
        base, name=name, launcher=table.get("launcher", base.launcher), variables=tuple(sorted(variables.items())),
        programs_of=base.name,
    )


def _variables(name: str, table: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    variables = table.get("variables", {})
    if not isinstance(variables, Mapping) or not all(isinstance(value, str) for value in variables.values()):
        raise TenkenError(
            f"environment {name}: variables: expected a table of strings, as {{LD_PRELOAD = '/opt/x/libmpi.so'}}."
        )
    for variable in variables:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", variable):
            raise TenkenError(f"environment {name}: '{variable}' cannot be the name of a variable; letters, digits and _ only.")
    return tuple(sorted(variables.items()))
