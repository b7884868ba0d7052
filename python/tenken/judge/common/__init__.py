"""The part that all wings of the judge share, and that the judges of checks build with: the measurements, in figures.

Each wing (launch_set, change, release, place) stands on this and on no other wing. This is its door: nothing of the package
but the names listed here is imported from elsewhere.
"""

from tenken.base.words import digits, duration, percent, plural, size
from tenken.judge.common.bounds import WAITING, counted_by, lost_by
from tenken.judge.common.clock import (
    PLAIN, VECTORS, Powers, Samples, at_clock, common_clock, frequency, host_clocks, most_clock, peak_clock,
    plain_clock, reference, slowest_clock, spread, vector_clock,
)
from tenken.judge.common.confirm import disturbed_launches
from tenken.judge.common.effects import EXCESSES, Demands, demands, groups_of, kind_of, numbered, scaled, tests_of, unscaled
from tenken.judge.common.findings import evidence, finding, isolating, with_findings, worst_first
from tenken.judge.common.findings import own_words
from tenken.judge.common.prepared import Prepared, judged, prepare
from tenken.judge.common.quantities import Judged, every_launch, launch_values, quantities_of, values_to_judge
from tenken.judge.common.confirm import launches_on
from tenken.judge.common.sections import (
    at_best, launch_sections, rank_work, shares_of_work, slow_ranks, stated_path,
)
from tenken.judge.common.trust import clock_words, other_load, readings, trusted, waited
from tenken.judge.common.unlike import (
    DISTANCE, comparable, distances, jitter_limit, of_this_mode, own_unsteadiness, steady_sections, uneven, unlike,
    unsteadiness, weighs,
)

__all__ = [
    "DISTANCE", "EXCESSES", "PLAIN", "VECTORS", "WAITING", "Demands", "Judged", "Powers", "Prepared", "Samples", "at_best",
    "at_clock", "clock_words", "common_clock", "comparable", "counted_by", "demands", "digits", "disturbed_launches",
    "distances", "duration", "every_launch", "evidence", "finding", "frequency", "groups_of", "host_clocks", "isolating",
    "jitter_limit", "judged", "kind_of", "launch_sections", "launch_values", "launches_on", "lost_by", "most_clock",
    "numbered", "of_this_mode", "other_load", "own_unsteadiness", "own_words", "peak_clock", "percent", "plain_clock", "plural",
    "prepare", "quantities_of", "rank_work", "readings", "reference", "scaled", "shares_of_work", "size",
    "slow_ranks", "slowest_clock", "spread", "stated_path", "steady_sections", "tests_of", "trusted", "uneven",
    "unlike", "unscaled", "unsteadiness", "values_to_judge", "vector_clock", "waited", "weighs", "with_findings", "worst_first",
]
