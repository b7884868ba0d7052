"""Cores, or multiprocessors of cards, that computed other bits than the rest: silent data corruption, named."""

from __future__ import annotations

from math import isfinite

from tenken.judge.common import finding, isolating, plural
from tenken.model.assessment import Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.record import Rank
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict

Place = tuple[int, int]  # rank, and number of the core or multiprocessor

MOST_NAMED = 8
PROOF = "same_answer"  # counts odd cores; to name them says more
# Values odd_core/RANK/PROCESSOR/KERNEL, odd_multiprocessor/RANK/NUMBER/KERNEL, and bits by wrong_bits/RANK/NUMBER/KERNEL.
CORE, MULTIPROCESSOR, WRONG_BITS = "core", "multiprocessor", "wrong_bits"
UNLIKE_HOST = "unlike_host"  # values unlike_host/KERNEL: the majority of a card


def judge(of: ToJudge) -> OwnJudgement:
    """Validity: the cores that are odd, and kernels that are wrong on a whole card."""
    found = [*odd_cores(of.run, of.case.id, of.measured), *unlike_host(of.case.id, of.measured)]
    return OwnJudgement(findings=tuple(found), explained=(PROOF,))


def unlike_host(case_id: str, launches: tuple[Measured, ...]) -> list[Finding]:
    """One finding for the first launch in which the majority of multiprocessors differs from the host."""
    for measured in launches:
        kernels = [value.name.partition("/")[2] for value in measured.record.values if value.name.startswith(f"{UNLIKE_HOST}/")]
        if kernels:
            what = f"wrong answer: the majority of multiprocessors differs from the host in {', '.join(kernels)}"
            return [finding(
                Axis.VALIDITY, Verdict.INVALID, case_id, what,
                f"checksums, bit for bit; launch {measured.launch.number} of {len(launches)}",
                measured=float(len(kernels)), expected=0.0, where=Where(launch=measured.launch.number),
                next_command=f"./tenken run {case_id} --launches 3",
            )]
    return []


def odd_cores(run: str, case_id: str, launches: tuple[Measured, ...]) -> list[Finding]:
    """One finding for each core or multiprocessor that a record names, in the first launch that names any.

    Without a majority all are named: one finding then states that the right answer is unknown.
    """
    for measured in launches:
        for unit in (CORE, MULTIPROCESSOR):
            odd = _values(measured, f"odd_{unit}")
            if odd:
                return _findings(run, case_id, measured, unit, odd, len(launches))
    return []


def _values(measured: Measured, name: str) -> dict[Place, dict[str, int]]:
    """Values NAME/RANK/NUMBER/KERNEL of a record: by place and kernel."""
    found: dict[Place, dict[str, int]] = {}
    for value in measured.record.values:
        first, *parts = value.name.split("/")
        if first == name and len(parts) == 3 and _number(parts[0]) and _number(parts[1]) and isfinite(value.value):
            found.setdefault((int(parts[0]), int(parts[1])), {})[parts[2]] = int(value.value)
    return found


def _findings(
    run: str, case_id: str, measured: Measured, unit: str, odd: dict[Place, dict[str, int]], launches: int
) -> list[Finding]:
    ranks = {rank.rank: rank for rank in measured.record.rank}
    counts = (one.value for one in measured.record.values if one.name == f"{unit}s_compared")
    compared = next((int(count) for count in counts if isfinite(count)), len(odd))
    unsteady = {place: sum(passes.values()) for place, passes in odd.items()}
    split = 2 * len(odd) >= compared and not any(unsteady.values())
    hosts = {rank.host for rank in measured.record.rank}
    suspects = tuple(dict.fromkeys(ranks[rank].host if rank in ranks else "?" for rank, _ in odd))
    apart = 0 < len(set(suspects)) < len(hosts)
    command = (
        isolating(run, case_id, without=suspects) if apart else f"./tenken run {case_id} --set seconds=60 --launches 3"
    )
    evidence = f"checksums of {plural(compared, unit)}, bit for bit; launch {measured.launch.number} of {launches}"

    def wrong(what: str, where: Where) -> Finding:
        return finding(Axis.VALIDITY, Verdict.INVALID, case_id, what, evidence, measured=float(len(odd)),
                       expected=0.0, where=where, next_command=command)

    if split:
        names = ", ".join(_name(ranks.get(rank), unit, number) for rank, number in list(odd)[:MOST_NAMED])
        what = f"wrong answer: {names} disagree without a majority, so the right answer is unknown; add a third {unit}"
        return [wrong(what, Where(launch=measured.launch.number))]
    bits = _values(measured, WRONG_BITS)
    found = []
    for place, kernels in list(odd.items())[:MOST_NAMED]:
        rank, number = place
        units = ", ".join(_with_bits(kernel, bits.get(place, {})) for kernel in kernels)
        what = f"wrong answer: {_name(ranks.get(rank), unit, number)} differs from the majority of {compared} in {units}"
        if unsteady[place]:
            what += f", {plural(unsteady[place], 'pass')} unlike its {'first' if unit == CORE else 'others'}"
        host = ranks[rank].host if rank in ranks else "?"
        cpu = number if unit == CORE else None
        found.append(wrong(what, Where(host=host, rank=rank, cpu=cpu, launch=measured.launch.number)))
    return found


def _with_bits(kernel: str, bits: dict[str, int]) -> str:
    return f"{kernel} ({plural(bits[kernel], 'wrong bit')})" if kernel in bits else kernel


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def _name(rank: Rank | None, unit: str, number: int) -> str:
    host = "?" if rank is None else rank.host
    if unit == CORE:
        return f"processor {number} of {host}"
    card = "a card" if rank is None or rank.card is None else f"{rank.card.name} ({rank.card.id})"
    return f"multiprocessor {number} of {card} of {host}"
