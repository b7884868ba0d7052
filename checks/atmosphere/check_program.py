"""The program as a whole: proofs for each case and any ranks, regions and threads, planted faults, refusals."""

from __future__ import annotations

import math
import sys

from programs import Program, failed_proofs, run_all, table, values

FEW = ["--level", "3", "--steps", "2"]
DRY = [*FEW, "--model", "hevi", "--levels", "6"]


def test_every_case_is_proved(program: Program) -> None:
    for case in ("1", "2", "5", "6"):
        lines = program.proved(1, [*FEW, "--williamson", case])
        got = values(lines)
        assert got["cells"] == 642 and abs(got["mass_drift"]) < 1e-13
        assert ("height_l2" in got) == (case in ("1", "2")), case
        surface = table(lines, "surface")
        assert len(surface["rows"]) == 36 and len(surface["columns"]) == 72 and len(surface["values"]) == 36
        assert abs(sum(map(sum, surface["values"]))) < 1e-6
    assert values(program.proved(1, [*FEW, "--williamson", "1", "--limiter", "false"]))["limited"] == 0


def test_every_dry_case_is_proved(program: Program) -> None:
    for case in ("rest", "gravity_wave", "balanced", "baroclinic_wave"):
        lines = program.proved(1, [*DRY, "--dry", case])
        got = values(lines)
        assert got["cells"] == 642 and abs(got["mass_drift"]) < 1e-12 and abs(got["tracer_drift"]) < 1e-12
        assert (got["fastest"] < 1e-10) == (case == "rest"), got["fastest"]
        assert len(table(lines, "surface")["rows"]) == 36


def test_dry_bits_are_those_of_any_ranks_regions_and_threads(program: Program) -> None:
    for variant in ("blocked", "plain"):
        prints = set()
        for ranks in program.counts[:3]:
            for more in ([], ["--regions", "2"], ["--threads", "2"]):
                if ranks > 2 and more:
                    continue
                prints.add(values(program.proved(ranks, [*DRY, "--variant", variant, *more]))["fingerprint"])
        assert len(prints) == 1, prints


def test_the_map_is_the_surface_of_its_places(program: Program) -> None:
    """Case 2 without tilt: a surface of latitude alone, less its mean over the map."""
    lines = program.proved(2, ["--level", "5", "--steps", "1", "--tilt", "0"])
    surface = table(lines, "surface")
    speed = 2 * math.pi * 6.37122e6 / (12 * 86400)
    fall = (6.37122e6 * 7.292e-5 * speed + speed * speed / 2) / 9.80616
    exact = [-fall * math.sin(math.radians(float(row.split()[1]))) ** 2 for row in surface["rows"]]
    mean = sum(exact) / len(exact)
    for row, values_of_row in zip(exact, surface["values"], strict=True):
        for got in values_of_row:
            assert abs(got - (row - mean)) < 0.04 * fall, f"{got}, expected {row - mean}"  # the nearest cell is within 1.1 degrees


def test_a_long_run_begins_again_after_five_days(program: Program) -> None:
    """Errors stay those of five days, so that a fast machine proves the same; the days are counted."""
    lines = program.proved(1, ["--level", "2", "--steps", "40"])
    got = values(lines)
    assert got["days"] > 8 and got["height_l2"] < 0.02 and abs(got["energy_drift"]) < 0.01, got
    step_s = got["step_s"]
    whole = values(program.proved(1, ["--level", "2", "--steps", str(int(5 * 86400 / step_s) - 1), "--repetitions", "1"]))
    assert abs(whole["days"] - 3 * (int(5 * 86400 / step_s) - 1) * step_s / 86400) < 1e-9


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
    assert "mass" in failed_proofs(program.record(ranks, [*FEW, "--fault", "stale_halo", "--williamson", "1"]))


def test_faults_fail_a_proof_of_dry_air(program: Program) -> None:
    ranks = program.counts[1]
    for fault, proofs in (("swapped_edge", {"flux", "slope"}), ("pentagon_weight", {"flux"}), ("stale_halo", {"dry_mass"}), ("no_damping", {"noise"})):
        failed = failed_proofs(program.record(ranks, [*DRY, "--fault", fault]))
        assert failed & proofs, f"{fault}: {failed}"


def test_sections_of_dry_steps_follow_from_the_small_steps(program: Program) -> None:
    """Eleven small steps a step: two groups of fields each, and twice tracer and filter."""
    lines = program.proved(2, DRY)
    paths = {one["id"]: one["path"] for one in lines[0]["sections"]}
    calls = {paths[one["section"]]: sum(one["calls"]) for one in lines if one["type"] == "series" and one["rank"] == 0}
    steps = calls["dynstep"]
    assert values(lines)["messages_of_step"] == 26
    assert calls["dynstep/comm_data_transfer"] == 26 * steps and calls["dynstep/vertical_solve"] == 11 * steps
    assert calls["dynstep/small_step"] == 22 * steps and calls["dynstep/large_step"] == 3 * steps
    assert calls["dynstep/tracer"] == 3 * steps and calls["dynstep/filter"] == 2 * steps


def test_bad_input(program: Program) -> None:
    for ranks, words, sentence in (
        (1, ["--level", "2", "--regions", "3"], "choose --regions 2 or less"),
        (1, [*FEW, "--step", "80000"], "longer than the longest stable step"),
        (1, [*FEW, "--fault", "stale_halo"], "needs two ranks"),
        (1, ["--level", "5", "--williamson", "3"], "williamson"),
        (1, [*DRY, "--step", "12000"], "longer than the longest stable step of level 3"),
        (1, [*DRY, "--small_steps", "0"], "choose 6 or a multiple of it"),
        (1, [*DRY, "--levels", "2"], "levels"),
        (1, [*FEW, "--variant", "plain"], "choose --variant blocked"),
    ):
        program.refused(ranks, words, sentence)
    program.refused(1, ["--level", "11"], "the grid of the sphere and the cells of a rank needs", code=4)
    if max(program.counts) > 2:
        program.refused(16, [*FEW, "--regions", "0"], "choose --regions 1 (40 regions)")


def long_five_days_of_steady_flow_keep_their_error(program: Program) -> None:
    """Case 2 at level 6: the error of five days follows the order of levels 3 to 5."""
    step_s = values(program.proved(1, ["--level", "6", "--steps", "1"]))["step_s"]
    steps = int(5 * 86400 / step_s / 3) + 1
    got = values(program.proved(2, ["--level", "6", "--steps", str(steps), "--step", repr(5 * 86400 / 3 / steps), "--repetitions", "1"]))
    assert abs(got["days"] - 5) < 1e-9 and got["height_l2"] < 1.3 * 1.87e-4 / 4, got["height_l2"]


def long_the_tracer_of_balanced_flow_stays_above_zero(program: Program) -> None:
    """In 50 steps tracer and air without tracer are so far mixed that amounts reach the least numbers of double precision."""
    program.proved(1, ["--model", "hevi", "--level", "5", "--levels", "20", "--steps", "10", "--repetitions", "3"])


if __name__ == "__main__":
    run_all(globals(), "long_" if "--long" in sys.argv else "test_")
