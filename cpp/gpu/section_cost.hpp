// The cost of timing a section on a card by two events.
#pragma once

namespace tenken::gpu {

// Medians, measured by stopwatch.hpp in the launch that records them. Subtracted nowhere.
struct SectionCost {
  double host_ns = 0;  // time of the host for start, stop and reading of a section
  double card_ns = 0;  // time that a section without work shows
  double ratio = 1;    // clock of the card over clock of the host
};

}  // namespace tenken::gpu
