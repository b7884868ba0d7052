from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given, strategies as st
import pytest

from machines.trees import PROCESSORS
from tenken.base.errors import TenkenError
from tenken.machine.files import Files, MachineFile, read_files
from tenken.machine.match import (
    bands, choose, data_caches, exclusive_allocation, facts, last_level_bytes, memory_gib, rate_of, recognise,
)
from tenken.machine.quick import quick_node
from tenken.model.machine import Band, Cache

FILES = read_files([Path(__file__).resolve().parents[3] / "machines"])
GIB = 1 << 30


def node(cpu: dict[str, Any], **more: Any) -> dict[str, Any]:
    topology = {
        "cores": [{"package": 0, "numa": 0, "id": i, "cpus": [i, i + 4]} for i in range(4)],
        "online": list(range(8)),
        "usable": list(range(8)),
        "kinds": [],
        "caches": [
            {"level": 1, "type": "Instruction", "bytes": 1 << 15, "cpus": [0, 4]},
            {"level": 2, "type": "Unified", "bytes": 1 << 20, "cpus": [0, 4]},
            {"level": 3, "type": "Unified", "bytes": 8 << 20, "cpus": [0, 1, 4, 5]},
            {"level": 3, "type": "Unified", "bytes": 8 << 20, "cpus": [2, 3, 6, 7]},
        ],
        "numa": [{"id": 0, "cpus": list(range(8))}, {"id": 1, "cpus": []}],
    }
    return {"host": "n1", "cpu": cpu, "topology": topology | more, "memory": {"total_bytes": 62 * GIB}}


def intel(model: int, stepping: int = 1, name: str = "", flags: str = "avx2 fma avx512f") -> dict[str, Any]:
    cpu = {"vendor": "GenuineIntel", "family": 6, "model": model, "stepping": stepping, "model_name": name}
    return cpu | {"flags": flags.split()}


def amd(family: int, model: int, flags: str = "avx2 fma avx512f") -> dict[str, Any]:
    return {"vendor": "AuthenticAMD", "family": family, "model": model, "flags": flags.split()}


def arm(implementer: int, part: int, flags: str = "asimd sve") -> dict[str, Any]:
    return {"vendor": None, "implementer": implementer, "part": part, "flags": flags.split()}


@pytest.mark.parametrize(
    ("cpu", "core", "double"),
    [
        (intel(63), "haswell", 16),
        (intel(79), "broadwell", 16),
        (intel(85, 4, "Intel(R) Xeon(R) Gold 6140 CPU @ 2.30GHz"), "skylake_sp", 32),
        (intel(85, 4, "Intel(R) Xeon(R) Gold 6140 CPU @ 2.30GHz", "avx2 fma"), "skylake_sp", 16),
        (intel(85, 4, "Intel(R) Xeon(R) Gold 5122 CPU @ 3.60GHz"), "skylake_sp", 32),
        (intel(85, 4, "Intel(R) Xeon(R) Silver 4110 CPU @ 2.10GHz"), "skylake_sp_1fma", 16),
        (intel(85, 4, "Intel(R) Xeon(R) CPU @ 2.00GHz"), None, None),
        (intel(85, 7, "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz"), "cascade_lake", 32),
        (intel(85, 7, "Intel(R) Xeon(R) Gold 5218 CPU @ 2.30GHz"), "cascade_lake_1fma", 16),
        (intel(106), "ice_lake_sp", 32),
        (intel(143), "sapphire_rapids", 32),
        (intel(207), "emerald_rapids", 32),
        (intel(173), "granite_rapids", 32),
        (intel(175, flags="avx2 fma"), "sierra_forest", 8),
        (intel(87), "knl", 32),
        (amd(23, 1), "zen1", 8),
        (amd(23, 49), "zen2", 16),
        (amd(25, 1, "avx2 fma"), "zen3", 16),
        (amd(25, 17), "zen4", 16),
        (amd(25, 97), "zen4", 16),
        (amd(26, 2), "zen5", 32),
        (amd(26, 2, "avx2 fma"), "zen5", 16),
        (amd(26, 36), None, None),
        (arm(0x41, 0xD0C), "neoverse_n1", 8),
        (arm(0x41, 0xD40), "neoverse_v1", 16),
        (arm(0x41, 0xD49), "neoverse_n2", 8),
        (arm(0x41, 0xD4F), "neoverse_v2", 16),
        (arm(0x41, 0xD87), "cortex_a725", 8),
        (arm(0x41, 0xD85), "cortex_x925", 24),
        (arm(0x61, 0x028), "apple_icestorm", 8),
        (arm(0x61, 0x023), "apple_firestorm", 16),
        (arm(0x61, 0x026), None, None),
        (arm(0x46, 0x001), "a64fx", 32),
        ({"model_name": "Fujitsu SPARC64 XIfx"}, "sparc64_xifx", 16),
        ({"model_name": "Fujitsu SPARC64 VIIIfx"}, "sparc64_viiifx", 8),
        ({}, None, None),
        (intel(1), None, None),
    ],
)
def test_cores_are_recognised(cpu: dict[str, Any], core: str | None, double: float | None) -> None:
    found = recognise(node(cpu), FILES.cores)
    assert (found.name if found else None) == core
    if found:
        rate = rate_of(found, cpu.get("flags", ()))
        assert rate and rate.double == double
    assert facts({"nodes": [node(cpu)]}, FILES).nodes[0].flop_per_cycle_double == double


@pytest.mark.parametrize(
    ("cpu", "double", "single"),
    [(amd(23, 49), (16, 24), (32, 48)), (intel(79), (16, 16), (32, 32)), (intel(143, flags="avx2 fma"), (16, 20), (32, 40))],
)
def test_pipes_that_only_add_count_for_what_is_possible(cpu: dict, double: tuple, single: tuple) -> None:
    found = facts({"nodes": [node(cpu)]}, FILES).nodes[0]
    assert (found.per_cycle("double"), found.per_cycle("single")) == (double, single)
    assert facts({"nodes": [node({})]}, FILES).nodes[0].per_cycle("double") is None


def test_a_node_with_two_kinds_of_core_has_no_one_peak() -> None:
    kinds = [{"name": "cpu_core", "cpus": [0, 1]}, {"name": "cpu_atom", "cpus": [2, 3]}]
    cpu = intel(151, flags="avx2 fma")
    assert recognise(node(cpu, kinds=kinds), FILES.cores) is None
    for usable, name in (([0, 1], "alder_lake_p"), ([2], "alder_lake_e")):
        found = recognise(node(cpu, kinds=kinds, usable=usable), FILES.cores)
        assert found and found.name == name


def test_usable_cores_of_one_kind_of_arm_have_its_peak() -> None:
    kinds = [{"name": "0x41:0xd87", "cpus": [0, 1]}, {"name": "0x41:0xd85", "cpus": [2, 3]}]
    cpu = {**arm(0x41, 0xD87), "parts": [kind["name"] for kind in kinds]}
    assert recognise(node(cpu, kinds=kinds), FILES.cores) is None
    for usable, name in (([0, 1], "cortex_a725"), ([3], "cortex_x925")):
        found = recognise(node(cpu, kinds=kinds, usable=usable), FILES.cores)
        assert found and found.name == name


@pytest.mark.parametrize(
    ("model", "threads", "core"),
    [
        ("POWER9, altivec supported", 4, "power9_smt4"),
        ("POWER9 (architected), altivec supported", 8, "power9_smt8"),
        ("POWER10 (architected), altivec supported", 4, "power10_smt4"),
        ("POWER10 (architected), altivec supported", 8, "power10_smt8"),
        ("POWER9, altivec supported", 1, None),
        ("POWER8 (raw), altivec supported", 8, None),
    ],
)
def test_cores_of_power_are_recognised_by_their_threads(model: str, threads: int, core: str | None) -> None:
    """One thread a core leaves open how many there are."""
    cores = [{"package": 0, "cpus": list(range(threads * i, threads * (i + 1)))} for i in range(2)]
    topology = {"cores": cores, "usable": list(range(2 * threads))}
    found = recognise({"cpu": {"model_name": model}, "topology": topology}, FILES.cores)
    assert (found.name if found else None) == core


def test_facts_of_a_part_of_a_node() -> None:
    raw = node(amd(25, 17), usable=[0, 4, 1]) | {"limits": {"memory_limit_bytes": 5 * GIB}, "os": {"hypervisor": "KVM"}}
    found = facts({"nodes": [raw]}, FILES).nodes[0]
    assert (found.cores, found.cpus, found.sockets, found.numa_nodes) == (2, 3, 1, 1)
    assert (found.memory_bytes, found.l3_bytes, found.virtual) == (5 * GIB, 8 << 20, "KVM")
    assert found.node_class == facts({"nodes": [node(amd(25, 17))]}, FILES).nodes[0].node_class == "zen4-4c-64GiB"
    assert not found.exclusive


def test_nodes_with_one_host_name_have_the_facts_of_that_host() -> None:
    raw = {"nodes": [node(amd(25, 17)) | {"host": "n1"}, node(amd(25, 17), usable=[0]) | {"host": "vm"}]}
    machine = facts(raw, FILES)
    assert [machine.node(name).host for name in ("n1", "vm", "vm#2", "vm.site#3", "elsewhere")] == ["n1", "vm", "vm", "vm", "n1"]


def test_what_the_machine_file_says_counts() -> None:
    site = MachineFile("site", "", "site.toml", ("n*",), "thin", True, core="zen3", memory_rate_spec=4e11)
    machine = facts({"nodes": [node(intel(1, flags="avx2 fma"))]}, FILES, site)
    found = machine.nodes[0]
    assert (machine.name, found.node_class, found.core, found.flop_per_cycle_double) == ("site", "thin", "zen3", 16)
    assert found.exclusive and found.memory_rate_spec == 4e11
    assert (found.memory_rate_a_core, found.memory_rate_source) == (1e11, "400 GB/s over 4 cores: machine file")
    with pytest.raises(TenkenError, match="core 'zen9' is not in cores.toml"):
        facts({"nodes": [node({})]}, FILES, MachineFile("site", "", "site.toml", core="zen9"))


def test_the_memory_rate_of_a_core_is_that_of_its_kind_where_no_file_states_that_of_the_node() -> None:
    found = facts({"nodes": [node(amd(25, 17))]}, FILES).nodes[0]
    assert found.core == "zen4" and found.memory_rate_a_core == 2.6e9 and found.memory_rate_spec is None
    assert found.memory_rate_source.startswith("AMD Zen 4, 166.4 GB/s over 64 cores: ")


def test_nothing_known_is_not_an_error() -> None:
    found = facts({"nodes": [{}]}, FILES).nodes[0]
    assert found.memory_rate_a_core is None and found.memory_rate_source == ""
    assert (found.host, found.node_class, found.cores, found.l3_bytes) == ("unknown", "unknown-0c-0GiB", 0, 0)
    with pytest.raises(TenkenError, match="no node in it"):
        facts({"nodes": []}, FILES)


def test_the_last_level_may_be_the_second() -> None:
    cmgs = [{"level": 2, "type": "Unified", "bytes": 8 << 20, "cpus": [i, i + 4]} for i in range(4)]
    instructions = {"level": 2, "type": "Instruction", "bytes": 1 << 20, "cpus": [0]}
    assert last_level_bytes(node({}, caches=[*cmgs, instructions])) == 32 << 20


def test_levels_of_caches_know_how_many_cores_share_one() -> None:
    cores = [{"package": 0, "numa": 0, "id": core, "cpus": [core, core + 4]} for core in range(4)]
    first = [{"level": 1, "type": "Data", "bytes": 32 << 10, "cpus": [core, core + 4]} for core in range(4)]
    shared = [{"level": 2, "type": "Unified", "bytes": 8 << 20, "cpus": [0, 1, 4, 5]},
              {"level": 2, "type": "Unified", "bytes": 4 << 20, "cpus": [2, 3, 6, 7]}]
    noise = [{"level": 1, "type": "Instruction", "bytes": 1 << 20, "cpus": [0]},
             {"level": 3, "type": "Unified", "bytes": None, "cpus": [0]}]
    raw = {"topology": {"cores": cores, "caches": [*shared, *noise, *first]}}
    assert data_caches(raw) == (Cache(1, 32 << 10, 1), Cache(2, 8 << 20, 2))
    assert data_caches({}) == ()


@pytest.mark.parametrize(
    ("kernel_gib", "installed"),
    [(0.4, 0), (1.9, 2), (15.4, 16), (23.5, 24), (31.2, 32), (62.5, 64), (93.7, 96), (187.4, 192), (503, 512)],
)
def test_memory_is_named_as_installed(kernel_gib: float, installed: int) -> None:
    assert memory_gib(int(kernel_gib * GIB)) == installed


@given(st.integers(1, 1 << 44), st.floats(0.0, 0.002))
def test_memory_rounding_stays_near(total: int, less: float) -> None:
    gib = total / GIB
    assert abs(memory_gib(total) - gib) <= max(1.0, gib / 8)


def test_machine_files_are_chosen_by_name_or_host() -> None:
    files = Files(machines={
        "a": MachineFile("a", "", "a.toml", ("n[0-9]*", "login1")),
        "b": MachineFile("b", "", "b.toml", ("*.site.org",)),
        "k": MachineFile("k", "", "k.toml"),
    })  # fmt: skip
    assert choose(files, ["n17", "n18.cluster"]).name == "a"  # type: ignore[union-attr]
    assert choose(files, ["x.site.org"]).name == "b"  # type: ignore[union-attr]
    assert choose(files, ["n17", "other"]) is None and choose(files, []) is None
    assert choose(files, ["other"], "k").name == "k"  # type: ignore[union-attr]
    with pytest.raises(TenkenError, match="machine 'kk': no such machine file; nearest: k"):
        choose(files, [], "kk")
    with pytest.raises(TenkenError, match="fits the machine files a .* b .* choose one with --machine"):
        choose(files, ["n1.site.org"])


@pytest.mark.parametrize(
    ("allocation", "ours"),
    [
        ({}, False),
        ({"oversubscribe": "NO"}, True),
        ({"oversubscribe": "OK", "cpus_per_node": "8(x4)"}, True),
        ({"oversubscribe": None, "cpus_per_node": "8(x3),4"}, False),
        ({"oversubscribe": "USER", "cpus_per_node": "2"}, False),
    ],
)
def test_exclusive_allocations(allocation: dict[str, Any], ours: bool) -> None:
    assert exclusive_allocation(node({}), allocation) is ours
    assert facts({"nodes": [node({})], "allocation": allocation}, FILES).nodes[0].exclusive is ours


def test_the_band_of_a_class_hides_the_general_one() -> None:
    general = Band("*", "dgemm.rate", 0.7, None, "ceiling", "s")
    own = Band("zen4-4c-64GiB", "dgemm.rate", 0.85, None, "ceiling", "s")
    other = Band("thin", "dgemm.rate", 0.1, None, "ceiling", "s")
    files = Files(cores=FILES.cores, bands=(general, other, own))
    assert bands(files, facts({"nodes": [node(amd(25, 17))]}, files)) == (own,)
    assert bands(files, facts({"nodes": [node(amd(25, 1))]}, files)) == (general,)


def test_what_the_scheduler_granted() -> None:
    for told, granted in (("72(x3),36", 36), ("4", 4), (None, None)):
        raw = {"nodes": [node({})], "allocation": {"cpus_per_node": told}}
        assert facts(raw, FILES).nodes[0].granted_cpus == granted


@pytest.mark.parametrize("word", PROCESSORS)
def test_processors_without_an_entry_have_classes_of_their_own(word: str, tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cpuinfo").write_text(PROCESSORS[word])
    cpu = quick_node(str(tmp_path))["cpu"]
    expected = "x_7" if word == "x" else word
    if word != "arm_0x41_0xd4f":  # cores.toml has it
        assert facts({"nodes": [node(cpu)]}, FILES).nodes[0].node_class == f"{expected}-4c-64GiB"
    assert facts({"nodes": [node(cpu)]}, Files()).nodes[0].node_class == f"{expected}-4c-64GiB"


def test_two_kinds_of_arm_cores_have_no_peak() -> None:
    two = {**arm(0x41, 0xD4F), "parts": ["0x41:0xd4f", "0x41:0xd80"]}
    assert recognise(node(two), FILES.cores) is None and recognise(node(arm(0x41, 0xD4F)), FILES.cores) is not None
