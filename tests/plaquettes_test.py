import math

import numpy as np
import pytest
from plaquettes import Coupling, Mean, binned, row


def autoregressive(rng: np.random.Generator, memory: float, length: int) -> np.ndarray:
    """Mean 0, variance 1, autocorrelation memory^n: tau = (1 + memory) / (1 - memory) / 2."""
    x = np.empty(length)
    x[0] = rng.standard_normal()
    for n in range(1, length):
        x[n] = memory * x[n - 1] + math.sqrt(1 - memory**2) * rng.standard_normal()
    return x


@pytest.mark.parametrize("memory", [0.0, 0.8])
def test_the_error_of_correlated_numbers(memory: float) -> None:
    rng = np.random.default_rng(5)
    mean = binned([autoregressive(rng, memory, 20_030) for _ in range(4)], 100)
    tau = (1 + memory) / (1 - memory) / 2
    assert mean.tau == pytest.approx(tau, rel=0.2)
    assert mean.error == pytest.approx(math.sqrt(2 * tau / 80_000), rel=0.1)
    assert abs(mean.value) < 5 * mean.error


def test_four_errors_or_the_least_that_is_allowed() -> None:
    coupling = Coupling(6.0, 0.5937)
    assert row(coupling, Mean(0.5937 + 0.00019, 0.00001, 0.5))[1]
    assert not row(coupling, Mean(0.5937 + 0.00021, 0.00001, 0.5))[1]
    assert row(coupling, Mean(0.5937 - 0.0039, 0.001, 0.5))[1]
    assert not row(coupling, Mean(0.5937 - 0.0041, 0.001, 0.5))[1]
    assert "| 6.0 | 8^4 | 700 | 0.59580 | 0.00010 | 0.5 | 0.5937 | +0.00210 | 0.00040 | DISAGREES |" in row(
        coupling, Mean(0.5958, 0.0001, 0.5))[0]
