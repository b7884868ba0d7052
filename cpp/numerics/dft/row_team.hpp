// Threads that share the rows (points of the grid) of the bands of one k, and add numbers up.
#pragma once

#include <cstddef>
#include <vector>

#include "numerics/team.hpp"

namespace tenken::dft {

// All threads of a parallel region call each function together. A team of one thread needs no region.
class RowTeam {
 public:
  explicit RowTeam(int threads = 1) : threads_(threads), theirs_(static_cast<std::size_t>(threads)) {}

  int threads() const { return threads_; }
  int thread() const { return threads_ == 1 ? 0 : omp_get_thread_num(); }
  Range share(std::int64_t n) const { return share_of(n, thread(), threads_); }

  void wait() const;
  // numbers[n] of every thread become their sums over threads, in the order of threads.
  void add_up(double* numbers, std::size_t n);

 private:
  int threads_;
  std::vector<const double*> theirs_;
};

// Threads that are worth a team for bands of so many points: each has enough to do between two sums.
int team_size(std::int64_t points, int threads);

}  // namespace tenken::dft
