from __future__ import annotations

import numpy as np
import pytest

from tenken.stats.places import Guilty, guilty, levels_of, noisier, standing_out

NODES, RANKS = 8, 4
NODE = np.repeat(np.arange(NODES), RANKS)
NUMA = np.arange(NODES * RANKS) // 2
EFFECT = np.log(1.05)


def times(launches: int = 2, sections: int = 6, seed: int = 3) -> np.ndarray:
    chance = np.random.default_rng(seed)
    node = 0.01 * chance.normal(size=(1, sections, NODES))[..., NODE]
    common = 0.05 * chance.normal(size=(launches, sections, 1))
    size = np.exp(chance.normal(size=(1, sections, 1)))
    return 1e6 * size * np.exp(node + common + 0.004 * chance.normal(size=(launches, sections, NODES * RANKS)))


def found(ns: np.ndarray) -> list[Guilty]:
    return guilty(ns, levels_of(NODE, NUMA), 0.008, EFFECT)


def test_a_clean_machine_names_nobody_although_launches_differ() -> None:
    assert not any(found(times(seed=seed)) for seed in range(30))


def test_a_node_slow_in_every_section_is_one_finding() -> None:
    ns = times()
    ns[:, :, NODE == 5] *= 1.2
    (one,) = found(ns)
    assert (one.level, one.unit, one.peers) == ("node", 5, NODES)
    assert len(one.rows) == 7 and one.effect[-1] == pytest.approx(np.log(1.2), abs=0.03)
    assert one.score > one.limit


def test_a_node_slow_in_one_section_names_that_section() -> None:
    ns = times()
    ns[:, 2, NODE == 5] *= 1.3
    (one,) = found(ns)
    assert (one.level, one.unit) == ("node", 5) and one.rows[0] == 2 and 3 not in one.rows


@pytest.mark.parametrize(("level", "unit", "ranks"), [("numa", 11, NUMA == 11), ("rank", 9, np.arange(32) == 9)])
def test_a_part_of_a_node_does_not_accuse_the_node(level: str, unit: int, ranks: np.ndarray) -> None:
    ns = times()
    ns[:, :, ranks] *= 1.3
    assert [(one.level, one.unit) for one in found(ns)] == [(level, unit)]


def test_several_bad_places_are_all_named() -> None:
    ns = times()
    ns[:, :, np.isin(NODE, (1, 2, 6))] *= 1.25
    ns[:, :, 30] *= 1.5
    assert sorted((one.level, one.unit) for one in found(ns)) == [("node", 1), ("node", 2), ("node", 6), ("rank", 30)]


def test_levels_that_do_not_differ_are_asked_once() -> None:
    alone = np.arange(5)
    assert [level.name for level in levels_of(alone, alone)] == ["node"]
    assert [level.name for level in levels_of(np.zeros(6, int), np.zeros(6, int))] == ["rank"]
    assert [level.name for level in levels_of(NODE, NUMA)] == ["node", "numa", "rank"]


def test_two_nodes_accuse_nobody_but_their_ranks_can_be_told() -> None:
    node = np.repeat([0, 1], 4)
    ns = 1e6 * np.ones((1, 3, 8))
    ns[:, :, 4:] *= 1.2
    assert guilty(ns, levels_of(node, node), 0.008, EFFECT) == []
    ns = 1e6 * np.ones((1, 3, 8))
    ns[:, :, 6] *= 1.3
    assert [(one.level, one.unit) for one in guilty(ns, levels_of(node, node), 0.008, EFFECT)] == [("rank", 6)]


def test_nodes_with_unequal_numbers_of_ranks_are_compared_too() -> None:
    node = np.array([0, 0, 0, 1, 1, 2, 2, 3, 3, 4])
    ns = 1e6 * np.exp(0.002 * np.random.default_rng(1).normal(size=(1, 3, 10)))
    ns[:, :, node == 3] *= 1.3
    assert [(one.level, one.unit) for one in guilty(ns, levels_of(node, node), 0.008, EFFECT)] == [("node", 3)]


def many(noisier: float = 1.0, seed: int = 1, nodes: int = 64) -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(seed)
    scale = np.where(np.arange(nodes) % 10 == 5, noisier, 1.0)
    own = 0.014 * chance.normal(size=(1, 40, nodes)) * scale
    whole = 0.014 * chance.normal(size=(1, 1, nodes)) * scale
    launch = 0.006 * chance.normal(size=(3, 40, nodes)) * scale
    return 1e6 * np.exp(own + whole + launch), np.arange(nodes)


def named(ns: np.ndarray, node: np.ndarray) -> list[tuple[int, tuple[int, ...]]]:
    return [(one.unit, one.rows) for one in guilty(ns, levels_of(node, node), 0.008, EFFECT)]


def test_one_section_that_is_slow_beside_the_others_of_its_node_is_found() -> None:
    for seed in range(10):
        ns, node = many(seed=seed)
        ns[:, 7, 20] *= 1.15
        assert named(ns, node) == [(20, (7,))]


def test_a_noisier_healthy_node_is_not_slow_and_told_as_noisier() -> None:
    for seed in range(10):
        ns, node = many(6.0, seed)
        assert named(ns, node) == []
        found = noisier(ns, levels_of(node, node)[0], 2.0)
        assert set(found) == {5, 15, 25, 35, 45, 55} and all(3 < factor < 12 for factor in found.values())
    ns, node = many()
    assert noisier(ns, levels_of(node, node)[0], 2.0) == {}


def test_a_node_whose_sections_scatter_alike_in_every_launch_is_noisier() -> None:
    """Fifteen times the scatter of the other nodes between sections, and no more between launches."""
    for seed in range(5):
        ns, node = many(seed=seed)
        ns[:, :, 20] *= np.exp(0.014 * 15 * np.random.default_rng(seed).normal(size=40))
        assert set(noisier(ns, levels_of(node, node)[0], 2.0)) == {20}


def test_a_slow_node_among_noisy_ones_is_named() -> None:
    ns, node = many(6.0)
    ns[:, :, 20] *= 1.2
    assert [unit for unit, _ in named(ns, node)] == [20]


def test_a_node_that_is_slow_unevenly_but_in_every_launch_is_no_noisy_one() -> None:
    for seed in range(3):
        ns, node = many(seed=seed)
        ns[:, :, 20] *= np.exp(0.2 * np.abs(np.random.default_rng(seed).standard_normal(40)))  # launches agree
        (one,) = [rows for unit, rows in named(ns, node) if unit == 20]
        assert 40 in one, "all sections together"


def test_a_node_both_of_whose_ranks_are_slow_is_named_though_one_alone_is_beyond_the_limit() -> None:
    chance, node = np.random.default_rng(5), np.repeat(np.arange(64), 2)
    levels = set()
    for shift in np.arange(0.075, 0.105, 0.001):
        own = 0.0141 * chance.normal(size=(1, 40, 64))[..., node]
        ns = 1e6 * np.exp(own + 0.004 * chance.normal(size=(3, 40, 128)))
        ns[:, 7, 40:42] *= np.exp(shift) * np.array([1.0, 1.012])
        levels |= {one.level for one in guilty(ns, levels_of(node, node), 0.008, EFFECT) if one.rows == (7,)}
    assert levels == {"node"}


def test_a_hit_that_passes_names_nobody() -> None:
    for launches, hit in ((3, [1]), (2, [0]), (8, [2, 5])):
        ns = times(launches=launches)
        ns[np.ix_(hit, range(6), np.flatnonzero(NODE == 4))] *= 1.5
        assert found(ns) == []
    ns = times(launches=8)
    ns[np.ix_(range(1, 8), range(6), np.flatnonzero(NODE == 4))] *= 1.3
    assert [one.unit for one in found(ns)] == [4]


def test_of_two_the_larger_is_told_only_where_none_is_below_what_is_healthy() -> None:
    logs, alpha, least = np.zeros((2, 2, 2)), np.full(2, 1e-4), np.full(2, 0.1)
    logs[:, :, 1] = 0.25
    rank = levels_of(np.zeros(2, int), np.zeros(2, int))
    assert standing_out(logs, rank, alpha, least) == []
    (one,) = standing_out(logs, rank, alpha, least, fewest=2)
    assert (one.level, one.unit, one.peers) == ("rank", 1, 2)


def test_of_two_a_sick_one_does_not_hide_in_its_own_scatter() -> None:
    chance, alpha, least = np.random.default_rng(3), np.full(2, 1e-4), np.full(2, 0.1)
    rank = levels_of(np.zeros(2, int), np.zeros(2, int))
    logs = 0.005 * chance.standard_normal((2, 2, 2))
    logs[:, :, 1] += np.array([0.2, 0.35])[:, None]
    assert [one.unit for one in standing_out(logs, rank, alpha, least, fewest=2)] == [1]
    logs[:, :, 0] += np.array([0.0, 0.15])[:, None]  # the healthy one scatters as much: launches differ
    assert standing_out(logs, rank, alpha, least, fewest=2) == []
