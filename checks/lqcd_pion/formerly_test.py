"""The correlator was a parameter of lqcd: its names, baselines and runs of then are found here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.launch.resolve import Facts, find_parameter, resolve
from tenken.model.check import Case, former_set, older_ids, parameters_now, present
from tenken.store.baseline import case_hash, resolved
from tenken.store.checkfile import load_checks

CHECKS = load_checks([Path(__file__).resolve().parents[1]])
CHECK = CHECKS["lqcd_pion"]
# By older name: the present one, and the hash of the folders in which sittings were accepted.
ACCEPTED = {"lqcd:pion": ("one_by_one", "3672b8e8"), "lqcd:pion_together": ("four_together", "57cbcb4b")}
STUDIES = {"lqcd:together": "together"}


def as_resolved(name: str) -> Case:
    spec = next(one for one in CHECK.cases if one.name == name)
    return resolve(CHECK, spec, Facts(cores=2, memory_bytes=1 << 34))


def test_older_names_are_found() -> None:
    for old, (name, _) in ACCEPTED.items():
        assert present(old, CHECKS) == f"lqcd_pion:{name}" and older_ids(CHECK, name) == (old,)
    for old, name in STUDIES.items():
        assert present(f"{old}/8x8x8x8", CHECKS) == f"lqcd_pion:{name}/8x8x8x8"
        assert former_set(f"{old}/8x8x8x8", CHECKS) == former_set(next(iter(ACCEPTED)), CHECKS) != {}
    assert present("lqcd:small", CHECKS) == "lqcd:small" and former_set("lqcd:small", CHECKS) == {}


@pytest.mark.parametrize("old", ACCEPTED)
def test_baselines_that_were_accepted_are_looked_for_where_they_are(old: str) -> None:
    name, accepted = ACCEPTED[old]
    case = as_resolved(name)
    then = {**case.parameters, **former_set(old, CHECKS)}
    assert case_hash(resolved(replace(case, parameters=then))) == accepted != case_hash(resolved(case))
    assert parameters_now(old, then, CHECKS) == case.parameters


def test_what_only_older_names_had_cannot_be_set_any_more() -> None:
    for name in former_set(next(iter(ACCEPTED)), CHECKS):
        with pytest.raises(TenkenError, match=f"'{name}'"):
            find_parameter(CHECK, name)
