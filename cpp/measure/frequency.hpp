// The real clock frequency of the cores, from a chain of dependent additions: one addition a cycle on every core of
// today.
#pragma once

namespace tenken {

// Frequency in Hz of the core that runs the calling thread: the best of five chains of about 20 us, so that an
// interrupt does not count.
double core_frequency_hz(double ns_per_tick);

// Mean over the cores that run `threads` OpenMP threads, all measured at the same time: x cores it gives their summed
// peak.
double team_frequency_hz(int threads, double ns_per_tick);

}  // namespace tenken
