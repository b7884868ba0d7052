// Plain stores must stay plain: the C library's memcpy uses non-temporal stores on large arrays.
#include <doctest/doctest.h>

#include <vector>

#include "kernel.hpp"

#if !defined(__SANITIZE_ADDRESS__)
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TENKEN_INTERCEPTED
#endif
#endif
#else
#define TENKEN_INTERCEPTED
#endif

#if !defined(TENKEN_INTERCEPTED)

namespace {
volatile int library_calls = 0;
}

// A program's own definition comes before the C library's. The volatile pointer keeps the loop from becoming a call to
// itself.
extern "C" void* memcpy(void* __restrict to, const void* __restrict from, std::size_t n) noexcept {
  library_calls = library_calls + 1;
  volatile char* out = static_cast<char*>(to);
  const char* in = static_cast<const char*>(from);
  for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
  return to;
}

extern "C" void* memmove(void* to, const void* from, std::size_t n) noexcept {
  library_calls = library_calls + 1;
  volatile char* out = static_cast<char*>(to);
  const volatile char* in = static_cast<const char*>(from);
  if (in < out) {
    for (std::size_t i = n; i > 0; --i) out[i - 1] = in[i - 1];
  } else {
    for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
  }
  return to;
}

TEST_CASE("the plain kernels call no copying function of the library") {
  constexpr std::size_t n = 4096;
  alignas(64) static double a[n], b[n], out[n];
  const stream::Kernels& kernels = stream::plain();
  const int before = library_calls;
  kernels.copy(out, a, n);
  kernels.scale(out, a, 0.42, n);
  kernels.add(out, a, b, n);
  kernels.triad(out, a, b, 0.42, n);
  const int after = library_calls;  // CHECK itself copies

  // The trap works: a call that the compiler cannot replace is seen.
  void* (*volatile call)(void*, const void*, std::size_t) = memcpy;
  call(out, a, sizeof a);
  const int trapped = library_calls;
  CHECK(after == before);
  CHECK(trapped == after + 1);
}

#endif
