from __future__ import annotations

from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.machine.files import read_bands, read_cores, read_devices, read_files, read_machine

MACHINES = Path(__file__).resolve().parents[3] / "machines"
OF_MEMORY = {f"stream.{kernel}" for kernel in ("copy", "scale", "add", "triad", "read")}


def write(folder: Path, text: str, name: str = "here.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_everything_shipped_is_read() -> None:
    files = read_files([MACHINES])
    assert {"k", "fx100", "ito-b"} <= set(files.machines)
    assert {"fma_peak.double", "fma_peak.single", "dgemm.rate", *OF_MEMORY} == {band.metric for band in files.bands}
    assert all(machine.core is None or files.core(machine.core) for machine in files.machines.values())


def test_limits_of_memory_are_wide_and_named() -> None:
    bands = [band for band in read_files([MACHINES]).bands if band.metric in OF_MEMORY]
    assert len(bands) == len(OF_MEMORY) and all((band.low, band.high, band.of) == (0.2, None, "cores") for band in bands)


def test_a_band_of_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    band = "[[band]]\nnode_class = '*'\nmetric = 'a.b'\nlow = 1.0\nof = 'peak'\nsource = 's'\n"
    with pytest.raises(TenkenError, match="of: expected ceiling, value or cores, found 'peak'"):
        read_bands(write(tmp_path, band))


def test_every_core_states_its_arithmetic_and_source() -> None:
    for core in read_cores(MACHINES / "cores.toml"):
        assert core.source and core.rates, core.name
        total, cores = (float(core.memory_why.split()[word]) for word in (0, 3))  # "128 GB/s over 28 cores: ..."
        assert core.memory_rate == pytest.approx(1e9 * total / cores, rel=5e-3), core.name
        assert core.vendor or core.implementer is not None or core.pattern, f"{core.name} would fit anything"
        assert all(r.most_double >= r.double and r.most_single >= r.single for r in core.rates), core.name
        # Widest first: the first rate whose flags are shown counts.
        assert [r.double for r in core.rates] == sorted((r.double for r in core.rates), reverse=True), core.name


@pytest.mark.parametrize(("capability", "multiprocessors", "ghz", "double", "single"), [
    # Peaks in TFLOP/s at the highest clock, as the maker prints them: K40, P100, V100, A100, H100.
    ("3.5", 15, 0.745, "1.43", "4.29"), ("6.0", 56, 1.48, "5.3", "10.6"), ("7.0", 80, 1.53, "7.8", "15.7"),
    ("8.0", 108, 1.41, "9.7", "19.5"), ("9.0", 132, 1.98, "33.5", "66.9"),
])  # fmt: skip
def test_peaks_of_devices_are_the_published_ones(
    capability: str, multiprocessors: int, ghz: float, double: str, single: str
) -> None:
    (device,) = (one for one in read_devices(MACHINES / "cores.toml") if capability in one.capabilities)
    assert device.source
    for per_cycle, printed in ((device.flop_per_cycle_double, double), (device.flop_per_cycle_single, single)):
        digits = len(printed.partition(".")[2])
        assert f"{1e-3 * per_cycle * ghz * multiprocessors:.{digits}f}" == printed


def test_devices_of_all_folders_are_known_and_the_users_come_first(tmp_path: Path) -> None:
    entry = "[device.mine]\ntitle = 't'\ncapabilities = ['9.0', '12.1']\nfma = [4, 256]\nsource = 's'\n"
    (tmp_path / "cores.toml").write_text(entry)
    devices = read_files([MACHINES, tmp_path]).devices
    assert devices[0].name == "mine" and devices[0].capabilities == ("9.0", "12.1") and len(devices) > 5
    assert read_cores(tmp_path / "cores.toml") == ()
    (tmp_path / "cores.toml").write_text(entry.replace("12.1", "sm_121"))
    with pytest.raises(TenkenError, match="expected compute capabilities such as '9.0'"):
        read_devices(tmp_path / "cores.toml")


@pytest.mark.parametrize(
    ("name", "gflops"),
    # One node: k and fx100 from their slide "Hardware", ITO subsystem B from section 2.3 (processors only), Reedbush-U
    # from table 2 of the same paper.
    [("k", 128.0), ("fx100", 1011.2), ("ito-b", 2649.6), ("reedbush-u", 1209.6)],
)
def test_peaks_of_reference_systems_are_the_published_ones(name: str, gflops: float) -> None:
    files = read_files([MACHINES])
    machine = files.machines[name]
    assert machine.core and machine.frequency_ghz and machine.cores
    core = files.core(machine.core)
    assert core and core.rates[0].double * machine.frequency_ghz * machine.cores == pytest.approx(gflops, rel=1e-12)


def test_published_solves_are_their_iterations() -> None:
    """Of three digits each; the table's own 6.75e1 s are 0.24 % more than 1305 of its iterations."""
    machines = read_files([MACHINES]).machines.values()
    tables = [table for machine in machines for table in machine.published if table.application == "GeoFEM-Cube/CG"]
    assert len(tables) == 6
    for table in tables:
        solve, iteration = (float(section.seconds or "nan") for section in table.sections)
        assert table.sections[0].note == "1305 iterations"
        assert 1305 * iteration == pytest.approx(solve, rel=3e-3), table.size


def test_a_machine_file_of_a_site(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        name = "site"
        hosts = ["n[0-9]*"]
        node_class = "thin"
        exclusive = true
        [node]
        core = "zen4"
        memory_rate_spec = 460.8e9
        [storage]
        root = "/scratch"
        [environment.gcc12]
        cxx = "g++-12"
        modules = ["gcc/12", "openmpi"]
        """,
    )
    machine = read_machine(path)
    assert (machine.name, machine.hosts, machine.node_class, machine.exclusive) == ("site", ("n[0-9]*",), "thin", True)
    assert machine.memory_rate_spec == 460.8e9
    assert machine.environments["gcc12"]["modules"] == ["gcc/12", "openmpi"]
    assert machine.storage_root == "/scratch"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = 3", "name: expected a text that is not empty, found 3"),
        ("title = 'x'", "name: is missing"),
        ("name = 'x'\ncolour = 'red'", "colour: is unknown; valid: also, environment, exclusive, hosts"),
        ("name = 'x'\n[node]\ncores = true", "[node] cores: expected a whole number of at least 1, found True"),
        ("name = 'x'\nhosts = [1]", "hosts: expected a list of texts"),
        ("name = 'x'\nexclusive = 1", "exclusive: expected true or false"),
        ("name = 'x'\npublished = [3]", "published 1: expected a table, found 3"),
        ("name = 'x'\n[storage]\nroot = 'data'", "[storage] root: expected an absolute path, found 'data'"),
        ("name = 'x'\n[storage]\nfolder = '/data'", "folder: is unknown; valid: root"),
        ("name = ", "not TOML"),
    ],
)
def test_a_wrong_machine_file_is_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(TenkenError) as error:
        read_machine(path)
    assert words in str(error.value) and str(path) in str(error.value)


def test_published_figures_keep_their_digits(tmp_path: Path) -> None:
    head = "name = 'x'\n[[published]]\napplication = 'a'\nsize = ''\nranks = 1\ncores_a_rank = 1\nsource = 's'\n"
    line = "sections = [{{id = 1, name = 'n', kind = 'whole', seconds = {}}}]"
    assert read_machine(write(tmp_path, head + line.format("'1.20'"))).published[0].sections[0].seconds == "1.20"
    assert read_machine(write(tmp_path, head + line.format("'5.17e-2'"))).published[0].sections[0].seconds == "5.17e-2"
    for wrong in ("1.20", "'about 1'", "'-1'"):
        with pytest.raises(TenkenError, match="seconds: expected a number as printed"):
            read_machine(write(tmp_path, head + line.format(wrong)))


def test_wrong_cores_and_bands(tmp_path: Path) -> None:
    with pytest.raises(TenkenError, match=r"\[core.x\] models: expected a list of \[first, last\]"):
        read_cores(write(tmp_path, "[core.x]\ntitle = ''\nsource = ''\nmodels = [3]"))
    wrong = {"fma = [16]": r"fma: expected \[double, single\]", "fma = [16, 32], most = [8, 32]": "at least fma"}
    for rate, words in wrong.items():
        with pytest.raises(TenkenError, match=words):
            read_cores(write(tmp_path, f"[core.x]\ntitle = ''\nsource = ''\nrates = [{{{rate}, why = 'w'}}]"))
    with pytest.raises(TenkenError, match="cores: is unknown"):
        read_cores(write(tmp_path, "[cores.x]\n"))
    with pytest.raises(TenkenError, match=r"\[band 1\] metric: is missing"):
        read_bands(write(tmp_path, "[[band]]\nnode_class = '*'\n"))


def test_the_users_folder_overrides(tmp_path: Path) -> None:
    write(tmp_path, "name = 'k'\ntitle = 'mine'")
    assert read_files([MACHINES, tmp_path, tmp_path / "missing"]).machines["k"].title == "mine"
