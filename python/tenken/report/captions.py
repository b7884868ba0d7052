"""The sentence under each figure: what is plotted, how many samples, what would look bad."""

from __future__ import annotations

from tenken.model.assessment import CaseAssessment, SectionSummary
from tenken.report import units
from tenken.report.cases import LEGEND
from tenken.report.draw.thin import MOST, WORST

CARD = "Samples in time order; line: median, grey: one MAD on both sides. Steps, drifts and streaks look bad."
CEILINGS = (f"Bar: percent of the ceiling that the section meets first ({LEGEND}); dark stroke: of its other ceilings. "
            "Short bars look bad.")
NODES = ("Each square a node: time of all computation together over the median of all nodes, vermilion from 30 % slower "
         "on. Ringed: named by a finding. A dark square among light ones looks bad.")
HEAT = ("Time over the median of the column; medians of all repetitions and launches. A dark row is a slow place, "
        "a dark column an uneven section.")
SWEEP = "Median over launches, one MAD on both sides; dashed: the ceiling. Dents and early flattening look bad."


def roofline(case: CaseAssessment) -> str:
    count = max((section.repetitions for section in case.sections if section.leaf), default=0)
    return ("Each section at its intensity and rate; blue compute, orange communication, vermilion above every roof. "
            f"Medians of up to {units.plural(count, 'repetition')}. A point far below its roof looks bad.")


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
