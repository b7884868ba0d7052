from __future__ import annotations

from former_names import prove


def test_the_operator_was_a_solver_of_lqcd() -> None:
    prove("lqcd_operator", {"lqcd:operator": ("double", "115e093b"), "lqcd:operator_single": ("single", "34cc92c8")},
          {"lqcd:operator_volume": "volume", "lqcd:links": "storage"})
