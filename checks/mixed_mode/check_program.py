"""The program as a whole: right shares in every mode and pattern, modes by level, faults with their place, bad input."""

from __future__ import annotations

from typing import Any

from programs import Lines, Program, failed_proofs, run_all, table, values

FEW = ["--samples", "2"]
MODES = ("master_only", "funnelled", "serialized", "multiple")
ALL = ["--thread_level", "multiple"]


def wrong(lines: Lines) -> dict[str, Any]:
    """The first row of wrong shares by its columns."""
    assert failed_proofs(lines) == {"shares"}, failed_proofs(lines)
    found = table(lines, "wrong_shares")
    return {"rank": int(found["rows"][0].rpartition("/")[2]), **dict(zip(found["columns"], found["values"][0], strict=True))}


def test_every_mode_and_pattern_is_right(program: Program) -> None:
    for ranks in program.counts:
        for variant in ("pingpong", "halo"):
            if ranks == 1 and variant == "pingpong":
                continue
            for more in (["--bytes", "64", "--communicators", "one"], ["--bytes", "100000", "--requests", "persistent"]):
                lines = program.proved(ranks, [*FEW, *ALL, "--variant", variant, "--threads", "2" if ranks < 4 else "1", *more])
                shown = table(lines, "mode_times")
                assert tuple(shown["columns"]) == MODES and all(time > 0 for time in shown["values"][0]), shown
                got = values(lines)
                for mode, time in zip(MODES, shown["values"][0], strict=True):
                    assert abs(got[f"{mode}_us"] / time - 1) < 1e-12, mode
                assert got["region_us"] > 0 and got["touch_us"] > 0


def test_modes_beyond_the_level_are_left_out(program: Program) -> None:
    for level, modes in (("funneled", MODES[:2]), ("serialized", MODES[:3])):
        lines = program.proved(program.counts[1], [*FEW, "--variant", "halo", "--threads", "2", "--thread_level", level])
        columns = tuple(table(lines, "mode_times")["columns"])
        assert columns in (modes, MODES), f"{level}: {columns}"  # an MPI may offer more than it is asked for


def test_faults_are_found_and_placed(program: Program) -> None:
    ranks = program.counts[1]
    common = [*FEW, *ALL, "--variant", "halo", "--threads", "2", "--bytes", "512"]
    share = wrong(program.record(ranks, [*common, "--fault", "wrong_share"]))
    assert (share["thread"], share["share of thread"], share["from rank"]) == (1, 0, ranks - 1), share
    lost = wrong(program.record(ranks, [*common, "--fault", "lost_thread"]))
    assert lost["thread"] == 1 and lost["from rank"] == ranks - 1 and lost["late exchanges"] > 0, lost
    # On one core the threads of a rank take turns: there the delay is beside others.
    lines = program.proved(1, [*common, "--fault", "late_thread"])
    late = dict(zip(table(lines, "thread_entries")["columns"], table(lines, "thread_entries")["values"][0], strict=True))
    assert late["thread 1, us after the first"] > 4, late


def test_bad_input(program: Program) -> None:
    for words, sentence in (
        (["--bytes", "12", "--variant", "halo"], "must be a multiple of 8"),
        (["--bytes", "8", "--variant", "halo", "--threads", "2"], "choose --bytes 16"),
        (["--variant", "pingpong"], "a pingpong needs two ranks"),
        (["--variant", "halo", "--fault", "wrong_share"], "needs two threads"),
    ):
        program.refused(1, words, sentence)


if __name__ == "__main__":
    run_all(globals())
