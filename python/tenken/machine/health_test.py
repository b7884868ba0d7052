from __future__ import annotations

import os
from pathlib import Path

from tenken.machine.quick import health, stolen_s
from tenken.model.health import Health


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def test_counters_of_all_controllers_and_cores_are_summed(tmp_path: Path) -> None:
    for controller in (0, 1):
        write(tmp_path, f"sys/devices/system/edac/mc/mc{controller}/ce_count", f"{controller + 1}\n")
        write(tmp_path, f"sys/devices/system/edac/mc/mc{controller}/ue_count", "0\n")
    write(tmp_path, "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "4\n")
    write(tmp_path, "sys/devices/system/cpu/cpu11/thermal_throttle/core_throttle_count", "3\n")
    write(tmp_path, "sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n")
    (tmp_path / "tmp").mkdir()
    found = health(tmp_path)
    assert (found.correctable, found.uncorrectable, found.throttled, found.clock_source) == (3, 0, 7, "tsc")
    assert found.tmp_free_bytes and found.tmp_bytes and found.tmp_free_bytes <= found.tmp_bytes


def test_what_the_system_does_not_tell_is_none(tmp_path: Path) -> None:
    write(tmp_path, "sys/devices/system/edac/mc/mc0/ce_count", "not a number\n")
    assert health(tmp_path) == Health(None, None, None, None, None, None)


def test_stolen_time_is_that_of_a_processor(tmp_path: Path) -> None:
    assert stolen_s(tmp_path) == 0.0
    ticks = os.sysconf("SC_CLK_TCK")
    lines = [f"cpu  1 2 3 4 5 6 7 {3 * ticks} 0 0", f"cpu0 1 2 3 4 5 6 7 {ticks} 0 0", f"cpu1 1 2 3 4 5 6 7 {2 * ticks} 0 0"]
    write(tmp_path, "proc/stat", "\n".join([*lines, "intr 1 2 3 4 5 6 7 8 9"]) + "\n")
    assert stolen_s(tmp_path) == 1.5
    write(tmp_path, "proc/stat", "cpu  1 2 3 4\ncpu0 1 2 3 4\n")
    assert stolen_s(tmp_path) == 0.0
