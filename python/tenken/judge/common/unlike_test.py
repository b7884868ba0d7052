"""Which sections are uneven over ranks, and in which order."""

from __future__ import annotations

from dataclasses import replace

import assessments

from tenken.judge.common.unlike import uneven


def test_the_clearest_is_first_and_communication_last() -> None:
    wide = replace(assessments.section("wide", 1e6), imbalance=1.5, imbalance_limit=1.4, share=0.2)
    clear = replace(wide, path="clear", imbalance=1.3, imbalance_limit=1.1)
    even = replace(wide, path="even", imbalance=1.4)
    waits = replace(clear, path="waits", kind="comm", imbalance=9.0)
    for launches, last in ((6, ["waits"]), (5, [])):  # the same of two ranks: one in 32 by chance, and one in 16
        found = uneven([waits, even, wide, clear], ((waits, even, wide, clear),) * launches)
        assert [one.path for one in found] == ["clear", "wide", *last]
