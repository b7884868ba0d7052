"""A fixed part of the records of disturbed.py: the rule of bounds is right, and silent as seldom as it says."""

from __future__ import annotations

import numpy as np
from rates import disturbed
from tenken.model.verdict import Verdict


def test_verdicts_on_disturbed_launches_are_right() -> None:
    found = disturbed.count(400) + disturbed.count(400, 0.05)
    judged = found["records"] - found["not judged"]
    assert found["wrong"] <= 0.01 * judged, found


def test_what_is_not_judged_at_a_loss_of_five_percent_is_little_and_at_none_nothing() -> None:
    assert disturbed.count(400, 0.05)["not judged"] <= 0.125 * 400  # 10 % and two standard errors of 400 records
    assert disturbed.count(100, 0.0)["not judged"] == 0


def test_the_generator_loses_what_it_says_and_only_lengthens() -> None:
    chance = np.random.default_rng(1)
    spans = np.full(40, 10.0)
    for length in disturbed.LENGTHS:
        added = disturbed.bursts(chance, spans, 20.0, length, None)
        assert added.sum() == 20.0 or abs(added.sum() - 20.0) < 1e-9
        assert (added >= 0).all()
    inside = disturbed.bursts(chance, spans, 20.0, 1.0, np.arange(40) % 2 == 0)
    assert inside[1::2].sum() == 0


def test_a_judge_that_always_says_ok_would_be_caught() -> None:
    chance = np.random.default_rng(2)
    drawn = [disturbed.draw(chance, 0.05) for _ in range(100)]
    assert sum(not disturbed.right(one, Verdict.OK) for one in drawn) > 20
    assert sum(not disturbed.right(one, Verdict.WARN) for one in drawn) > 20
