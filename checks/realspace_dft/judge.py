"""What studies of groups and rank maps tell: time of each class of messages, and the fastest layout."""

from __future__ import annotations

from tenken.judge.common import launch_sections
from tenken.judge.layouts import layouts
from tenken.model.judgement import StudyTold, StudyToTell

PARAMETER = {"groups": "groups", "maps": "rank_map"}  # of each study


def tell(of: StudyToTell) -> StudyTold:
    name = PARAMETER.get(of.study.name)
    if name is None:
        return StudyTold()
    return layouts(of, launch_sections, "iteration", ("",), lambda point: (f"{name} {point.case.parameters[name]}",))
