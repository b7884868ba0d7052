"""The contract that a run was compared with, wherever its answer is printed or drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

from tenken.model.assessment import Assessment
from tenken.model.check import Check
from tenken.model.contract import Contract, Terms
from tenken.model.errors import TenkenError
from tenken.store.contractfile import kept_files, read_terms


def sheet(assessment: Assessment, terms: Terms, checks: Mapping[str, Check]) -> Contract:
    """The acceptance sheet of today. TenkenError for terms that name a check, case or metric that does not exist."""
    from tenken.judge.contract import judge_contract

    return judge_contract(assessment, terms, checks, datetime.now(timezone.utc).date().isoformat())


def with_contract(assessment: Assessment, folder: Path, checks: Mapping[str, Check]) -> Assessment:
    """The assessment with the contract that its run was last compared with; a note where it cannot be read any more."""
    paths = kept_files(folder)
    if paths is None:
        return assessment
    try:
        return replace(assessment, contract=sheet(assessment, read_terms(*paths), checks))
    except TenkenError as error:
        return replace(assessment, notes=(*assessment.notes, f"contract not shown: {error}"))
