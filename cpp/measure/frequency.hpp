// The real clock frequency of the cores, from a chain of dependent additions: one addition a cycle on every core of
// today.
#pragma once

namespace tenken {

// What the core does beside the chain. Many cores lower their clock while they multiply and add in their widest
// vectors, and raise it again within microseconds: a chain alone does not see the clock that such code has.
enum class Beside { nothing, widest_vectors };

// Whether this processor has vectors whose clock is measured apart (x86 with AVX2 or AVX-512).
bool has_widest_vectors();

// Frequency in Hz of the core that runs the calling thread: the median of five chains of about 20 us, so that an
// interrupt does not count. Without such vectors it is the plain one.
double core_frequency_hz(double ns_per_tick, Beside beside = Beside::nothing);

// Additions that do not depend on each other, per cycle of the chain measured just before, on the core that runs the
// calling thread: the median of five pairs. A core alone with its thread always shows the same figure, by its number
// of adders; where another of its hardware threads works, whoever owns that, the two share the adders and less is left.
// A guest of a hypervisor sees its neighbour so, which no counter tells it.
double core_additions_per_cycle();

// The least over the cores that run `threads` OpenMP threads, all measured at the same time.
double team_additions_per_cycle(int threads);

// Mean over the cores that run `threads` OpenMP threads, all measured at the same time: x cores it gives their summed
// peak.
double team_frequency_hz(int threads, double ns_per_tick, Beside beside = Beside::nothing);

}  // namespace tenken
