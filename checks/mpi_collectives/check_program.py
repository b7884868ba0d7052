"""The program as a whole: right answers on many ranks, planted faults found, refusals in one sentence, and nothing hangs.

    check_program.py PROGRAM MPIEXEC RANKS...

The variants on cards run with kernels in loops on the host, with a made-up NCCL where its headers are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SHORT = ("--threads", "1", "--sizes", "8", "--messages", "4,1024", "--repetitions", "3")
REFUSED, IMPOSSIBLE, LACKING = 3, 4, 5
PATIENCE_S = 90  # of one launch, on a loaded machine with more ranks than cores
Lines = list[dict[str, Any]]


class Program:
    def __init__(self, program: str, mpiexec: str) -> None:
        self.program = program
        self.mpiexec = mpiexec

    def start(self, ranks: int, *arguments: str, launched: bool = True, **variables: str) -> subprocess.CompletedProcess[str]:
        words = (self.mpiexec, "-n", str(ranks)) if launched else ()
        return subprocess.run((*words, self.program, *SHORT, *arguments), capture_output=True, text=True, timeout=PATIENCE_S,
                              env=os.environ | variables)

    def record(self, ranks: int, *arguments: str, **variables: str) -> Lines:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "record.jsonl"
            done = self.start(ranks, *arguments, "--record", str(path), **variables)
            assert done.returncode == 0, done.stderr
            return [json.loads(line) for line in path.read_text().splitlines()]

    def refusal(self, code: int, ranks: int, *arguments: str, launched: bool = True, **variables: str) -> str:
        done = self.start(ranks, *arguments, launched=launched, **variables)
        assert done.returncode == code, f"{arguments} ended with {done.returncode}: {done.stderr}"
        assert "Traceback" not in done.stderr and "terminate called" not in done.stderr, done.stderr
        return done.stderr


def broken(record: Lines) -> set[str]:
    return {line["name"] for line in record if line["type"] == "validity" and not float(line["value"]) <= line["limit"]}


def table(record: Lines, name: str) -> dict[str, Any]:
    return next(line for line in record if line["type"] == "table" and line["name"] == name)


def medians(record: Lines, name: str) -> list[float]:
    """Of each rank the least over the operations: load of others only adds."""
    return [min(cell for cell in row if cell is not None) for row in table(record, name)["values"]]


def on_many_ranks(program: Program, counts: list[int]) -> None:
    for ranks in counts:  # where they share cores once: each wait of an MPI that spins lasts until the scheduler turns
        record = program.record(ranks, *(("--repetitions", "1") if ranks > len(os.sched_getaffinity(0)) else ()))
        assert not broken(record), (ranks, broken(record))
        proofs = {line["name"] for line in record if line["type"] == "validity"}
        assert len(proofs) == 8, proofs
        timed = {line["section"] for line in record if line["type"] == "series" and line["repetition"] != [-1]}
        assert {0, 1} <= timed, timed
        assert len(table(record, "ended")["rows"]) == ranks


def faults(program: Program, most: int) -> None:
    wrong = program.record(most, "--fault", "wrong_byte")
    assert {"allreduce", "reduce", "allgatherv", "alltoall"} <= broken(wrong) and "sum" not in broken(wrong), broken(wrong)
    given = [row[0] for row in table(wrong, "wrong")["values"]]
    assert given[-1] > 0 and not any(given[:-1]), given
    assert broken(program.record(most, "--fault", "wrong_byte", "--operation", "bcast")) == {"bcast"}
    if most > 1:
        late = medians(program.record(most, "--fault", "late_rank", "--repetitions", "9"), "begun")
        assert late[-1] > 1.5, late
        delayed = medians(program.record(most, "--fault", "delayed_inside", "--repetitions", "60"), "last")
        assert delayed[-1] >= 5.0, delayed
    start = time.monotonic()
    dead = program.start(most, "--fault", "dead_rank")
    assert dead.returncode not in (0, REFUSED, IMPOSSIBLE, LACKING), dead.returncode
    assert time.monotonic() - start < PATIENCE_S


def refusals(program: Program) -> None:
    for code, arguments, word in (
            (REFUSED, ("--messages", "6"), "--messages 6 must be a multiple of 4"),
            (REFUSED, ("--sizes", "12"), "--sizes 12 must be a multiple of 8"),
            (REFUSED, ("--operation", "gather"), "operation"),
            (REFUSED, ("--algorithm", "binomial"), "name the operation by --operation"),
            (LACKING, ("--among", "nodes"), "all ranks are on one node"),
            (LACKING, ("--algorithm", "two_level", "--operation", "alltoall"), "does not offer it for alltoall"),
            (REFUSED, ("--messages", "4000000000"), "messages")):
        said = program.refusal(code, 1, *arguments)
        assert word in said, said
    # Together more than any machine has: 13 buffers of up to 1 GiB at each of 1,000 sizes.
    sizes = ",".join(str((1 << 30) - 4 * i) for i in range(1000))
    said = program.refusal(IMPOSSIBLE, 1, "--messages", sizes)
    assert "choose a smaller size" in said, said
    said = program.refusal(REFUSED, 1, launched=False, PMI_SIZE="2", OMPI_COMM_WORLD_SIZE="2",
                           OMPI_MCA_ess_singleton_isolated="1")
    assert "this program was built with another MPI" in said, said


def algorithms(program: Program) -> None:
    """Each library has a binomial broadcast and a recursive doubling; its own variable shows that it took it."""
    for operation, algorithm in (("bcast", "binomial"), ("allreduce", "recursive_doubling"), ("alltoall", "pairwise")):
        record = program.record(2, "--operation", operation, "--algorithm", algorithm)
        assert not broken(record), (operation, broken(record))


def between_cards(host: Program, most: int) -> None:
    program = Program(f"{host.program}_cuda_on_host", host.mpiexec)
    variables = {"FAKE_CARDS": str(most)}
    sizes = ("--messages", "4,1000,1004")  # whole numbers, doubles, and whole numbers again
    for route in ("device", "staged"):
        record = program.record(most, "--route", route, *sizes, **variables)
        proofs = {line["name"] for line in record if line["type"] == "validity"}
        assert proofs == {"card_allreduce", "card_alltoall"} and not broken(record), (route, proofs, broken(record))
        assert {section["of"] for section in record[0]["sections"]} >= proofs, record[0]["sections"]
        spoiled = program.record(most, "--route", route, "--fault", "wrong_byte", *sizes, **variables)
        assert broken(spoiled) == proofs, broken(spoiled)
        given = [row[0] for row in table(spoiled, "wrong")["values"]]
        assert given[-1] > 0 and not any(given[:-1]), given
        assert [row for row in table(spoiled, "wrong_place")["values"] if row[0]], spoiled
    assert broken(program.record(most, "--route", "device", "--operation", "alltoall", **variables)) == set()
    for code, arguments, word in (
            (REFUSED, (), "between cards take --route device or staged"),
            (REFUSED, ("--route", "device", "--operation", "bcast"), "between cards take allreduce, alltoall or all"),
            (LACKING, ("--route", "device", "--fault", "no_device_pointers"), "does not take pointers to memory of a card")):
        said = program.refusal(code, 2, *arguments)
        assert word in said, said
    said = host.refusal(REFUSED, 1, "--route", "device")
    assert "take --variant cuda" in said, said


def by_nccl(host: Program, most: int) -> None:
    fake = Path(host.program).with_name("fake_nccl")
    if not fake.is_dir():
        print("NCCL: not compiled here")
        return
    program = Program(f"{host.program}_cuda_on_host", host.mpiexec)
    paths = [str(fake), *os.environ.get("LD_LIBRARY_PATH", "").split(":")]
    variables = {"FAKE_CARDS": str(most), "LD_LIBRARY_PATH": ":".join(path for path in paths if path)}
    nccl = ("--variant", "nccl", "--route", "device", "--messages", "4,1000,1004")
    record = program.record(most, *nccl, **variables)
    assert not broken(record) and {"card_allreduce", "card_alltoall"} <= {one.get("name") for one in record}, broken(record)
    assert broken(program.record(most, *nccl, "--fault", "wrong_byte", **variables)) == {"card_allreduce", "card_alltoall"}
    for code, words, word in ((LACKING, (), "2 ranks share 1 card, and NCCL needs a card for each rank"),
                              (REFUSED, ("--route", "staged"), "NCCL gets addresses of cards")):
        said = program.refusal(code, 2, *nccl, *words, **variables | {"FAKE_CARDS": "1"})
        assert word in said, said


def main() -> int:
    program = Program(*sys.argv[1:3])
    counts = list(map(int, sys.argv[3:]))
    on_many_ranks(program, counts)
    faults(program, 2)
    refusals(program)
    algorithms(program)
    between_cards(program, max(ranks for ranks in counts if ranks <= 3))
    by_nccl(program, max(ranks for ranks in counts if ranks <= 3))
    return 0


if __name__ == "__main__":
    sys.exit(main())
