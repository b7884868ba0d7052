"""results.json: the assessment written out, field by field; schema/results.schema.json describes it."""

from __future__ import annotations

import dataclasses
import math
from enum import Enum
from typing import Any

from tenken import VERSION
from tenken.model.assessment import Assessment
from tenken.model.comparison import Comparison
from tenken.model.contract import Contract

SCHEMA = "tenken.results/1"
COMPARED = "tenken.compared/1"
CONTRACT = "tenken.contract/1"


def results(assessment: Assessment) -> dict[str, Any]:
    """Plain dictionaries, lists, strings and numbers; non-finite numbers are the strings "nan", "inf", "-inf".

    Names are those of the model, but for `class` of a metric, which Python cannot spell as a field.
    """
    plain = _plain(assessment)
    del plain["machine"]["devices"]  # kinds that cores.toml has, on any machine
    return {"schema": SCHEMA, "tenken": VERSION, **plain}


def comparison(found: Comparison) -> dict[str, Any]:
    """The answer of a comparison of two environments, written out in the same way."""
    return {"schema": COMPARED, "tenken": VERSION, **_plain(found)}


def contract(found: Contract) -> dict[str, Any]:
    """An acceptance sheet, written out in the same way; schema/contract.schema.json describes it."""
    return {"schema": CONTRACT, "tenken": VERSION, **_plain(found)}


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return {"class" if field.name == "klass" else field.name: _plain(getattr(value, field.name))
                for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
