"""The sentence under each figure: what is plotted, how many samples, what would look bad."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.model.assessment import CaseAssessment, SectionSummary
from tenken.model.history import History
from tenken.report import units
from tenken.report.cases import LEGEND
from tenken.report.draw.thin import MOST, WORST

CARD = "Samples in time order; line: median, grey: one MAD on both sides. Steps, drifts and streaks look bad."
CEILINGS = (f"Bar: percent of the ceiling that the section meets first ({LEGEND}); dark stroke: of its other ceilings. "
            "Short bars look bad.")
SWEEP = "Median over launches, one MAD on both sides; dashed: the ceiling. Dents and early flattening look bad."


def roofline(case: CaseAssessment) -> str:
    count = max((section.repetitions for section in case.sections if section.leaf), default=0)
    return ("Each section at its intensity and rate; blue compute, orange communication, vermilion above every roof. "
            f"Medians of up to {units.plural(count, 'repetition')}. A point far below its roof looks bad.")


def history(histories: Sequence[History]) -> str:
    points = histories[0].points
    sittings = sum(point.accepted for point in points)
    changed = sum(bool(point.changes) for point in points)
    return (f"Median over launches of {units.plural(sittings, 'accepted sitting')} (filled, grey: their range) and of "
            f"{units.plural(len(points) - sittings, 'run')} (hollow), one MAD on both sides; ringed: the newest; "
            f"orange: the environment changed ({changed} times). A ring off the grey and steps at a stroke look bad.")


def strip(section: SectionSummary) -> str:
    return (f"Samples in time order, launch by launch: {units.plural(section.repetitions, 'repetition')} in "
            f"{units.plural(section.launches, 'launch')}, the slowest rank of each; line: median, grey: one MAD on "
            "both sides. Steps, drifts and streaks look bad.")


def ranks(section: SectionSummary) -> str:
    count = len(section.ranks)
    shown = f"the {WORST} slowest of {count} and the quantile" if count > MOST else f"each of {count}"
    return (f"Median time of {shown} ranks, slowest in red; dark stroke: 10 % to 90 % quantiles. "
            f"Imbalance {units.number(section.imbalance, 3)}; up to "
            f"{units.number(section.imbalance_limit, 3)} is noise. A few long bars look bad.")
