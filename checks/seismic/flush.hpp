// Waves begin with values far below what a float holds with full precision; processors take a hundred times as long for
// such. All threads of a team count them as 0 from here on.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tenken::seismic {

inline void flush_small_values(int threads) {
#pragma omp parallel num_threads(threads)
  {
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);  // results and operands
#elif defined(__aarch64__)
    unsigned long control = 0;
    asm volatile("mrs %0, fpcr" : "=r"(control));
    asm volatile("msr fpcr, %0" : : "r"(control | (1UL << 24)));
#endif
  }
}

}  // namespace tenken::seismic
