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
