"""Where labels go so that none lies upon another."""

from __future__ import annotations

from collections.abc import Sequence


def apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Heights as near to the wanted ones as can be (least squares), each at least `gap` from the next, in their order.

    All between `low` and `high` where there is room for so many, else upwards from `low`.
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    # Less i gaps the heights must not fall: neighbours that would are pooled (isotonic regression).
    pools: list[tuple[float, int]] = []  # sum, count
    for place, i in enumerate(order):
        pools.append((wanted[i] - place * gap, 1))
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
            (total, count), (more, others) = pools[-2:]
            pools[-2:] = [(total + more, count + others)]
    flat = [total / count for total, count in pools for _ in range(count)]
    top = high - (len(flat) - 1) * gap  # of all, less their gaps
    heights = [max(low, min(one, top)) + place * gap for place, one in enumerate(flat)]
    found = [0.0] * len(wanted)
    for i, height in zip(order, heights, strict=True):
        found[i] = height
    return found
