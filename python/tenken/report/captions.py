"""The sentence under each figure: the plotted figures, the samples, and the shape of trouble."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.base import units
from tenken.base.words import plural
from tenken.model.assessment import CaseAssessment, SectionSummary, TableAssessment
from tenken.model.baseline import History
from tenken.model.study import StudyAssessment
from tenken.report import studies
from tenken.report.draw.thin import MOST, WORST
from tenken.report.plain import plain
from tenken.report.topics import LEGEND

CARD = ("Samples in time order; line: median, grey: one MAD on both sides, arrows: outliers. Steps, drifts and streaks look "
        "bad.")
CEILINGS = (f"Bar: percent of the ceiling that the section meets first ({LEGEND}); dark stroke: of its other ceilings. "
            "Short bars look bad.")
NODES = ("Each square a node: time of all computation together over the median of all nodes, vermilion from 30 % slower "
         "on. Ringed: named by a finding. A dark square among light ones looks bad.")
HEAT = ("Time over the median of the column; medians of all repetitions and launches. A dark row is a slow place, "
        "a dark column an uneven section.")
SWEEP = "Median over launches, one MAD on both sides; dashed: the ceiling. Dents and early flattening look bad."


def study(shown: StudyAssessment) -> str:
    if shown.plot.kind in _KINDS:
        return _KINDS[shown.plot.kind](shown)
    scaling, figures = shown.plot.scaling, [figure for point in shown.points for figure in point.figures]
    least = min((figure.launches for figure in figures if figure.launches), default=0)
    words = [("Speed-up over the smallest point of each line, with the efficiency at its end; dashed: ideal" if scaling
              else "Median over launches") + f"; {plural(len(shown.points), 'point')} of at least "
             f"{plural(least, 'launch')}, strokes from the least to the greatest"
             + (f" ({studies.confidence(shown)})" if "launches" in shown.plot.marks else "")]
    words += ["L1, L2, ...: capacity of that cache level for the cores of the line"] if shown.caches else []
    words += ["hollow diamonds, with letters: published, not measured here"] if shown.published else []
    words += ["dashed: the ceiling"] if "ceiling" in shown.plot.marks and not scaling else []
    words += [f"hollow: disturbed ({count})"] if (count := len(studies.disturbed(shown))) else []
    words += ["cross: no right answer"] if any(map(studies.wrong, shown.points)) else []
    bad = ("Lines that leave the ideal early look bad" if scaling else "Dents between smooth neighbours look bad"
           if studies.ordered(shown) else "Long strokes look bad")
    return f"{'; '.join(words)}. {bad}."


def _heat(shown: StudyAssessment) -> str:
    words = [f"Median over launches, {plural(len(shown.points), 'point')}; dark: worse, white: left out, "
             f"{studies.BEST}: best, {studies.DISTURBED}: disturbed ({len(studies.disturbed(shown))})"]
    words += ["cross: no right answer"] if any(map(studies.wrong, shown.points)) else []
    return f"{'; '.join(words)}. A dark cell among light ones looks bad."


def _stack(shown: StudyAssessment) -> str:
    words = [f"Stacked median times of leaf sections in a repetition, slowest rank of each. "
             f"{plural(len(shown.points), 'point')}; hatched: communication, input and output, waiting, "
             f"{studies.DISTURBED}: disturbed ({len(studies.disturbed(shown))})"]
    words += ["cross: no right answer"] if any(map(studies.wrong, shown.points)) else []
    return f"{'; '.join(words)}. A section that grows from bar to bar looks bad."


_KINDS = {"heat": _heat, "stack": _stack}


def table(shown: TableAssessment) -> str:
    worst = "; ".join(f"{plain(one.row)}, {plain(one.column)}: {units.number(one.value, 3)}" for one in shown.worst[:3])
    if not shown.block:
        return (f"{plain(shown.name)} in {plain(shown.unit)}: the table was too large for its record. Median of its cells "
                f"{units.number(shown.median, 3)}; the worst (row, column): {worst}.")
    if shown.form == "curves":
        return _curves(shown)
    if shown.form == "field":
        return _field(shown)
    if shown.form == "figures":
        part = f"; 1 row and column of {shown.block} is shown" if shown.block > 1 else ""
        return f"Unit: {plain(shown.unit)}. Median over {plural(shown.launches, 'launch')}{part}."
    if shown.iterations:
        return (f"Median over {plural(shown.launches, 'launch')}, iteration by iteration. A line that stays where it is, or "
                "rises again, looks bad.")
    words = [f"Median of each cell over {plural(shown.launches, 'launch')}; dark: worse, white: nothing measured"]
    words += [f"each square is the worst of {shown.block} x {shown.block} cells"] if shown.block > 1 else []
    words += [f"median of all cells {units.number(shown.median, 3)}, the worst (row, column): {worst}"] if worst else []
    return f"{'; '.join(words)}. A dark row or column is a slow end, one dark square a slow path."


def _curves(shown: TableAssessment) -> str:
    words = [f"Broad: computed, median over {plural(shown.launches, 'launch')}, {plural(len(shown.values), 'row')}"]
    words += [f"1 row of {shown.block} is drawn"] if shown.block > 1 else []
    exact = any(column.startswith("exact_") for column in shown.columns)
    words += ["dashed: exact"] if exact else []
    return f"{'; '.join(words)}. {'Lines apart look bad' if exact else 'Steps and growing swings look bad'}."


def _field(shown: TableAssessment) -> str:
    return (f"Values on a plane after the last step, median over {plural(shown.launches, 'launch')}, "
            f"{len(shown.values)} x {len(shown.columns)} samples; vermilion: above zero, blue: below. "
            "Checkerboards, and waves that come back from an absorbing layer, look bad.")


def rank_maps(sections: Sequence[SectionSummary]) -> str:
    uneven = "; ".join(f"{plain(section.path)} {units.number(section.imbalance, 3)} ({units.number(section.imbalance_limit, 3)})"
                       for section in sections)
    return (f"Each cell a rank at its place in the cut box: median time of a repetition. Max/mean, in parentheses its limit "
            f"for equal ranks: {uneven}. Dark edges and corners have more work; a single dark rank looks bad.")


def roofline(case: CaseAssessment) -> str:
    count = max((section.repetitions for section in case.sections if section.leaf), default=0)
    return ("Each section at its intensity and rate; blue compute, orange communication, vermilion above every roof. "
            f"Medians of up to {plural(count, 'repetition')}. A point far below its roof looks bad.")


def history(histories: Sequence[History]) -> str:
    points = histories[0].points
    sittings = sum(point.accepted for point in points)
    changed = sum(bool(point.changes) for point in points)
    names = dict.fromkeys(point.formerly for point in points if point.formerly)
    older = sum(bool(point.formerly) for point in points)
    named = f" {plural(older, 'point')} formerly {plain(', '.join(names))}." if older else ""
    return (f"Median over launches of {plural(sittings, 'accepted sitting')} (filled, grey: their range) and of "
            f"{plural(len(points) - sittings, 'run')} (hollow). Bars: one MAD; ringed: the newest, "
            f"orange: the environment changed ({changed} times). A ring off the grey and steps at a stroke look bad.{named}")


def strip(section: SectionSummary) -> str:
    return (f"Samples in time order, launch by launch: {plural(section.repetitions, 'repetition')} in "
            f"{plural(section.launches, 'launch')}, the slowest rank of each. Line: median, grey: one MAD on both sides, "
            "arrows: outliers. Steps, drifts and streaks look bad.")


def ranks(section: SectionSummary) -> str:
    count = len(section.ranks)
    shown = f"the {WORST} slowest of {count} and the quantile" if count > MOST else f"each of {count}"
    return (f"Median time of {shown} ranks, slowest in red; dark stroke: 10 % to 90 % quantiles. "
            f"Imbalance {units.number(section.imbalance, 3)}; up to "
            f"{units.number(section.imbalance_limit, 3)} is noise. A few long bars look bad.")
