"""Cases that were cases of another check: their names, baselines and runs of then are found under the present names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from tenken.base.errors import TenkenError
from tenken.launch.resolve import Facts, find_parameter, resolve
from tenken.model.check import former_set, older_ids, parameters_now, present
from tenken.store.baseline import case_hash, resolved
from tenken.store.checkfile import load_checks

CHECKS = load_checks([Path(__file__).resolve().parents[1] / "checks"])


def prove(name: str, accepted: Mapping[str, tuple[str, str]], studies: Mapping[str, str]) -> None:
    """Of the check `name`. `accepted`: by older name of a case the present name and the hash of the folder in which sittings
    were accepted. `studies`: the present name by older name."""
    check, some = CHECKS[name], former_set(next(iter(accepted)), CHECKS)
    for old, (now, folder) in accepted.items():
        assert present(old, CHECKS) == f"{name}:{now}" and older_ids(check, now) == (old,)
        case = resolve(check, next(case for case in check.cases if case.name == now), Facts(cores=2, memory_bytes=1 << 34))
        then = {**case.parameters, **former_set(old, CHECKS)}
        assert case_hash(resolved(replace(case, parameters=then))) == folder != case_hash(resolved(case))
        assert parameters_now(old, then, CHECKS) == case.parameters
    for old, now in studies.items():
        assert present(f"{old}/8x8x8x8", CHECKS) == f"{name}:{now}/8x8x8x8"
        assert former_set(f"{old}/8x8x8x8", CHECKS) == some != {}
    assert present("lqcd:small", CHECKS) == "lqcd:small" and former_set("lqcd:small", CHECKS) == {}
    for parameter in some:
        with pytest.raises(TenkenError, match=f"'{parameter}'"):
            find_parameter(check, parameter)  # parameters that only older names had cannot be set any more
