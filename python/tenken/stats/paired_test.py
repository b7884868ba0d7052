"""Pairs of launches of two environments, simulated: what is called, what is not, and whether the printed effect is true."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
import pytest

from tenken.stats.shift import Paired, detectable, interval, limit, paired

QUANTITIES, RUNS = 40, 400
TAIL = np.asarray(0.005 / QUANTITIES)
WARN = np.full(QUANTITIES, np.log(1.03))


Two = tuple[NDArray[np.float64], NDArray[np.float64]]


def pairs(noise: str, count: int, runs: int = RUNS, sigma: float = 0.02, seed: int = 3) -> Two:
    """Launches of two environments, where nothing differs; quantities are unequally noisy, each pair has its minute."""
    chance = np.random.default_rng(seed)
    own = sigma * np.exp(np.random.default_rng(0).normal(0, 0.5, (QUANTITIES, 1)))

    def launches() -> NDArray[np.float64]:
        shape = (runs, QUANTITIES, count)
        if noise == "heavy":
            return own * chance.standard_t(3, shape) / np.sqrt(3)
        if noise == "skewed":
            return own * chance.exponential(1, shape)
        quiet = chance.normal(0, 1, shape)
        if noise == "siblings":  # half of the launches share their core with somebody
            return own * quiet + np.where(chance.random((runs, 1, count)) < 0.5, 0.35, 0.0)
        if noise == "neighbours":  # one launch in ten is hit as a whole
            return own * np.where(chance.random((runs, 1, count)) < 0.1, np.abs(chance.normal(0, 10, shape)), quiet)
        return own * quiet

    minute = chance.normal(0, 0.1, (runs, 1, count)) if noise == "drift" else 0.0
    return launches() + minute, launches() + minute


def slower(both: Two, by: NDArray[np.float64] | float) -> Two:
    return both[0], both[1] + by


def judge(both: Two, together: bool = True) -> Paired:
    group = np.arange(QUANTITIES) % 3
    flags = np.full(QUANTITIES, together)
    return paired(*both, group, flags, np.full(QUANTITIES, 0.003), np.full(QUANTITIES, 0.03), 3.0)


def called(found: Paired) -> NDArray[np.bool_]:
    return (found.effect > limit(found, TAIL)) & (found.effect >= WARN)


@pytest.mark.parametrize("noise", ["quiet", "heavy", "skewed", "neighbours", "siblings", "drift"])
@pytest.mark.parametrize("count", [4, 6, 12])
def test_alike_environments_are_seldom_called(noise: str, count: int) -> None:
    alarms = called(judge(pairs(noise, count))).any(axis=-1).sum()
    assert alarms <= 8  # of 400 comparisons of 40 quantities; 2 are allowed on average, more than 8 in 1 of 4000


def test_ten_per_cent_are_found_in_the_right_place() -> None:
    by = np.zeros((QUANTITIES, 1))
    by[7] = np.log(1.10)
    found = called(judge(slower(pairs("quiet", 12, runs=100, sigma=0.015), by)))
    assert found[:, 7].mean() >= 0.95 and np.delete(found, 7, axis=1).any(axis=-1).mean() <= 0.02


def test_a_disturbed_pair_hides_nothing() -> None:
    both = slower(pairs("quiet", 12, runs=100, sigma=0.005), np.log(1.2))
    both[0][:, :, 2] += 1.0
    assert called(judge(both)).mean() > 0.97


def test_what_a_pair_shares_and_what_hits_half_of_the_launches_is_taken_out() -> None:
    """Neither makes 10 % hard to see, though launches differ by 10 and by 18 % (standard deviation)."""
    for noise, count in (("drift", 12), ("siblings", 60)):
        both = slower(pairs(noise, count, runs=20, sigma=0.01), np.log(1.10))
        assert called(judge(both)).mean() >= 0.95, noise


@pytest.mark.parametrize(("noise", "count"), [("quiet", 6), ("quiet", 12), ("heavy", 8), ("neighbours", 8), ("drift", 12)])
def test_what_is_printed_as_detectable_is_found_in_8_of_10(noise: str, count: int) -> None:
    """An effect as large as printed, had it been there in the very same launches."""
    clean = pairs(noise, count)
    printed = detectable(judge(clean), TAIL, WARN)
    hits = called(judge(slower(clean, printed[..., None])))
    assert 0.85 <= hits.mean() <= 0.97  # not by printing much too much


def test_the_interval_holds_the_truth() -> None:
    low, high = interval(judge(slower(pairs("quiet", 6), 0.1)))
    assert 0.93 <= ((low <= 0.1) & (high >= 0.1)).mean() <= 0.99


def test_lost_pairs_are_no_evidence() -> None:
    first, second = pairs("quiet", 6, runs=1)
    first[0, 0, :] = np.nan
    second[0, 1, :4] = np.nan
    found = judge((first, second))
    assert np.isnan(found.effect[0, 0]) and not called(found)[0, 0]
    assert found.pairs[0, :3].tolist() == [0, 2, 6]
    assert found.effect[0, 1] == pytest.approx(np.mean((second - first)[0, 1, 4:]))


def test_few_quantities_are_judged_by_the_guess() -> None:
    one = np.full((1, 1, 6), 0.05)
    found = paired(np.zeros_like(one), one, np.zeros(1, int), np.ones(1, bool), np.full(1, 0.003), np.full(1, 0.03), 3.0)
    assert found.df[0, 0] == 8 and found.sigma[0, 0] == pytest.approx(0.03 * np.sqrt(3 / 8 / 6))


def test_agreement_by_chance_is_not_certainty() -> None:
    alike = np.zeros((1, QUANTITIES, 6))
    found = judge((alike, alike))
    assert np.all(found.sigma >= 0.003 / np.sqrt(6) * 0.999)
