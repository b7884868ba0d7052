#include "numerics/dft/row_team.hpp"

#include <algorithm>

namespace tenken::dft {

void RowTeam::wait() const {
  if (threads_ == 1) return;
#pragma omp barrier
}

void RowTeam::add_up(double* numbers, std::size_t n) {
  if (threads_ == 1) return;
  theirs_[static_cast<std::size_t>(thread())] = numbers;
  thread_local std::vector<double> sums;
  sums.assign(n, 0.0);
  wait();
  for (const double* const of_thread : theirs_) {
    for (std::size_t i = 0; i < n; ++i) sums[i] += of_thread[i];
  }
  wait();
  std::copy(sums.begin(), sums.end(), numbers);
}

int team_size(std::int64_t points, int threads) {
  constexpr std::int64_t least_rows = 256;
  return static_cast<int>(std::clamp<std::int64_t>(points / least_rows, 1, threads));
}

}  // namespace tenken::dft
