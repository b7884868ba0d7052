"""Two nodes on one machine: network namespaces joined by a pair of virtual cards, and MPI programs over both. Needs root.

The nodes have one host name, one set of files and the same processors. Each has a card, an address and shared memory (/dev/shm)
of its own, so that MPI has no way between them but the network, and must see two nodes where the host name says one. Open MPI 4
takes several ranks on a second node for those of the first where both have one name, and hangs: there the nodes have names.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

SKIPPED = 77  # exit code of a test that this machine does not permit
ADDRESSES = ("198.18.77.1", "198.18.77.2")  # of the range kept free for measurements (RFC 2544)
CARD = "link0"
PATIENCE_S = 60  # of one launch: then it hangs

# AGENT [OPTIONS] ADDRESS COMMAND...: what launchers call in the place of ssh.
AGENT = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
address=$1
shift
exec "$(dirname "$0")/enter" "$address" sh -c "$*"
"""
# ENTER ADDRESS COMMAND...: on that node, on its processors, with shared memory and temporary files of its own.
ENTER = """#!/bin/sh
case $1 in
%(first)s) node=%(name)s-1 processors=$TENKEN_FIRST_PROCESSORS ;;
*) node=%(name)s-2 processors=$TENKEN_SECOND_PROCESSORS ;;
esac
shift
export TMPDIR=%(folder)s/$node
inside='mount -t tmpfs none /dev/shm && exec "$@"'
if [ -n "$TENKEN_OWN_NAMES" ]; then
    exec ip netns exec "$node" taskset -c "$processors" unshare --uts sh -c "hostname $node && $inside" sh "$@"
fi
exec ip netns exec "$node" taskset -c "$processors" sh -c "$inside" sh "$@"
"""


class NotPermittedError(Exception):
    """Why there are no two nodes here: a sentence."""


@dataclass
class TwoNodes:
    """`with TwoNodes(mpiexec) as nodes`: made on entry, gone with all their processes on exit."""

    mpiexec: str
    name: str = field(default_factory=lambda: f"tenken-{os.getpid()}")
    delay_us: int | None = None  # each way between them, where the kernel could be told to
    rate_mbit: int | None = None
    open_mpi: bool = False  # of mpiexec

    def __enter__(self) -> TwoNodes:
        for tool in ("ip", "taskset", "mount", "unshare", "hostname"):
            if shutil.which(tool) is None:
                raise NotPermittedError(f"two nodes cannot be made here: {tool} is missing (apt install iproute2 hostname)")
        said = subprocess.run([self.mpiexec, "--version"], capture_output=True, text=True, check=True).stdout
        self.open_mpi = "Open MPI" in said or "OpenRTE" in said
        self.folder = Path(tempfile.mkdtemp(prefix=self.name))
        try:
            self._make()
        except subprocess.CalledProcessError as error:
            self._remove()
            said = (error.stderr or "").strip().splitlines()
            raise NotPermittedError(f"two nodes cannot be made here: {' '.join(error.cmd)}: {said[-1] if said else 'refused'}; "
                                    "this needs root and network namespaces") from None
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._remove()

    def _make(self) -> None:
        first, second = self._spaces()
        for space in (first, second):
            _run("ip", "netns", "add", space)
            (self.folder / space).mkdir()
        ends = [f"tk{os.getpid() % 10**7}{side}" for side in "ab"]  # 15 letters at most
        _run("ip", "link", "add", ends[0], "type", "veth", "peer", "name", ends[1])
        for space, end, address in zip((first, second), ends, ADDRESSES, strict=True):
            _run("ip", "link", "set", end, "netns", space, "name", CARD)
            _run("ip", "-n", space, "address", "add", f"{address}/24", "dev", CARD)
            for card in ("lo", CARD):
                _run("ip", "-n", space, "link", "set", card, "up")
        for script, text in (("agent", AGENT), ("enter", ENTER % {"first": ADDRESSES[0], "name": self.name,
                                                                 "folder": self.folder})):
            path = self.folder / script
            path.write_text(text, encoding="utf-8")
            path.chmod(0o755)
        _run(*self._enter(0), "true", env=self._environment((1, 1)))

    def _remove(self) -> None:
        for space in self._spaces():
            found = subprocess.run(["ip", "netns", "pids", space], capture_output=True, text=True, check=False).stdout
            for pid in map(int, found.split()):
                try:
                    os.kill(pid, 9)
                except ProcessLookupError:
                    continue
            subprocess.run(["ip", "netns", "delete", space], capture_output=True, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def shape(self, delay_us: int, rate_mbit: int) -> None:
        """A network between the nodes that is as slow as that, each way; what this kernel cannot do is left out."""
        netem = ("netem", "delay", f"{delay_us}us", "rate", f"{rate_mbit}mbit")
        bucket = ("tbf", "rate", f"{rate_mbit}mbit", "burst", "64kb", "latency", "50ms")
        self.delay_us = self.rate_mbit = None
        for words in (netem, bucket):
            if all(_tried("tc", "-n", space, "qdisc", "replace", "dev", CARD, "root", *words) for space in self._spaces()):
                self.delay_us = delay_us if words is netem else None
                self.rate_mbit = rate_mbit
                return

    def planted(self) -> str:
        """The network as it was made, in words."""
        delay = f"delay {self.delay_us} us" if self.delay_us else "no delay (this kernel has no netem)"
        return f"{delay}, {self.rate_mbit} Mbit/s" if self.rate_mbit else f"{delay}, any rate (no token bucket)"

    def lines(self, ranks: tuple[int, int], program: str, *words: str) -> list[dict[str, Any]]:
        """The record of a launch with so many ranks on each node."""
        record = self.folder / "record.jsonl"
        record.unlink(missing_ok=True)
        command = [*self._launcher(ranks), program, *words, "--record", str(record)]
        done = subprocess.run([*self._enter(0), *command], capture_output=True, text=True, timeout=PATIENCE_S, check=False,
                              stdin=subprocess.DEVNULL, env=self._environment(ranks))
        assert done.returncode == 0, f"{ranks} ranks {words}: code {done.returncode}: {done.stderr[-1500:]}"
        return [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]

    def _spaces(self) -> tuple[str, str]:
        return f"{self.name}-1", f"{self.name}-2"

    def _enter(self, node: int) -> tuple[str, ...]:
        return str(self.folder / "enter"), ADDRESSES[node]

    def _launcher(self, ranks: tuple[int, int]) -> list[str]:
        hosts = ",".join(f"{address}:{count}" for address, count in zip(ADDRESSES, ranks, strict=True) if count)
        agent, total = str(self.folder / "agent"), str(sum(ranks))
        if self.open_mpi:
            return [self.mpiexec, "-n", total, "--host", hosts, "--mca", "plm_rsh_agent", agent, "--bind-to", "none",
                    "--mca", "btl_tcp_if_include", CARD, "--mca", "oob_tcp_if_include", CARD]
        return [self.mpiexec, "-n", total, "-hosts", hosts, "-localhost", ADDRESSES[0], "-launcher", "ssh",
                "-launcher-exec", agent]

    def names(self, ranks: tuple[int, int]) -> tuple[str, str]:
        """What a record calls the two nodes in such a launch."""
        host = socket.gethostname()
        return self._spaces() if self._own_names(ranks) else (host, f"{host}#2")

    def _own_names(self, ranks: Sequence[int]) -> bool:
        return self.open_mpi and ranks[1] > 1

    def _environment(self, ranks: Sequence[int]) -> dict[str, str]:
        """Processors are dealt between the nodes where both have ranks: nobody shares a core with the other node.

        UCX (of MPICH) finds that both nodes are one machine, and copies from process to process where it is not told to use the
        network; more ranks than processors, which spin, take minutes over it.
        """
        cpus = sorted(os.sched_getaffinity(0))
        half = len(cpus) // 2 if all(ranks) and len(cpus) > 1 else 0
        first, second = (cpus[:half], cpus[half:]) if half else (cpus, cpus)
        return os.environ | {
            "TENKEN_OWN_NAMES": "1" if self._own_names(ranks) else "",
            "TENKEN_FIRST_PROCESSORS": ",".join(map(str, first)), "TENKEN_SECOND_PROCESSORS": ",".join(map(str, second)),
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_mpi_yield_when_idle": "1",
            "FI_PROVIDER": "tcp", "FI_TCP_IFACE": CARD, "FI_SOCKETS_IFACE": CARD, "UCX_NET_DEVICES": CARD,
        } | ({"UCX_TLS": "tcp,self"} if ranks == (1, 1) else {})


def _run(*words: str, env: dict[str, str] | None = None) -> None:
    subprocess.run(words, capture_output=True, text=True, check=True, timeout=30, env=env)


def _tried(*words: str) -> bool:
    return shutil.which(words[0]) is not None and subprocess.run(words, capture_output=True, check=False).returncode == 0


def run_between_nodes(*proofs: Callable[[TwoNodes, str], None]) -> None:
    """`between_nodes.py PROGRAM MPIEXEC`: each proof gets two nodes and the program. Exit code 77 where two nodes are not permitted."""
    program, mpiexec = sys.argv[1:3]
    try:
        with TwoNodes(mpiexec) as nodes:
            for proof in proofs:
                proof(nodes, program)
                print(f"{proof.__name__}: passed", flush=True)
    except NotPermittedError as error:
        print(f"skipped: {error}")
        sys.exit(SKIPPED)
