"""`tenken run` with fake check programs: python fake_tenken.py CHECKS-FOLDER BUILD-FOLDER ARGUMENTS..."""

import sys
from pathlib import Path

from fake_build import ENVIRONMENT, fake_build

from tenken.cli import here, rerun, run
from tenken.cli.main import main
from tenken.launch.build import Built
from tenken.store.checkfile import load_checks


def start(checks_folder: Path, build_folder: Path, arguments: list[str]) -> int:
    checks = load_checks([checks_folder])
    built = Built(ENVIRONMENT, build_folder, {})
    if not build_folder.exists():
        built = fake_build(build_folder, *checks)
    here.catalogue = lambda: (checks, {})
    run.environments.select = lambda wanted, named: ENVIRONMENT
    run.build = rerun.build = lambda tree, environment, progress: built
    return main(arguments)


if __name__ == "__main__":
    sys.exit(start(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
