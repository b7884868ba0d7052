"""Loss and jitter: does one repetition take as long as the next?"""

from __future__ import annotations

from tenken.judge.findings import evidence, finding
from tenken.judge.limits import CLASS_OF_KIND, FEWEST_REPETITIONS, JITTER, LOSS, SHORT_NS, SMALL_SHARE
from tenken.judge.phrases import duration, percent
from tenken.judge.sections import stated_path
from tenken.model.assessment import AxisResult, Finding, SectionSummary, Where
from tenken.model.check import Check
from tenken.model.verdict import Axis, Verdict


def section_class(section: SectionSummary, check: Check) -> str:
    """The most lenient class of the metrics of that section, else that of its kind."""
    classes = [metric.klass for metric in check.metrics if metric.section == stated_path(section)]
    return max(classes or [CLASS_OF_KIND[section.kind]], key=lambda klass: JITTER[klass])


def jitter_limit(section: SectionSummary, check: Check) -> float:
    return JITTER[section_class(section, check)]


def unsteadiness(section: SectionSummary, check: Check) -> float:
    """Loss or jitter of a section over its limit, the larger; above 1 is unsteady."""
    return max(section.loss / LOSS, section.jitter / jitter_limit(section, check))


def own_unsteadiness(section: SectionSummary, check: Check) -> float:
    """The same without what another's load may have caused: above 1 the section is unsteady by itself."""
    loss = section.loss if section.least_loss is None else section.least_loss
    jitter = section.jitter if section.least_jitter is None else section.least_jitter
    return max(loss / LOSS, jitter / jitter_limit(section, check))


def steady_sections(sections: tuple[SectionSummary, ...], check: Check) -> tuple[SectionSummary, ...]:
    """Those whose loss and jitter mean something: repeated leaf sections of weight and length that do not wait for others.

    Where repetitions are unlike by design none.
    """
    if not check.repetitions_alike:
        return ()
    return tuple(
        section
        for section in sections
        if section.leaf
        and section.kind != "wait"
        and not section.once
        and section.share >= SMALL_SHARE
        and section.median_ns >= SHORT_NS
        and section.repetitions >= FEWEST_REPETITIONS * section.launches
    )


def waits_alone(section: SectionSummary) -> bool:
    """Whether a section of communication is over at once for the rank that comes last: what the others spend in it is their
    waiting, whose steadiness is that of the work before."""
    return section.kind == "comm" and len(section.ranks) > 1 and min(one.median_ns for one in section.ranks) < SHORT_NS


def judge_steadiness(case_id: str, check: Check, sections: tuple[SectionSummary, ...]) -> tuple[
    AxisResult, list[Finding]
]:
    eligible = [section for section in steady_sections(sections, check) if not waits_alone(section)]
    if not eligible:
        return AxisResult(
            Axis.STEADINESS, Verdict.NOT_JUDGED,
            f"no section of {duration(SHORT_NS)} or more repeated at least {FEWEST_REPETITIONS} times",
        ), []
    unsteady = sorted(
        (section for section in eligible if unsteadiness(section, check) > 1.0),
        key=lambda one: -own_unsteadiness(one, check),
    )
    own = [section for section in unsteady if own_unsteadiness(section, check) > 1.0]
    if own:
        findings = [_finding(case_id, check, section) for section in own]
        return AxisResult(Axis.STEADINESS, Verdict.WARN, findings[0].what), findings
    if unsteady:
        what = _finding(case_id, check, unsteady[0]).what
        return AxisResult(
            Axis.STEADINESS, Verdict.NOT_JUDGED, f"{what}; another's load may have caused it", ground=True
        ), []
    loss, jitter = max(0.0, *(section.loss for section in eligible)), max(section.jitter for section in eligible)
    return AxisResult(Axis.STEADINESS, Verdict.OK, f"loss up to {percent(loss)}, jitter up to {percent(jitter)}"), []


def _finding(case_id: str, check: Check, section: SectionSummary) -> Finding:
    limit = jitter_limit(section, check)
    lossy = section.loss / LOSS >= section.jitter / limit
    if lossy:
        what = (
            f"{section.path} loses {percent(section.loss)} of its time beside the median of "
            f"{duration(section.median_ns)}, limit {percent(LOSS)}: rare, long interruptions"
        )
    else:
        what = (
            f"{section.path} varies by {percent(section.jitter)} around {duration(section.median_ns)} (MAD/median), "
            f"limit {percent(limit)}: no two repetitions are alike"
        )
    return finding(
        Axis.STEADINESS,
        Verdict.WARN,
        case_id,
        what,
        evidence(section),
        section=section.path,
        measured=section.loss if lossy else section.jitter,
        expected=LOSS if lossy else limit,
        band=(None, LOSS if lossy else limit),
        unit="elapsed/(n x median) - 1" if lossy else "MAD/median",
        where=Where(section=section.path),
    )
