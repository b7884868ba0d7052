"""A run: its plan, its launches and the outcome of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tenken.model.check import Case, Check, Topic
from tenken.model.record import Record
from tenken.model.study import StudyRun


# Of a rank, in the order in which it goes through them.
STATES = ("starting", "timing", "gathering", "writing", "done")


@dataclass(frozen=True, slots=True)
class RankState:
    """The place of a rank when its launch ended, read from its sample page."""

    rank: int
    host: str
    pid: int
    state: str  # any of STATES
    section: str | None  # innermost open section
    repetitions: int  # completed
    planned_repetitions: int
    steps: int = 0  # of any work so far: the count that advances


@dataclass(frozen=True, slots=True)
class Launch:
    """A job start. `status` is the launcher's word on the process, never a judgement of figures."""

    number: int
    case_id: str
    # planned | done | crashed | hung | slow (not done in time, but it advanced) | starved (not done in time, since its ranks
    # waited for processors that others used) | interrupted | refused | lacking (its needs are not here)
    status: str
    folder: str  # relative to the run folder: launches/NNNN-<case>
    returncode: int | None = None
    signal: str | None = None
    reason: str = ""  # a sentence where status is not done
    started: str | None = None  # ISO 8601, UTC
    seconds: float | None = None
    last_lines: tuple[str, ...] = ()
    ranks: tuple[RankState, ...] = ()
    confirms: int | None = None  # number of the disturbed launch that this launch repeats
    id: str = ""  # drawn when it starts; its record and pages hold the same
    environment: str = ""  # under which it was started
    lost: tuple[str, ...] = ()  # nodes that the scheduler says it lost meanwhile
    waited: float | None = None  # part of the time that its ranks waited for a processor; None where that is not known
    needs_s: float | None = None  # of a starved launch: the time in which its ranks get the processor time of its time-out


@dataclass(frozen=True, slots=True)
class Measured:
    """A finished launch and its record."""

    launch: Launch
    record: Record


@dataclass(frozen=True, slots=True)
class CaseRun:
    """A case with everything that was measured for it."""

    case: Case
    check: Check
    launches: tuple[Launch, ...]
    records: tuple[Record, ...]  # of the launches with status done, in order
    unreadable: tuple[str, ...] = ()  # sentences on records that were refused
    unavailable: str | None = None  # why this case could not be planned here (no CBLAS, too few cores, ...)

    @property
    def lacking(self) -> str | None:
        """Why there is nothing to judge here and nobody's fault it is: not built, or its programs lack a need."""
        return self.unavailable or next((launch.reason for launch in self.launches if launch.status == "lacking"), None)


@dataclass(frozen=True, slots=True)
class Run:
    name: str  # folder name
    folder: str
    suite: str  # suite, check or case names as typed
    state: str  # planned | running | finished | interrupted
    started: str
    seed: int
    seconds: float | None
    environment: dict[str, Any]
    cases: tuple[CaseRun, ...]
    studies: tuple[StudyRun, ...] = ()  # their points are among the cases
    topics: tuple[Topic, ...] = ()  # of its suite
    notes: tuple[str, ...] = ()  # sentences on parts that belong to no case and could not be read
