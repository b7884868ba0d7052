"""Reads the health counters of a node in a few milliseconds: memory errors, throttling, room in /tmp, clock source."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tenken.model.health import Health


def health(root: Path = Path("/")) -> Health:
    """The health of this node, or of a captured tree."""
    controllers = sorted((root / "sys/devices/system/edac/mc").glob("mc[0-9]*"))
    cores = (root / "sys/devices/system/cpu").glob("cpu[0-9]*/thermal_throttle/core_throttle_count")
    free, whole = _room(root / "tmp")
    return Health(
        correctable=_sum(controller / "ce_count" for controller in controllers),
        uncorrectable=_sum(controller / "ue_count" for controller in controllers),
        throttled=_sum(cores),
        tmp_free_bytes=free,
        tmp_bytes=whole,
        clock_source=_text(root / "sys/devices/system/clocksource/clocksource0/current_clocksource"),
    )


def stolen_s(root: Path = Path("/")) -> float:
    """Seconds since boot that other guests of the host took of a processor of this node, on average; 0 where not counted."""
    lines = (_text(root / "proc/stat") or "").splitlines()
    ticks = [line.split()[8] for line in lines if line.startswith("cpu") and len(line.split()) > 8]
    processors = len(ticks) - 1  # the first line is of all together
    return int(ticks[0]) / os.sysconf("SC_CLK_TCK") / processors if processors > 0 and ticks[0].isdigit() else 0.0


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None


def _sum(paths: Iterable[Path]) -> int | None:
    """Of all counters that can be read; None where there is none."""
    known = [int(text) for path in paths if (text := _text(path)) is not None and text.isdigit()]
    return sum(known) if known else None


def _room(path: Path) -> tuple[int | None, int | None]:
    try:
        status = os.statvfs(path)
    except OSError:
        return None, None
    return status.f_bavail * status.f_frsize, status.f_blocks * status.f_frsize
