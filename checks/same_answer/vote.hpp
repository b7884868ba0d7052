// Which cores disagree with the majority.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "kernel.hpp"

namespace same_answer {

// What one core answered. `unsteady` counts passes whose checksum differed from the core's first.
struct Core {
  std::int64_t rank = 0;
  std::int64_t cpu = 0;
  std::uint64_t answer[kernels] = {};
  std::int64_t unsteady[kernels] = {};
};

struct Odd {
  std::size_t core;    // index into the cores
  std::size_t kernel;  // index into kernel_names
};

// Cores whose answer to a kernel is not that of more than half of the cores, or changed from pass to pass. Where no
// answer has a majority (two cores that disagree) all of them are odd: nobody can say which is right.
inline std::vector<Odd> odd_ones(const std::vector<Core>& cores) {
  std::vector<Odd> odd;
  for (std::size_t kernel = 0; kernel < kernels; ++kernel) {
    std::map<std::uint64_t, std::size_t> votes;
    for (const Core& core : cores) ++votes[core.answer[kernel]];
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const bool majority = 2 * most->second > cores.size();
    for (std::size_t i = 0; i < cores.size(); ++i) {
      const bool agrees = majority && cores[i].answer[kernel] == most->first;
      if (!agrees || cores[i].unsteady[kernel] > 0) odd.push_back({i, kernel});
    }
  }
  return odd;
}

}  // namespace same_answer
