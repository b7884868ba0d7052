from __future__ import annotations

import copy
import dataclasses
import json
import math
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import assessments
import pytest
from tenken.model import assessment as model
from tenken.report.results import results

jsonschema = pytest.importorskip("jsonschema")
SCHEMA = json.loads((Path(__file__).parents[3] / "schema" / "results.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def written(name: str) -> Any:
    return json.loads(json.dumps(results(assessments.ALL[name]()), allow_nan=False))


@pytest.mark.parametrize("name", assessments.ALL)
def test_results_fit_the_schema(name: str) -> None:
    VALIDATOR.validate(written(name))


def test_the_schema_refuses_what_is_wrong() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    good = written("drill")
    for path, value in ((("verdict",), "GOOD"), (("schema",), "tenken.results/0"), (("cases", 0, "ranks"), "two")):
        broken = copy.deepcopy(good)
        place = broken
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        assert not VALIDATOR.is_valid(broken), path


@pytest.mark.parametrize(
    "part",
    [
        model.CaseAssessment, model.SectionSummary, model.MetricSummary, model.Finding, model.Ceiling, model.Trusted,
        model.RankTime, model.ChangeSummary, model.Value, model.TableAssessment, model.TableCell,
        model.CountersAssessment, model.CountedRates,
    ],
)
def test_schema_and_model_name_the_same_fields(part: type) -> None:
    name = part.__name__[0].lower() + part.__name__[1:]
    fields = {"class" if field.name == "klass" else field.name for field in dataclasses.fields(part)}
    assert fields == set(SCHEMA["$defs"][name]["properties"]) == set(SCHEMA["$defs"][name]["required"])


def test_numbers_that_are_not_finite_are_words() -> None:
    values = {item["validity"]["name"]: item["validity"]["value"] for item in written("bad")["cases"][5]["validity"]}
    assert values["plaquette"] == "nan"
    assert results(dataclasses.replace(assessments.nothing(), seconds=-math.inf))["seconds"] == "-inf"


def leaves(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Every single value of an answer, or of its JSON, with its place."""
    if dataclasses.is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, (dict, list, tuple)):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        yield at, len(value)
        for name, part in parts:
            yield from leaves(part, f"{at}/{'class' if name == 'klass' else name}")
    elif isinstance(value, float) and not math.isfinite(value):
        yield at, str(value)
    else:
        yield at, value.value if isinstance(value, Enum) else value


@pytest.mark.parametrize("name", assessments.ALL)
def test_results_have_every_value_of_the_answer_to_the_last_digit(name: str) -> None:
    of, plain = assessments.ALL[name](), written(name)
    expected = {at: value for at, value in leaves(of) if not at.startswith("/machine/devices") and at not in ("", "/machine")}
    found = {at: value for at, value in leaves(plain) if at not in ("", "/machine", "/schema", "/tenken")}
    assert found == expected and len(found) > 20
    assert set(plain) == {"schema", "tenken", *(field.name for field in dataclasses.fields(of))}
