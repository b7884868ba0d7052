"""Waves of a source in a half-space with a free surface (Lamb's problem), as an integral over wavenumbers.

A wave of frequency w and horizontal wavenumber k is a sum of potentials: u = grad phi + curl curl (0, 0, psi). At the surface the
two tractions vanish, which gives the reflected potentials (K. Aki, P. Richards, Quantitative Seismology, chapters 5 and 7; W. M.
Ewing, W. S. Jardetzky, F. Press, Elastic Waves in Layered Media, 1957, chapter 2). Frequencies have a small negative imaginary
part, and wavenumbers are equidistant (M. Bouchon, Bull. Seism. Soc. Am. 71, 1981, 959): sources then repeat in rings that waves do
not reach in time. Shares no code with the program.

Units: km, s, g/cm^3, so that force is in 1e15 N and moment in 1e18 N m. z points down from the surface.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Spectrum = NDArray[np.complex128]
DAMPED = 1e-4  # the factor of a wave that arrives one period late


@dataclass(frozen=True)
class Rock:
    density: float
    vp: float
    vs: float


def bessel(order: int, x: Array) -> Array:
    """J_0 or J_1 of x >= 0: its integral over an angle, beyond x = 40 its expansion (M. Abramowitz, I. Stegun, 9.1.21, 9.2.5)."""
    found = np.empty(x.shape)
    near = x < 40
    angle = (np.arange(64) + 0.5) * np.pi / 64
    found[near] = np.cos(order * angle - np.multiply.outer(x[near], np.sin(angle))).mean(axis=-1)
    far = x[~near]
    p, q, term = np.ones_like(far), np.zeros_like(far), np.ones_like(far)
    for n in range(1, 12):
        term = term * (4 * order**2 - (2 * n - 1) ** 2) / (8 * n * far)
        if n % 2 == 1:
            q += (-1) ** (n // 2) * term
        else:
            p += (-1) ** (n // 2) * term
    phase = far - (2 * order + 1) * np.pi / 4
    found[~near] = np.sqrt(2 / (np.pi * far)) * (p * np.cos(phase) - q * np.sin(phase))
    return found


def kuepper(t: Array, duration: float) -> Array:
    """The pulse of the program, of area 1."""
    return np.where((t > 0) & (t < duration), 0.75 * np.pi / duration * np.sin(np.pi * t / duration) ** 3, 0)


def direct(rock: Rock, force: bool, w: complex, r: float, z: float) -> tuple[complex, complex]:
    """Of the full space, along r and z; z from the source."""
    distance = np.hypot(r, z)

    def slopes(k: complex) -> tuple[complex, complex, complex]:
        """g = exp(-i k R) / (4 pi R), g' / R, and g'' - g' / R over R^2."""
        g = np.exp(-1j * k * distance) / (4 * np.pi * distance)
        first = -(1j * k + 1 / distance) * g
        second = (-k * k + 2j * k / distance + 2 / distance**2) * g
        return g, first / distance, (second - first / distance) / distance**2

    p = slopes(w / rock.vp)
    if not force:
        return -p[1] * r / (rock.density * rock.vp**2), -p[1] * z / (rock.density * rock.vp**2)
    s = slopes(w / rock.vs)
    per = 1 / (rock.density * w * w)
    along_z = (w / rock.vs) ** 2 * s[0] + (s[2] - p[2]) * z * z + s[1] - p[1]
    return per * (s[2] - p[2]) * r * z, per * along_z


def reflected(rock: Rock, force: bool, w: complex, k: Array, deep: float, z: float) -> tuple[Spectrum, Spectrum]:
    """What the surface adds, by wavenumber: factors of -k J_1(k r) along r and of J_0(k r) along z. deep: the source."""
    a, b = np.sqrt(k * k - (w / rock.vp) ** 2 + 0j), np.sqrt(k * k - (w / rock.vs) ** 2 + 0j)
    if force:  # waves that go up from the source
        p, s = -k * np.exp(-a * deep), k / b * np.exp(-b * deep)
        size = 1 / (4 * np.pi * rock.density * w * w)
    else:
        p, s = -k / a * np.exp(-a * deep), np.zeros_like(b)
        size = 1 / (4 * np.pi * rock.density * rock.vp**2)
    q, slow = (w / rock.vs / k) ** 2, (rock.vs / rock.vp) ** 2
    g, same = 2 * k * k - (w / rock.vs) ** 2, 4 * k * k * a * b
    # g^2 - 4 k^2 a b without the difference of two large numbers.
    rayleigh = k**4 * q * (-16 * (1 - slow) + q * (24 - 16 * slow + q * (q - 8))) / ((2 - q) ** 2 + same / k**4)
    up_p = -((g * g + same) * p + 4 * k * k * b * g * s) / rayleigh * size
    up_s = -(4 * a * g * p + (g * g + same) * s) / rayleigh * size
    by_p, by_s = up_p * np.exp(-a * z), up_s * np.exp(-b * z)
    return by_p - b * by_s, -a * by_p + k * k * by_s


def motion(rock: Rock, force: bool, pulse: Callable[[Array], Array], duration: float, deep: float, r: float, z: float,
           end: float, velocity: bool = True) -> tuple[Array, Array, Array]:
    """Times from 0 to end, and the motion along r and z at distance r and depth z: velocity in km/s, or displacement in km.

    A vertical force that follows the pulse, or an explosion whose moment rate does, at depth `deep` > 0.
    """
    period = 2 * (end + duration)
    steps = 2 ** int(np.ceil(np.log2(24 * period / duration)))
    apart = period / (8 * steps)  # so that values between two follow from a line
    damping = -np.log(DAMPED) / period
    t, middle = np.arange(8 * steps) * apart, (np.arange(8 * steps) + 0.5) * apart
    shape = pulse(middle) * np.exp(-damping * middle)
    ring = 2 * (r + rock.vp * period)
    k = (np.arange(int(36 / (deep + z) * ring / (2 * np.pi))) + 0.5) * 2 * np.pi / ring
    along_r, along_z = -k * bessel(1, k * r), bessel(0, k * r)
    spectra = np.zeros((2, steps // 2 + 1), dtype=np.complex128)
    for n in range(steps // 3):  # the pulse has nothing above that
        w = complex(2 * np.pi * n / period, -damping)
        source = (shape * np.exp(-2j * np.pi * n / period * middle)).sum() * apart
        source *= (1j * w if velocity else 1) / (1 if force else 1j * w)
        up = reflected(rock, force, w, k, deep, z)
        there = direct(rock, force, w, r, z - deep)
        spectra[0, n] = source * (there[0] + (up[0] * along_r).sum() * 2 * np.pi / ring)
        spectra[1, n] = source * (there[1] + (up[1] * along_z).sum() * 2 * np.pi / ring)
    both = np.fft.irfft(spectra, 8 * steps, axis=1) / apart * np.exp(damping * t)
    kept = t <= end
    return t[kept], both[0][kept], both[1][kept]


def pekeris(t: Array) -> Array:
    """Vertical displacement at the surface of a Poisson solid after a vertical force of step shape there (C. L. Pekeris, Proc.
    Natl. Acad. Sci. 41, 1955, 469), in units of force / (16 pi shear modulus distance); t in units of distance / vs.
    """
    root = np.sqrt(3)
    with np.errstate(invalid="ignore", divide="ignore"):
        late = np.sqrt(3 * root + 5) / np.sqrt(0.75 + root / 4 - t * t)
        early = 6 - root / np.sqrt(t * t - 0.25) - late + np.sqrt(3 * root - 5) / np.sqrt(t * t + root / 4 - 0.75)
        return np.select([t < 1 / root, t < 1, t * t < 0.75 + root / 4], [0, early / 2, 6 - late], 6)
