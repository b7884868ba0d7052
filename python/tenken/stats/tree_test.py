from __future__ import annotations

import numpy as np
import pytest

from tenken.stats.pairs import Guilt
from tenken.stats.tree import SlowGroup, TreeGuilt, guilty_in_tree, tree_of

EFFECT = np.log(1.1)


def table(switches: int = 8, size: int = 8, far: float = 1.5, seed: int = 1) -> np.ndarray:
    chance = np.random.default_rng(seed)
    n = switches * size
    switch = np.arange(n) // size
    end = 0.02 * chance.normal(size=n)
    path = np.triu(0.03 * chance.normal(size=(n, n)), 1)
    times = 10.0 * np.where(switch[:, None] == switch, 1.0, far) * np.exp(end[:, None] + end + path + path.T)
    np.fill_diagonal(times, np.nan)
    return times


def found(times: np.ndarray) -> TreeGuilt:
    return guilty_in_tree(tree_of(times), 0.004, EFFECT)


def slowed(times: np.ndarray, i: object, j: object, factor: float) -> np.ndarray:
    made = times.copy()
    made[np.ix_(np.atleast_1d(i), np.atleast_1d(j))] *= factor
    made[np.ix_(np.atleast_1d(j), np.atleast_1d(i))] *= factor
    return made


def nothing_else(guilt: Guilt) -> bool:
    return guilt.ends == guilt.paths == ()


def test_groups_are_those_of_the_switches() -> None:
    (level,) = tree_of(table()).levels
    assert level == tuple(tuple(range(8 * k, 8 * k + 8)) for k in range(8))
    assert tree_of(table(far=1.0)).levels == ()
    assert len(tree_of(table(4, 4)).levels) == 1 and len(tree_of(table(2, 16)).levels) == 1


@pytest.mark.parametrize("far", [1.0, 1.5, 3.0])
def test_a_clean_tree_accuses_nobody(far: float) -> None:
    for seed in range(5):
        of = found(table(far=far, seed=seed))
        assert of.groups == () and nothing_else(of.guilt)


@pytest.mark.parametrize("pair", [(1, 4), (3, 40)])
def test_a_bad_path_is_named_in_a_switch_as_between_switches(pair: tuple[int, int]) -> None:
    of = found(slowed(table(), *pair, 1.5))
    assert (of.groups, of.guilt.ends, of.guilt.paths) == ((), (), (pair,))


def test_a_bad_end_stays_one() -> None:
    of = found(slowed(table(), 5, [end for end in range(64) if end != 5], 1.5))
    assert (of.groups, of.guilt.ends, of.guilt.paths) == ((), (5,), ())


def test_paths_that_agree_are_told_as_their_group() -> None:
    members = tuple(range(16, 24))
    others = [end for end in range(64) if end not in members]
    of = found(slowed(table(), members, others, 1.5))
    (group,) = of.groups
    assert nothing_else(of.guilt), "its ends are told by it"
    assert (group.members, group.other, group.outside, group.inside, group.paths) == (members, (), True, False, 8 * 56)
    assert group.effect == pytest.approx(np.log(1.5), abs=0.05)
    of = found(slowed(table(), members, range(40, 48), 2.0))
    (group,) = of.groups
    assert (group.members, group.other, group.outside, group.paths) == (members, tuple(range(40, 48)), False, 64)
    assert nothing_else(of.guilt)


def test_a_switch_that_is_slow_inside_is_one_group() -> None:
    made = table(far=3.0)
    made[16:24, 16:24] *= 1.4
    of = found(made)
    assert of.groups == (SlowGroup(tuple(range(16, 24)), (), False, True, of.groups[0].effect, 28),) and nothing_else(of.guilt)


def test_pairs_that_never_met_are_left_open() -> None:
    made = slowed(table(), 3, 40, 1.8)
    hidden = np.triu(np.random.default_rng(4).random(made.shape) < 0.3, 1)
    hidden[3, 40] = False
    made[hidden | hidden.T] = np.nan
    assert found(made).guilt.paths == ((3, 40),)


@pytest.mark.parametrize(("switches", "size"), [(3, 8), (4, 8), (4, 16), (16, 4)])
def test_a_slow_way_out_of_one_of_few_switches_names_no_other_end(switches: int, size: int) -> None:
    for seed in range(6):
        bad = tuple(range(size * (seed % switches), size * (seed % switches + 1)))
        of = found(slowed(table(switches, size, 1.4, seed), bad, [end for end in range(switches * size) if end not in bad], 1.5))
        assert [(one.members, one.other, one.outside, one.inside) for one in of.groups] == [(bad, (), True, False)]
        assert nothing_else(of.guilt)


@pytest.mark.parametrize("inside", [False, True])
def test_ends_of_a_flat_network_that_are_slow_alike_are_one_group(inside: bool) -> None:
    bad, others = tuple(range(16, 32)), [*range(16), *range(32, 64)]
    for seed in range(6):
        made = slowed(table(far=1.0, seed=seed), bad, others, 1.5)
        if inside:
            made[np.ix_(bad, bad)] *= 1.5
        of = found(made)
        assert [(one.members, one.outside, one.inside) for one in of.groups] == [(bad, True, inside)] and nothing_else(of.guilt)


@pytest.mark.parametrize("far", [1.0, 1.5])
def test_independent_bad_ends_stay_ends(far: float) -> None:
    made = table(far=far)
    for end in (3, 20, 33, 40, 59):
        made[end, :] *= 1.5
        made[:, end] *= 1.5
    of = found(made)
    assert (of.groups, set(of.guilt.ends), of.guilt.paths) == ((), {3, 20, 33, 40, 59}, ())
