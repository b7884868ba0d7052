"""Student's t and the functions of the gamma family that moderated variances need; all element by element."""

from __future__ import annotations

from math import exp, pi, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

_SHIFT = 6  # recurrences before an asymptotic series: its last term is then below 1e-9
_ROUNDS = 200  # of the continued fraction; it stops when every element has converged
_NORMAL = 1e7  # degrees of freedom from which t is the normal distribution to 1e-7


def digamma(x: ArrayLike) -> Array:
    """psi(x), x > 0: psi(x) = psi(x + 1) - 1/x, then ln x - 1/2x - 1/12x^2 + ... (Abramowitz and Stegun 6.3.18)."""
    z = np.asarray(x, dtype=float)
    total = np.zeros(z.shape)
    for _ in range(_SHIFT):
        total -= 1 / z
        z = z + 1
    square = 1 / z**2
    return total + np.log(z) - 0.5 / z - square * (1 / 12 - square * (1 / 120 - square / 252))


def trigamma(x: ArrayLike) -> Array:
    """psi'(x), x > 0: psi'(x) = psi'(x + 1) + 1/x^2, then 1/x + 1/2x^2 + 1/6x^3 - ... (Abramowitz and Stegun 6.4.12)."""
    z = np.asarray(x, dtype=float)
    total = np.zeros(z.shape)
    for _ in range(_SHIFT):
        total += 1 / z**2
        z = z + 1
    square = 1 / z**2
    return total + 1 / z + 0.5 * square + square / z * (1 / 6 - square * (1 / 30 - square * (1 / 42 - square / 30)))


def trigamma_inverse(y: ArrayLike) -> Array:
    """x with psi'(x) = y > 0, by Newton's method on 1/psi' (nearly linear; Smyth 2004, appendix)."""
    wanted = np.asarray(y, dtype=float)
    x = 0.5 + 1 / wanted
    for _ in range(12):
        value = trigamma(x)
        slope = (trigamma(x * (1 + 1e-5)) - trigamma(x * (1 - 1e-5))) / (2e-5 * x)
        x = np.maximum(x + value * (1 - value / wanted) / slope, 1e-8)
    return x


def t_tail(t: ArrayLike, df: ArrayLike) -> Array:
    """P(T > t) of Student's t with `df` > 0 degrees of freedom (fractions allowed, infinity is normal).

    For t > 0 half of I_x(df/2, 1/2) with x = df/(df + t^2) (Abramowitz and Stegun 26.7.1).
    """
    values, freedom = np.broadcast_arrays(np.asarray(t, dtype=float), np.asarray(df, dtype=float))
    freedom = np.minimum(freedom, _NORMAL)
    square = np.minimum(values**2, 1e300)
    half = 0.5 * _incomplete_beta(freedom / (freedom + square), square / (freedom + square), freedom / 2)
    return np.where(values > 0, half, 1 - half)


def t_quantile(tail: ArrayLike, df: ArrayLike) -> Array:
    """t with P(T > t) = `tail`, 0 < tail < 1/2, to 1e-9.

    Newton's method for ln P as a function of ln t, which is concave: from a t that is too large it only comes nearer.
    """
    asked = np.stack(np.broadcast_arrays(np.asarray(tail, dtype=float), np.minimum(np.asarray(df, dtype=float), _NORMAL)))
    pairs, place = np.unique(asked[0] + 1j * asked[1], return_inverse=True)  # many quantities ask for few quantiles
    wanted, freedom = pairs.real, pairs.imag
    t = np.sqrt(-2 * np.log(wanted)) + 1.0
    while np.any(short := t_tail(t, freedom) > wanted):
        t = np.where(short, 2 * t, t)
    log_beta = _log_beta_half(freedom / 2) + 0.5 * np.log(freedom)
    for _ in range(60):
        above = t_tail(t, freedom)
        density = np.exp(-0.5 * (freedom + 1) * np.log1p(t**2 / freedom) - log_beta)
        step = np.log(above / wanted) * above / (t * density)
        t = t * np.exp(step)
        if np.all(np.abs(step) < 1e-9):
            break
    quantiles: Array = t[place].reshape(asked.shape[1:])
    return quantiles


def log_density(t: ArrayLike, df: ArrayLike) -> Array:
    """ln of the density of Student's t with `df` > 0 degrees of freedom."""
    values, freedom = np.asarray(t, dtype=float), np.minimum(np.asarray(df, dtype=float), _NORMAL)
    front = -_log_beta_half(freedom / 2) - 0.5 * np.log(freedom)
    return front - 0.5 * (freedom + 1) * np.log1p(values**2 / freedom)


def _incomplete_beta(x: Array, rest: Array, a: Array) -> Array:
    """I_x(a, 1/2), `rest` = 1 - x: the continued fraction 26.5.8 of Abramowitz and Stegun, evaluated by Lentz's method.

    Where x > (a + 1)/(a + 5/2) it converges slowly and 1 - I_(1-x)(1/2, a) is taken instead.
    """
    swapped = x > (a + 1) / (a + 2.5)
    half = np.full(a.shape, 0.5)
    p, q = np.where(swapped, half, a), np.where(swapped, a, half)
    u, v = np.where(swapped, rest, x), np.where(swapped, x, rest)
    with np.errstate(divide="ignore", under="ignore"):
        front = np.exp(p * np.log(u) + q * np.log(v) - _log_beta_half(a)) / p
    value = np.where(u > 0, front * _fraction(u, p, q), 0.0)
    return np.where(swapped, 1 - value, value)


def _fraction(x: Array, a: Array, b: Array) -> Array:
    """Modified Lentz (Thompson and Barnett, J. Comput. Phys. 64 (1986) 490)."""
    tiny = 1e-300
    c: Array = np.ones(x.shape)
    d: Array = 1.0 - (a + b) * x / (a + 1)
    d = 1.0 / np.where(np.abs(d) < tiny, tiny, d)
    value = d.copy()
    for m in range(1, _ROUNDS):
        before = value
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + term * d
            d = 1.0 / np.where(np.abs(d) < tiny, tiny, d)
            c = 1 + term / c
            c = np.where(np.abs(c) < tiny, tiny, c)
            value = value * d * c
        if np.all(np.abs(value - before) <= 1e-13 * np.abs(value)):
            break
    return value


def _log_beta_half(a: Array) -> Array:
    """ln B(a, 1/2) = ln sqrt(pi) + ln Gamma(a) - ln Gamma(a + 1/2)."""
    return 0.5 * np.log(np.pi) - _log_gamma_step(a)


def _log_gamma_step(a: Array) -> Array:
    """ln Gamma(a + 1/2) - ln Gamma(a), without the cancellation of two large logarithms.

    Ten recurrences, then half of ln(z - 1/4 + 1/32z + 1/128z^2 - 5/2048z^3 ...) (Frame, Am. Math. Monthly 56 (1949) 529).
    """
    z, total = a.copy(), np.zeros(a.shape)
    for _ in range(10):
        total += np.log(z) - np.log(z + 0.5)
        z = z + 1
    return total + 0.5 * np.log(z - 0.25 + 1 / (32 * z) + 1 / (128 * z**2) - 5 / (2048 * z**3))


# Quantiles of Student's t without SciPy.

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
