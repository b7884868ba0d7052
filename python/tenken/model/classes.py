"""The classes of metrics: a row each, with everything that differs between them.

Effects are relative (0.05 = 5 %). A class is how noisy such a quantity is by nature, and so how small a change is worth
a finding, however certain.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MetricClass:
    jitter: float  # MAD/median over repetitions, at most
    change_warn: float  # of a time against its baseline
    change_fail: float
    hopeless: float  # smallest detectable effect, above which nothing unremarkable is called OK
    sigma: float  # standard deviation of a launch where nothing tells
    release_finds: float  # slowdown that a comparison of two environments is to find
    path_effect: float | None = None  # time of a path against that of its two ends; None where there are no paths


METRIC_CLASSES = {
    "compute": MetricClass(0.05, change_warn=0.03, change_fail=0.05, hopeless=0.25, sigma=0.02, release_finds=0.10),
    "memory": MetricClass(0.10, change_warn=0.03, change_fail=0.05, hopeless=0.25, sigma=0.03, release_finds=0.10),
    "latency": MetricClass(
        0.30, change_warn=0.10, change_fail=0.15, hopeless=0.60, sigma=0.06, release_finds=0.30, path_effect=1.20
    ),
    "bandwidth": MetricClass(
        0.20, change_warn=0.05, change_fail=0.08, hopeless=0.35, sigma=0.04, release_finds=0.15, path_effect=1.10
    ),
    "io": MetricClass(0.30, change_warn=0.20, change_fail=0.30, hopeless=1.00, sigma=0.10, release_finds=0.60),
}

# Classes of the work of sections of each kind; the first is taken where no metric states the class of its section.
OF_KIND = {"compute": ("memory", "compute"), "comm": ("latency", "bandwidth"), "wait": (), "io": ("io",)}
