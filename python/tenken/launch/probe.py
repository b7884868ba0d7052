"""A probe on every node that takes part, started as the checks will be: by the MPI launcher or the scheduler."""

from __future__ import annotations

import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tenken.base.errors import TenkenError
from tenken.launch.build import Built
from tenken.launch.build_place import writable
from tenken.launch.command import Command, command, require_hosts
from tenken.model.check import Case

_SECONDS = 60
_LAST = 200  # characters of the output of a failed launcher

Run = Callable[[Command], tuple[int, str]]


def probe_nodes(
    built: Built, on: str, nodes: int, cores: int, run: Run | None = None, without: Sequence[str] = ()
) -> tuple[list[str], str]:
    """The output of tenken-probe on each of `nodes` nodes of `cores` cores, and why some may be missing ("" where it ended well).

    Several nodes write into a folder beside the programs or of the user, which all of them can see. TenkenError where none
    answered.
    """
    folder = _folder(built, alone=on == "local" and nodes == 1)
    try:
        code, errors = (run or _run)(probe_command(built, on, nodes, cores, folder, without))
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.glob("*.json"))]
    except OSError as error:
        raise TenkenError(f"{built.probe} cannot run here ({error}); build again with ./tenken build.") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    why = " ".join(errors.split())[-_LAST:] if code else ""
    if not texts:
        raise TenkenError(f"{built.probe} failed: {why or 'no node answered'}; run it by hand to see more.")
    return texts, why


def _folder(built: Built, alone: bool) -> Path:
    if alone:
        return Path(tempfile.mkdtemp(prefix="tenken-probe-"))
    folder = writable(built.folder) / f"nodes-{secrets.token_hex(4)}"
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        advice = "name a folder that all nodes see: XDG_CACHE_HOME=FOLDER"
        raise TenkenError(f"cannot write {folder.parent}: {error.strerror}; {advice}.") from None
    return folder


def probe_command(
    built: Built, on: str, nodes: int, cores: int, folder: Path, without: Sequence[str] = ()
) -> Command:
    """The start of a probe on each node; on this node alone no launcher is needed."""
    program = [str(built.probe), "--out", str(folder)]
    if on == "local" and nodes == 1:
        return Command(tuple(program), {})
    # A rank for each node, with as many threads as there are cores: launchers then spread them over the nodes.
    case = Case("probe", "nodes", "", {}, nodes, cores, 1, _SECONDS)
    start = command(case, built.probe, built.environment, folder, on, nodes)
    words: Sequence[str] = start.words[: start.words.index(str(built.probe))]
    if on == "slurm":  # a rank on each node, and a node that fails takes no other with it
        leave_out = [f"--exclude={','.join(require_hosts(without))}"] if without else []
        words = ["srun", *leave_out, "-N", str(nodes), "-n", str(nodes), "-c", str(cores), "--cpu-bind=none",
                 "--kill-on-bad-exit=0"]
    return Command((*words, *program), start.variables, start.prelude)


def expected_hosts(on: str) -> list[str]:
    """The nodes of this Slurm allocation by name; empty where nobody knows them before they answer."""
    if on != "slurm" or shutil.which("scontrol") is None:
        return []
    try:
        done = subprocess.run(["scontrol", "show", "hostnames"], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return done.stdout.split()


def _run(start: Command) -> tuple[int, str]:
    """Exit code and standard error; a hanging node is left behind after a while, the output of the others counts."""
    try:
        done = subprocess.run(
            ["bash", "-c", start.script()], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=_SECONDS, check=False,
        )
    except subprocess.TimeoutExpired:
        return 124, f"no answer within {_SECONDS} s"
    return done.returncode, done.stderr or done.stdout
