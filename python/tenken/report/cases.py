"""One line on each case: the row of the table of all cases, on the terminal and on the page."""

from __future__ import annotations

from tenken.base import units
from tenken.model.assessment import CaseAssessment
from tenken.model.record import Value
from tenken.report.plain import clip, clip_middle, plain
from tenken.report.select import binding, letter, section_shown

HEADINGS = (
    "case", "verdict", "section", "median +- MAD", "band", "% of ceiling", "imbalance", "jitter %", "loss %",
    "worst at",
)
LEGEND = "F = floating point peak, B = memory bandwidth, N = network"
_NAME = 28  # the most characters of a case or section


def case_row(case: CaseAssessment) -> tuple[str, ...]:
    """A cell for each of HEADINGS, of the section of its finding, else of the slowest; "-" where there is no figure."""
    section = section_shown(case)
    name, word, at = clip_middle(plain(case.id), _NAME), case.verdict.value, _worst_at(case)
    if section is None:
        return (name, word, *[units.NONE] * 7, at)
    first = binding(section)
    allowed = next((metric for metric in case.metrics if metric.band and metric.section == section.path), None)
    calls = max(section.calls, 1)  # of a repetition: a row has the time of one
    return (name, word, clip_middle(plain(section.path), _NAME),
            units.median_mad_ns(section.median_ns / calls, section.mad_ns / calls),
            units.band(*allowed.band, allowed.unit) if allowed and allowed.band else units.NONE,
            f"{units.bare_percent(first.fraction)} {letter(first.ceiling)}" if first else units.NONE,
            units.number(section.imbalance, 3) if case.ranks > 1 else units.NONE,
            units.bare_percent(section.jitter), units.bare_percent(max(section.loss, 0.0)), at)


def chosen(case: CaseAssessment) -> str:
    """ "stores past caches: yes": the choices of the program; "" without any."""
    return ", ".join(f"{plain(one.name).replace('_', ' ')}: {_recorded(one)}" for one in case.values if one.chosen)


def _recorded(value: Value) -> str:
    if value.unit == "flag":
        return "yes" if value.value else "no"
    return units.number(value.value) if value.unit == "1" else units.quantity(value.value, plain(value.unit))


def _worst_at(case: CaseAssessment) -> str:
    """Host and rank of the first finding that has a place."""
    spot = next((item.where for item in case.findings if item.where.host), None)
    if spot is None:
        return units.NONE
    return clip(plain(spot.host), 16) + ("" if spot.rank is None else f" r{spot.rank}")
