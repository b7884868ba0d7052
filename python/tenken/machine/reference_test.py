from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.machine.files import Files, MachineFile, read_cores, read_machine
from tenken.machine.side_by_side import interval, node_peak, peak_of, percentages, verify

CORES = read_cores(Path(__file__).resolve().parents[3] / "machines" / "cores.toml")
HEAD = """
name = "x"
nodes = 4
[node]
core = "zen4"
frequency_ghz = 2.0
cores = 32
sockets = 2
[[part]]
kind = "memory"
name = "fast"
of = "processor"
count = 2
capacity = "16 GB"
rate = "490 GB/s"
entry = "p/t"
[[part]]
kind = "device"
name = "card"
of = "node"
peak = "5.3 TFLOP/s"
entry = "p/t"
"""
RESULTS = """
[[results]]
entry = "p/t"
application = "HPL"
unit = "GFLOP/s"
statistic = "best of 5"
rows = [{name = "a", value = "512.0", percent_of_peak = "50"}, {name = "b", values = "1.0 2.0e3", nodes = 2, devices = 1}]
"""


def machine(folder: Path, text: str) -> MachineFile:
    path = folder / "x.toml"
    path.write_text(text, encoding="utf-8")
    return read_machine(path)


def files(one: MachineFile) -> Files:
    return Files(CORES, (), {one.name: one})


def test_parts_and_rows_keep_their_digits(tmp_path: Path) -> None:
    one = machine(tmp_path, HEAD + RESULTS)
    assert one.nodes == 4 and str(one.parts[0].figures["rate"]) == "490 GB/s" and one.parts[0].figures["rate"].value == 490e9
    assert one.results[0].rows[0].values == ("512.0",) and one.results[0].rows[1].values == ("1.0", "2.0e3")
    assert one.results[0].precision == "double" and one.results[0].rows[1].nodes == 2


def test_peaks_are_of_the_nodes_sockets_and_devices_of_a_row(tmp_path: Path) -> None:
    one = machine(tmp_path, HEAD + RESULTS)
    node = 16 * 2e9 * 32  # zen4: 16 flop a cycle
    results, (first, second) = one.results[0], one.results[0].rows
    assert node_peak(files(one), one) == node
    assert peak_of(files(one), one, results, first) == node
    assert peak_of(files(one), one, results, replace(first, sockets=1)) == node / 2
    assert peak_of(files(one), one, results, second) == 2 * (node + 5.3e12)
    assert peak_of(files(one), one, replace(results, precision="single"), first) is None
    [percentage] = percentages(files(one))
    assert percentage.recomputed == pytest.approx(50.0) and percentage.fits
    wrong = machine(tmp_path, HEAD + RESULTS.replace('"50"', '"51"'))
    assert not next(percentages(files(wrong))).fits


def test_what_is_printed_is_an_interval() -> None:
    assert interval("1.23") == pytest.approx((1.225, 1.235))
    assert interval("5.60e-2") == pytest.approx((0.05595, 0.05605))
    assert interval("66") == (65.5, 66.5)


def test_a_rate_above_its_own_peak_is_refused(tmp_path: Path) -> None:
    good = machine(tmp_path, HEAD + RESULTS)
    verify(files(good))
    bad = machine(tmp_path, HEAD + RESULTS.replace('"512.0"', '"5120.0"'))
    with pytest.raises(TenkenError, match=r"x.toml: HPL, row 'a': 5.12e\+12 is above the peak of 1.024e\+12; correct"):
        verify(files(bad))


@pytest.mark.parametrize(("old", "new", "sentence"), [
    ('"16 GB"', '"16 GB/s"', "[part 1] capacity: unit 'GB/s' does not fit; expected one of B, kB"),
    ('"16 GB"', '"16 GBit"', "[part 1] capacity: unit 'GBit' is unknown; did you mean"),
    ('"16 GB"', '"many GB"', "[part 1] capacity: expected a number and a unit as in '16 GB'"),
    ('kind = "memory"', 'kind = "memroy"', "[part 1] kind: 'memroy' is unknown; did you mean memory?"),
    ('of = "processor"', 'off = "processor"', "[part 1] of: is missing"),
    ("count = 2", "count = 2\ncolour = 3", "[part 1] colour: is unknown"),
    ('unit = "GFLOP/s"', 'unit = "GFLOPS"', "[results 1] unit: unit 'GFLOPS' is unknown; did you mean"),
    ('name = "b"', 'name = "a"', "results: two rows of HPL are named 'a'"),
    ('value = "512.0"', "value = 512.0", "[results 1.rows 1] value: expected a text"),
    ('value = "512.0"', 'value = "1 2"', "value: expected a number as printed"),
    ('values = "1.0 2.0e3"', 'values = "1.0 about"', "values: expected numbers as printed"),
    ('value = "512.0"', 'value = "512.0", peak = "5 GB"', "peak: unit 'GB' does not fit; expected one of FLOP/s"),
])
def test_a_wrong_row_or_part_is_one_sentence(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert old in HEAD + RESULTS
    with pytest.raises(TenkenError) as error:
        machine(tmp_path, (HEAD + RESULTS).replace(old, new))
    assert sentence in str(error.value) and "x.toml" in str(error.value)
