"""Small trees of /sys, /proc and /etc that stand for whole machines in tests: captured ones and a made-up one.

A tree is a mapping from path to content; content that starts with '-> ' is a symbolic link.
`python3 tests/machines/trees.py > tests/machines/NAME.tree.json` captures the machine it runs on.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

Tree = Mapping[str, str]

_HERE = Path(__file__).parent
_CAPTURED = (
    "etc/os-release",
    "proc/cpuinfo",
    "proc/loadavg",
    "proc/meminfo",
    "proc/self/limits",
    "proc/self/status",
    "proc/sys/kernel/hostname",
    "proc/sys/kernel/numa_balancing",
    "proc/sys/kernel/osrelease",
    "sys/class/dmi/id/*",
    "sys/class/net/*/operstate",
    "sys/class/net/*/device",
    "sys/class/net/*/device/driver",
    "sys/devices/system/clocksource/clocksource0/current_clocksource",
    "sys/devices/system/cpu/cpu*/cache/index*/*",
    "sys/devices/system/cpu/cpu*/topology/*",
    "sys/devices/system/cpu/cpuidle/current_driver",
    "sys/devices/system/cpu/online",
    "sys/devices/system/cpu/smt/control",
    "sys/devices/system/cpu/vulnerabilities/*",
    "sys/devices/system/node/node*/cpulist",
    "sys/devices/system/node/node*/distance",
    "sys/devices/system/node/node*/meminfo",
    "sys/kernel/mm/hugepages/*/*_hugepages",
    "sys/kernel/mm/transparent_hugepage/*",
)


def capture(root: Path = Path("/")) -> dict[str, str]:
    """What Tenken reads of a machine, without what names people, addresses or serial numbers."""
    tree = {}
    for pattern in _CAPTURED:
        for path in sorted(root.glob(pattern)):
            name = str(path.relative_to(root))
            if path.is_symlink() and path.is_dir():
                if path.name == "driver":
                    tree[name] = f"-> ../drivers/{path.resolve().name}"
            elif path.is_file() and not any(word in name for word in ("serial", "uuid", "asset_tag", "map")):
                try:
                    tree[name] = _kept(path.name, path.read_text(errors="replace").strip())
                except OSError:
                    continue
    return tree


def _kept(name: str, text: str) -> str:
    """The part of a file that Tenken reads: one processor, and of the process only where it may run."""
    if name == "cpuinfo":
        return text.split("\n\n")[0]
    if name == "status":
        return "\n".join(line for line in text.splitlines() if "_allowed_list" in line)
    return text


def of_kind(name: str) -> Tree:
    """The tree of a kind of machine, NAME.tree: `path = text`, further lines of the text behind a tab; C++ tests read it, too."""
    tree: dict[str, list[str]] = {}
    path = ""
    for line in (_HERE / f"{name}.tree").read_text().splitlines():
        if line.startswith("\t"):
            tree[path].append(line[1:])
        elif not line.startswith("#"):
            path, _, text = line.partition(" =")
            tree[path] = [text[1:]] if text else []
    return {path: "\n".join(lines) for path, lines in tree.items()}


def captured(name: str) -> Tree:
    return json.loads((_HERE / f"{name}.tree.json").read_text())


def plant(tree: Tree, folder: Path) -> Path:
    """Writes a tree into a folder and returns the folder."""
    for name, content in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content.startswith("-> "):
            path.symlink_to(content[3:])
        else:
            path.write_bytes(content.encode("utf-8", "surrogateescape") + b"\n")
    return folder


def two_sockets(cores_a_cache: int = 4, caches_a_numa: int = 1) -> dict[str, str]:
    """A made-up node: 2 packages, 4 NUMA nodes, 2 hardware threads a core, 2 InfiniBand cards, 4 GPUs."""
    cores = 4 * caches_a_numa * cores_a_cache
    tree = dict(_node_wide(cores))
    for core in range(cores):
        for cpu in (core, core + cores):
            tree.update(_cpu(cpu, core, cores, cores_a_cache))
    for numa in range(4):
        tree.update(_numa(numa, cores))
    for number in range(2):
        tree.update(_infiniband(number))
    for number in range(4):
        tree.update(_gpu(number))
    return tree


def _list(numbers: range) -> str:
    return f"{numbers.start}-{numbers.stop - 1}" if len(numbers) > 1 else str(numbers.start)


def _cpu(cpu: int, core: int, cores: int, cores_a_cache: int) -> Iterator[tuple[str, str]]:
    at = f"sys/devices/system/cpu/cpu{cpu}/"
    both = f"{core},{core + cores}"
    first = core // cores_a_cache * cores_a_cache
    shared = ",".join(_list(range(start, start + cores_a_cache)) for start in (first, first + cores))
    yield at + "topology/physical_package_id", str(core // (cores // 2))
    yield at + "topology/core_id", str(core % (cores // 2))
    yield at + "topology/thread_siblings_list", both
    caches = ((1, "Data", "32K", both), (1, "Instruction", "32K", both), (2, "Unified", "1024K", both),
              (3, "Unified", "32768K", shared))  # fmt: skip
    for index, (level, kind, size, cpus) in enumerate(caches):
        folder = at + f"cache/index{index}/"
        yield from {folder + "level": str(level), folder + "type": kind, folder + "size": size}.items()
        yield folder + "shared_cpu_list", cpus
        yield folder + "coherency_line_size", "64"
    yield at + "cpufreq/scaling_governor", "performance" if cpu else "powersave"
    yield at + "cpufreq/scaling_driver", "amd-pstate-epp"
    yield at + "cpufreq/cpuinfo_max_freq", "3700000"
    yield at + "thermal_throttle/core_throttle_count", "7" if cpu == 3 else "0"


def _numa(numa: int, cores: int) -> Iterator[tuple[str, str]]:
    at = f"sys/devices/system/node/node{numa}/"
    first, each = numa * cores // 4, cores // 4
    yield at + "cpulist", f"{_list(range(first, first + each))},{_list(range(cores + first, cores + first + each))}"
    yield at + "meminfo", f"Node {numa} MemTotal: 98304000 kB\nNode {numa} MemFree: 90000000 kB"
    yield at + "distance", " ".join("10" if n == numa else "12" if n // 2 == numa // 2 else "32" for n in range(4))


def _infiniband(number: int) -> Iterator[tuple[str, str]]:
    at, pci = f"sys/class/infiniband/mlx5_{number}", f"sys/devices/pci0000:{number}0/0000:{number}1:00.0"
    yield at + "/device", f"-> ../../../../{pci}"
    yield at + "/fw_ver", "20.31.1014"
    yield at + "/board_id", "MT_0000000223"
    yield at + "/ports/1/state", "4: ACTIVE"
    yield at + "/ports/1/rate", "200 Gb/sec (4X HDR)" if number == 0 else "100 Gb/sec (2X HDR)"
    yield at + "/ports/1/link_layer", "InfiniBand"
    yield at + "/ports/1/counters/symbol_error", "0" if number == 0 else "12"
    yield at + "/ports/1/counters/port_rcv_data", "123456789"
    yield pci + "/numa_node", str(2 * number)
    yield pci + "/driver", "-> ../drivers/mlx5_core"
    yield pci + "/current_link_width", "16" if number == 0 else "8"
    yield pci + "/max_link_width", "16"
    yield pci + f"/msi_irqs/{40 + number}", "msix"
    yield f"proc/irq/{40 + number}/smp_affinity_list", "0-3"


def _gpu(number: int) -> Iterator[tuple[str, str]]:
    at = f"sys/bus/pci/devices/0000:{number + 3}b:00.0/"
    yield at + "class", "0x030200"
    yield at + "vendor", "0x10de"
    yield at + "numa_node", str(number)
    yield at + "driver", "-> ../drivers/nvidia"
    yield f"proc/driver/nvidia/gpus/0000:{number + 3}b:00.0/information", "Model: \t\t NVIDIA A100-SXM4-40GB\nIRQ: 7"


def _node_wide(cores: int) -> Iterator[tuple[str, str]]:
    yield "proc/sys/kernel/hostname", "n042"
    yield "proc/sys/kernel/osrelease", "5.14.0-427.el9.x86_64"
    yield "proc/cpuinfo", (
        "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nstepping\t: 1\n"
        "model name\t: AMD EPYC 9000-Series Made-Up Processor\nflags\t\t: fpu tsc fma avx2 avx512f constant_tsc"
    )
    yield "proc/meminfo", "MemTotal: 393216000 kB\nMemAvailable: 360000000 kB\nSwapTotal: 0 kB"
    yield "proc/self/status", f"Name:\tprobe\nCpus_allowed_list:\t0-{2 * cores - 2}\nMems_allowed_list:\t0-3"
    yield "proc/self/cgroup", "0::/system.slice/job_7/step_0"
    yield "sys/fs/cgroup/system.slice/job_7/cpu.max", "1200000 100000"
    yield "sys/fs/cgroup/system.slice/job_7/memory.max", "68719476736"
    yield "sys/fs/cgroup/system.slice/job_7/step_0/memory.max", "max"
    yield "proc/self/limits", "Max locked memory         unlimited            unlimited            bytes"
    yield "proc/loadavg", "0.50 0.25 0.10 1/900 4242"
    yield "sys/devices/system/cpu/online", f"0-{2 * cores - 1}"
    yield "sys/devices/system/cpu/smt/control", "on"
    yield "sys/devices/system/cpu/vulnerabilities/spectre_v2", "Mitigation: Retpolines"
    yield "sys/devices/system/cpu/cpufreq/boost", "1"
    yield "sys/devices/system/edac/mc/mc0/mc_name", "F19h_M10h"
    yield "sys/devices/system/edac/mc/mc0/ce_count", "3"
    yield "sys/devices/system/edac/mc/mc0/ue_count", "0"
    yield "sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc"
    yield "sys/class/dmi/id/sys_vendor", "Made-Up Systems"
    yield "sys/class/dmi/id/product_name", "MU-2U"
    yield "sys/class/dmi/id/bios_version", "2.7"
    yield "sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never"
    yield "sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "512"
    yield "sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "500"
    yield "sys/class/net/eth0/device/driver", "-> ../drivers/ice"
    yield "sys/class/net/eth0/operstate", "up"
    yield "sys/class/net/eth0/speed", "25000"
    yield "sys/class/net/eth0/statistics/rx_errors", "0"
    yield "etc/os-release", 'PRETTY_NAME="Made-Up Linux 9.4"'


# The lines of /proc/cpuinfo by which processors differ, as their kernels write them.
PROCESSORS = {  # by the word for them in the class of a node
    "arm_0x41_0xd4f": 2 * "processor : 0\nCPU implementer : 0x41\nCPU part : 0xd4f\n\n",
    "arm_0x41_0xd85_0x41_0xd87": "".join(
        f"processor : {i}\nBogoMIPS : 2000\nFeatures : asimd\nCPU implementer : 0x41\nCPU variant : 0x0\nCPU part : {part}\n\n"
        for i, part in enumerate(("0xd85", "0xd87", "0xd85"))),
    "arm_0x48_0xd01": "processor : 0\nCPU implementer : 0x48\nCPU part : 0xd01\n",
    "s390_machine_3931": "vendor_id : IBM/S390\nprocessor 0: version = FF,  identification = 2F7A48,  machine = 3931\n",
    "s390_machine_2964": "vendor_id : IBM/S390\nprocessor 0: version = FF,  identification = 1C2B48,  machine = 2964\n",
    "sifive_u74_mc": "processor : 0\nhart : 1\nisa : rv64imafdc\nmmu : sv39\nuarch : sifive,u74-mc\n",
    "thead_c906": "processor : 0\nisa : rv64imafdc\nuarch : thead,c906\n",
    "loongson_3a5000": "CPU Family : Loongson-64bit\nModel Name : Loongson-3A5000\nCPU Revision : 0x10\n",
    "power9_raw_altivec_supported": "processor : 0\ncpu : POWER9 (raw), altivec supported\nrevision : 2.2\n",
    "cavium_octeon_ii": "system type : X\nprocessor : 0\ncpu model : Cavium Octeon II\n",
    "x": "vendor_id : X\nmodel : 7\n", "unknown": "",
}


if __name__ == "__main__":
    json.dump(capture(), sys.stdout, indent=1)
    print()
