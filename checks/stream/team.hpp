// Work shared out over the first threads of a rank.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstddef>

#include "kernel.hpp"

namespace stream {

struct Part {
  std::size_t begin;
  std::size_t size;
};

// Equal parts of n elements in whole lines; the last one takes what is left over.
inline Part part_of(std::size_t n, int member, int team) {
  const std::size_t lines = (n + line - 1) / line;
  const auto begin_of = [&](int m) {
    return std::min(n, lines * static_cast<std::size_t>(m) / static_cast<std::size_t>(team) * line);
  };
  return {begin_of(member), begin_of(member + 1) - begin_of(member)};
}

// How many stretches a sweep over `n` elements is timed in, so that each takes at most about a millisecond and its
// threads meet in a hundredth of that: every thread has 1 MiB or more of each array in a stretch, and a sweep has 256
// at most. A number that makes all alike, where there is one between this and its half.
inline int stretches(std::int64_t n, std::int64_t team) {
  constexpr std::int64_t lines_of_a_stretch = (1 << 20) / (line * sizeof(double)), most = 256;
  const std::int64_t lines = n / static_cast<std::int64_t>(line) / team;
  const std::int64_t wanted = std::clamp<std::int64_t>(lines / lines_of_a_stretch, 1, most);
  for (std::int64_t alike = wanted; 2 * alike >= wanted; --alike)
    if (lines % alike == 0) return static_cast<int>(alike);
  return static_cast<int>(wanted);
}

// Stretch k of `of` of a part, in whole lines.
inline Part stretch_of(Part whole, int k, int of) {
  const Part inside = part_of(whole.size, k, of);
  return {whole.begin + inside.begin, inside.size};
}

// Calls work(member, part) on the first `team` of `threads` threads. The region is always opened with all threads:
// OpenMP runtimes end surplus threads of a smaller region, and those that replace them later are bound to nothing.
template <class Work>
void on_team(int threads, int team, std::size_t n, const Work& work) {
#pragma omp parallel num_threads(threads)
  {
    const int member = omp_get_thread_num();
    if (member < team) work(member, part_of(n, member, team));
  }
}

}  // namespace stream
