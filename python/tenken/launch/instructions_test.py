"""Environments that are held to a set of instructions."""

import pytest

from tenken.base.errors import TenkenError
from tenken.launch import environment, instructions

BOTH = frozenset().union(*(one.needs for one in instructions.SETS.values()))


@pytest.fixture
def has(monkeypatch):
    def processor(features: frozenset[str]) -> None:
        monkeypatch.setattr(instructions, "processor_features", lambda: features)

    return processor


def test_compiler_and_blas_are_held_to_the_set(has) -> None:
    has(BOTH)
    narrow, wide, native = (environment.select(words, {}) for words in ("avx2", "avx512", None))
    assert narrow.flags.startswith("-march=x86-64-v3") and dict(narrow.variables)["OPENBLAS_CORETYPE"] == "Haswell"
    assert wide.flags.startswith("-march=x86-64-v4") and dict(wide.variables)["MKL_ENABLE_INSTRUCTIONS"] == "AVX512"
    assert len({one.fingerprint for one in (narrow, wide, native)}) == 3
    assert narrow.describe()["isa"] == "avx2" and native.describe()["isa"] == native.isa_name
    assert environment.select(narrow.name, {}) == narrow, "a run that goes on finds the environment by its name"


def test_a_set_that_the_processor_lacks_is_refused_by_name(has) -> None:
    has(instructions.SETS["avx2"].needs | {"avx512f"})
    environment.select("avx2", {})
    sentence = "'avx512' is not possible here: the processor has no avx512bw, avx512cd, avx512dq, avx512vl"
    with pytest.raises(TenkenError, match=sentence):
        environment.select("avx512", {})
    with pytest.raises(TenkenError, match=sentence):
        environment.select(environment.select("avx2", {}).name.replace("avx2", "avx512"), {})
    with pytest.raises(TenkenError, match="unknown environment 'nowhere'"):
        environment.select("nowhere", {})
