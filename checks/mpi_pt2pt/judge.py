"""Which rank got wrong bytes, which pair or core is slow, and did launches meet cores that were equally far apart?"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from statistics import median

from tenken.judge.common import digits, distances, finding, percent, plural, unlike
from tenken.model.assessment import AxisResult, Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.limits import PATH_EFFECT
from tenken.model.record import Record
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict

PROOF, WRONG = "payload", "wrong_bytes"  # rows of the table HOST/RANK
# Sections of pairs, with their class.
PATTERNS = {f"{of}{name}": kind for of in ("", "card_")
            for name, kind in (("exchange", "latency"), ("one_way", "bandwidth"), ("both_ways", "bandwidth"))}
FEWEST_PAIRS = 3  # of two nobody can say which is slow
MOST_PARTS = 2 / 3  # of sizes and patterns in which a slow pair is slow
CORE = "core_bandwidth/"  # values of a scan, by processor
SLOW_CORE, FAST_CORE = 0.75, 1.15  # of the median over the cores
NEAR, INTERRUPTS = "near_card", "card_interrupts"
MOST_NAMED = 4


def judge(of: ToJudge) -> OwnJudgement:
    """Wrong bytes by rank; balance between pairs, or between the cores of a scan; steadiness where modes are unlike."""
    findings = _wrong(of)
    axes: list[AxisResult] = []
    balance = _cores(of) or _pairs(of)
    if balance is not None:
        axes.append(balance[0])
        findings = [*findings, *balance[1]]
    modes = _unlike_modes(of.measured)
    if modes is not None:
        axes.append(AxisResult(Axis.STEADINESS, Verdict.NOT_JUDGED, modes, ground=True))
    explained = (PROOF,) if any(finding.axis is Axis.VALIDITY for finding in findings) else ()
    return OwnJudgement(axes=tuple(axes), findings=tuple(findings), explained=explained)


def _wrong(of: ToJudge) -> list[Finding]:
    """The ranks that got bytes which nobody sent, in the first launch where there are some."""
    for each in of.measured:
        rows = [row for table in each.record.tables if table.name == WRONG and table.values is not None
                for row in zip(table.rows, table.values, strict=True)]
        found = []
        for label, (count, *place) in rows[:MOST_NAMED]:
            host, _, rank = label.rpartition("/")
            if count is None or not rank.isascii() or not rank.isdigit():
                continue
            seat = _seat(each.record, int(rank), host)
            what = f"wrong answer: rank {rank} on {seat} got {plural(int(count), 'byte')} that no rank sent{_first(place)}"
            if len(rows) > MOST_NAMED:
                what += f"; {len(rows)} ranks in all"
            found.append(finding(
                Axis.VALIDITY, Verdict.INVALID, of.case.id, what,
                f"each byte compared with the sent data; launch {each.launch.number} of {len(of.measured)}",
                measured=float(count), expected=0.0, where=Where(host=host, rank=int(rank), launch=each.launch.number),
            ))
        if found:
            return found
    return []


def _seat(record: Record, number: int, host: str) -> str:
    """The host, with the card of the rank where it has one."""
    card = next((rank.card for rank in record.rank if rank.rank == number), None)
    return host if card is None else f"{host}, card {card.id}"


def _first(place: list[float | None]) -> str:
    """Size, message and word of the first wrong word on a card; "" of ranks on processors."""
    numbers = [int(one) for one in place if one is not None and isfinite(one)]
    if len(numbers) != 3:
        return ""
    size, message, word = numbers
    return f"; the first is in word {word} of message {message} of {plural(size, 'byte')}"


def _unlike_modes(measured: tuple[Measured, ...]) -> str | None:
    trips = unlike(distances(each.record for each in measured))
    if trips is None:
        return None
    return (f"the cores of rank 0 and its partner were {digits(trips[0])} to {digits(trips[1])} ns apart "
            "(round trip of a cache line). Figures of different modes are not compared")


# Pairs of ranks, all at once.


def _pairs(of: ToJudge) -> tuple[AxisResult, list[Finding]] | None:
    """None where pairs cannot be told from each other: the general judgement stands."""
    times = _pair_times(of.measured)
    pairs = sorted({pair for part in times.values() for pair in part})
    if len(pairs) < FEWEST_PAIRS or of.case.oversubscribed:
        return None
    record = of.measured[0].record
    hosts = {rank.rank: rank.host for rank in record.rank}
    findings = []
    for pair in pairs:
        slow, worst = [], 1.0
        for path, part in times.items():
            others = [value for other, value in part.items() if other != pair and _alike(pair, other, hosts)]
            if pair in part and len(others) >= FEWEST_PAIRS - 1:
                ratio = part[pair] / median(others)
                slow.append(ratio > PATH_EFFECT[PATTERNS[path.split("/")[0]]])
                worst = max(worst, ratio)
        if slow and sum(slow) > MOST_PARTS * len(slow):
            a, b = pair
            seats = [_seat(record, rank, hosts[rank]) for rank in pair]
            what = (f"ranks {a} ({seats[0]}) and {b} ({seats[1]}) exchange slowly: up to {digits(worst)} times the "
                    f"time of other pairs, in {sum(slow)} of {len(slow)} sizes and patterns")
            findings.append(finding(
                Axis.BALANCE, Verdict.WARN, of.case.id, what,
                f"medians of {plural(len(of.measured), 'launch')}; compared with the median of the others", measured=worst,
                expected=1.0, unit="slow/equal pairs",
                where=Where(host=hosts[a], rank=a, to_host=hosts[b], to_rank=b),
            ))
    findings.sort(key=lambda finding: -(finding.ratio or 0))
    if findings:
        return AxisResult(Axis.BALANCE, Verdict.WARN, findings[0].what), findings[:MOST_NAMED]
    return AxisResult(Axis.BALANCE, Verdict.OK, f"{len(pairs)} pairs alike in {len(times)} sizes and patterns"), []


def _alike(pair: tuple[int, int], other: tuple[int, int], hosts: dict[int, str]) -> bool:
    """Both inside a node, or both between two."""
    return (hosts[pair[0]] == hosts[pair[1]]) == (hosts[other[0]] == hosts[other[1]])


def _pair_times(measured: tuple[Measured, ...]) -> dict[str, dict[tuple[int, int], float]]:
    """section -> pair -> ns a call: median over launches of the medians over repetitions of the rank that starts."""
    each: dict[str, dict[tuple[int, int], list[float]]] = {}
    for launch in measured:
        record = launch.record
        paths = {section.id: section.path for section in record.sections}
        for section, rank, time in _times(record):
            path, pair = paths.get(section, ""), _pair_of(rank, record)
            if path.split("/")[0] in PATTERNS and pair is not None:
                each.setdefault(path, {}).setdefault(pair, []).append(time)
    return {path: {pair: median(values) for pair, values in part.items()} for path, part in each.items()}


def _times(record: Record) -> Iterator[tuple[int, int, float]]:
    """Section, rank, and its median ns a call over repetitions; of very many ranks from what was kept of each."""
    for one in record.summaries:
        if one.repetition != (-1,):
            calls = max(median(one.calls.tolist()), 1)
            yield from ((one.section, rank, ns / calls) for rank, ns in zip(one.rank, one.rows.median.tolist(), strict=True))
    for series in record.series if not record.summaries else ():
        times = [ns / calls for number, ns, calls in zip(series.repetition, series.ns, series.calls, strict=True)
                 if number >= 0 and calls > 0]
        if times:
            yield series.section, series.rank, median(times)


def _pair_of(rank: int, record: Record) -> tuple[int, int] | None:
    """The pair whose lower rank is `rank`."""
    half = record.ranks // 2
    if record.parameters.get("pairing") == "halves":
        return (rank, rank + half) if rank < half else None
    return (rank, rank + 1) if rank % 2 == 0 and rank + 1 < record.ranks else None


# Cores of a scan.


def _cores(of: ToJudge) -> tuple[AxisResult, list[Finding]] | None:
    rates: dict[int, list[float]] = {}
    for value in (value for each in of.measured for value in each.record.values):
        cpu = value.name.removeprefix(CORE)
        if cpu != value.name and cpu.isascii() and cpu.isdigit() and isfinite(value.value) and value.value > 0:
            rates.setdefault(int(cpu), []).append(value.value)
    if not rates:
        return None
    by_cpu = {cpu: median(values) for cpu, values in rates.items()}
    middle = median(by_cpu.values())
    host = of.measured[0].record.rank[0].host
    fast = [cpu for cpu, rate in by_cpu.items() if rate > FAST_CORE * middle]
    told = f"{plural(len(by_cpu), 'core')} send {digits(min(by_cpu.values()))} to {digits(max(by_cpu.values()))} GB/s"
    told += f"; fastest: processors {_list(fast)}" if fast else ""
    told += "".join(f"; near {card}: processors {_list(cpus)}" for card, cpus in _near(of.measured[0].record).items())
    if len(by_cpu) < FEWEST_PAIRS:
        reason = f"{told}; fewer than {FEWEST_PAIRS} cores cannot show a slow core"
        return AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, reason), []
    slow = sorted((cpu for cpu, rate in by_cpu.items() if rate < SLOW_CORE * middle), key=lambda cpu: by_cpu[cpu])
    command = _moving(of.measured[0].record, fast)
    findings = [
        finding(
            Axis.BALANCE, Verdict.WARN, of.case.id,
            f"processor {cpu} of {host} sends slowly: {digits(by_cpu[cpu])} GB/s, {percent(1 - by_cpu[cpu] / middle)} less "
            f"than the median over cores; {told}",
            f"medians of {plural(len(of.measured), 'launch')}; interrupts of the card may go there", measured=by_cpu[cpu],
            expected=middle, unit="GB/s", where=Where(host=host, rank=0, cpu=cpu), next_command=command,
        )
        for cpu in slow[:MOST_NAMED]
    ]
    if findings:
        return AxisResult(Axis.BALANCE, Verdict.WARN, findings[0].what), findings
    return AxisResult(Axis.BALANCE, Verdict.OK, told), []


def _near(record: Record) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for table in (table for table in record.tables if table.name == NEAR and table.values is not None):
        for card, row in zip(table.rows, table.values or (), strict=True):
            found[card] = [int(cpu) for cpu, near in zip(table.columns, row, strict=True) if near and cpu.isdigit()]
    return {card: cpus for card, cpus in found.items() if cpus}


def _moving(record: Record, fast: list[int]) -> str | None:
    """The commands, for root, that spread the interrupts of the first card over the cores near it; never run here."""
    near = _near(record)
    for table in (table for table in record.tables if table.name == INTERRUPTS and table.values is not None):
        rows = [row.rpartition("/") for row in table.rows]
        card = rows[0][0] if rows else ""
        cpus = near.get(card) or fast
        numbers = [number for name, _, number in rows if name == card and number.isascii() and number.isdigit()]
        if cpus and numbers:
            targets = (cpus[i % len(cpus)] for i in range(len(numbers)))
            pairs = zip(targets, numbers, strict=True)
            return "; ".join(f"echo {cpu} > /proc/irq/{number}/smp_affinity_list" for cpu, number in pairs)
    return None


def _list(cpus: list[int]) -> str:
    """0-3,8"""
    parts: list[list[int]] = []
    for cpu in sorted(cpus):
        if parts and cpu == parts[-1][-1] + 1:
            parts[-1].append(cpu)
        else:
            parts.append([cpu])
    return ",".join(f"{part[0]}-{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts)
