from __future__ import annotations

from dataclasses import replace

import assessments
from tenken.model.assessment import Where
from tenken.report.topics import place, spans, whereabouts


def test_a_place_names_what_is_known() -> None:
    assert place(Where("n03", 37, "cg/operator", 2)) == "rank 37 on n03, cg/operator, launch 2"
    assert place(Where("n03")) == "n03" and place(Where(rank=0)) == "rank 0" and place(Where(section="cg")) == ""


def test_whereabouts_put_the_rank_that_differs_first() -> None:
    assert whereabouts(assessments.crash()) == [
        "launch 7 crashed: rank 5 was killed by signal 9",
        "rank 5 on n03: timing in cg/operator, 117 of 300 repetitions",
        "ranks 0-4,6-7: timing in cg/communication, 118 of 300 repetitions",
    ]


def test_a_launch_without_a_reason_tells_its_signal_or_exit_code() -> None:
    mute = replace(assessments.crash(), reason="", ranks=())
    assert whereabouts(mute) == ["launch 7 crashed: signal SIGKILL"]
    assert whereabouts(replace(mute, signal=None)) == ["launch 7 crashed: exit code 137"]


def test_many_spans_are_counted() -> None:
    assert spans([7, 1, 2, 3]) == "1-3,7"
    assert spans(range(0, 40, 2), limit=2) == "0,2 and 18 more"
