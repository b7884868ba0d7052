"""The occasion of a run: in which allocation or since which boot, and whether its sitting was named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tenken.machine.software import allocation
from tenken.model.errors import TenkenError
from tenken.model.sitting import Occasion

VARIABLE = "TENKEN_SITTING"
BOOT = Path("/proc/sys/kernel/random/boot_id")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def occasion(environ: Mapping[str, str], boot: Path = BOOT) -> Occasion:
    """The allocation of `environ`, else this boot of this node; TenkenError where TENKEN_SITTING is no name."""
    name = environ.get(VARIABLE, "")
    if name and not _NAME.fullmatch(name):
        raise TenkenError(
            f"{VARIABLE}={name!r}: expected up to 64 letters, digits, '.', '_' and '-', beginning with a letter or digit. "
            f"It names the sitting of a drill or test; unset it to measure this machine."
        )
    return Occasion(_place(environ, boot), name)


def _place(environ: Mapping[str, str], boot: Path) -> str:
    job = allocation(environ, run=lambda words: None)
    if job["job"]:
        cluster = environ.get("SLURM_CLUSTER_NAME", "") if job["scheduler"] == "slurm" else ""
        return " ".join(filter(None, (job["scheduler"], cluster, "job", job["job"])))
    try:
        return f"boot {boot.read_text(encoding='ascii').strip()}"
    except (OSError, UnicodeDecodeError):
        return ""
