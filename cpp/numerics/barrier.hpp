// A barrier that spins for some microseconds and then gives its processor away: a pure spin is the fastest where each
// thread has a core, and costs whole time slices where it has none.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

namespace tenken {

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

class SpinBarrier {
 public:
  // For `threads` threads; pass few spins where they are more than the processors.
  explicit SpinBarrier(int threads, int spins = 300) : threads_(threads), spins_(spins) {}
  SpinBarrier(const SpinBarrier&) = delete;
  SpinBarrier& operator=(const SpinBarrier&) = delete;

  // Returns when all threads have called it; what they wrote before can be read after.
  void wait() {
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    for (int n = 0; round_.load(std::memory_order_acquire) == round; ++n) {
      if (n < spins_) {
        relax();
      } else {
        sched_yield();
      }
    }
  }

 private:
  const int threads_;
  const int spins_;
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<std::uint32_t> round_{0};
};

}  // namespace tenken
