from __future__ import annotations

from former_names import prove


def test_the_correlator_was_a_parameter_of_lqcd() -> None:
    prove("lqcd_pion", {"lqcd:pion": ("one_by_one", "3672b8e8"), "lqcd:pion_together": ("four_together", "57cbcb4b")},
          {"lqcd:together": "together"})
