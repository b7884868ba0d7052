"""Peaks of reference systems, and the percentages of their printed figures: recomputed, never repeated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tenken.machine.files import Files, MachineFile
from tenken.machine.reference import UNITS, Results, Row
from tenken.model.errors import TenkenError


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
