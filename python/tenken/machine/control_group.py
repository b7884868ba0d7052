"""The memory that control groups (versions 1 and 2) leave to this process, as cpp/base/control_group.cpp reads it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Protocol

_UNLIMITED = 1 << 60  # version 1 writes a number near 2^63


class Tree(Protocol):
    """Files of the node."""

    def text(self, path: str) -> str: ...
    def number(self, path: str) -> int | None: ...


def memory_limit(tree: Tree) -> int | None:
    """Bytes; the least limit of the groups of this process and of those above them, None where there is none."""
    return least(*(limit for _, limit, _, _ in _groups(tree)))


def memory_left(tree: Tree) -> int | None:
    """Bytes that those limits leave; files in the page cache give way."""
    left: list[int] = []
    for folder, limit, usage, reclaimable in _groups(tree):
        used = tree.number(f"{folder}/{usage}")
        if used is not None:
            left.append(min(max(limit - used + _statistic(tree, folder, reclaimable), 0), limit))
    return least(*left)


def least(*numbers: int | None) -> int | None:
    return min((number for number in numbers if number is not None), default=None)


def _groups(tree: Tree) -> Iterator[tuple[str, int, str, str]]:
    """Folder, limit, and the names of usage and page cache, of every group with a limit."""
    paths = _paths(tree)
    for mount, group, names in (
        ("sys/fs/cgroup", paths.get("", "/"), ("memory.max", "memory.current", "inactive_file")),
        ("sys/fs/cgroup/memory", paths.get("memory", "/"),
         ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")),
    ):
        while True:
            folder = mount + (group if group != "/" else "")
            limit = tree.number(f"{folder}/{names[0]}")  # "max" is no number
            if limit is not None and limit < _UNLIMITED:
                yield folder, limit, names[1], names[2]
            if group == "/":
                break
            group = os.path.dirname(group)


def _paths(tree: Tree) -> dict[str, str]:
    """The group of this process by controller; "" stands for the unified hierarchy."""
    paths: dict[str, str] = {}
    for line in tree.text("proc/self/cgroup").splitlines():  # 4:cpu,cpuacct:/job_7
        words = line.split(":", 2)
        if len(words) == 3:
            for controller in words[1].split(","):
                paths.setdefault(controller, os.path.normpath("/" + words[2].lstrip("/")))
    return paths


def _statistic(tree: Tree, folder: str, name: str) -> int:
    for line in tree.text(f"{folder}/memory.stat").splitlines():
        key, _, value = line.partition(" ")
        if key == name and value.isdigit():
            return int(value)
    return 0
