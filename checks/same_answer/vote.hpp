// Which cores disagree with the majority.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "kernel.hpp"

namespace same_answer {

// What one core answered, or one multiprocessor of a card. `unsteady` counts passes whose checksum differed from the
// core's first.
struct Core {
  std::int64_t rank = 0;
  std::int64_t cpu = 0;  // of a card: the number of the multiprocessor
  std::uint64_t answer[kernels] = {};
  std::int64_t unsteady[kernels] = {};
  std::int64_t wrong_bits[kernels] = {};  // of a multiprocessor: bits that differ from the majority in some lane
};

struct Odd {
  std::size_t core;    // index into the cores
  std::size_t kernel;  // index into kernel_names
};

// The answer of more than half of the cores, by kernel; kernels without such an answer are left out.
inline std::map<std::size_t, std::uint64_t> majorities(const std::vector<Core>& cores) {
  std::map<std::size_t, std::uint64_t> right;
  for (std::size_t kernel = 0; kernel < kernels; ++kernel) {
    std::map<std::uint64_t, std::size_t> votes;
    for (const Core& core : cores)
      if (2 * ++votes[core.answer[kernel]] > cores.size()) right[kernel] = core.answer[kernel];
  }
  return right;
}

// Cores whose answer to a kernel is not that of more than half of the cores, or changed from pass to pass. Where no
// answer has a majority (two cores that disagree) all of them are odd: the right answer is unknown.
inline std::vector<Odd> odd_ones(const std::vector<Core>& cores) {
  std::vector<Odd> odd;
  const std::map<std::size_t, std::uint64_t> right = majorities(cores);
  for (std::size_t kernel = 0; kernel < kernels; ++kernel) {
    const auto majority = right.find(kernel);
    for (std::size_t i = 0; i < cores.size(); ++i) {
      const bool agrees = majority != right.end() && cores[i].answer[kernel] == majority->second;
      if (!agrees || cores[i].unsteady[kernel] > 0) odd.push_back({i, kernel});
    }
  }
  return odd;
}

}  // namespace same_answer
