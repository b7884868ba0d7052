from __future__ import annotations

import errno
import fcntl
import os
from dataclasses import replace
from pathlib import Path

import pytest

from fake_build import ENVIRONMENT, check
from tenken.base.errors import TenkenError
from tenken.launch import lock, processes
from tenken.launch.build import Built, build, compiler_cache, programs

CMAKE = """#!/bin/sh
case "$1" in
  --version) echo "cmake version {version}" ;;
  -S) echo "$*" >> {log}; mkdir -p "$4"; printf 'dgemm\\t\\tno CBLAS\\ntoy\\tgpu\\tno CUDA\\n' > "$4/unavailable.txt" ;;
  --build) shift 4; echo "build" "$@" >> {log}; {compile} ;;
esac
"""


class Site:
    """A tree with one source, and a fake cmake in PATH that notes what it is asked."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tree, self.bin, self.log = folder / "tree", folder / "bin", folder / "log"
        (self.tree / "cpp").mkdir(parents=True)
        self.bin.mkdir()
        self.source = self.tree / "cpp/one.cpp"
        self.source.write_text("int main() {}")
        self.said: list[str] = []
        monkeypatch.setenv("PATH", f"{self.bin}:/usr/bin:/bin")
        self.cmake()

    def cmake(self, compile: str = "echo '[1/2] x'", version: str = "3.25.1") -> None:
        (self.bin / "cmake").write_text(CMAKE.format(log=self.log, compile=compile, version=version))
        (self.bin / "cmake").chmod(0o755)

    def build(self, **options: object) -> Built:
        return build(self.tree, ENVIRONMENT, lambda line, stays: self.said.append(line), **options)

    def asked(self) -> list[str]:
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return lines


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    return Site(tmp_path, monkeypatch)


def test_builds_once_until_a_source_changes(site: Site) -> None:
    built = site.build()
    configure, compile_ = site.asked()
    for option in ("-DCMAKE_CXX_COMPILER=g++", "-DMPI_CXX_COMPILER=mpicxx", "-DTENKEN_ISA=native",
                   "-DTENKEN_ENVIRONMENT=fake", "-DTENKEN_PYTHON=", "-DCMAKE_BUILD_TYPE=Release"):
        assert option in configure
    assert compile_ == "build" and built.unavailable == {("dgemm", ""): "no CBLAS", ("toy", "gpu"): "no CUDA"}
    assert [built.missing(check(name), variant) for name, variant in (("dgemm", "any"), ("toy", "gpu"), ("toy", "plain"))] == [
        "no CBLAS", "no CUDA", None]
    assert "build    fake: compile 1/2" in site.said
    site.build()
    assert site.asked() == [] and site.said[-1] == "build    fake: up to date"
    site.source.write_text("int main() { return 1; }")
    site.build()
    assert len(site.asked()) == 2


def test_a_tree_that_cannot_be_written_is_used_as_it_is_built(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_tree = site.build().folder
    with (of_tree / ".lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert site.build().folder == of_tree, "where nothing is built nobody waits"
    site.asked()
    monkeypatch.setattr("tenken.launch.build_place.os.access", lambda path, mode: False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (of_tree / ".lock").unlink()
    assert site.build().folder == of_tree and site.asked() == [] and not (of_tree / ".lock").exists()
    site.source.write_text("int main() { return 0; }")
    own = site.build().folder
    assert own == tmp_path / "cache/tenken/build" / of_tree.name and len(site.asked()) == 2
    assert site.build().folder == own and site.asked() == []


def test_a_file_system_without_locks_is_named_once_and_built_on(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    monkeypatch.setattr(lock, "_noted", [])
    folder = site.build().folder
    site.source.write_text("int main() { return 1; }")
    site.build()
    assert len(site.asked()) == 4 and sum("no locks (No locks available)" in line for line in site.said) == 1
    assert [path.name for path in folder.glob(".lock*")] == [".lock"]


def test_a_stopped_build_is_named_with_the_command_that_ends_it(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = site.build().folder
    site.source.write_text("int main() { return 1; }")
    monkeypatch.setattr(processes, "is_stopped", lambda pid: True)
    with lock.locked(folder / ".lock", lambda holder: None):
        with pytest.raises(TenkenError, match=rf"another tenken \(process {os.getpid()} on .*stopped; .*kill -9 {os.getpid()}$"):
            site.build()


def test_builds_lie_where_the_user_says(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site.build()
    site.asked()
    monkeypatch.setenv("TENKEN_BUILD", str(tmp_path / "mine"))
    assert site.build().folder.parent == tmp_path / "mine" and len(site.asked()) == 2
    (tmp_path / "file").touch()
    monkeypatch.setenv("TENKEN_BUILD", str(tmp_path / "file"))
    with pytest.raises(TenkenError, match="cannot write .*; free some space, or name a folder .*: TENKEN_BUILD=FOLDER"):
        site.build()


def test_editors_find_the_newest_compile_commands(site: Site) -> None:
    link = site.tree / "build/compile_commands.json"
    for name in ("one", "two"):
        folder = build(site.tree, replace(ENVIRONMENT, name=name), lambda line, stays: None).folder
        assert link.is_symlink() and link.parent / link.readlink() == folder / "compile_commands.json"
    build(site.tree, replace(ENVIRONMENT, name="three", sanitize=True), lambda line, stays: None)
    assert link.readlink().parts[0] == folder.name, "not those of a build for tests alone"
    assert {path.name for path in link.parent.iterdir() if not path.is_dir()} == {link.name}, "nothing else is left"


def test_the_build_with_tests_serves_a_run_too(site: Site) -> None:
    site.build(tests=True)
    assert "-DTENKEN_TESTS=ON" in site.asked()[0]
    site.build()
    assert site.asked() == []


def test_what_was_missing_is_looked_for_again_when_asked(site: Site) -> None:
    site.build()
    site.asked()
    site.build(look_again=True)
    assert len(site.asked()) == 2


def test_a_part_is_not_taken_for_the_whole(site: Site) -> None:
    site.build(targets=["tenken-probe"])
    assert site.asked()[1] == "build --target tenken-probe"
    site.build()
    assert site.asked()[1] == "build"
    site.build(targets=["stream"])
    assert site.asked() == [], "the whole has every part"
    site.build(targets=["fuzzers"])
    assert len(site.asked()) == 2, "but for the fuzzers"


def test_parts_add_up_until_a_source_changes(site: Site) -> None:
    site.build(targets=["stream"])
    site.build(targets=["dgemm"])
    site.asked()
    site.build(targets=["dgemm", "stream"])
    assert site.asked() == []
    site.source.write_text("int main() { return 1; }")
    site.build(targets=["dgemm"])
    site.asked()
    site.build(targets=["stream"])
    assert site.asked()[1] == "build --target stream", "of the sources before"


def test_a_run_builds_its_own_checks_and_the_probe(tmp_path: Path) -> None:
    for name in ("stream", "dgemm"):
        (tmp_path / "checks" / name).mkdir(parents=True)
        (tmp_path / "checks" / name / "check.toml").touch()
    assert programs(tmp_path, ["stream", "gone"]) == {"tenken-probe", "stream"}


def test_a_part_built_with_tests_keeps_them(site: Site) -> None:
    site.build(tests=True, targets=["tests_stream"])
    site.build(targets=["stream"])
    assert "-DTENKEN_TESTS=ON" in site.asked()[2]
    site.build(tests=True, targets=["tests_stream"])
    assert site.asked() == []


def test_a_failure_shows_the_compilers_first_error_and_the_log(site: Site) -> None:
    site.cmake("echo 'one.cpp:1:5: error: no such thing'; echo note; exit 1")
    with pytest.raises(TenkenError, match=r"failed in step compile; log: .*build\.log\n  one\.cpp:1:5: error: no such"):
        site.build()
    site.cmake()
    site.asked()
    site.build()
    assert len(site.asked()) == 2, "a failed build is done again"


def test_a_compiler_cache_is_used_and_tells_processors_apart(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CMAKE_CXX_COMPILER_LAUNCHER", raising=False)
    monkeypatch.setenv("PATH", str(site.bin))
    assert compiler_cache(ENVIRONMENT) == {}
    (site.bin / "ccache").write_text("#!/bin/sh\n")
    (site.bin / "ccache").chmod(0o755)
    spaces = set()
    for features in ({"avx2"}, {"avx2", "avx512f"}):
        monkeypatch.setattr("tenken.launch.build.processor_features", lambda features=features: frozenset(features))
        variables = compiler_cache(ENVIRONMENT)
        assert variables["CMAKE_CXX_COMPILER_LAUNCHER"] == "ccache"
        spaces.add(variables["CCACHE_NAMESPACE"])
    assert len(spaces) == 2
    monkeypatch.setenv("CMAKE_CXX_COMPILER_LAUNCHER", "mine")
    assert compiler_cache(ENVIRONMENT) == {}


def test_an_old_cmake_is_refused(site: Site) -> None:
    site.cmake(version="3.18.4")
    with pytest.raises(TenkenError, match=r"cmake is 3\.18, Tenken needs >= 3\.25; install package cmake"):
        site.build()


FAILS = """case " $* " in
    *" -k "*|*" bad "*) echo 'checks/bad/kernel.cpp:3:1: error: no semicolon'; echo ' here'; exit 1 ;;
    *) echo '[1/1] x' ;;
  esac"""


def checks_of(site: Site, *names: str) -> None:
    for name in names:
        (site.tree / "checks" / name).mkdir(parents=True)
        (site.tree / "checks" / name / "check.toml").write_text("")


def test_a_check_that_does_not_compile_takes_out_itself_alone(site: Site) -> None:
    checks_of(site, "bad", "good", "dgemm")
    site.cmake(compile=FAILS)
    built = site.build(targets={"bad", "good", "tenken-probe"})
    assert list(built.broken) == ["bad"]
    assert built.broken["bad"].startswith("does not compile: checks/bad/kernel.cpp:3:1: error: no semicolon here; log: ")
    assert any("bad is left out: it does not compile: checks/bad/kernel.cpp:3:1" in line for line in site.said)
    assert site.asked()[-1] == "build --target good tenken-probe"
    assert built.missing(check("bad"), "plain") == built.broken["bad"] and built.missing(check("good"), "plain") is None
    site.build(targets={"good"})
    assert site.asked() == [], "what compiled is up to date"
    assert list(site.build(targets={"bad", "good"}).broken) == ["bad"] and site.asked(), "what did not is tried again"
    everything = site.build()
    assert list(everything.broken) == ["bad"] and site.asked()[-1] == "build --target good tenken-probe"


def test_an_error_in_what_all_share_or_in_the_only_check_fails_the_build(site: Site) -> None:
    checks_of(site, "bad", "good")
    site.cmake(compile=FAILS)
    with pytest.raises(TenkenError, match="failed in step compile") as failed:
        site.build(targets={"bad", "tenken-probe"})
    assert "no semicolon" in str(failed.value)
    site.cmake(compile="echo 'cpp/base/error.hpp:1: error: all'; exit 1")
    with pytest.raises(TenkenError, match="base/error.hpp"):
        site.build(targets={"bad", "good"})
    site.cmake(compile=FAILS)
    with pytest.raises(TenkenError, match="no semicolon"):  # tests are of all
        site.build(targets={"bad", "good"}, tests=True)
