from __future__ import annotations

import pytest

from tenken.base.errors import TenkenError
from tenken.launch.expression import evaluate

MIB = 2**20
SIZES = {"L1": None, "L2": MIB, "L3": 32 * MIB, "mem": 1000 * MIB + 1}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("4*L3", 128 * MIB),
        ("25%mem", 250 * MIB),
        ("25% mem", 250 * MIB),
        ("L3/2 + 8MiB", 24 * MIB),
        ("(L2+L3)*2", 66 * MIB),
        ("2-3*-2", 8),
        ("1.5GiB", 3 * 2**29),
        ("2*4503599627370497*2", 18014398509481988),
        ("10/4", 2),
        ("1e9", 10**9),
        ("max(L2, 2*L2)/2", MIB),
    ],
)
def test_value(text: str, value: int) -> None:
    assert evaluate(text, SIZES, "size") == value


@pytest.mark.parametrize(
    "text",
    ["", "4*", "4**2", "(L3", "L3)", "1/0", "8 MiB MiB", "a.b", "L3()", "4;5", "1e999", "sqrt(-1)",
     "sqrt(4, 4)", "max()", "9" * 5000, "%"],
)
def test_refuses_what_it_does_not_understand(text: str) -> None:
    with pytest.raises(TenkenError, match="parameter size"):
        evaluate(text, SIZES, "parameter size")


def test_names_the_nearest_size() -> None:
    with pytest.raises(TenkenError, match=r"unknown name 'L33' in .*did you mean L3"):
        evaluate("L33/2", SIZES, "parameter size")


def test_unknown_of_this_machine() -> None:
    with pytest.raises(TenkenError, match="needs L1, which is not known"):
        evaluate("4*L1", SIZES, "parameter size")
