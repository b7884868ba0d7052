"""The program of variant cuda with its kernels in loops on the host: agreement, work, and the planted fault."""

from __future__ import annotations

from programs import Program, failed_proofs, run_all, values

FEW = ["--memory", "65536", "--repetitions", "1"]


def test_kernels_of_a_card_as_loops(program: Program) -> None:
    on_host = program.on_host()
    for ranks in program.counts[:2]:
        lines = on_host.proved(ranks, FEW)
        got = values(lines)
        assert got["multiprocessors_compared"] == got["multiprocessors"] == 3 * ranks, got
        assert not [name for name in got if name.startswith(("odd_", "wrong_bits", "unlike_host"))], got
    work = {line["section"]: line["work"]["flop"] for line in lines if line["type"] == "series" and line["rank"] == 0}
    paths = {section["id"]: section["path"] for section in lines[0]["sections"]}
    flop = {paths[section]: flop for section, flop in work.items()}
    blocks = 3 * 8
    assert flop == {"fma": blocks * 256 * 4 * 2000 * 3, "gemm": blocks * 2 * 96**3, "integer": 0, "memory": 0}, flop
    lines = on_host.record(1, [*FEW, "--fault", "wrong_sm"])
    got = values(lines)
    assert failed_proofs(lines) == {"same_answer"}
    assert {name: value for name, value in got.items() if name.startswith(("odd_", "wrong_"))} == {
        "odd_multiprocessor/0/2/gemm": 0, "wrong_bits/0/2/gemm": 1,
    }
    on_host.refused(1, ["--fault", "wrong_core"], "has wrong_sm")
    program.refused(1, ["--fault", "wrong_sm"], "needs --variant cuda")


if __name__ == "__main__":
    run_all(globals())
