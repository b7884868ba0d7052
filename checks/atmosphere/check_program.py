"""The program as a whole: proofs for each case and any ranks, regions and threads, planted faults, refusals."""

from __future__ import annotations

import sys

from programs import Program, failed_proofs, run_all, table, values

FEW = ["--level", "3", "--steps", "2"]


def test_every_case_is_proved(program: Program) -> None:
    for case in ("1", "2", "5", "6"):
        lines = program.proved(1, [*FEW, "--williamson", case])
        got = values(lines)
        assert got["cells"] == 642 and abs(got["mass_drift"]) < 1e-13
        assert ("height_l2" in got) == (case in ("1", "2")), case
        surface = table(lines, "surface")
        assert len(surface["rows"]) == 36 and len(surface["columns"]) == 72 and len(surface["values"]) == 36
        assert abs(sum(map(sum, surface["values"]))) < 1e-6


def test_ranks_regions_and_threads_give_the_same_bits(program: Program) -> None:
    prints = set()
    for ranks in program.counts:
        for more in ([], ["--regions", "2"], ["--threads", "2"]):
            if ranks > 2 and more:
                continue
            prints.add(values(program.proved(ranks, [*FEW, *more]))["fingerprint"])
    assert len(prints) == 1, prints
    assert values(program.proved(1, [*FEW, "--williamson", "5"]))["fingerprint"] not in prints


def test_messages_and_halos_follow_from_the_ranks(program: Program) -> None:
    lines = program.proved(2, [*FEW, "--williamson", "6"])
    got = values(lines)
    assert got["messages_of_exchange"] == 1 and 0 < got["halo_cells"] < 321
    paths = {one["id"]: one["path"] for one in lines[0]["sections"]}
    calls = {paths[one["section"]]: sum(one["calls"]) for one in lines if one["type"] == "series" and one["rank"] == 0}
    steps = calls["dynstep"]
    assert calls["dynstep/large_step"] == 3 * steps and calls["dynstep/filter"] == 2 * steps
    assert calls["dynstep/comm_data_transfer"] == 5 * steps and calls["dynstep/comm_data_transfer/wait"] == 10 * steps


def test_faults_fail_a_proof(program: Program) -> None:
    ranks = program.counts[1]
    for fault, proofs in (("swapped_edge", {"flux", "slope"}), ("pentagon_weight", {"flux"}), ("stale_halo", {"mass"})):
        failed = failed_proofs(program.record(ranks, [*FEW, "--fault", fault, "--williamson", "5"]))
        assert failed & proofs, f"{fault}: {failed}"


def test_bad_input(program: Program) -> None:
    for ranks, words, sentence in (
        (1, ["--level", "2", "--regions", "3"], "choose --regions 2 or less"),
        (1, [*FEW, "--step", "80000"], "longer than the longest stable step"),
        (1, [*FEW, "--fault", "stale_halo"], "needs two ranks"),
    ):
        program.refused(ranks, words, sentence)
    program.refused(1, ["--level", "11"], "the grid of the sphere and the cells of a rank needs", code=4)
    if max(program.counts) > 2:
        program.refused(16, [*FEW, "--regions", "0"], "choose --regions 1 (40 regions)")


def long_five_days_of_steady_flow_keep_their_error(program: Program) -> None:
    """Case 2 at level 6: the error of five days follows the order of levels 3 to 5."""
    step_s = values(program.proved(1, ["--level", "6", "--steps", "1"]))["step_s"]
    steps = str(int(5 * 86400 / step_s / 3) + 1)
    got = values(program.proved(2, ["--level", "6", "--steps", steps, "--repetitions", "1"]))
    assert got["days"] >= 5 and got["height_l2"] < 1.3 * 1.87e-4 / 4, got["height_l2"]


if __name__ == "__main__":
    run_all(globals(), "long_" if "--long" in sys.argv else "test_")
