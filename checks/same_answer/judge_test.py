"""A core that computes other bits is named with its host; two that disagree are both suspects."""

from __future__ import annotations

from pathlib import Path

import builders as b

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment
from tenken.model.verdict import Verdict
from tenken.store.judges import load_judges

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["same_answer"])


def judged(odd: dict[str, float], compared: float = 8, hosts: tuple[str, ...] = ("n0", "n1")) -> CaseAssessment:
    values = {f"odd_core/{name}": ("1", count) for name, count in odd.items()} | {"cores_compared": ("1", compared)}
    count = b.proof("same_answer", value=float(bool(odd)), limit=0.0, mode="max")
    record = b.record(b.fma(40e9, 2, path="gemm"), hosts=hosts, values=values, validity=[count])
    of = b.check("same_answer", validity=())
    return assess(b.run(b.case_run(record, of=of)), b.machine(*(b.node(host) for host in hosts)), (), judges=JUDGES).cases[0]


def test_agreement_is_valid() -> None:
    assert judged({}).verdict is Verdict.OK


def test_the_odd_core_is_named_with_its_host_and_kernels() -> None:
    found = judged({"1/3/gemm": 0, "1/3/fma": 2})
    assert found.verdict is Verdict.INVALID
    (finding,) = found.findings
    assert (finding.where.host, finding.where.rank, finding.where.cpu) == ("n1", 1, 3)
    assert finding.what == (
        "wrong answer: processor 3 of n1 differs from the majority of 8 in gemm, fma, 2 passes unlike its first"
    )
    assert finding.next_command.endswith("demo:a --without n1")


def test_two_that_disagree_are_both_suspects() -> None:
    (finding,) = judged({"0/0/gemm": 0, "1/0/gemm": 0}, compared=2).findings
    assert "processor 0 of n0, processor 0 of n1 disagree" in finding.what and "without a majority" in finding.what
    assert finding.where.host is None and "--set seconds=60" in finding.next_command


def on_cards(odd: dict[str, float], **values: float) -> CaseAssessment:
    named = {"multiprocessors_compared": 264.0, **{f"odd_multiprocessor/{name}": count for name, count in odd.items()}, **values}
    count = b.proof("same_answer", value=float(bool(odd)), limit=0.0, mode="max")
    record = b.record(b.fma(40e9, 2, path="gemm"), hosts=("n0", "n1"), cards=("GPU-a", "GPU-b"), validity=[count],
                      values={name: ("1", value) for name, value in named.items()})
    of = b.check("same_answer", validity=())
    return assess(b.run(b.case_run(record, of=of)), b.machine(b.node("n0"), b.node("n1")), (), judges=JUDGES).cases[0]


def test_the_odd_multiprocessor_is_named_with_its_card_and_wrong_bits() -> None:
    (finding,) = on_cards({"1/77/gemm": 0, "1/77/memory": 3}, **{"wrong_bits/1/77/gemm": 1.0}).findings
    assert (finding.where.host, finding.where.rank, finding.where.cpu) == ("n1", 1, None)
    assert finding.what == (
        "wrong answer: multiprocessor 77 of NVIDIA X (GPU-b) of n1 differs from the majority of 264 in gemm (1 wrong bit), "
        "memory, 3 passes unlike its others"
    )
    assert "checksums of 264 multiprocessors" in finding.evidence and finding.next_command.endswith("--without n1")


def test_a_card_that_agrees_on_a_wrong_answer_is_named() -> None:
    found = on_cards({}, **{"unlike_host/fma": 1.0})
    assert found.verdict is Verdict.INVALID
    (finding,) = found.findings
    assert finding.what == "wrong answer: the majority of multiprocessors differs from the host in fma"
    assert on_cards({}).verdict is Verdict.OK


def test_a_value_of_another_form_is_no_core() -> None:
    assert judged({"x/y/gemm": 0}).findings[0].what.startswith("wrong answer: same_answer is 1")
