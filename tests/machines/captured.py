"""Topologies of machines that others captured, reduced to the files that Tenken reads of them.

The facts stand in captured.json.xz: machine -> path -> text. captured.toml has what each machine is, and what hwloc reads of
it. `python3 tests/machines/captured.py FOLDER` makes both anew from unpacked trees, a folder each, and needs lstopo.
`python3 tests/machines/captured.py --page` writes docs/machines-read.md.
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
import tempfile
import tomllib
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TREES, TABLE = HERE / "captured.json.xz", HERE / "captured.toml"
PAGE = HERE.parents[1] / "docs" / "machines-read.md"
_CPU = "sys/devices/system/cpu"
_READ = (
    "proc/meminfo", f"{_CPU}/online", f"{_CPU}/cpu*/online", f"{_CPU}/cpu*/topology/physical_package_id",
    f"{_CPU}/cpu*/topology/core_id", "sys/devices/cpu_core/cpus", "sys/devices/cpu_atom/cpus",
)
_SETS = (  # a mask, and a list that says the same
    (f"{_CPU}/cpu*/topology/thread_siblings", "thread_siblings_list"), (f"{_CPU}/cpu*/topology/core_siblings", "core_siblings_list"),
    (f"{_CPU}/cpu*/cache/index*/shared_cpu_map", "shared_cpu_list"), ("sys/devices/system/node/node*/cpumap", "cpulist"),
)
_OF_CACHES = ("level", "type", "size", "coherency_line_size", "ways_of_associativity")
_OF_MEMORY = ("MemTotal", "MemAvailable")
_OF_KINDS = ("processor", "CPU implementer", "CPU part")
Figures = dict[str, Any]


def trees() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(lzma.decompress(TREES.read_bytes()))
    return found


def table() -> dict[str, Figures]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def figures(node: Mapping[str, Any]) -> Figures:
    """Of a node as the probe writes it: what stands in the table. A kernel without NUMA has one domain."""
    topology = node["topology"]
    of_caches = [(f"L{one['level']}{'i' * (one['type'] == 'Instruction')}", one["bytes"] or 0) for one in topology["caches"]]
    return {
        "packages": len({core["package"] for core in topology["cores"]}),
        "cores": len(topology["cores"]),
        "processors": sum(len(core["cpus"]) for core in topology["cores"]),
        "numa": max(1, sum(bool(one["cpus"]) for one in topology["numa"])),
        "caches": caches(of_caches),
        "kinds": max(1, len(topology["kinds"])),
    }


def caches(each: Iterable[tuple[str, int]]) -> str:
    """ "L1 32 KiB x 8, L2 1024 KiB x 8"; of instructions none."""
    data = Counter(one for one in each if "i" not in one[0])
    return ", ".join(f"{name} {size // 1024 if size else '?'} KiB x {count}" for (name, size), count in sorted(data.items()))


def reduced(root: Path) -> dict[str, str]:
    """What Tenken reads of the tree in `root`."""
    found = {str(path.relative_to(root)): _text(path) for pattern in _READ for path in root.glob(pattern) if path.is_file()}
    for pattern, listed in _SETS:
        for folder in {path.parent for path in (*root.glob(pattern), *root.glob(pattern.rpartition("/")[0] + "/" + listed))}:
            mask = folder / pattern.rpartition("/")[2]
            kept = mask if _text(mask) else folder / listed
            found[str(kept.relative_to(root))] = _text(kept)
    for name in _OF_CACHES:
        found |= {str(path.relative_to(root)): _text(path) for path in root.glob(f"{_CPU}/cpu*/cache/index*/{name}")}
    if "proc/meminfo" in found:
        lines = found["proc/meminfo"].splitlines()
        found["proc/meminfo"] = "\n".join(line for line in lines if line.startswith(_OF_MEMORY))
    if cpuinfo := _text(root / "proc/cpuinfo"):
        first, *others = cpuinfo.split("\n\n")
        if others and not first.startswith("processor") and others[0].startswith("processor"):  # a heading stands before
            first, others = f"{first}\n\n{others[0]}", others[1:]
        kept = ["\n".join(line for line in one.splitlines() if line.startswith(_OF_KINDS)) for one in others]
        several = len({one.partition("\n")[2] for one in (first, *kept) if "CPU part" in one}) > 1
        found["proc/cpuinfo"] = "\n\n".join([first, *(kept if several else ())])
    return {path: text for path, text in sorted(found.items()) if text}


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip(" \t\n\0")
    except OSError:
        return ""


def by_hwloc(root: Path) -> Figures:
    """The same figures as hwloc reads them; without those that it does not tell."""
    variables = {"HWLOC_FSROOT": str(root), "HWLOC_THISSYSTEM": "0", "HWLOC_COMPONENTS": "linux,stop"}
    done = subprocess.run(["lstopo-no-graphics", "--of", "xml", "--no-io", "--disallowed", "-"], env=os.environ | variables,
                          capture_output=True, text=True, check=True)
    objects = [one.attrib for one in ElementTree.fromstring(done.stdout[done.stdout.index("<"):]).iter("object")]
    count = Counter(one["type"] for one in objects)
    homes = {one["cpuset"] for one in objects if one["type"] == "NUMANode" and int(one["cpuset"].replace(",", "").replace("0x", "") or "0", 16)}
    found: Figures = {
        "packages": count["Package"] or None, "cores": count["Core"] or None, "processors": count["PU"],
        "numa": max(1, len(homes)),
        "caches": caches((one["type"].removesuffix("Cache"), int(one.get("cache_size", 0))) for one in objects
                         if one["type"].startswith("L") and one["type"].endswith("Cache")),
    }
    return {name: value for name, value in found.items() if value is not None}


WHY = {
    ("ul-vmware_fpe", "cores"): "modules of AMD's family 21 have two integer cores, which Tenken counts",
    ("fakeheterocpunuma", "numa"): "three domains claim the same processors: Tenken takes none for right",
    ("fakememinitiators-1np2c+1npp+gi", "numa"): "hwloc gives memory without processors to those that start transfers to it",
}


def root_of(folder: Path) -> Path:
    return next(one for one in (folder, *sorted(folder.rglob("*"))) if (one / "proc").is_dir() or (one / "sys").is_dir())


def make(folder: Path) -> None:
    """Both files, from unpacked trees in `folder`; those of util-linux begin with "ul-"."""
    from trees import plant  # beside this file

    from tenken.machine.quick import quick_node

    made, lines = {}, []
    for one in sorted(folder.iterdir()):
        root = root_of(one)
        made[one.name] = reduced(root)
        with tempfile.TemporaryDirectory() as place:
            own = figures(quick_node(str(plant(made[one.name], Path(place)))))
        lines.append(f'[{json.dumps(one.name)}]')
        lines.append('source = "%s"' % ("util-linux, tests/ts/lscpu/dumps" if one.name.startswith("ul-") else "hwloc, tests/hwloc/linux"))
        lines += [f"{name} = {json.dumps(value)}" for name, value in own.items()]
        others = {name: value for name, value in by_hwloc(root).items() if value != own[name]}
        lines += [f"hwloc.{name} = {json.dumps(value)}" for name, value in others.items()]
        lines += [f"why = {json.dumps(WHY[one.name, name])}" for name in others]
        lines.append("")
    TREES.write_bytes(lzma.compress(json.dumps(made).encode(), preset=9))
    TABLE.write_text("# Made by tests/machines/captured.py; what hwloc reads stands only where it differs.\n" + "\n".join(lines))


def page() -> str:
    rows = [
        f"| {name} | {one['source'].partition(',')[0]} | {one['packages']} | {one['cores']} | {one['processors']} | {one['numa']} "
        f"| {one['caches'] or '-'} | {one['kinds']} |"
        for name, one in table().items()
    ]
    unlike = [
        f"- {name}: {key}, hwloc {value}, Tenken {one[key]}:\n  {one['why']}."
        for name, one in table().items() for key, value in one.get("hwloc", {}).items()
    ]
    head = "| machine | captured by | packages | cores | processors | NUMA domains | caches of data | kinds of cores |"
    return f"""# Machines whose topology is tested

Made by `python3 tests/machines/captured.py --page`; do not edit. The trees of /sys and /proc come
from the tests of hwloc and of util-linux. Only the files that Tenken reads are kept. The probe and
its stand-in in Python read the same, and `tests/captured_test.py` compares both with this table.
NUMA domains are those with processors. A kernel without NUMA has one domain.

{head}
| --- | --- | --- | --- | --- | --- | --- | --- |
{chr(10).join(rows)}

hwloc 2.9 reads the same of each, except:

{chr(10).join(unlike)}
"""


if __name__ == "__main__":
    if sys.argv[1:] == ["--page"]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        make(Path(sys.argv[1]))
