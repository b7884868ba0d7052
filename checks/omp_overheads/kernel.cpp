#include "kernel.hpp"

#include <atomic>

namespace omp_overheads {

void Team::reset() {
  shared = 0;
  for (Slot& slot : slots_) slot.count = 0;
}

int Team::wrong_counts(Share share, int n) const {
  const std::int64_t all = std::int64_t{n} * threads_;
  std::int64_t total = 0;
  int wrong = 0;
  for (const Slot& slot : slots_) {
    total += slot.count;
    const bool each = share == Share::team || share == Share::passage || share == Share::sum;
    if (each && slot.count != n) ++wrong;
  }
  if (share == Share::one && total != n) ++wrong;
  if (share == Share::loop && total != all * iterations) ++wrong;
  if ((share == Share::passage || share == Share::sum) && shared != all) ++wrong;
  return wrong;
}

int barrier_violations(int threads, int n) {
  struct alignas(256) Phase {
    std::atomic<int> at{0};
  };
  std::vector<Phase> phases(static_cast<std::size_t>(threads));
  int violations = 0;
#pragma omp parallel num_threads(threads) reduction(+ : violations)
  {
    const auto me = static_cast<std::size_t>(omp_get_thread_num());
    for (int i = 1; i <= n; ++i) {
      phases[me].at.store(i, std::memory_order_relaxed);
#pragma omp barrier
      for (const Phase& phase : phases) violations += phase.at.load(std::memory_order_relaxed) < i ? 1 : 0;
#pragma omp barrier
    }
  }
  return violations;
}

}  // namespace omp_overheads
