"""The fastest point of the tuning study, and how to write the HPL.dat that asks for it."""

from __future__ import annotations

from tenken.judge.common import plural
from tenken.model.judgement import StudyTold, StudyToTell, ToJudge

STUDY, RATE = "tune", "solved_rate"


def tell(of: StudyToTell) -> StudyTold:
    if of.study.name != STUDY:
        return StudyTold()
    rates = {point.case.id: (found, point) for point in of.points if (found := _rates(point))}
    if len(rates) < 2:
        return StudyTold()
    best, slowest = (choose(rates, key=lambda name: max(rates[name][0])) for choose in (max, min))
    found, point = rates[best]
    values = {value.name: value.value for value in point.measured[0].record.values}
    parameters = point.case.parameters
    times = max(found) / max(rates[slowest][0])
    sentence = (f"the fastest is NB {parameters['nb']}, grid {values['grid_rows']:.0f} x {values['grid_columns']:.0f}, broadcast "
                f"{parameters['broadcast']}, look-ahead {parameters['lookahead']}: {max(found):.4g} GFLOP/s in its fastest "
                f"launch, {times:.3g} times the slowest")
    close = [name for name in rates if name != best and max(rates[name][0]) >= min(found)]
    if close:
        sentence += f"; launches of {plural(len(close), 'other point')} reach it"
    return StudyTold((), (sentence, f"write its HPL.dat: ./tenken run {best} --launches 1 --set write_input=HPL.dat"))


def _rates(point: ToJudge) -> list[float]:
    """One of each launch that was right."""
    return [value.value for each in point.measured for value in each.record.values if value.name == RATE]
