"""Every threshold of the judge, with its reason.

First the classes of metrics. Effects are relative (0.05 = 5 %). A class is how noisy such a quantity is by nature, and so how
small a change is worth a finding, however certain.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MetricClass:
    jitter: float  # MAD/median over repetitions, at most
    change_warn: float  # of a time against its baseline
    change_fail: float
    hopeless: float  # smallest detectable effect, above which nothing unremarkable is called OK
    sigma: float  # standard deviation of a launch where nothing tells
    release_finds: float  # slowdown that a comparison of two environments is to find
    path_effect: float | None = None  # time of a path against that of its two ends; None where there are no paths


METRIC_CLASSES = {
    "compute": MetricClass(0.05, change_warn=0.03, change_fail=0.05, hopeless=0.25, sigma=0.02, release_finds=0.10),
    "memory": MetricClass(0.10, change_warn=0.03, change_fail=0.05, hopeless=0.25, sigma=0.03, release_finds=0.10),
    "latency": MetricClass(
        0.30, change_warn=0.10, change_fail=0.15, hopeless=0.60, sigma=0.06, release_finds=0.30, path_effect=1.20
    ),
    "bandwidth": MetricClass(
        0.20, change_warn=0.05, change_fail=0.08, hopeless=0.35, sigma=0.04, release_finds=0.15, path_effect=1.10
    ),
    "io": MetricClass(0.30, change_warn=0.20, change_fail=0.30, hopeless=1.00, sigma=0.10, release_finds=0.60),
}

# Classes of the work of sections of each kind; the first is taken where no metric states the class of its section.
OF_KIND = {"compute": ("memory", "compute"), "comm": ("latency", "bandwidth"), "wait": (), "io": ("io",)}

IMPOSSIBLE = 1.02  # of the peak: counters, clock and frequency agree to better than 2 % (docs: verdicts)
COMPLETE_PART = 0.90  # of the planned cases, judged on all axes that they have ground for: below, a run is INCOMPLETE

ABOVE_CEILING = 1.05  # of a ceiling: beyond, the work or the ceiling is wrong; of memory only as long as nothing is cached
COUNTED_APART = 0.10  # of the bytes of memory: prefetchers read beyond the ends of arrays, and other programs are counted, too
SURELY_UNCACHED = 2.0  # working set / last-level cache from which a cache can no longer lift a rate noticeably

DISTURBED = 0.02  # of the wall time in the run queue, stolen, or throttled
SHARED = 0.25  # of the wall time with another hardware thread on a core: up to there the median of repetitions hardly moves
SHARED_CORE = 0.05  # fewer additions a cycle than the core does alone: it is shared (decision 45)
MOVES_DATA = 0.25  # flop a byte: a core that computes 16 and loads 64 bytes a cycle waits for its caches below (decision 45)
SHARED_LOSES = 1.5  # power of the slowdown of adders that programs stay below, which share multipliers and caches too
UNKNOWN_LOSS = 0.05  # of the wall time that other load is taken to have cost where the system counts none

CLOCK_SAMPLES = 20  # of the clock beside the kernels: from so many on it has a median and a spread

LOSS = 0.25  # time beside the median; a quiet node stays below 0.05
JITTER = {name: klass.jitter for name, klass in METRIC_CLASSES.items()}  # MAD/median by class
# Where no metric states the class of a section: the lenient class of its kind.
CLASS_OF_KIND = {kind: classes[0] for kind, classes in OF_KIND.items() if classes}
# Of the timed wall that the worst rank waited for a processor. A wait for a part f of the time can lie under the median of
# half of the repetitions, so that a loss of up to f / (1 - 2 f) stays hidden: from here on that is LOSS.
WAITED = LOSS / (1 + 2 * LOSS)
FEWEST_REPETITIONS = 5  # for a spread to mean anything
HALF_BAND = 0.5  # of the low end of a band, without other load: worse has a cause of its own, and the library is named

SMALL_SHARE = 0.01  # of the time of all leaf sections, also share x max(loss, jitter, imbalance - 1): less is not worth a finding
SHORT_NS = 20_000.0  # per repetition: shorter sections show the clock and the scheduler, not their ranks
KEPT_BELOW = 0.1  # of that share and length: from there on a baseline stores the time of a section, so that growth is known
IMBALANCE = 1.10  # max/mean: smaller effects are not worth a finding, however certain
UNEQUAL_WORK = 1.05  # work of a rank over that of others: above, the decomposition explains some of its time
SAME_RANK_ERROR = 0.05  # probability that equal ranks, beyond that, have a rank that waits longest in every launch
ALPHA = 0.01  # probability that equal ranks exceed the noise limit by chance

PROVIDERS_DIFFER = 0.10  # by which the rates of two checks that measure the same ceiling may differ
TEAMS = "teams"  # parameter of a thread sweep: a metric repeated over it states its own number of threads
PAGE_SIZE = "page_size"  # parameter of a check: the kind of pages that it asks for, base or huge
HUGE, OF_HUGE = "huge_bytes", "array_bytes"  # values of a record: bytes on huge pages, of this many that were asked for
SURELY_HUGE = 0.9  # of the bytes: fewer than this, and more than the rest, are a mixture
WORKING_SET = "working_set_bytes"  # value of a record: bytes all its ranks touch in a repetition

PLACE_ERROR = 0.008  # probability that any place of a clean case is named, over all nodes, sections and levels
PLACE_EFFECT = 1.05  # slower than equal peers: less is not worth a finding, however certain
NOISIER = 2.0  # times as noisy as its class: a node is reported so; no fault by itself
UNSTEADY_ERROR = 0.004  # probability that any rank or node of a clean case is reported to lose time, or to vary, by itself
LOSES = 0.10  # of the time of all sections together, more than equal ranks lose: less is not worth a finding
PATH_ERROR = 0.008  # probability that any node or path of clean pairs is named
# Time against that of the two ends.
PATH_EFFECT = {name: klass.path_effect for name, klass in METRIC_CLASSES.items() if klass.path_effect is not None}
WAIT_SHARE = 0.05  # of the time of a repetition that others wait for a rank: less is not worth a finding

# Change against a baseline: relative effects by class, before which a change is not worth a finding, however certain.
CHANGE_WARN = {name: klass.change_warn for name, klass in METRIC_CLASSES.items()}
CHANGE_FAIL = {name: klass.change_fail for name, klass in METRIC_CLASSES.items()}
# Detectable effect above which an unremarkable quantity is NOT JUDGED instead of OK.
HOPELESS = {name: klass.hopeless for name, klass in METRIC_CLASSES.items()}
LOSS_WARN, LOSS_FAIL, LOSS_HOPELESS = 0.10, LOSS, 1.0  # more of the time of the section than before; as for JITTER
SHIFT_WARN = 0.03  # everything together
SLOW_DAY = 0.30  # by which neighbours and weather slow a sitting as a whole: below, a single sitting cannot prove a change
FAIL_ERROR, WARN_ERROR = 0.005, 0.03  # probability that any quantity of a clean run is called so, by chance
ERROR_SHARE = {"time": 0.8, "loss": 0.1, "jitter": 0.1}  # of these probabilities, by kind
SHIFT_ERROR = 0.01  # the same for everything together
SLOW_DAYS, SLOW_AGAIN = 0.05, 1.5  # of earlier sittings that shifted as far, and times their shift: up to there it is a usual day
FAIL_DOUBT = 2.0  # to which the probability of a stray is known that is rarer than all that were seen: for FAIL
CLASS_ERROR = 0.005  # the same for all classes that move against the others, together
EVERY_LAUNCH = 0.5  # of the limit of a failure: every launch of the sitting shows it, else the quantity has two states
SUSPECT_ERROR, SUSPECT_PART = 0.20, 0.7  # of a run; and part of the smallest effect: confirming costs little
FEWEST_SITTINGS = 3  # of a baseline, for FAIL
CONFIRMED, CONFIRMING = 5, 3  # undisturbed launches of a sitting for FAIL; launches that a suspect case is given at least
CLOCK_WARN, CLOCK_FAIL, CLOCK_HOPELESS = 0.05, 0.15, 0.50  # lower than before: a turbo step is 2 to 4 %
SIGMA_FLOOR = {"time": 0.003, "loss": 0.01, "jitter": 0.005, "clock": 0.003}  # of a sitting: page placement, clock steps
SIGMA_GUESS = {name: klass.sigma for name, klass in METRIC_CLASSES.items()}  # where nothing tells
GUESS_DF = 3.0  # degrees of freedom of the guess
SHIFT_GUESS, SHIFT_GUESS_DF = 0.01, 2.0  # the same for a sitting as a whole

# Two environments in pairs of launches (smallest effects and hopeless ones as above).
RELEASE_ERROR = 0.005  # probability that anything is called slower where both are alike
SEEMS_ERROR = 0.05  # the same for "seems slower", which restricts nothing but withholds a release
MOST_PAIRS = 96  # of a case, unless the user says how many
# Slowdown of a time to detect: pairs are made until these would show it, or the most pairs are made.
RELEASE_FINDS = {name: klass.release_finds for name, klass in METRIC_CLASSES.items()}
PAIR_GUESS = 2**0.5  # of SIGMA_GUESS: two launches are noisy in a pair
HELD_BACK = 0.5  # of the judged cases beyond the limits of FAIL: slower is no exception any more
