"""Commands that findings end with can be typed as they stand: on the same nodes, in the same environment."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import builders as b
import pytest

from tenken.judge.assess import assess
from tenken.judge.started import as_started, completed
from tenken.model.verdict import Axis, Verdict

SLURM = {"name": "gcc12", "on": "slurm", "nodes": 2, "chosen": "gcc12"}


@pytest.mark.parametrize(("command", "started", "expected"), [
    ("./tenken run a:b --launches 5", SLURM, "./tenken run a:b --launches 5 --on slurm --nodes 2 --environment gcc12"),
    ("./tenken run a:b", {"name": "gcc", "on": "local", "nodes": 1}, "./tenken run a:b"),
    ("./tenken run a:b --environment old", SLURM, "./tenken run a:b --environment old --on slurm --nodes 2"),
    ("./tenken run a:b", {"on": "jsrun -n {ranks}", "nodes": 1}, "./tenken run a:b --on 'jsrun -n {ranks}'"),
    ("./tenken rerun r a:b --without n2", SLURM, "./tenken rerun r a:b --without n2"),
    ("./tenken rerun r a:b", {"on": "jsrun -n {ranks}"}, "./tenken rerun r a:b --on 'jsrun -n {ranks}'"),
    ("./tenken baseline accept r", SLURM, "./tenken baseline accept r"),
])  # fmt: skip
def test_a_command_repeats_how_the_run_was_started(command: str, started: dict[str, Any], expected: str) -> None:
    assert completed(command, started) == expected


def test_every_command_of_an_answer_is_completed() -> None:
    wrong = b.case_run(b.record(b.fma(1e9), validity=(b.proof(value=2.0),)))
    missing = b.case_run(b.record(b.fma(1e9), case="z"), launches=())
    found = as_started(assess(b.run(wrong, missing, environment=SLURM), b.machine(b.node("n0")), ()))
    commands = [one.next_command for case in found.cases for one in case.findings]
    commands += [one.next_command for one in (*found.findings, *found.unjudged)]
    assert len(commands) >= 3 and all(one.endswith("--on slurm --nodes 2 --environment gcc12") for one in commands)


def test_ranks_on_a_host_that_was_not_probed_are_not_judged() -> None:
    """The launcher put them elsewhere: the ceilings of the probed node say nothing of that one."""
    slow = [b.record(b.fma(1e6, 2), hosts=("n0", "n7"), launch=i) for i in (1, 2)]
    judged = assess(b.run(b.case_run(*slow)), b.machine(b.node("n0")), ())
    axes = {one.axis: one for one in judged.cases[0].axes}
    assert axes[Axis.VALIDITY].verdict is Verdict.OK
    assert all(one.verdict is Verdict.NOT_JUDGED and "ranks ran on n7, which were not probed" in one.reason
               for axis, one in axes.items() if axis is not Axis.VALIDITY)
    assert judged.verdict is Verdict.NOT_JUDGED and not judged.offers
    fully_named = [replace(one, rank=tuple(replace(each, host=f"{each.host}.cluster") for each in one.rank)) for one in slow]
    known = assess(b.run(b.case_run(*fully_named)), b.machine(b.node("n0"), b.node("n7")), ())
    assert "probe" not in known.cases[0].axes[1].reason


@pytest.mark.parametrize(("hosts", "named"), [(4, "n1, n2, n3, n4, which"), (5, "n1, n2, n3, n4, ..., which")])
def test_of_hosts_that_were_not_probed_four_are_named(hosts: int, named: str) -> None:
    ran = b.record(b.fma(1e6, hosts), hosts=tuple(f"n{i + 1}" for i in range(hosts)))
    judged = assess(b.run(b.case_run(ran)), b.machine(b.node("n0")), ())
    assert f"ranks ran on {named} were not probed" in judged.cases[0].axes[1].reason
