"""Fewer marks for the eye; never a statistic. The marks that remain are measured samples and ranks."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.model.assessment import RankTime

WORST = 32  # slowest ranks that keep a bar of their own
_QUANTILES = (90, 75, 50, 25, 10, 0)
MOST = WORST + len(_QUANTILES)  # ranks that are all shown


def samples(values: Sequence[float], limit: int) -> list[tuple[int, float]]:
    """At most `limit` (index, value): the smallest and the largest of each stretch, so that no outlier is lost."""
    if len(values) <= limit:
        return list(enumerate(values))
    stretches = max(limit // 2, 1)
    kept: set[int] = set()
    for number in range(stretches):
        stretch = range(number * len(values) // stretches, (number + 1) * len(values) // stretches)
        kept |= {min(stretch, key=values.__getitem__), max(stretch, key=values.__getitem__)}
    return [(index, values[index]) for index in sorted(kept)]


def ranks(times: Sequence[RankTime]) -> list[tuple[str, RankTime]]:
    """(label, rank), slowest first. Of more than WORST + quantiles: the WORST, and the rank at each quantile."""
    order = sorted(times, key=lambda time: -time.median_ns)
    named = [(f"rank {time.rank}", time) for time in order]
    if len(order) <= MOST:
        return named
    positions = [(quantile, round((1 - quantile / 100) * (len(order) - 1))) for quantile in _QUANTILES]
    return named[:WORST] + [(f"{quantile} % (rank {order[position].rank})", order[position])
                            for quantile, position in positions if position >= WORST]
