"""Plugins of all tests. Property tests on busy machines: examples have no deadline and are the same in every run."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

pytest_plugins = ["ended_tests"]

# Without a profile an example of over 0.2 s is a failure, which a machine with other work on it makes of any. Examples are
# drawn alike in each run: a test that turns red does so for a change in the tree; the fuzzers search further.
settings.register_profile("tenken", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tenken")
