"""Quantiles of Student's t without SciPy."""

from __future__ import annotations

from math import exp, pi, sqrt
from statistics import NormalDist


def student_limit(alpha: float, freedom: float) -> float:
    """The t that `freedom` degrees of freedom (at least 1) exceed with probability `alpha` (one-sided, below 1/2).

    Series of G. W. Hill, Commun. ACM 13 (1970) 619 (algorithm 396): six digits from 5 degrees on, three below.
    """
    n, p = freedom, 2.0 * alpha
    a = 1.0 / (n - 0.5)
    b = 48.0 / a**2
    c = ((20700.0 * a / b - 98.0) * a - 16.0) * a + 96.36
    d = ((94.5 / (b + c) - 3.0) / b + 1.0) * sqrt(a * pi / 2.0) * n
    y = (d * p) ** (2.0 / n)
    if y > 0.05 + a:
        x = NormalDist().inv_cdf(p / 2.0)
        y = x * x
        if n < 5:
            c += 0.3 * (n - 4.5) * (x + 0.6)
        c += (((0.05 * d * x - 5.0) * x - 7.0) * x - 2.0) * x + b
        y = (((((0.4 * y + 6.3) * y + 36.0) * y + 94.5) / c - y - 3.0) / b + 1.0) * x
        y = a * y * y
        y = exp(y) - 1.0 if y > 0.002 else 0.5 * y * y + y
    else:
        tail = 1.0 / (((n + 6.0) / (n * y) - 0.089 * d - 0.822) * (n + 2.0) * 3.0) + 0.5 / (n + 4.0)
        y = (tail * y - 1.0) * (n + 1.0) / (n + 2.0) + 1.0 / y
    return sqrt(n * y)
