"""Cores that computed other bits than the rest: silent data corruption, named."""

from __future__ import annotations

from math import isfinite

from tenken.judge.common import finding, isolating, plural
from tenken.model.assessment import Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict

MOST_NAMED = 8
PROOF = "same_answer"  # counts odd cores; to name them says more
ODD_CORE = "odd_core"  # values odd_core/RANK/PROCESSOR/KERNEL


def judge(of: ToJudge) -> OwnJudgement:
    """Validity: the cores that are odd."""
    return OwnJudgement(findings=tuple(odd_cores(of.run, of.case.id, of.measured)), explained=(PROOF,))


def odd_cores(run: str, case_id: str, launches: tuple[Measured, ...]) -> list[Finding]:
    """One finding for each core that a record names (value odd_core/RANK/PROCESSOR/KERNEL), in the first such launch.

    Without a majority all cores are named: then one finding says that nobody can tell which is right.
    """
    for measured in launches:
        kernels: dict[tuple[int, int], list[str]] = {}
        unsteady: dict[tuple[int, int], int] = {}
        for value in measured.record.values:
            name, *parts = value.name.split("/")
            if name == ODD_CORE and len(parts) == 3 and _number(parts[0]) and _number(parts[1]) and isfinite(value.value):
                core = int(parts[0]), int(parts[1])
                kernels.setdefault(core, []).append(parts[2])
                unsteady[core] = unsteady.get(core, 0) + int(value.value)
        if kernels:
            return _findings(run, case_id, measured, kernels, unsteady, len(launches))
    return []


def _findings(
    run: str, case_id: str, measured: Measured, kernels: dict[tuple[int, int], list[str]],
    unsteady: dict[tuple[int, int], int], launches: int,
) -> list[Finding]:
    hosts = {rank.rank: rank.host for rank in measured.record.rank}
    told = (one.value for one in measured.record.values if one.name == "cores_compared")
    compared = next((int(count) for count in told if isfinite(count)), len(kernels))
    split = 2 * len(kernels) >= compared and not any(unsteady.values())
    suspects = tuple(dict.fromkeys(hosts.get(rank, "?") for rank, _ in kernels))
    apart = 0 < len(set(suspects)) < len(set(hosts.values()))
    command = (
        isolating(run, case_id, without=suspects) if apart else f"./tenken run {case_id} --set seconds=60 --launches 3"
    )
    evidence = f"checksums of {plural(compared, 'core')}, bit for bit; launch {measured.launch.number} of {launches}"

    def told(what: str, where: Where) -> Finding:
        return finding(Axis.VALIDITY, Verdict.INVALID, case_id, what, evidence, measured=float(len(kernels)),
                       expected=0.0, where=where, next_command=command)

    if split:
        names = ", ".join(_name(hosts.get(rank, "?"), cpu) for rank, cpu in list(kernels)[:MOST_NAMED])
        what = f"wrong answer: {names} disagree without a majority, so the right answer is unknown; add a third core"
        return [told(what, Where(launch=measured.launch.number))]
    found = []
    for (rank, cpu), units in list(kernels.items())[:MOST_NAMED]:
        host = hosts.get(rank, "?")
        what = f"wrong answer: {_name(host, cpu)} differs from the majority of {compared} in {', '.join(units)}"
        if unsteady[rank, cpu]:
            what += f", {plural(unsteady[rank, cpu], 'pass')} unlike its first"
        found.append(told(what, Where(host=host, rank=rank, cpu=cpu, launch=measured.launch.number)))
    return found


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def _name(host: str, cpu: int) -> str:
    return f"processor {cpu} of {host}"
