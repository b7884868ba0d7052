from __future__ import annotations

import dataclasses

import pytest

from tenken.model.assessment import TableAssessment
from tenken.report import captions
from tenken.report.draw.tables import Scale, _ends, field, greatest, scale_of

PLANE = TableAssessment(
    "slice_vz", "m/s", "lower", 1, ("z 0.05 km", "z 0.15 km"), ("x 0 km", "x 0.1 km", "x 0.2 km"), 1,
    ((1.0, -2.5, 0.0), (0.0, 0.5, 1.0)), None, (), "field",
)


def test_labels_state_numbers_of_one_name_and_unit() -> None:
    assert scale_of(("z 0.05 km", "z 0.15 km")) == Scale("z", "km", (0.05, 0.15))
    assert scale_of(("x 0", "x 1")) == Scale("x", "", (0.0, 1.0))
    for wrong in ((), ("x",), ("x 1", "y 2"), ("x 1 km", "x 2 m"), ("x one",), ("x nan",), ("x 1 k m",)):
        assert scale_of(wrong) is None


def test_a_plane_has_both_axes_and_the_same_shade_for_both_signs() -> None:
    drawing = field(PLANE)
    assert greatest(PLANE) == 2.5 and "2.50" in drawing and "-2.50" in drawing.replace("\u2212", "-")
    assert "x (km)" in drawing and "z (km)" in drawing and "<image" in drawing and "slice vz  (m/s)" in drawing
    assert _ends(Scale("x", "km", (0.0, 0.1, 0.2))) == pytest.approx((-0.05, 0.25))
    assert "2 x 3 samples" in captions.table(PLANE)


def test_a_plane_of_zeros_is_drawn_and_one_without_values_is_not() -> None:
    assert field(dataclasses.replace(PLANE, values=((0.0,) * 3,) * 2))
    assert field(dataclasses.replace(PLANE, values=((None,) * 3,) * 2)) == ""
    assert field(dataclasses.replace(PLANE, rows=("a", "b"))) == ""


def test_a_large_plane_stays_small_on_the_page() -> None:
    side = tuple(f"x {number} km" for number in range(128))
    noise = tuple(tuple(float((7919 * row * column) % 101 - 50) for column in range(128)) for row in range(128))
    assert len(field(dataclasses.replace(PLANE, rows=side, columns=side, values=noise))) < 120_000
