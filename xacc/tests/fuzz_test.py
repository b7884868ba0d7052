"""Fuzzing, for XACC_FUZZ seconds (5 where it is not set)."""

from __future__ import annotations

import os

import fuzz


def test_mutated_sources_are_translated_or_refused_with_a_sentence() -> None:
    assert fuzz.main(float(os.environ.get("XACC_FUZZ", "5")), 1) == 0
