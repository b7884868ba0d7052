"""Are the answers right? A wrong answer in a launch forbids every rate of its case. Tolerances: numbers and expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf, isfinite, nan
from typing import Any, Never

from tenken.base.toml import NotUnderstood, UnknownName, value
from tenken.base.words import plural
from tenken.judge.common.findings import finding
from tenken.model.assessment import AxisResult, Finding, ValidityResult, Where
from tenken.model.check import Check, ValiditySpec
from tenken.model.judgement import OwnJudgement
from tenken.model.record import Record, Validity
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict


def holds(proof: Validity) -> bool:
    """Whether a proof holds; a proof with a number that is not finite does not."""
    if not all(isfinite(number) for number in (proof.value, proof.expected, proof.limit)):
        return False
    if proof.mode == "max":
        return proof.value <= proof.limit
    scale = abs(proof.expected) if proof.mode == "rel" else 1.0
    return abs(proof.value - proof.expected) <= proof.limit * scale


def validity_results(
    check: Check, parameters: Mapping[str, Any], launches: tuple[Measured, ...]
) -> tuple[ValidityResult, ...]:
    """The proofs of a case with these planned parameters, each with the limit that counts."""
    return tuple(
        ValidityResult(proof, holds(proof), measured.launch.number)
        for measured in launches
        for proof in (tightened(validity, check, parameters, measured.record) for validity in measured.record.validity)
    )


def judge_validity(
    case_id: str, check: Check, parameters: Mapping[str, Any], launches: tuple[Measured, ...],
    results: tuple[ValidityResult, ...], own: OwnJudgement,
) -> tuple[AxisResult, list[Finding]]:
    """The validity axis of a case with a measured launch or more."""
    wrong = [finding for finding in own.about(Axis.VALIDITY) if finding.verdict is Verdict.INVALID]
    explained = own.explained if wrong else ()  # a broken proof is left out only where a worse finding explains it
    findings = wrong + _missing_proofs(case_id, check, parameters, launches)
    findings += _broken_proofs(case_id, tuple(proof for proof in results if proof.validity.name not in explained))
    findings += _lost_values(case_id, launches)
    if findings:
        return AxisResult(Axis.VALIDITY, Verdict.INVALID, findings[0].what), findings
    if not results:
        return AxisResult(Axis.VALIDITY, Verdict.NOT_JUDGED, "this check has no proof of its answer"), []
    names = {result.validity.name for result in results}
    reason = f"{plural(len(names), 'proof')} passed in {plural(len(launches), 'launch')}"
    return AxisResult(Axis.VALIDITY, Verdict.OK, reason), []


def _missing_proofs(
    case_id: str, check: Check, parameters: Mapping[str, Any], launches: tuple[Measured, ...]
) -> list[Finding]:
    """Proofs that check.toml promises (alone or as NAME/...) and a record does not hold."""
    findings = []
    for spec in check.validity:
        without = [
            measured.launch.number
            for measured in launches
            if promised(spec, check, parameters, measured.record) and not any(
                proof.name == spec.name or proof.name.startswith(spec.name + "/") for proof in measured.record.validity
            )
        ]
        if without:
            findings.append(
                finding(
                    Axis.VALIDITY,
                    Verdict.INVALID,
                    case_id,
                    f"proof {spec.name} missing: {check.name} promises the proof in check.toml, the record lacks it",
                    f"missing in {len(without)} of {plural(len(launches), 'launch')}",
                    where=Where(launch=without[0]),
                    launches=1,
                )
            )
    return findings


def _broken_proofs(case_id: str, results: tuple[ValidityResult, ...]) -> list[Finding]:
    """A finding for each proof that fails, with the figures of the first launch in which it does."""
    findings = []
    for name in dict.fromkeys(result.validity.name for result in results if not result.holds):
        of_name = [result for result in results if result.validity.name == name]
        broken = [result for result in of_name if not result.holds]
        proof = broken[0].validity
        findings.append(
            finding(
                Axis.VALIDITY,
                Verdict.INVALID,
                case_id,
                f"wrong answer: {name} is {proof.value:.6g}, {_should(proof)} ({proof.source})",
                f"fails in {len(broken)} of {plural(len(of_name), 'launch')}",
                measured=proof.value,
                expected=proof.limit if proof.mode == "max" else proof.expected,
                where=Where(launch=broken[0].launch),
                launches=1,
            )
        )
    return findings


def _lost_values(case_id: str, launches: tuple[Measured, ...]) -> list[Finding]:
    """Recorded values that are not finite: something went wrong in the computation that no proof looked at."""
    lost = [
        (value, measured.launch.number)
        for measured in launches
        for value in measured.record.values
        if not isfinite(value.value)
    ]
    return [
        finding(
            Axis.VALIDITY,
            Verdict.INVALID,
            case_id,
            f"wrong answer: the recorded {value.name} is {value.value}, should be a finite number",
            f"launch {number}",
            measured=value.value,
            where=Where(launch=number),
            launches=1,
        )
        for value, number in lost
    ]


def _should(proof: Validity) -> str:
    if proof.mode == "max":
        return f"should be at most {proof.limit:.3g}"
    tolerance = f"{proof.limit:.3g}" + (" of that" if proof.mode == "rel" else "")
    return f"should be {proof.expected:.6g} within {tolerance}"


def tightened(proof: Validity, check: Check, parameters: Mapping[str, Any], record: Record) -> Validity:
    """`proof` with the stricter of its own limit and check.toml's tolerance; `parameters` are those of the planned case.

    Where the tolerance has no value the limit is NaN, which no proof keeps. A proof that check.toml does not know of can
    only make things worse, so its own limit stands.
    """
    spec = spec_of(proof.name, check)
    if spec is None:
        return proof
    tolerance = evaluated(spec.tolerance, check, parameters, record)
    if not tolerance >= 0 or tolerance == inf:
        return replace(proof, limit=nan, source=f"{proof.source}; its tolerance '{spec.tolerance}' has no value here")
    return replace(proof, limit=min(tolerance, proof.limit)) if isfinite(proof.limit) else proof


def spec_of(name: str, check: Check) -> ValiditySpec | None:
    """The entry of check.toml for a proof called NAME or NAME/...; the longest that fits."""
    fitting = [spec for spec in check.validity if name == spec.name or name.startswith(spec.name + "/")]
    return max(fitting, key=lambda spec: len(spec.name)) if fitting else None


def promised(spec: ValiditySpec, check: Check, parameters: Mapping[str, Any], record: Record) -> bool:
    """Whether a record of this case must hold the proof."""
    return evaluated(spec.when, check, parameters, record) != 0  # NaN too: a condition that is unknown excuses nothing


class _Missing(float):
    """A value that the record lacks: nothing where it is multiplied by 0 (its feature is switched off), else unknown."""

    def __new__(cls, name: str) -> _Missing:
        return super().__new__(cls, nan)

    def __init__(self, name: str) -> None:
        self.name = name

    def __rmul__(self, other: float) -> float:
        if other == 0:
            return 0.0
        raise UnknownName(self.name)

    def _unknown(self, *_: object) -> Never:
        raise UnknownName(self.name)

    __mul__ = __add__ = __radd__ = __sub__ = __rsub__ = __truediv__ = __rtruediv__ = _unknown
    __neg__ = __lt__ = __gt__ = __le__ = __ge__ = _unknown


def evaluated(text: float | str, check: Check, parameters: Mapping[str, Any], record: Record) -> float:
    """The value of an expression of a case and its record; NaN where it has none.

    Names: parameters as planned (flags 0 or 1; `NAME.2` an entry of a list; `NAME.CHOICE` 1 where that is chosen, else 0;
    `NAME.given` 1 where a path is), ranks, threads, repetitions, then the named values of the record.
    """
    if not isinstance(text, str):
        return text
    settings = check.settings(parameters)
    counts = {"ranks": record.ranks, "threads": record.threads, "repetitions": record.repetitions}
    values = {recorded.name: recorded.value for recorded in record.values}

    def value_of(name: str) -> float:
        parameter, _, part = name.partition(".")
        setting = settings.get(parameter)
        if part and isinstance(setting, str):
            return float(bool(setting) if part == "given" else setting == part)
        if part and isinstance(setting, (list, tuple)) and part.isdigit() and int(part) < len(setting):
            setting = setting[int(part)]
        elif part or parameter not in settings:
            setting = counts.get(name, values.get(name))
            if setting is None and not part:
                return _Missing(name)
        if not isinstance(setting, (int, float)):
            raise UnknownName(name)
        return float(setting)

    try:
        return value(text, value_of)
    except (NotUnderstood, UnknownName, OverflowError):
        return nan
