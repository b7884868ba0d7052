"""Older names of checks, cases and studies: the present name of such a name, and the older names of a present name.

`formerly` in check.toml names checks (`mpi_old`: every case of it is a case here), or cases and studies (`mpi_old:pair`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tenken.model.check import Check, Study


def older_ids(check: Check, case: str) -> tuple[str, ...]:
    """The earlier names of `check:case`; `case` may be a point of a study (`study/point`)."""
    name, slash, point = case.partition("/")
    claimed = [old for case in check.named if case.name == name for old in case.formerly]
    claimed += [old for old in check.formerly if old.endswith(f":{name}")]
    names = [name, *(old.partition(":")[2] for old in claimed if old.partition(":")[0] == check.name)]
    claimed += [f"{old}:{name}" for old in check.formerly if ":" not in old for name in names]
    return tuple(f"{old}{slash}{point}" for old in dict.fromkeys(claimed))


def claims(check: Check) -> dict[str, str]:
    """Every older name that `check` takes over, with the present name."""
    present_of = {old: check.name for old in check.formerly if ":" not in old}
    for case in check.named:
        present_of |= dict.fromkeys(older_ids(check, case.name), f"{check.name}:{case.name}")
    return present_of


def conflicts(checks: Mapping[str, Check]) -> dict[str, str]:
    """A sentence for each check that takes a name which another takes as well, or which still exists."""
    exist = dict.fromkeys(checks, "a check") | {
        f"{check.name}:{case.name}": "a case or study" for check in checks.values() for case in check.named
    }
    takers: dict[str, list[str]] = {}
    for check in checks.values():
        for old in claims(check):
            takers.setdefault(old, []).append(check.name)
    errors: dict[str, str] = {}
    for old, names in takers.items():
        for name in names:
            others = [other for other in names if other != name]
            if old in exist:
                errors.setdefault(name, f"'{old}' is the name of {exist[old]} that is there; an older name is free: leave it out")
            elif others:
                errors.setdefault(name, f"'{old}' is the older name of check {others[0]} too; one of them may have it")
    return errors


def present(name: str, checks: Mapping[str, Check]) -> str:
    """The present name of `name` (a check, check:case, check:study/point, or any of these with /figure).

    A name that exists is never taken for an older name, and an unknown name stays as it is.
    """
    head, slash, rest = name.partition("/")
    check, colon, case = head.partition(":")
    if not exists(head, checks):
        taken = {old: now for check in checks.values() for old, now in claims(check).items()}
        head = taken.get(head) or (f"{taken[check]}{colon}{case}" if check in taken else head)
    return f"{head}{slash}{rest}"


def former_set(case_id: str, checks: Mapping[str, Check]) -> Mapping[str, Any]:
    """Parameters that a case (or point of a study) had under its older names, and its check has no more."""
    check, _, case = present(case_id, checks).partition(":")
    name = case.partition("/")[0]
    cases = checks[check].named if check in checks else ()
    return next(((case.case if isinstance(case, Study) else case).formerly_set for case in cases if case.name == name), {})


def parameters_now(case_id: str, parameters: Mapping[str, Any], checks: Mapping[str, Check]) -> dict[str, Any]:
    """`parameters` of a case under whatever name, without those of `former_set`."""
    former = former_set(case_id, checks)
    return {name: value for name, value in parameters.items() if name not in former or former[name] != value}


def exists(name: str, checks: Mapping[str, Check]) -> bool:
    """Whether `name` (a check, check:case or check:study/point) is a present name."""
    check, _, case = name.partition("/")[0].partition(":")
    return check in checks and case in ("", *(case.name for case in checks[check].named))


def same_case(case_id: str, checks: Mapping[str, Check]) -> tuple[str, ...]:
    """All other names of a case, present or older."""
    now = present(case_id, checks)
    check, _, case = now.partition(":")
    older = older_ids(checks[check], case) if check in checks else ()
    return tuple(name for name in (now, *older) if name != case_id)
