"""Which runs may be a hold-out: sittings of their own, some time apart."""

from __future__ import annotations

import pytest
from rates.frozen import APART_S, FEWEST, require_sittings

GOOD = [(f"run{i}", f"2026-11-0{1 + i // 12}T{8 + i % 12:02d}:00:00Z", f"s{i}") for i in range(FEWEST)]


def test_named_sittings_some_time_apart_are_taken() -> None:
    require_sittings(GOOD)
    require_sittings(GOOD[::-1])


@pytest.mark.parametrize(("runs", "sentence"), [
    (GOOD[1:], "15 runs, of which at least 16 are needed"),
    ([*GOOD[1:], ("late", "2026-11-05T08:00:00Z", "")], "late has no named sitting"),
    ([*GOOD, ("late", "2026-11-05T08:00:00Z", "s3")], "run3 is of the sitting s3 as another"),
    ([*GOOD, ("late", "2026-11-01T08:15:00Z", "s99")], "late began 15 minutes after the one before; at least 20"),
])
def test_others_are_refused_in_a_sentence(runs: list[tuple[str, str, str]], sentence: str) -> None:
    assert APART_S == 1200 and FEWEST == 16
    with pytest.raises(SystemExit, match=sentence):
        require_sittings(runs)
