from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

import builders
from tenken.base.errors import RecordError
from tenken.model.check import Case
from tenken.model.record import Record
from tenken.model.run import Launch, RankState
from tenken.model.verdict import Axis
from tenken.store.files import from_plain, to_plain


@dataclass(frozen=True)
class Sample:
    ratio: float
    pair: tuple[float, int]
    axis: Axis
    ranks: int | str
    names: dict[str, str]
    maybe: int | None = None


SAMPLE = Sample(math.inf, (1.5, 2), Axis.TRUST, "core", {"a": "b"})


def test_plain_form_is_json_and_comes_back() -> None:
    plain = to_plain(SAMPLE)
    assert plain == {
        "ratio": "inf", "pair": [1.5, 2], "axis": "trust", "ranks": "core", "names": {"a": "b"}, "maybe": None
    }
    assert from_plain(Sample, plain, "w") == SAMPLE


def test_a_whole_record_and_launch_come_back() -> None:
    record = builders.record(builders.fma(1e9, 2), values={"x": ("s", -math.inf)})
    assert from_plain(Record, to_plain(record), "w") == record
    launch = builders.launch(
        status="hung", ranks=(RankState(0, "n0", 1, "timing", None, 3, 10),), last_lines=("a",), confirms=1
    )
    assert from_plain(Launch, to_plain(launch), "w") == launch


def test_unknown_keys_are_left_out_and_defaults_fill_in() -> None:
    plain = {**to_plain(SAMPLE), "later": 1}
    del plain["maybe"]
    assert from_plain(Sample, plain, "w") == SAMPLE


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("ratio", "much", "w: ratio: expected a number"),
        ("ratio", True, "w: ratio: expected a number"),
        ("pair", [1], "w: pair: expected an array of 2"),
        ("pair", [1, "x"], "w: pair[1]: expected an integer"),
        ("axis", "luck", "w: axis: expected one of ['validity'"),
        ("ranks", None, "w: ranks: expected a string"),
        ("names", [], "w: names: expected an object"),
        ("names", {"a": 1}, "w: names: a: expected a string"),
        ("maybe", "x", "w: maybe: expected an integer"),
    ],
)
def test_what_does_not_fit_is_named(key: str, value: object, says: str) -> None:
    with pytest.raises(RecordError) as error:
        from_plain(Sample, {**to_plain(SAMPLE), key: value}, "w")
    assert says in str(error.value)


def test_missing_keys_and_foreign_objects() -> None:
    with pytest.raises(RecordError, match="w: 'variant' is missing"):
        from_plain(Case, {"check": "a", "name": "b"}, "w")
    with pytest.raises(TypeError, match="object has no plain form"):
        to_plain(object())


def test_an_integer_beyond_every_float_is_refused() -> None:
    with pytest.raises(RecordError, match="x: expected a number, found one beyond"):
        from_plain(float, 10**400, "x")
