// The repetitions of this check, and its tables.
#pragma once

#include "measure/check.hpp"
#include "paths.hpp"

namespace tenken::gpu_paths {

// One rank copies on every path of all cards of `form`. Tables of medians over repetitions: `paths` (GB/s, a row for
// each card), `pairs` and `exchanges` (GB/s, from row to column), `peers` (peer_rank of each pair), `latency` (us) and
// `links` (lanes and speed of the link of each card).
void measure(Check& check, const Form& form);

}  // namespace tenken::gpu_paths
