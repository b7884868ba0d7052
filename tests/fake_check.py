"""A check program without MPI: writes pages and a record in the documented formats, and can crash, hang or refuse.

Started as `env FAKE_RANKS=2 PROGRAM --variant V ... --record FILE --pages FOLDER`. One process plays all ranks.
Variables of an environment make it bad: FAKE_FAULT, FAKE_WRONG (a wrong answer), FAKE_SLOW (a factor), FAKE_ONLY (the
one check that is slow), FAKE_STEAL (the share of the launch that the hypervisor took; unset: not counted). Faults: crash (rank 1 dies by SIGKILL after 37 of 100 repetitions), hang (deaf to SIGTERM, with a child that left the
session), spin (works without a step), search (all repetitions are done and steps go on for ever), stop (stops itself
after a step), refuse (exit 3), lack (exit 5), nothing (exit 0 without a record). `--until FILE` waits for a file.
"""

import itertools
import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import time

HEADER = struct.Struct("<8sii64siiiiiiqdii32sq")
TIMING, DONE = 1, 4


def page(folder, rank, pid, state, section, completed, launch, steps=0):
    names = b"".join(name.encode().ljust(96, b"\0") for name in ("solve", "solve/operator"))
    header = HEADER.pack(
        b"TKNPAGE1", rank, pid, b"n1", state, section, completed, 100, 2, 102, 4096, 1.0, 168, 48, launch.encode(), steps
    )
    path = os.path.join(folder, f"rank-{rank:05d}.page")
    with open(path + ".new", "wb") as file:
        file.write(header + names)
    os.rename(path + ".new", path)


def record(path, options, ranks):
    host = socket.gethostname()
    sections = [{"id": 0, "path": "solve", "kind": "compute", "leaf": True, "of": "solve"}]
    lines = [{
        "type": "header", "schema": "tenken.record/1", "check": options["check"], "variant": options["variant"],
        "parameters": {}, "ranks": ranks, "threads": int(options["threads"]),
        "environment": {"name": "fake", "compiler": "none", "mpi": "none", "flags": "", "isa": "none", "sections": True,
                        "libraries": {}},
        "clock": {"source": "steady", "ns_per_tick": 1.0, "drift": 0.0}, "timer_overhead_ns": 20.0,
        "sections": sections, "fault": None, "started": "2026-01-01T00:00:00Z",
        "launch": options.get("launch", ""),
    }]
    trust = {"wall_ns": 10**9}
    if "FAKE_STEAL" in os.environ:
        trust |= {"run_queue_wait_ns": 0, "steal_ns": round(10**9 * float(os.environ["FAKE_STEAL"]))}
    lines += [{"type": "rank", "rank": rank, "host": host, "cpus": [0], "numa": [0],
               "threads": [{"thread": 0, "cpu_begin": 0, "cpu_end": 0}], "trust": trust}
              for rank in range(ranks)]
    # A launch differs from the next by some per mille, as real ones do.
    slow = float(os.environ.get("FAKE_SLOW", "1")) if os.environ.get("FAKE_ONLY", options["check"]) == options["check"] else 1.0
    ns = round(10**6 * slow * random.Random(path).gauss(1, 0.004))
    work = {"flop": 1000, "bytes_read": 0, "bytes_written": 0, "messages": 0}
    lines += [{"type": "series", "rank": rank, "section": 0, "repetition": list(range(20)), "calls": [1] * 20,
               "ns": [ns + 1000 * (index % 3) for index in range(20)], "work": work} for rank in range(ranks)]
    lines += [{"type": "validity", "name": "answer", "value": float(os.environ.get("FAKE_WRONG", "0")), "expected": 0.0, "limit": 1e-9, "mode": "abs",
               "source": "a fake is always right"}]
    lines.append({"type": "end", "lines": len(lines) + 1})
    with open(path, "w", encoding="ascii") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


def main():
    words = sys.argv[1:]
    options = {key.removeprefix("--"): value for key, value in zip(words[::2], words[1::2], strict=True)}
    options["check"] = os.path.basename(os.environ["FAKE_PROGRAM"])
    ranks = int(os.environ.get("FAKE_RANKS", "1"))
    fault = options.get("fault", os.environ.get("FAKE_FAULT", "none"))
    if fault == "refuse":
        print("tenken: --lattice 7: expected an even length", file=sys.stderr)
        return 3
    if fault == "lack":
        print("demo: this MPI offers thread level single, and this case needs multiple", file=sys.stderr)
        return 5
    pages = options["pages"]
    child = 0
    if fault == "hang":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(600)", "--pages", pages], start_new_session=True
        ).pid
    for rank in range(ranks):
        page(pages, rank, child or os.getpid(), TIMING, 1, 50 - 13 * rank, options.get("launch", ""))
    if fault == "hang":
        time.sleep(600)
    for step in itertools.count(1):
        if fault not in ("spin", "search", "stop"):
            break
        for rank in range(ranks if fault == "search" or step == 1 else 0):
            page(pages, rank, os.getpid(), TIMING, -1, 100, options.get("launch", ""), step)
        if fault == "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
        sum(range(10**5))
    if fault == "crash":
        print("mpirun noticed that process rank 1 with PID 0 on node n1 exited on signal 9 (Killed).", file=sys.stderr)
        return 137
    time.sleep(float(options.get("seconds", "0")))
    while "until" in options and not os.path.exists(options["until"]):
        time.sleep(0.005)
    if fault != "nothing":
        record(options["record"], options, ranks)
    for rank in range(ranks):
        page(pages, rank, os.getpid(), DONE, -1, 100, options.get("launch", ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
