"""The same groups as in cpp/base/control_group_test.cpp."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenken.machine.quick import quick_node

GIB = 1 << 30


def planted(root: Path, files: dict[str, str]) -> tuple[int | None, int | None]:
    """(limit, available) of a node of 64 GiB with 60 available."""
    for name, text in {"proc/meminfo": "MemTotal: 67108864 kB\nMemAvailable: 62914560 kB\n", **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    node = quick_node(str(root))
    return node["limits"]["memory_limit_bytes"], node["memory"]["available_bytes"]


def test_without_control_groups_the_memory_of_the_node_counts(tmp_path: Path) -> None:
    assert planted(tmp_path, {}) == (None, 60 * GIB)
    assert planted(tmp_path, {"proc/self/cgroup": "nonsense\n0::/../../../etc\n"}) == (None, 60 * GIB)


def test_the_group_that_leaves_least_binds_and_page_cache_gives_way(tmp_path: Path) -> None:
    step = "sys/fs/cgroup/job/step"
    files = {
        "proc/self/cgroup": "0::/job/step\n", f"{step}/memory.max": "max\n", f"{step}/memory.current": "1000\n",
        "sys/fs/cgroup/job/memory.max": f"{8 * GIB}\n", "sys/fs/cgroup/job/memory.current": f"{6 * GIB}\n",
    }
    assert planted(tmp_path, files) == (8 * GIB, 2 * GIB)
    assert planted(tmp_path, {"sys/fs/cgroup/job/memory.stat": f"anon 5\ninactive_file {GIB}\n"}) == (8 * GIB, 3 * GIB)
    assert planted(tmp_path, {"sys/fs/cgroup/memory.max": f"{4 * GIB}", "sys/fs/cgroup/memory.current": f"{9 * GIB}"}) == (
        4 * GIB, 0)


@pytest.mark.parametrize("group", ["/job", "/"])
def test_version_1(tmp_path: Path, group: str) -> None:
    folder = f"sys/fs/cgroup/memory{group if group != '/' else ''}"
    files = {
        "proc/self/cgroup": f"4:cpu,memory:{group}\n0::/\n", f"{folder}/memory.limit_in_bytes": f"{8 * GIB}",
        f"{folder}/memory.usage_in_bytes": f"{7 * GIB}", f"{folder}/memory.stat": f"inactive_file 1\ntotal_inactive_file {GIB}",
    }
    assert planted(tmp_path, files) == (8 * GIB, 2 * GIB)
    assert planted(tmp_path, {f"{folder}/memory.limit_in_bytes": "9223372036854771712"}) == (None, 60 * GIB)
