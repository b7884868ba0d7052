"""Time x percent of peak x peak is the work of a section: it must be the same on K and on FX100.

Kitazawa's tables (machines/k.toml, machines/fx100.toml) print seconds and percent of peak of 24 sections on both. What
was printed stands for an interval of half a unit of its last digit to either side; the intervals of the work that
follow must overlap. This ties together the published figures, the peaks of cores.toml and the meaning of "peak": that
of the cores of one rank.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tenken.machine.files import Files, MachineFile, Published, PublishedSection, read_files

FILES = read_files([Path(__file__).resolve().parent.parent / "machines"])
Interval = tuple[float, float]


def printed(text: str) -> Interval:
    """The values that are printed as `text`."""
    half = 0.5 * 10.0 ** -len(text.partition(".")[2])
    return float(text) - half, float(text) + half


def peak_gflops(files: Files, machine: MachineFile, cores: int) -> float:
    core = files.core(machine.core or "")
    assert core and machine.frequency_ghz
    return core.rates[0].double * machine.frequency_ghz * cores


def work_gflop(machine: MachineFile, table: Published, section: PublishedSection) -> Interval:
    """Work of one rank in GFLOP that the printed figures allow."""
    assert section.seconds and section.percent_of_peak
    seconds, percent = printed(section.seconds), printed(section.percent_of_peak)
    peak = peak_gflops(FILES, machine, table.cores_a_rank)
    return seconds[0] * percent[0] / 100 * peak, seconds[1] * percent[1] / 100 * peak


def sections(name: str) -> dict[str, Interval]:
    machine = FILES.machines[name]
    return {
        f"{table.application} {section.id} {section.name}": work_gflop(machine, table, section)
        for table in machine.published
        for section in table.sections
        if section.percent_of_peak
    }


K, FX100 = sections("k"), sections("fx100")
COMMON = [name for name in K if name in FX100]


def test_peaks_follow_from_the_machine_files() -> None:
    assert peak_gflops(FILES, FILES.machines["k"], 8) == pytest.approx(128.0)
    assert peak_gflops(FILES, FILES.machines["fx100"], 8) == pytest.approx(252.8)


def test_all_24_sections_are_there() -> None:
    assert len(COMMON) == len(K) == 24
    tables = [FILES.machines[name].published for name in ("k", "fx100")]
    k, fx100 = ({(table.application, s.id, s.name) for table in machine for s in table.sections} for machine in tables)
    assert k <= fx100, "a section of the K table is missing on FX100"


@pytest.mark.parametrize("name", COMMON)
def test_work_is_the_same_on_both(name: str) -> None:
    k, fx100 = K[name], FX100[name]
    assert k[0] <= fx100[1] and fx100[0] <= k[1], f"{k} GFLOP on K, {fx100} on FX100"


def test_the_test_can_fail() -> None:
    """A digit changed in the third place of a well-determined section no longer fits."""
    name = "RSDFT 1102 GS/MM/dgemm2"
    low, high = (bound * 82.40 / 82.30 for bound in K[name])
    assert not (low <= FX100[name][1] and FX100[name][0] <= high)


def test_dgemm_on_one_node_is_the_same_work_on_8_16_and_32_cores() -> None:
    """Three measurements of one program: its stated 1.84e12 flop lies in each interval."""
    work = [interval for name, interval in FX100.items() if name.startswith("DGEMM of RSDFT")]
    assert len(work) == 3
    for low, high in work:
        assert low <= 1845 and high >= 1835
