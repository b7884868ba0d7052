from __future__ import annotations

from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.launch import environment, toolchain

GCC = """case $1 in
  --version) echo "g++ (Debian {v}) {v}"; echo "Copyright (C) 2022 Free Software Foundation, Inc." ;;
  -dumpfullversion) echo {v} ;;
  -march=native) echo "  -march=    	znver3" ;;
esac"""
CLANG = 'case $1 in --version) echo "Debian clang version 16.0.6" ;; *) echo \'"-target-cpu" "znver3"\' ;; esac'
OPEN_MPI = 'echo "mpirun.openmpi (OpenRTE) 4.1.4"'
OPEN_MPI_5 = 'echo "mpirun (Open MPI) 5.0.3"'
HYDRA = 'echo "HYDRA build details:"; echo "    Version:                                 4.0.2"'
OPEN_MPI_WRAPPER = '[ "$1" = --showme:version ] && echo "mpicxx: Open MPI 4.1.4 (Language: C++)"'
MPICH_WRAPPER = '[ "$1" = -show ] && echo "g++ -lmpich"'


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Adds fake programs to a PATH that holds nothing else but the shell."""
    monkeypatch.setenv("PATH", str(tmp_path))

    def add(**programs: str) -> None:
        for name, text in programs.items():
            program = tmp_path / name.replace("_", ".").replace("pp", "++")
            program.write_text(f"#!/bin/sh\n{text}\n")
            program.chmod(0o755)

    return add


def test_the_pairs_are_called_by_their_own_names(path) -> None:
    path(gpp=GCC.format(v="12.2.0"), clangpp=CLANG, mpicxx_openmpi=OPEN_MPI_WRAPPER, mpirun_openmpi=OPEN_MPI,
         mpicxx_mpich=MPICH_WRAPPER, mpirun_mpich=HYDRA)
    assert [one.name for one in environment.available({})] == [
        "gcc12-openmpi4-znver3", "gcc12-mpich4-znver3", "clang16-openmpi4-znver3", "clang16-mpich4-znver3",
    ]
    best = environment.select(None, {})
    assert (best.mpi.wrapper, best.mpi.launcher) == ("mpicxx.openmpi", "mpirun.openmpi")
    both = environment.select("clang+mpich", {})
    assert both.name == "clang16-mpich4-znver3" and both == environment.select(both.name, {})
    words = (None, "clang", "mpich", "portable", "sanitize", "vector16", "vector32", "vector64", "clang+vector32+sanitize")
    folders = {environment.select(one, {}).build_folders(Path("/t"))[0] for one in words}
    assert len(folders) == len(words)
    narrow = environment.select("vector16+portable", {})
    assert (narrow.name, narrow.vector_bytes) == ("gcc12-openmpi4-portable-vector16", 16)
    assert narrow == environment.select(narrow.name, {}) and narrow.describe()["vector_bytes"] == 16
    assert best.vector_bytes == 0 and best.describe()["vector_bytes"] == "native"
    sentence = r"'vector16\+vector32' asks for vectors of several sizes; give one of vector16, vector32\."
    with pytest.raises(TenkenError, match=sentence):
        environment.select("vector32+vector16", {})
    with pytest.raises(TenkenError, match=r"'avx2\+portable' asks for several sets .* give one of portable, avx2\."):
        environment.select("portable+avx2", {})
    with pytest.raises(TenkenError, match=r"unknown environment 'gc'; did you mean gcc\?"):
        environment.select("gc", {})


def test_a_loaded_module_comes_first(path) -> None:
    path(gpp=GCC.format(v="12.2.0"), mpicxx=OPEN_MPI_WRAPPER, mpirun=OPEN_MPI_5, mpicxx_mpich=MPICH_WRAPPER,
         mpirun_mpich=HYDRA)
    first, second = toolchain.mpis()
    assert (first.wrapper, first.label, second.label) == ("mpicxx", "openmpi5", "mpich4")


def test_a_wrapper_and_a_launcher_of_two_installations_are_no_pair(path) -> None:
    path(mpicxx=OPEN_MPI_WRAPPER, mpirun=HYDRA)
    with pytest.raises(TenkenError, match="no MPI found: .* libopenmpi-dev .* module such as openmpi/4"):
        toolchain.mpis()


def test_an_old_compiler_is_refused_by_name(path) -> None:
    path(gpp=GCC.format(v="11.4.0"))
    with pytest.raises(TenkenError, match=r"no C\+\+20 compiler found \(found only g\+\+ 11.4.0\): .* g\+\+ >= 12"):
        toolchain.compilers()


def test_what_is_not_here_is_refused(path) -> None:
    path(gpp=GCC.format(v="12.2.0"), mpicxx=MPICH_WRAPPER, mpirun=HYDRA)
    with pytest.raises(TenkenError, match="'openmpi' is not possible here: found gcc12, mpich4"):
        environment.select("openmpi", {})


def test_named_environments(path) -> None:
    path(gpp=GCC.format(v="12.2.0"), mpicxx=MPICH_WRAPPER, mpirun=HYDRA)
    named = {"site": {"cxx": "g++", "flags": "-mtune=a64fx", "preset": "portable", "launcher": "aprun -n {ranks}"}}
    site = environment.select("site", named)
    assert (site.name, site.isa, site.launcher) == ("site", "portable", "aprun -n {ranks}")
    assert environment.select(None, named).name != "site", "lying in a folder makes nothing the default"
    own = environment.Named(named)
    own.default = "site"
    assert environment.select(None, own) == site, "the machine file's own environment is the default"
    assert environment.available(own)[0] == site != environment.available(named)[0]
    other = environment.select("site", {"site": {**named["site"], "flags": "-O2"}})
    assert other.fingerprint != site.fingerprint
    with pytest.raises(TenkenError, match=r"unknown key 'flag' in \[environment.site\]; did you mean flags\?"):
        environment.select("site", {"site": {"flag": "-O2"}})
    wide = environment.select("site", {"site": {**named["site"], "vector_bytes": 64}})
    assert wide.vector_bytes == 64 and wide.fingerprint != site.fingerprint
    assert environment.select("site", {"site": {**named["site"], "vector_bytes": "native"}}) == site
    for size in (24, "64", True, 0):
        with pytest.raises(TenkenError, match=r"environment site: vector_bytes = .*: expected 16, 32, 64 or 'native'\."):
            environment.select("site", {"site": {"vector_bytes": size}})
    with pytest.raises(TenkenError, match="cxx = 'icc' is not a GCC or Clang"):
        environment.select("site", {"site": {"cxx": "icc"}})


def test_an_environment_may_run_the_programs_of_another(path) -> None:
    path(gpp=GCC.format(v="12.2.0"), mpicxx=MPICH_WRAPPER, mpirun=HYDRA)
    table = {"cxx": "g++", "variables": {"A": "1", "B": "1"}}
    site, same = "site", {"programs_of": "site", "variables": {"B": "2"}, "launcher": "srun -n {ranks}"}
    named = {site: table, "same": same, "found": {"programs_of": "gcc+mpich"}, "chain": {"programs_of": "same"}}
    old, new = environment.select(site, named), environment.select("same", named)
    assert new.build_folders(Path("/t")) == old.build_folders(Path("/t")) and new.build_name == "site"
    assert (new.name, dict(new.variables), new.launcher) == ("same", {"A": "1", "B": "2"}, "srun -n {ranks}")
    assert new.describe()["variables"] == {"A": "1", "B": "2"}
    assert environment.select("found", named).build_name == "gcc12-mpich4-znver3"
    with pytest.raises(TenkenError, match="programs_of = 'same' builds no programs"):
        environment.select("chain", named)
    with pytest.raises(TenkenError, match=r"unknown key 'flags' in \[environment.x\] beside programs_of"):
        environment.select("x", {site: table, "x": {"programs_of": "site", "flags": "-O2"}})


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [({"A": 1}, "expected a table of strings"), ("A=1", "expected a table of strings"), ({"A;b": "1"}, "'A;b' cannot be")],
)
def test_variables_that_cannot_be_set_are_refused(path, variables: object, sentence: str) -> None:
    path(gpp=GCC.format(v="12.2.0"), mpicxx=MPICH_WRAPPER, mpirun=HYDRA)
    with pytest.raises(TenkenError, match=sentence):
        environment.select("site", {"site": {"variables": variables}})


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ({"modules": ["gcc/12;touch /tmp/x"]}, "modules"),
        ({"modules": "gcc/12 $(reboot)"}, "modules"),
        ({"modules": ["-x"]}, "modules"),
        ({"modules": [7]}, "modules"),
        ({"flags": "-O3 `reboot`"}, "flags"),
        ({"flags": "-O3; reboot"}, "flags"),
        ({"cxx": "g++ -x; reboot"}, "cxx"),
        ({"mpi_cxx": "$(reboot)"}, "mpi_cxx"),
        ({"mpirun": "mpirun; reboot"}, "mpirun"),
    ],
)
def test_what_would_reach_a_shell_is_refused_before_it_does(monkeypatch: pytest.MonkeyPatch, table: dict, key: str) -> None:
    asked: list[object] = []
    monkeypatch.setattr(toolchain, "ask", lambda *words: asked.append(words) or "")
    with pytest.raises(TenkenError, match=f"environment odd: {key}: .* would reach a shell"):
        environment.select("odd", {"odd": table})
    assert not asked


def test_an_mpi_is_called_by_the_name_that_its_users_know() -> None:
    pairs = (("openmpi", "4.1.4"), ("mpich", "4.0"))
    titles = [toolchain.Mpi("mpicxx", "mpirun", flavour, version).title for flavour, version in pairs]
    assert titles == ["Open MPI 4.1.4", "MPICH 4.0"]
