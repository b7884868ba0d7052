from __future__ import annotations

import copy
import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import assessments
import golden_files
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


def test_results_are_golden() -> None:
    golden_files.check("results-drill.json", json.dumps(written("drill"), indent=1))
