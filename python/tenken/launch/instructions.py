"""Instruction sets of x86-64 that an environment can be limited to: for the compiler, and for the BLAS, which chooses alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tenken.base.errors import TenkenError


@dataclass(frozen=True, slots=True)
class Instructions:
    """The flags are those of the levels v3 and v4 of the x86-64 psABI; the times of instructions stay those of the node."""

    flags: str
    needs: frozenset[str]  # of /proc/cpuinfo
    variables: tuple[tuple[str, str], ...]  # kernels of OpenBLAS and of MKL


SETS: Mapping[str, Instructions] = {
    "avx2": Instructions(
        "-march=x86-64-v3 -mtune=native", frozenset({"avx2", "fma", "bmi2"}),
        (("MKL_ENABLE_INSTRUCTIONS", "AVX2"), ("OPENBLAS_CORETYPE", "Haswell")),
    ),
    "avx512": Instructions(
        "-march=x86-64-v4 -mtune=native", frozenset({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}),
        (("MKL_ENABLE_INSTRUCTIONS", "AVX512"), ("OPENBLAS_CORETYPE", "SkylakeX")),
    ),
}


def processor_features() -> frozenset[str]:
    """Features of this node's first processor, in the kernel's words; empty where it gives none."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return frozenset()
    match = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    return frozenset(match[1].split()) if match else frozenset()


def required(word: str) -> Instructions:
    """The set called `word`; TenkenError, which names missing features, where this processor cannot execute it."""
    lacking = SETS[word].needs - processor_features()
    if lacking:
        raise TenkenError(f"environment '{word}' is not possible here: the processor has no {', '.join(sorted(lacking))}.")
    return SETS[word]
