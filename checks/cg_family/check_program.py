"""Runs the check as a program: `check_program.py PROGRAM MPIEXEC RANKS…` (tests/programs.py).

- Iterations are the same, give or take one, on any number of ranks and threads with the diagonal as preconditioner; with
  incomplete Cholesky of blocks they are printed, and at most 1.4 times those of one rank.
- All variants, regions and reductions find the answer; what accuracy they attain has the order of the theory.
- With each planted fault a proof fails. What cannot be run is refused with one sentence.
"""

from __future__ import annotations

import math

from programs import Lines, Program, failed_proofs, run_all, table, values

VARIANTS = ("standard", "chronopoulos_gear", "gropp", "pipelined", "pipelined_replaced")
FAULTS = {
    "stale_halo": {"reference"},
    "unsymmetric_preconditioner": {"preconditioner_symmetry"},
    "stale_reduction": {"converged"},
}


def test_iterations_on_any_ranks_and_threads(program: Program) -> None:
    for preconditioner in ("point", "ic"):
        found = {}
        for ranks, threads in [(ranks, 1) for ranks in program.counts] + [(1, 2), (1, 3), (2, 2)]:
            lines = program.proved(ranks, ["--size", "20,18,16", "--tolerance", "1e-10", "--threads", str(threads),
                                           "--preconditioner", preconditioner])
            found[ranks, threads] = values(lines)["iterations"]
        print(f"{preconditioner}: iterations by ranks and threads {found}")
        if preconditioner == "point":
            assert max(found.values()) - min(found.values()) <= 1, f"{found}"
        else:
            assert max(found.values()) <= 1.4 * found[1, 1], f"{found}"


def test_all_ways_are_proved(program: Program) -> None:
    ranks = program.counts[1]
    iterations = set()
    for number, variant in enumerate(VARIANTS):
        for regions, reduction in (("one", "nonblocking"), ("many", "polled")) if number % 2 else (("one", "none"), ("many", "blocking")):
            threads = 1 + (number + (regions == "one")) % 2
            lines = program.proved(ranks, ["--size", "12,11,10", "--variant", variant, "--regions", regions, "--threads", str(threads),
                                           "--reduction", reduction])
            iterations.add(values(lines)["iterations"])
            assert_work(lines)
    assert max(iterations) - min(iterations) <= 1, f"{iterations}"


def assert_work(lines: Lines) -> None:
    """Every iteration carries the same work, in each of its parts."""
    paths = {section["id"]: section["path"] for section in lines[0]["sections"]}
    flop: dict[tuple[int, str], set[float]] = {}
    calls = {}
    for line in lines:
        if line["type"] == "series" and line["repetition"] != [-1] and paths[line["section"]] == "cg":
            calls[line["rank"]] = line["calls"]
    for line in lines:
        path = paths[line["section"]] if line["type"] == "series" else ""
        if line["type"] == "series" and line["repetition"] != [-1] and path in ("cg/spmv", "cg/precond", "cg/dot", "cg/update"):
            work = line["work"] if isinstance(line["work"], list) else [line["work"]] * len(line["ns"])
            flop[line["rank"], path] = {one["flop"] / n for one, n in zip(work, calls[line["rank"]], strict=True)}
    assert len(flop) >= 4 and all(len(each) == 1 and min(each) > 0 for each in flop.values()), f"{flop}"


def test_attainable_accuracy(program: Program) -> None:
    attained = {}
    for variant in VARIANTS:
        lines = program.proved(program.counts[1], ["--size", "24,24,24", "--preconditioner", "point", "--variant", variant,
                                                   "--attainable", "true"])
        history = table(lines, "residual_history")
        assert all(math.isfinite(float(residual)) for row in history["values"] for residual in row), f"{variant}: {history}"
        of_lines = values(lines)
        attained[variant] = of_lines["residual_true"]
        least = min(float(residual) for _, residual in history["values"])
        assert of_lines["residual_true"] <= 1.001 * least, f"{variant}: {of_lines} is above the least of {history}"
        assert of_lines["residual_true"] <= of_lines["residual_true_last"] * 1.001, f"{variant}: {of_lines}"
        assert of_lines["iterations"] <= of_lines["iterations_last"], f"{variant}: {of_lines}"
    print(f"attained: {attained}")
    standard, pipelined = attained["standard"], attained["pipelined"]
    assert standard <= 1e-11, f"{attained}"
    assert max(attained["chronopoulos_gear"], attained["gropp"]) <= 10 * standard, f"{attained}"
    assert pipelined >= 3 * max(standard, attained["chronopoulos_gear"]), f"{attained}"
    assert attained["pipelined_replaced"] <= min(10 * standard, pipelined / 3), f"{attained}"


def test_faults_are_found(program: Program) -> None:
    for fault, proofs in FAULTS.items():
        for variant in ("standard", "pipelined"):
            lines = program.record(program.counts[1], ["--size", "10,10,10", "--fault", fault, "--variant", variant, "--most", "100"])
            assert lines[0]["fault"] == fault
            assert proofs <= failed_proofs(lines), f"{variant} with {fault}: only {failed_proofs(lines)} failed"


def test_a_solve_that_does_not_converge_keeps_its_history(program: Program) -> None:
    lines = program.record(1, ["--size", "12,12,12", "--most", "5"])
    assert failed_proofs(lines) == {"converged"}, f"{failed_proofs(lines)}"
    assert len(table(lines, "residual_history")["rows"]) == 5


def test_refusals(program: Program) -> None:
    program.refused(1, ["--attainable", "true", "--tolerance", "1e-12"], "leave one of them out")
    program.refused(1, ["--fault", "stale_halo"], "needs at least 2 ranks")
    program.refused(2, ["--grid", "2,2,1"], "needs 4 ranks, but 2 were started")
    program.refused(2, ["--size", "1,1,1"], "1,1,1 cells cannot be cut into 2 blocks")
    program.refused(1, ["--colours", "1"], "--colours")
    program.refused(1, ["--replace", "7"], "is of the variant pipelined_replaced")
    program.refused(1, ["--size", "4096,4096,1024"], "indices of 4 bytes")
    program.refused(1, ["--size", "1200,1200,1200"], "GiB", 4)


if __name__ == "__main__":
    run_all(globals())
