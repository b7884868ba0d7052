from __future__ import annotations

import shlex
from dataclasses import replace

import builders as b
from tenken.judge.assess import assess
from tenken.judge.common import finding
from tenken.judge.environment import explanations, with_environment
from tenken.model.assessment import Assessment, Finding, Where
from tenken.model.baseline import Difference
from tenken.model.check import SectionSpec
from tenken.model.verdict import Axis, Verdict

GOVERNOR = Difference("governor", "performance", "powersave", (), "run1", ("compute", "memory", "latency"))
DRIVER = Difference("network cards", "mlx 1", "mlx 2", (), "run1", ("latency", "bandwidth"))
ODD = Difference("bios", "2.6", "2.4", ("n1",), "3 other nodes", ("compute", "memory", "latency", "bandwidth", "io"))
HOSTILE = "n1;rm -rf /\x1b[2J<script>"


def answer(verdict_of: str = "demo", hosts: tuple[str, ...] = ("n0", "n1")) -> Assessment:
    """A clean run of one case on two nodes, with a compute and a communication section."""
    check = b.check(
        verdict_of, [b.metric("double", "double")],
        [SectionSpec("double", "compute", ""), SectionSpec("halo", "comm", "")],
    )
    sections = (b.fma(10e9, 2), b.Timed("halo", b.quiet(1e6, 2), "comm"))
    records = [b.record(*sections, check=verdict_of, launch=number, hosts=hosts) for number in (1, 2, 3)]
    nodes = b.machine(*(b.node(host) for host in hosts))
    return assess(b.run(b.case_run(*records, of=check)), nodes, ())


def about(section: str | None, host: str | None = None, axis: Axis = Axis.CHANGE) -> Finding:
    case = answer().cases[0]
    return finding(axis, Verdict.FAIL, case.id, "slower", "3 launches", section, where=Where(host=host, section=section))


def test_only_what_can_move_a_figure_explains_it() -> None:
    case = answer().cases[0]
    everything = (DRIVER, GOVERNOR)
    assert explanations(about("double"), case, everything) == ("governor powersave instead of performance",)
    assert explanations(about("halo"), case, everything) == (
        "network cards mlx 2 instead of mlx 1", "governor powersave instead of performance",
    )
    assert len(explanations(about("double", axis=Axis.VALIDITY), case, everything)) == 2
    assert explanations(about(None), case, everything) != ()
    assert explanations(about("double"), case, ()) == ()


def test_a_node_explains_itself_and_new_things_come_first() -> None:
    case = answer().cases[0]
    older = replace(GOVERNOR, new=False)
    kernel = replace(ODD, fact="kernel", hosts=())
    said = explanations(about("double", "n1.site"), case, (older, kernel, ODD))
    assert said == (
        "bios 2.4 instead of 2.6 on n1", "kernel 2.4 instead of 2.6",
        "governor powersave instead of performance (as in an older sitting)",
    )
    assert explanations(about("double", "n0"), case, (ODD,)) == ()


def test_an_odd_node_is_a_warning_of_its_own_told_once() -> None:
    clean = answer()
    assert clean.verdict is Verdict.OK
    two = replace(clean, cases=(clean.cases[0], replace(clean.cases[0], id="demo:b")))
    judged = with_environment(two, (ODD, replace(ODD, fact="microcode")), {})
    assert (judged.verdict, judged.exit_code) == (Verdict.WARN, 1) and judged.differences[0] is ODD
    (told,) = judged.findings
    assert told.axis is Axis.TRUST and told.where.host == "n1" and told.next_command.endswith("demo:a --without n1")
    assert told.what == (
        "node n1 differs from 3 other nodes of the same class: bios 2.4 instead of 2.6; microcode 2.4 instead of 2.6"
    )
    for case in judged.cases:
        trust = next(axis for axis in case.axes if axis.axis is Axis.TRUST)
        assert (case.verdict, trust.verdict) == (Verdict.WARN, Verdict.WARN) and "node n1" in trust.reason


def test_nodes_that_took_no_part_or_alike_ones_change_nothing() -> None:
    clean = answer()
    elsewhere = with_environment(clean, (replace(ODD, hosts=("n7",)),), {"demo:a": (GOVERNOR,)})
    assert elsewhere.verdict is Verdict.OK and elsewhere.findings == ()
    assert elsewhere.cases[0].differences == (GOVERNOR,)
    assert with_environment(clean, (), {}) == clean


def test_hostile_names_are_one_word_of_the_next_command() -> None:
    clean = answer(hosts=("n0", HOSTILE))
    judged = with_environment(clean, (replace(ODD, hosts=(HOSTILE,), now="$(reboot)`x`"),), {})
    (told,) = judged.findings
    assert HOSTILE in told.what, "shown by the reports, which make it harmless"
    assert shlex.split(told.next_command) == ["./tenken", "rerun", clean.run, "demo:a", "--without", HOSTILE]
