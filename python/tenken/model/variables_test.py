from __future__ import annotations

import pytest
from fake_build import ENVIRONMENT

from tenken.launch.command import variables
from tenken.machine.software import software
from tenken.model.check import Case
from tenken.model.variables import KERNELS, NOT_PASSED_ON, not_passed_on

# Each takes threads from a launch, moves them or changes how they wait; seen in the manuals of the run-time libraries.
KNOWN = (
    "OMP_THREAD_LIMIT", "OMP_TEAMS_THREAD_LIMIT", "OMP_MAX_ACTIVE_LEVELS", "OMP_NESTED", "OMP_SCHEDULE",
    "OMP_PLACES", "OMP_PROC_BIND", "OMP_THREAD_LIMIT_ALL", "GOMP_CPU_AFFINITY", "GOMP_SPINCOUNT",
    "KMP_AFFINITY", "KMP_BLOCKTIME", "KMP_ALL_THREADS", "KMP_DEVICE_THREAD_LIMIT", "KMP_HW_SUBSET",
    "KMP_TEAMS_THREAD_LIMIT", "KMP_LIBRARY", "GOTO_NUM_THREADS", "MKL_DYNAMIC", "MKL_DOMAIN_NUM_THREADS",
    "BLIS_JC_NT", "BLIS_IC_NT", "VECLIB_MAXIMUM_THREADS",
)


@pytest.mark.parametrize("name", KNOWN)
def test_no_launch_inherits_a_variable_of_threads(name: str) -> None:
    assert name in NOT_PASSED_ON
    assert not_passed_on({name: "1", "HOME": "/"}) == f"{name}=1 of the calling shell is not passed on to the launches"


def test_a_variable_that_tenken_sets_is_not_in_the_list() -> None:
    case = Case("demo", "small", "plain", {}, 1, 2, 1, 20.0)
    assert not set(variables(case, ENVIRONMENT)) & set(NOT_PASSED_ON)


def test_no_sentence_where_the_shell_has_none() -> None:
    assert not_passed_on({"HOME": "/", "OMP_NUM_THREADS": "7"}) == ""


def test_all_are_named_in_one_sentence() -> None:
    shell = {"OMP_THREAD_LIMIT": "1", "KMP_BLOCKTIME": "0"}
    names = "KMP_BLOCKTIME=0, OMP_THREAD_LIMIT=1"
    assert not_passed_on(shell) == f"{names} of the calling shell are not passed on to the launches"


def test_a_variable_that_chooses_kernels_stays_and_is_recorded() -> None:
    assert not set(KERNELS) & set(NOT_PASSED_ON)
    shell = dict.fromkeys(KERNELS, "x")
    assert software(shell, lambda command: None)["variables"] == shell
