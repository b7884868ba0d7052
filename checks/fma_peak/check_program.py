"""The program of variant cuda with its kernels in loops on the host: proofs, work, and what the peak is made of."""

from __future__ import annotations

from programs import Program, run_all, values


def test_kernels_of_a_card_as_loops(program: Program) -> None:
    on_host = program.on_host()
    for ranks in program.counts[:2]:
        lines = on_host.proved(ranks, ["--microseconds", "10"])
        assert {line["name"] for line in lines if line["type"] == "validity"} == {"accumulators"}
        for line in (line for line in lines if line["type"] == "series"):
            loops, rest = divmod(line["work"]["flop"], 2 * 8 * 4 * 8192)  # chains, steps of a loop, threads
            assert loops >= 16 and rest == 0, line
        got = values(lines)
        assert got["device_multiprocessors"] == 4 * ranks and got["device_capability"] == 0, got
        assert got["device_clock/double"] == got["device_clock/single"] == 1e9 and got["section_cost"] > 0, got


if __name__ == "__main__":
    run_all(globals())
