"""Prometheus text exposition, for a node exporter's textfile collector: gauges without time stamps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tenken.model.assessment import Assessment, CaseAssessment, MetricSummary, SectionSummary
from tenken.model.verdict import Verdict
from tenken.report.plain import plain

_Labels = Mapping[str, object]
_Sample = tuple[_Labels, float | None]


def prometheus(assessment: Assessment) -> str:
    """Every line of the exposition; figures that do not exist (None) have no line.

    A verdict is a gauge for each possible verdict: 1 for the verdict given, 0 for the others.
    """
    base = {"suite": assessment.suite, "machine": assessment.machine.name, "drill": str(assessment.drill).lower()}
    cases = [({**base, "check": case.check, "case": case.id}, case) for case in assessment.cases]
    families: list[tuple[str, str, Iterable[_Sample]]] = [
        ("run_verdict", "Verdict of the run: 1 for the one given.", _verdicts(base, assessment.verdict)),
        ("run_exit_code", "Exit code of the run.", [(base, assessment.exit_code)]),
        ("run_duration_seconds", "Duration of the run.", [(base, assessment.seconds)]),
        (
            "case_verdict", "Verdict of a case: 1 for the one given.",
            (sample for labels, case in cases for sample in _verdicts(labels, case.verdict)),
        ),
        (
            "metric", "Median over launches of a metric, in the unit that the label names.",
            (
                (_metric(labels, metric) | {"unit": metric.unit}, metric.value)
                for labels, case in cases
                for metric in case.metrics
            ),
        ),
        (
            "metric_ceiling_ratio", "Metric over its ceiling.",
            ((_metric(labels, metric), metric.fraction) for labels, case in cases for metric in case.metrics),
        ),
        (
            "section_seconds", "Median time of one repetition of a section.",
            _sections(cases, lambda section: section.median_ns / 1e9),
        ),
        (
            "section_imbalance_ratio", "Slowest rank over the mean rank.",
            _sections(cases, lambda section: section.imbalance),
        ),
        (
            "section_loss_ratio", "Elapsed over calls times median, minus one.",
            _sections(cases, lambda section: section.loss),
        ),
        (
            "section_jitter_ratio", "Median absolute deviation over median.",
            _sections(cases, lambda section: section.jitter),
        ),
        (
            "section_ceiling_ratio", "Rate of a section over a ceiling.",
            (
                (
                    labels | {
                        "section": section.path, "ceiling": item.ceiling.name, "binding": str(item.binding).lower()
                    },
                    item.fraction,
                )
                for labels, case in cases
                for section in case.sections
                for item in section.ceilings
            ),
        ),
    ]
    return "".join(_family(f"tenken_{name}", meaning, samples) for name, meaning, samples in families)


def _verdicts(labels: _Labels, given: Verdict) -> list[_Sample]:
    return [({**labels, "verdict": verdict.value}, float(verdict is given)) for verdict in Verdict]


def _metric(labels: _Labels, metric: MetricSummary) -> dict[str, object]:
    return {**labels, "metric": metric.name, "at": "" if metric.at is None else metric.at}


def _sections(
    cases: Sequence[tuple[_Labels, CaseAssessment]], figure: Callable[[SectionSummary], float]
) -> Iterator[_Sample]:
    for labels, case in cases:
        for section in case.sections:
            yield {**labels, "section": section.path}, figure(section)


def _family(name: str, meaning: str, samples: Iterable[_Sample]) -> str:
    lines = [f"{name}{{{_labels(labels)}}} {_value(value)}" for labels, value in samples if value is not None]
    return "\n".join([f"# HELP {name} {meaning}", f"# TYPE {name} gauge", *lines]) + "\n" if lines else ""


def _labels(labels: _Labels) -> str:
    return ",".join(f'{name}="{_escape(plain(value))}"' for name, value in labels.items())


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _value(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return repr(float(value)) if math.isfinite(value) else "+Inf" if value > 0 else "-Inf"
