"""The program as a whole: python check_program.py PROGRAM MPIEXEC RANKS...

On each number of ranks it ends in time with right bytes in every variant; planted faults are found; bad input is one
sentence. Variant cuda runs with its kernels in loops on the host. No time is looked at.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PROGRAM, MPIEXEC, *COUNTS = sys.argv[1:]
ON_HOST = f"{PROGRAM}_cuda_on_host"
SHORT = ("--repetitions", "2", "--sizes", "8,100000")
SMALL = ("--sizes", "8,1001")  # of cards
ONCE = ("--repetitions", "1")  # where ranks share cores: each wait of an MPI that spins lasts until the scheduler turns
CORES = len(os.sched_getaffinity(0))
PATIENCE = 90  # seconds: then it hangs


def start(ranks: int, *words: str, program: str = PROGRAM) -> subprocess.CompletedProcess[str]:
    command = [MPIEXEC, "-n", str(ranks), program, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL)


def lines_of(ranks: int, *words: str, program: str = PROGRAM) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.jsonl"
        done = start(ranks, *SHORT, *words, "--record", str(record), program=program)
        assert done.returncode == 0, f"{ranks} ranks {words}: code {done.returncode}: {done.stderr[-600:]}"
        return [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]


def value(lines: list[dict[str, Any]], name: str) -> Any:
    return next((one["value"] for one in lines if one["type"] in ("value", "validity") and one["name"] == name), None)


def sections(lines: list[dict[str, Any]]) -> set[str]:
    paths = {one["id"]: one["path"] for one in lines[0]["sections"]}
    return {paths[one["section"]] for one in lines if one["type"] == "series"}


def table(lines: list[dict[str, Any]], name: str) -> dict[str, Any] | None:
    return next((one for one in lines if one["type"] == "table" and one["name"] == name), None)


def right_on_any_number_of_ranks() -> None:
    for ranks in map(int, COUNTS):
        for variant in ("blocking", "nonblocking", "persistent") if ranks < 4 else ("nonblocking",):
            lines = lines_of(ranks, "--variant", variant, *(ONCE if ranks > CORES else ()))
            if (ranks, variant) == (2, "blocking"):
                the_switch_is_told(lines)
            assert value(lines, "payload") == 0, f"{ranks} ranks, {variant}"
            assert value(lines, "idle_ranks") == ranks % 2
            most = min(ranks - 1, 6)
            wanted = {f"{name}/{size}" for name in ("exchange", "one_way", "both_ways") for size in (8, 100000)}
            assert sections(lines) == wanted | {f"partners/{k}" for k in range(1, most + 1)}, f"{ranks} ranks, {variant}"
            assert table(lines, "wrong_bytes") is None


def a_wrong_byte_is_found_and_its_rank_named() -> None:
    for ranks in sorted({2, *map(int, COUNTS)} & {2, 3}):
        once = ranks > CORES
        lines = lines_of(ranks, "--fault", "wrong_byte", *(ONCE if once else ()))
        assert value(lines, "payload") in ((4, 6) if once else (6, 8)), "a byte a size and pass, one or two of them to warm up"
        named = table(lines, "wrong_bytes")
        assert named is not None and [row.rpartition("/")[2] for row in named["rows"]] == ["1"], named


def refused(code: int, sentence: str, ranks: int, *words: str, program: str = PROGRAM) -> None:
    done = start(ranks, "--repetitions", "1", *words, program=program)
    said = [line for line in done.stderr.splitlines() if line.startswith("mpi_pt2pt: ")]
    assert len(said) == 1 and sentence in said[0], f"{words}: expected '{sentence}', got {done.stderr[-600:]!r}"
    assert done.returncode == code, f"{words}: code {done.returncode}, expected {code}"


def bad_input_is_one_sentence() -> None:
    refused(3, "needs two ranks at least", 1)
    refused(3, "--scan and --sockets are for two ranks", 3, "--scan", "true")
    refused(3, "--scan visits all cores", 2, "--scan", "true", "--sockets", "0-0")
    sentence = "names processor 60000, which rank 0 may not use; choose among"
    refused(3, sentence, 2, "--scan", "true", "--cores", "0,60000")
    refused(5, "sockets 1-1: there is no socket 1", 2, "--sockets", "1-1") if one_socket() else None
    refused(4, "choose a smaller size", 2, "--sizes", ",".join(str(2**30 - i) for i in range(memory_gib())))
    one = str(min(os.sched_getaffinity(0)))
    done = subprocess.run(["taskset", "-c", one, MPIEXEC, "-n", "2", PROGRAM, "--repetitions", "1", "--scan", "true"],
                          capture_output=True, text=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL)
    told = "a scan by core needs two cores at least" in done.stderr
    assert done.returncode == 5 and told, f"one core: {done.returncode} {done.stderr[-600:]}"


def one_socket() -> bool:
    folders = Path("/sys/devices/system/cpu").glob("cpu[0-9]*/topology/physical_package_id")
    return len({path.read_text().strip() for path in folders}) == 1


def memory_gib() -> int:
    """Of this node: so many messages of 1 GiB do not fit, each in windows of two, and on two ranks."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**30 + 1


def a_scan_visits_every_core() -> None:
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        print("no scan: one core")
        return
    lines = lines_of(2, "--scan", "true")
    assert value(lines, "payload") == 0
    for cpu in cpus:
        assert value(lines, f"core_latency/{cpu}") > 0 and value(lines, f"core_bandwidth/{cpu}") > 0
    only = lines_of(2, "--scan", "true", "--cores", str(cpus[-1]), "--variant", "persistent")
    assert {one["name"] for one in only if one["type"] == "value" and one["name"].startswith("core_band")} == {
        f"core_bandwidth/{cpus[-1]}"
    }


def the_switch_is_told(lines: list[dict[str, Any]]) -> None:
    if value(lines, "late_by") is None:
        print("no switch: ranks share cores")
        return
    limit, at_least = value(lines, "eager_limit"), value(lines, "eager_at_least")
    assert (limit is None) != (at_least is None) and (limit is None or 0 <= limit < 100000)
    curve = table(lines, "send_to_late_receiver")
    assert curve is not None and curve["rows"] == ["8", "100000"]


def cards_by_every_route() -> None:
    os.environ["FAKE_CARDS"] = "2"
    sections_of_cards = {f"card_{name}/{size}" for name in ("exchange", "one_way", "both_ways") for size in (8, 1001)}
    few = [int(n) for n in COUNTS if int(n) <= 3]
    for route, ranks in (("device", 2), ("staged", max(few)), ("peer", max(few))):
        lines = lines_of(ranks, *SMALL, "--route", route, *(ONCE if ranks > CORES else ()), program=ON_HOST)
        assert value(lines, "payload") == 0 and value(lines, "idle_ranks") == ranks % 2, route
        assert sections(lines) == sections_of_cards, (route, sections(lines))
        acting = {one["rank"] for one in lines if one["type"] == "series"}
        assert acting == ({0} if route == "peer" else {0, 1}), (route, acting)
        both = {one["id"] for one in lines[0]["sections"] if one["path"] == "card_both_ways/8"}
        work = [one["work"]["messages"] / sum(one["calls"]) * len(one["calls"]) for one in lines
                if one["type"] == "series" and one["section"] in both]
        assert sum(work) == 2, (route, "a call is a message each way", work)
        assert len({one["card"]["id"] for one in lines if one["type"] == "rank"}) == 2
        spoiled = lines_of(2, *SMALL, "--route", route, "--fault", "wrong_byte", *ONCE, program=ON_HOST)
        named = table(spoiled, "wrong_bytes")
        assert named is not None and [row.rpartition("/")[2] for row in named["rows"]] == ["1"], named
        assert named["values"][0][1:] == [8, 0, 0] and value(spoiled, "payload") == named["values"][0][0], named
    assert value(lines, "pairs_over_host") == 0


def what_cards_cannot_is_one_sentence() -> None:
    refused(5, "does not take pointers to memory of a card", 2, "--fault", "no_device_pointers", program=ON_HOST)
    refused(3, "--scan visits processors", 2, "--scan", "true", program=ON_HOST)
    refused(3, "leave --sockets out", 2, "--sockets", "0-0", program=ON_HOST)
    refused(3, "needs two ranks at least", 1, program=ON_HOST)
    os.environ["FAKE_CARDS"] = "1"
    shared = start(2, *ONCE, *SMALL, program=ON_HOST).stdout
    assert "2 ranks share 1 card: times are not comparable" in shared, shared


if __name__ == "__main__":
    for test in (right_on_any_number_of_ranks, a_wrong_byte_is_found_and_its_rank_named, bad_input_is_one_sentence,
                 a_scan_visits_every_core, cards_by_every_route, what_cards_cannot_is_one_sentence):
        test()
        print(f"{test.__name__}: passed", flush=True)
