"""`tenken run` with fake check programs: python fake_tenken.py CHECKS-FOLDER BUILD-FOLDER ARGUMENTS..."""

import sys
from dataclasses import replace
from pathlib import Path

from fake_build import ENVIRONMENT, ENVIRONMENTS, fake_build

from tenken.base.words import unknown
from tenken.cli import builds, compare_env, here
from tenken.cli.main import main
from tenken.launch.build import Built
from tenken.launch.environment import BuildEnvironment
from tenken.model.check import Suite
from tenken.store.checkfile import load_checks


def select(wanted: str | None, named: object) -> BuildEnvironment:
    """One environment under several names, as different as their variables make them."""
    if wanted in (None, "fake"):
        return ENVIRONMENT
    if wanted not in ENVIRONMENTS:
        raise unknown("environment", wanted, ENVIRONMENTS)
    return replace(ENVIRONMENT, name=wanted, variables=tuple(sorted(ENVIRONMENTS[wanted].items())), programs_of="fake")


def start(checks_folder: Path, build_folder: Path, arguments: list[str]) -> int:
    checks = load_checks([checks_folder])
    built = Built(ENVIRONMENT, build_folder, {})
    if not build_folder.exists():
        built = fake_build(build_folder, *checks)
    said = "does not compile: kernel.cpp:3:1: error: no semicolon; log: build.log"
    built = replace(built, broken={name: said for name in checks if name.startswith("uncompiled")})
    suite = Suite("all", "All", "Do all work?", 60.0, "given", tuple(f"{name}:small" for name in checks))
    here.catalogue = lambda: (checks, {"all": suite})
    builds.environments.select = select
    builds.build = lambda tree, environment, progress, targets: built
    compare_env.build = lambda tree, environment, progress, targets: replace(built, environment=environment)
    return main(arguments)


if __name__ == "__main__":
    sys.exit(start(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
