"""The answers of the judge. Every report prints these very objects; results.json is this, written out."""

from __future__ import annotations

from dataclasses import dataclass

from tenken.model.baseline import Difference, EarlierSitting, History
from tenken.model.contract import Contract
from tenken.model.machine import Machine, Offer
from tenken.model.record import Validity, Value
from tenken.model.run import OVERSUBSCRIBED, Launch
from tenken.model.study import StudyAssessment
from tenken.model.verdict import Axis, Verdict


@dataclass(frozen=True, slots=True)
class Ceiling:
    """An upper bound here, in the unit of the rate it bounds."""

    name: str  # "peak double", "memory", "network"
    kind: str  # spec | measured | model
    value: float  # flop/s or byte/s, of all ranks of the case together
    formula: str  # a line a reader can check: "16 flop/cycle x 3.67 GHz x 2 cores"
    date: str | None = None  # of the measurement, where it is not of this run
    at_best: float | None = None  # `value` without the cost of other load to its measurement; None where that is nothing

    @property
    def most(self) -> float:
        """The undisturbed ceiling at most."""
        return self.at_best or self.value


@dataclass(frozen=True, slots=True)
class Where:
    """The place of a finding. Empty fields mean: no place is named."""

    host: str | None = None
    rank: int | None = None
    section: str | None = None
    launch: int | None = None
    numa: int | None = None  # NUMA domain of the host
    cpu: int | None = None  # processor of the host
    to_host: str | None = None  # the other end of a path
    to_rank: int | None = None
    group: tuple[str, ...] = ()  # hosts (or "rank 3") that lie together: the part they share is slow
    alike: str = ""  # no place: all ranks were compared, with the range of their figures where it is known


THEN = ", then "  # in `next_command`, between the remedy and the command that shows whether it helped


@dataclass(frozen=True, slots=True)
class Finding:
    axis: Axis
    verdict: Verdict
    what: str  # a sentence: measured, expected, the meaning
    case_id: str
    section: str | None
    measured: float | None
    expected: float | None
    band: tuple[float | None, float | None]
    unit: str
    ratio: float | None  # measured / expected
    where: Where
    evidence: str  # statistic and number of samples
    next_command: str  # the command to type next
    explained_by: tuple[str, ...] = ()  # differences of the environment that can move such a figure


@dataclass(frozen=True, slots=True)
class AxisResult:
    axis: Axis
    verdict: Verdict
    reason: str
    ground: bool = False  # where not judged: check.toml or an accepted baseline promises that it can be


@dataclass(frozen=True, slots=True)
class CeilingFraction:
    ceiling: Ceiling
    rate: float  # of all ranks together, same unit as the ceiling
    fraction: float
    binding: bool  # the ceiling that this section meets first (smallest roof at its intensity)


@dataclass(frozen=True, slots=True)
class RankTime:
    rank: int
    host: str
    median_ns: float
    low_ns: float  # 10 % quantile
    high_ns: float  # 90 % quantile
    hidden_ns: float = 0.0  # of the median: the time that other load may have added


@dataclass(frozen=True, slots=True)
class SectionSummary:
    """A section of a case, over all its launches.

    Per repetition the maximum over ranks is taken; median, MAD, jitter and loss are over repetitions of
    that maximum, launch by launch, then the median over launches.
    """

    path: str
    kind: str
    leaf: bool
    at: int | None
    once: bool  # timed once per launch (repetition -1)
    launches: int
    repetitions: int  # over all launches
    calls: int  # per repetition
    median_ns: float  # of a repetition
    mad_ns: float
    loss: float
    jitter: float
    share: float  # of the summed time of all leaf sections (those timed once a launch: among themselves)
    imbalance: float  # max/mean over ranks of the per-rank medians
    imbalance_limit: float  # the limit of that many equal noisy ranks, or the minimum effect if that is larger
    slowest_rank: int
    ranks: tuple[RankTime, ...]
    strip_ns: tuple[tuple[float, ...], ...]  # a launch each: samples in time order, thinned for drawing
    flop: float  # per repetition, all ranks
    bytes: float
    messages: float
    flop_rate: float | None  # None where forbidden (invalid answer) or no such work
    byte_rate: float | None
    intensity: float | None  # flop per byte
    ceilings: tuple[CeilingFraction, ...]
    hidden_ns: float = 0.0  # of median_ns: without other load it lay between median_ns - hidden_ns and median_ns
    least_loss: float | None = None  # `loss` without the part that other load may have caused; None where that is nothing
    least_jitter: float | None = None  # the same of `jitter`
    precisions: tuple[str, ...] = ()  # of its flop, where the record says some; of a group: of all inside it, double first


@dataclass(frozen=True, slots=True)
class MetricSummary:
    name: str
    section: str | None
    at: int | None
    quantity: str
    unit: str
    better: str
    klass: str
    value: float | None  # median over launches; None where a wrong answer forbids it
    mad: float | None
    launches: int
    fraction: float | None  # of its ceiling
    ceiling: Ceiling | None
    band: tuple[float | None, float | None] | None
    band_source: str | None
    at_best: float | None = None  # `value` without the cost of other load; None where that is nothing
    disturbed: bool = False  # its launches met other load: the figure is a bound
    headline: str = ""  # words of the tile, where its check is shown by this metric


@dataclass(frozen=True, slots=True)
class ChangeSummary:
    """A quantity compared with its baseline."""

    quantity: str  # as in a baseline: "metric:NAME", "time:PATH", "loss:PATH", "jitter:PATH", "clock:plain", "clock:vectors"
    unit: str
    better: str
    klass: str
    verdict: Verdict
    value: float  # median over undisturbed launches
    expected: float | None  # by the baseline; None where it does not know the quantity
    ratio: float | None  # value / expected; of loss and jitter (1 + value) / (1 + expected)
    interval: tuple[float | None, float | None]  # of the ratio, 95 %
    band: tuple[float | None, float | None]  # of the value: outside is a finding
    detectable: float | None  # smallest relative effect that is detected in 8 of 10 cases
    launches: int
    sittings: int  # of the baseline, without those that were slow as a whole
    at_best: float | None = None  # the value without the cost of other load; None where there was none


@dataclass(frozen=True, slots=True)
class ValidityResult:
    validity: Validity
    holds: bool
    launch: int


@dataclass(frozen=True, slots=True)
class Trusted:
    """How far the timings of a case can be trusted: the worst over launches and ranks."""

    disturbed: bool
    reason: str  # empty where undisturbed
    where: Where
    run_queue_wait: float | None  # fraction of timed wall
    steal: float | None
    throttled: float | None
    migrations: int | None
    frequency_ghz: float | None  # median
    frequency_drift: float | None  # (max - min)/median
    frequency_range_ghz: tuple[float, float] | None  # interquartile; None where there are fewer than 20 samples
    vector_frequency_ghz: float | None  # median under the widest vectors; None where not sampled
    timer_overhead_ns: float | None
    oversubscribed: bool
    shared: float | None = None  # part of the wall time with another hardware thread on a core; None where not sampled
    shared_cards: str = ""  # "3 ranks share 2 cards"; empty where each rank has a card alone

    @property
    def crowded(self) -> str:
        """Why the times are never judged; empty where they are."""
        return OVERSUBSCRIBED if self.oversubscribed else self.shared_cards


@dataclass(frozen=True, slots=True)
class TableCell:
    row: str
    column: str
    value: float


@dataclass(frozen=True, slots=True)
class TableAssessment:
    """A table that the case recorded, over its launches: the median of each cell.

    Of a matrix a cell stands for a block, by its worst; of all other forms every n-th row and column is left.
    """

    name: str
    unit: str
    better: str  # higher | lower
    launches: int
    rows: tuple[str, ...]  # labels of the first row of each block
    columns: tuple[str, ...]
    block: int  # rows and columns of the table that a row and column stand for; 0: the record has no cells
    values: tuple[tuple[float | None, ...], ...]  # the worst cell of each block; None where nothing was measured
    median: float | None  # of all cells
    worst: tuple[TableCell, ...]  # of a matrix: the worst cells first
    form: str = "matrix"  # matrix | curves | field | ranks | figures

    @property
    def iterations(self) -> list[int]:
        """The numbers of its rows where all of them are called "iteration N": how a solve went; else none."""
        words = [row.rpartition(" ") for row in self.rows]
        if any(name != "iteration" or not (number.isascii() and number.isdigit()) for name, _, number in words):
            return []
        return [int(number) for *_, number in words]


@dataclass(frozen=True, slots=True)
class CountedRates:
    """Of a section, all ranks together: counts of the samples by their time, the median over launches.

    None where nothing was counted. A miss brings a line; threads that wait in a loop are counted as well.
    """

    path: str
    samples: int  # over all launches and ranks
    dropped: int
    flop_rate: float | None  # stated flop
    instruction_rate: float | None
    instructions_per_cycle: float | None
    l2_miss_rate: float | None  # byte/s
    last_level_miss_rate: float | None  # byte/s
    memory_rate: float | None  # byte/s, of all programs on the nodes
    busy: float | None  # part of the time of its threads with a processor


@dataclass(frozen=True, slots=True)
class CountersAssessment:
    """The counts of the processors' counters, or a sentence why not."""

    problem: str | None
    notes: tuple[str, ...]  # the parts left out; bytes that differ from the stated work
    rows: tuple[CountedRates, ...]  # none where the answer is wrong


@dataclass(frozen=True, slots=True)
class CaseAssessment:
    id: str
    check: str
    title: str
    question: str
    repetition: str
    variant: str
    parameters: dict[str, object]
    ranks: int
    threads: int
    verdict: Verdict
    reason: str  # a sentence
    fault: str | None
    axes: tuple[AxisResult, ...]
    findings: tuple[Finding, ...]  # worst first
    validity: tuple[ValidityResult, ...]
    sections: tuple[SectionSummary, ...]
    metrics: tuple[MetricSummary, ...]
    changes: tuple[ChangeSummary, ...]  # empty without a baseline
    trust: Trusted | None
    launches: tuple[Launch, ...]
    seconds: float
    differences: tuple[Difference, ...] = ()  # from the last accepted sitting
    histories: tuple[History, ...] = ()  # where there is a baseline
    micro_benchmark: bool = False  # absolute bands are about it
    values: tuple[Value, ...] = ()  # that the last launch recorded, with all digits; none where the answer is wrong
    tables: tuple[TableAssessment, ...] = ()  # none where the answer is wrong
    formerly: tuple[str, ...] = ()  # older names of the case
    counters: CountersAssessment | None = None  # None where they were off

    @property
    def complete(self) -> bool:
        """Proved, and judged on every axis that there is ground for."""
        lost = any(each.ground and each.verdict is Verdict.NOT_JUDGED for each in self.axes)
        return self._judged(Axis.VALIDITY) and not lost

    @property
    def right(self) -> bool:
        """Its answers are right."""
        return any(each.axis is Axis.VALIDITY and each.verdict is Verdict.OK for each in self.axes)

    @property
    def steady(self) -> bool:
        return any(each.axis is Axis.STEADINESS and each.verdict is Verdict.OK for each in self.axes)

    @property
    def compared(self) -> bool:
        """Its speed was compared: with a limit, or with its baseline."""
        return self._judged(Axis.SPEED) or self._judged(Axis.CHANGE)

    def _judged(self, axis: Axis) -> bool:
        return any(each.axis is axis and each.verdict is not Verdict.NOT_JUDGED for each in self.axes)


@dataclass(frozen=True, slots=True)
class Unjudged:
    """Cases that a cause left unjudged."""

    what: str  # a sentence
    cases: tuple[str, ...]  # ids
    next_command: str  # that can change it


@dataclass(frozen=True, slots=True)
class Assessment:
    """The answer of a run."""

    run: str
    folder: str
    suite: str
    state: str  # finished | interrupted
    started: str
    seconds: float | None
    verdict: Verdict
    exit_code: int
    drill: bool  # a fault was injected, or the sitting was named (TENKEN_SITTING)
    machine: Machine
    environment: dict[str, object]
    cases: tuple[CaseAssessment, ...]
    findings: tuple[Finding, ...]  # of all cases, worst first
    notes: tuple[str, ...]  # data that could not be read, planned or known
    differences: tuple[Difference, ...] = ()  # between the nodes of a class
    unjudged: tuple[Unjudged, ...] = ()  # a cause each
    offers: tuple[Offer, ...] = ()  # ceilings that its checks measured for all
    studies: tuple[StudyAssessment, ...] = ()  # their points are among the cases
    topics: tuple[TopicResult, ...] = ()  # the parts of the report of a suite
    contract: Contract | None = None  # where the run was compared with a contract; it moves no verdict
    earlier: tuple[EarlierSitting, ...] | None = None  # sittings compared with it, newest first; None where nothing asked for it


# A topic of a suite as reported: its cases and studies, with published figures of other systems beside them.

@dataclass(frozen=True, slots=True)
class Beside:
    """A published figure beside a metric of this run. Shown, never judged."""

    case_id: str
    metric: str  # with /AT where it is repeated
    here: str  # the figure of this run with its unit
    percent: float | None  # of its ceiling
    system: str
    published: str  # the figure as printed, with its unit
    published_percent: str | None  # of peak, as printed
    what: str  # application, row and size
    apart: str  # the differences of the two; "" where they may be compared


@dataclass(frozen=True, slots=True)
class TopicResult:
    name: str
    title: str
    question: str
    include: tuple[str, ...]  # check:case and check:study
    beside: tuple[Beside, ...] = ()
