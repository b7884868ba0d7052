"""Every threshold of the judge, with its reason."""

from __future__ import annotations

IMPOSSIBLE = 1.02  # of the peak: counters, clock and frequency agree to better than 2 % (docs: verdicts)
ABOVE_MEMORY = 1.05  # of the memory ceiling: beyond, the bytes or the ceiling are wrong, as long as nothing is cached
SURELY_UNCACHED = 2.0  # working set / last-level cache from which a cache can no longer lift a rate noticeably

DISTURBED = 0.02  # of the timed wall in the run queue, stolen, or throttled
FREQUENCY_DRIFT = 0.03  # (max - min)/median of the frequency samples of a launch, one in twenty left out at each end

LOSS = 0.25  # time beside the median; a quiet node stays below 0.05
JITTER = {"compute": 0.05, "memory": 0.10, "latency": 0.30, "bandwidth": 0.20, "io": 0.30}  # MAD/median by class
# Where no metric states the class of a section: the lenient one of its kind.
CLASS_OF_KIND = {"compute": "memory", "comm": "latency", "io": "io"}
FEWEST_REPETITIONS = 5  # for a spread to mean anything

SMALL_SHARE = 0.01  # of the time of all leaf sections: less is not worth a finding
SHORT_NS = 20_000.0  # per repetition: shorter sections show the clock and the scheduler, not their ranks
IMBALANCE = 1.10  # max/mean: smaller effects are not worth a finding, however certain
UNEQUAL_WORK = 1.05  # work of a rank over that of others: above, the decomposition explains some of its time
ALPHA = 0.01  # probability that equal ranks exceed the noise limit by chance

CEILING_CHECKS = {"flop": "fma_peak", "memory": "stream"}  # whose rates are ceilings for all other checks
TEAMS = "teams"  # parameter of a thread sweep: a metric repeated over it states its own number of threads
WORKING_SET = "working_set_bytes"  # value of a record: bytes all its ranks touch in one repetition

PLACE_ERROR = 0.008  # probability that any place of a clean case is named, over all nodes, sections and levels
PLACE_EFFECT = 1.05  # slower than equal peers: less is not worth a finding, however certain
PATH_ERROR = 0.008  # probability that any node or path of clean pairs is named
PATH_EFFECT = {"latency": 1.20, "bandwidth": 1.10}  # time against what the two ends explain
WAIT_SHARE = 0.05  # of the time of a repetition that others wait for one rank: less is not worth a finding
PAIRS_CHECK, ODD_CORE = "mpi_pairs", "odd_core"  # check whose rounds are fitted; name of the values that name a core
