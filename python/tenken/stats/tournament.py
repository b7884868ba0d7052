"""Rounds in which every participant meets every other once: the mirror of the rounds that programs play."""

from __future__ import annotations

ALL_PAIRS_UP_TO = 256  # participants; above, 2 log2 n rounds are drawn
_MASK = (1 << 64) - 1


def mix64(z: int) -> int:
    """The finaliser of SplitMix64, as in cpp/base/random.hpp."""
    z = (z + 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def rounds_of(n: int) -> list[int]:
    """The rounds played by `n` participants: all, or above 256 those 2 ceil(log2 n) whose mixed number is smallest."""
    every = range(n + n % 2 - 1 if n > 1 else 0)
    if n <= ALL_PAIRS_UP_TO:
        return list(every)
    return sorted(every, key=mix64)[: 2 * (n - 1).bit_length()]


def partner_of(player: int, number: int, n: int) -> int | None:
    """Whom `player` meets in round `number`, None where nobody: with odd `n` a player sits out.

    Circle method (a 1-factorisation of the complete graph; E. Lucas, Recreations mathematiques 2 (1883) 161): of an
    even count m the players i, j < m - 1 meet where i + j = round modulo m - 1; who would meet himself meets m - 1.
    """
    m = n + n % 2
    ring = m - 1
    if player == ring:
        other = number * (m // 2) % ring  # solves 2 j = round: the inverse of 2 modulo m - 1 is m/2
    else:
        other = (number - player) % ring
        if other == player:
            other = ring
    return other if other < n else None
