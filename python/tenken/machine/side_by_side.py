"""Sets reference systems side by side: which figures belong together, which may be divided, and why others may not; peaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tenken.base import units
from tenken.base.errors import TenkenError
from tenken.machine.files import Files, MachineFile, Published, PublishedSection
from tenken.machine.reference import UNITS, Results, Row
from tenken.model.machine import Block, Cell, Line, Systems

NOT_STATED = "not stated"
NOT_DIVIDED = {"ratio", "count", "lines"}  # a ratio of ratios or of settings says nothing


@dataclass(frozen=True, slots=True)
class Item:
    """A published figure and all that must agree before it is divided by another's."""

    system: int
    application: str
    size: str
    unit: str
    name: str
    value: str
    percent_printed: str | None
    peak: float | None  # of the parts that it used
    basis: tuple[tuple[str, str], ...]  # part -> amount, as stated; "" where it is not
    note: str
    slip: str
    how: str  # the remark on its whole table
    percent: float | None = None  # of peak, where it is known without recomputing


class Footnotes:
    """Sentences, each numbered once."""

    def __init__(self, sentences: Sequence[str] = ()) -> None:
        self.sentences = list(sentences)

    def number(self, sentence: str) -> int:
        if sentence not in self.sentences:
            self.sentences.append(sentence)
        return self.sentences.index(sentence) + 1


def side_by_side(machines: Sequence[MachineFile], files: Files) -> Systems:
    """The systems in the order given; every published figure of each is in a single block."""
    footnotes = Footnotes()
    rows: list[dict[int, Item]] = []
    for number, machine in enumerate(machines):
        for item in items(number, machine, files):
            place(item, rows)
    groups: dict[tuple[str, str, str, str], list[dict[int, Item]]] = {}
    for row in rows:
        first = max(row.values(), key=lambda item: len(item.size) if item.size != NOT_STATED else 0)
        there = "".join(str(system) for system in row)
        groups.setdefault((first.application, first.size, first.unit, there), []).append(row)
    names = [machine.name for machine in machines]
    shared_first = sorted(groups.items(), key=lambda group: len(group[0][3]) < 2)  # stable: the order of the files otherwise
    sizes = _sizes(rows, names)
    blocks = tuple(_block(key, group, names, sizes.get(key[0], ""), footnotes) for key, group in shared_first)
    return Systems(
        tuple(names), tuple(machine.title for machine in machines), tuple(_specification(machines, files)), blocks,
        tuple(footnotes.sentences),
    )


def items(system: int, machine: MachineFile, files: Files) -> Iterable[Item]:
    again = {results.entry for results in machine.results}  # rates that studies draw are rows of a whole table, too
    for table in machine.published:
        for section in table.sections:
            if section.seconds or table.entry not in again:
                yield _of_section(system, machine, table, section, files)
    for results in machine.results:
        for row in results.rows:
            yield _of_row(system, machine, results, row, files)


def _of_section(system: int, machine: MachineFile, table: Published, section: PublishedSection, files: Files) -> Item:
    unit, value = ("s", section.seconds) if section.seconds else ("FLOP/s", section.rate)
    return Item(
        system, table.application, table.size, unit, f"{section.id} {section.name}" if section.id > 99 else section.name,
        value or "", section.percent_of_peak, peak_of_cores(files, machine, table.cores_a_rank),
        (("ranks", str(table.ranks)), ("cores a rank", str(table.cores_a_rank)), ("statistic", table.statistic)),
        section.note, "", "",
    )


def _of_row(system: int, machine: MachineFile, results: Results, row: Row, files: Files) -> Item:
    return Item(
        system, results.application, results.size, results.unit, row.name, " ".join(row.values), row.percent_of_peak,
        peak_of(files, machine, results, row) if row.percent_of_peak or row.peak else None,
        (
            ("nodes", str(row.nodes or "")), ("ranks", str(row.ranks or "")), ("precision", results.precision),
            ("statistic", results.statistic),
        ),
        row.note, row.slip, results.note,
    )


def place(item: Item, rows: list[dict[int, Item]]) -> None:
    """Beside the figures of other systems that it belongs to, else on a row of its own."""
    fitting = [row for row in rows if set(row) - {item.system} and all(
        item.application == neighbour.application and UNITS[item.unit][0] == UNITS[neighbour.unit][0]
        and same(item.name, neighbour.name) and _same_size(item.size, neighbour.size)
        for neighbour in row.values() if neighbour.system != item.system
    )]
    free = [row for row in fitting if item.system not in row]
    if free:
        for row in free:
            row[item.system] = item
    else:
        others = fitting[0] if fitting else {}  # to stand beside figures of another build of its own system
        rows.append({**{system: other for system, other in others.items() if system < item.system}, item.system: item})


def same(name: str, other: str) -> bool:
    """Equal, or either says more than the other after a comma."""
    return name == other or name.startswith(f"{other},") or other.startswith(f"{name},")


def _same_size(size: str, other: str) -> bool:
    return NOT_STATED in (size, other) or same(size, other)


def _sizes(rows: Sequence[dict[int, Item]], names: Sequence[str]) -> dict[str, str]:
    """By application: which sizes differ, where several systems ran it and none of their figures share a row."""
    by_application: dict[str, dict[int, dict[str, None]]] = {}
    for row in rows:
        for item in row.values():
            by_application.setdefault(item.application, {}).setdefault(item.system, {})[item.size] = None
    together = {item.application for row in rows if len(row) > 1 for item in row.values()}
    return {
        application: "not divided: sizes differ ("
        + ", ".join(f"{' and '.join(sizes) or 'none'} on {names[system]}" for system, sizes in by_system.items()) + ")"
        for application, by_system in by_application.items()
        if len(by_system) > 1 and application not in together and len({tuple(sizes) for sizes in by_system.values()}) > 1
    }


def _block(
    key: tuple[str, str, str, str], group: Sequence[dict[int, Item]], names: Sequence[str], sizes: str, notes: Footnotes
) -> Block:
    application, size, unit, _ = key
    items = [item for row in group for item in row.values()]
    common = [
        f"{part}: {next(iter(values))}"
        for part, values in ((part, {dict(item.basis).get(part, "") for item in items}) for part, _ in items[0].basis)
        if len(values) == 1 and values != {""}
    ]
    apart: dict[str, None] = {sizes: None} if sizes else {}
    lines = [line_of(row, unit, names, notes, apart) for row in group]
    how = {f"{names[item.system]}: {item.how}": None for item in items if item.how}
    return Block(application, size, unit, ", ".join(common), tuple(apart), tuple(how), tuple(lines))


def line_of(row: dict[int, Item], unit: str, names: Sequence[str], notes: Footnotes, apart: dict[str, None]) -> Line:
    first = row[min(row)]
    work = _work(row)
    cells: list[Cell | None] = []
    ratios: list[float | None] = []
    for system, name in enumerate(names):
        item = row.get(system)
        if item is None:
            cells.append(None)
            ratios.append(None)
            continue
        percent = _percent(item, work)
        numbers = [notes.number(f"{name}: {text}") for text in (item.note, *_slips(item, percent, work)) if text]
        value = item.value if item.unit == unit else f"{item.value} {item.unit}"
        cells.append(Cell(value, item.percent_printed, percent, tuple(numbers)))
        problem = _differ(first, item, names) if item is not first else ""
        if problem:
            apart[problem] = None
        number = UNITS[item.unit][0] not in NOT_DIVIDED and " " not in first.value + item.value
        if item is not first and not problem and number:
            ratios.append(float(item.value) * UNITS[item.unit][1] / (float(first.value) * UNITS[first.unit][1]))
        else:
            ratios.append(None)
        for figure in (first, item):
            if item is not first and figure.size == NOT_STATED:
                apart[f"the size of {names[figure.system]} is not stated"] = None
    return Line(max((item.name for item in row.values()), key=len), tuple(cells), tuple(ratios))


def differing(first: Item, item: Item) -> str:
    """The differences of two figures, by name; "" where none is known."""
    mine, other = dict(item.basis), dict(first.basis)
    parts = [key for key in mine if key in other and "" not in (mine[key], other[key]) and mine[key] != other[key]]
    return ", ".join(["size", *parts] if not _same_size(first.size, item.size) else parts)


def _differ(first: Item, item: Item, names: Sequence[str]) -> str:
    """Why two figures are not divided; "" where they may be. A fact that either lacks does not part them."""
    mine, other = dict(item.basis), dict(first.basis)
    parts = [
        f"{key} ({other[key]} on {names[first.system]}, {mine[key]} on {names[item.system]})"
        for key in mine if key in other and "" not in (mine[key], other[key]) and mine[key] != other[key]
    ]
    if not _same_size(first.size, item.size):
        parts.insert(0, f"size ({first.size or 'none'} on {names[first.system]}, {item.size or 'none'} on {names[item.system]})")
    if UNITS[first.unit][0] != UNITS[item.unit][0]:
        parts.insert(0, f"quantity ({first.unit} on {names[first.system]}, {item.unit} on {names[item.system]})")
    return f"not divided: they differ in {', '.join(parts)}" if parts else ""


def _work(row: dict[int, Item]) -> tuple[float, float] | None:
    """FLOP of a rank that all printed seconds and percentages of a row allow; None where fewer than two state them."""
    ranges = []
    for item in row.values():
        if item.unit == "s" and item.percent_printed and item.peak:
            seconds, percent = interval(item.value), interval(item.percent_printed)
            ranges.append((seconds[0] * percent[0] / 100 * item.peak, seconds[1] * percent[1] / 100 * item.peak))
    return (max(low for low, _ in ranges), min(high for _, high in ranges)) if len(ranges) > 1 else None


def _percent(item: Item, work: tuple[float, float] | None) -> float | None:
    """Of a rate: value over peak. Of seconds: the work that all systems agree on over seconds and peak."""
    if item.percent is not None or not item.peak:
        return item.percent
    if UNITS[item.unit][0] in ("flop_rate", "byte_rate"):
        return 100 * float(item.value) * UNITS[item.unit][1] / item.peak
    return 100 * (work[0] + work[1]) / 2 / float(item.value) / item.peak if work and item.percent_printed else None


def _slips(item: Item, percent: float | None, work: tuple[float, float] | None) -> Iterable[str]:
    """Why the percentage beside the printed percentage differs."""
    where = f"{item.application}, {item.name}"
    if work and work[0] > work[1]:
        yield f"{where}: seconds and percentages imply another work than those of the other systems"
    slip = f"; {item.slip}" if item.slip else ""
    if percent is not None and item.percent_printed and not work:
        scale = percent / float(item.value)
        low, high = (scale * end for end in interval(item.value))
        least, most = interval(item.percent_printed)
        if not (low <= most and least <= high):
            yield f"{where}: {item.percent_printed} % printed, {percent:.3f} % from value and peak{slip}"
            return
    if slip:
        yield f"{where}: {item.slip}"


def _specification(machines: Sequence[MachineFile], files: Files) -> Iterable[Line]:
    def line(name: str, values: Sequence[float | None]) -> Line:
        cells = tuple(Cell(units.number(value)) if value is not None else None for value in values)
        first = values[0]
        return Line(name, cells, (None, *(value / first if value and first else None for value in values[1:])))

    def scaled(values: Iterable[float | None], scale: float) -> list[float | None]:
        return [value / scale if value is not None else None for value in values]

    peaks = [node_peak(files, machine) for machine in machines]
    sockets = [machine.sockets for machine in machines]
    processors = [peak / count if peak and count else None for peak, count in zip(peaks, sockets, strict=True)]
    yield line("nodes", [machine.nodes for machine in machines])
    yield line("sockets a node", sockets)
    yield line("cores a node", [machine.cores for machine in machines])
    yield line("frequency, GHz", [machine.frequency_ghz for machine in machines])
    yield line("peak of a processor, GFLOP/s", scaled(processors, 1e9))
    yield line("peak of a node's processors, GFLOP/s", scaled(peaks, 1e9))
    yield line("memory rate of a processor, GB/s", scaled((_processor_rate(machine) for machine in machines), 1e9))
    yield line("memory of a node, GiB", scaled((machine.memory_bytes for machine in machines), 2**30))
    yield line("memory rate of a node, GB/s", scaled((machine.memory_rate_spec for machine in machines), 1e9))
    parts: dict[tuple[str, str], list[list[str]]] = {}
    for number, machine in enumerate(machines):
        for part in machine.parts:
            figures = ", ".join(map(str, part.figures.values()))
            text = f"{f'{part.count} x ' if part.count > 1 else ''}{part.name}{f' ({figures})' if figures else ''}"
            parts.setdefault((part.kind, part.of), [[] for _ in machines])[number].append(text)
    for (kind, of), texts in parts.items():
        for place in range(max(map(len, texts))):
            cells = tuple(Cell(text[place]) if place < len(text) else None for text in texts)
            yield Line(f"{kind} of a {of}", cells, (None,) * len(machines))


def _processor_rate(machine: MachineFile) -> float | None:
    rates = [part.figures["rate"].value for part in machine.parts
             if (part.kind, part.of) == ("memory", "processor") and "rate" in part.figures]
    return rates[0] if len(rates) == 1 else None


# Peaks of reference systems, and the percentages of their printed figures: recomputed, never repeated.

@dataclass(frozen=True, slots=True)
class Percentage:
    """A printed percentage of peak and that computed from value and peak, both in percent."""

    machine: str
    entry: str
    application: str
    row: str
    printed: str
    recomputed: float
    fits: bool  # the roundings of value and percentage can hide the difference


def node_peak(files: Files, machine: MachineFile) -> float | None:
    """FLOP/s of the processors of a node, double precision: flop per cycle x nominal frequency x cores, else as printed."""
    if core_peak := peak_of_cores(files, machine, 1):
        return core_peak * machine.cores if machine.cores else None
    return _printed_peak(machine, "processor")


def peak_of_cores(files: Files, machine: MachineFile, cores: int, single: bool = False) -> float | None:
    """FLOP/s of so many cores; None where the core or its frequency is not known."""
    core = files.core(machine.core) if machine.core else None
    if core is None or not machine.frequency_ghz:
        return None
    return (core.rates[0].single if single else core.rates[0].double) * machine.frequency_ghz * 1e9 * cores


def _printed_peak(machine: MachineFile, kind: str) -> float | None:
    parts = [part for part in machine.parts if part.kind == kind]
    if not parts or any("peak" not in part.figures for part in parts):
        return None
    return sum(part.figures["peak"].value * (part.count if kind == "processor" else 1) for part in parts)


def peak_of(files: Files, machine: MachineFile, results: Results, row: Row) -> float | None:
    """The peak of the parts that `row` used, in its base unit: as its paper states it, else of nodes, sockets, devices."""
    if row.peak:
        return row.peak.value
    node, device = node_peak(files, machine), _printed_peak(machine, "device") if row.devices else 0.0
    if UNITS[results.unit][0] != "flop_rate" or results.precision != "double" or node is None or device is None:
        return None
    sockets = machine.sockets or 1
    return (row.nodes or 1) * (node * (sockets if row.sockets is None else row.sockets) / sockets + device * row.devices)


def interval(printed: str) -> tuple[float, float]:
    """The values that are printed so: half a unit of the last digit to either side."""
    mantissa, _, exponent = printed.lower().partition("e")
    half = 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return float(printed) - half, float(printed) + half


def percentages(files: Files) -> Iterator[Percentage]:
    """All printed percentages of a published rate whose peak is known, with their recomputation."""
    for machine in files.machines.values():
        for results in machine.results:
            for row in results.rows:
                peak = peak_of(files, machine, results, row)
                if row.percent_of_peak is None or peak is None:
                    continue
                scale = 100 * UNITS[results.unit][1] / peak
                low, high = (scale * end for end in interval(row.values[0]))
                least, most = interval(row.percent_of_peak)
                yield Percentage(
                    machine.name, results.entry, results.application, row.name, row.percent_of_peak,
                    scale * float(row.values[0]), low <= most and least <= high,
                )


def verify(files: Files) -> None:
    """TenkenError where a published rate is above its own peak."""
    for machine in files.machines.values():
        for results in machine.results:
            measured = UNITS[results.unit][0] in ("flop_rate", "byte_rate") and results.statistic != "specification"
            for row in results.rows if measured else ():
                peak = peak_of(files, machine, results, row)
                value = max(float(figure) for figure in row.values) * UNITS[results.unit][1]
                if peak is not None and value > 1.0001 * peak:
                    raise TenkenError(
                        f"{machine.path}: {results.application}, row '{row.name}': {value:.6g} is above the peak of "
                        f"{peak:.6g}; correct value, unit, nodes, sockets, devices or peak of the row"
                    )
