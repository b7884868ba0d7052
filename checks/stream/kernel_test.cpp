#include "kernel.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "work.hpp"

using stream::Kernels;
using tenken::Buffer;
using tenken::Pages;

namespace {

constexpr double factor = 0.42;

Buffer<double> random_numbers(std::size_t n, std::uint64_t seed) {
  Buffer<double> numbers(n, Pages::any, "a test");
  const tenken::RandomStream stream(seed, 0);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = stream.uniform(i) - 0.5;
  return numbers;
}

// Results of the four kernels that write, with one element more behind each that must stay as it was.
std::vector<double> results(const Kernels& kernels, std::size_t n) {
  const Buffer<double> a = random_numbers(n + 1, 1);
  const Buffer<double> b = random_numbers(n + 1, 2);
  std::vector<double> all;
  const auto run = [&](const auto& kernel) {
    Buffer<double> out(n + 1, Pages::any, "a test");
    out[n] = 77;
    kernel(out.data());
    CHECK(out[n] == 77);
    all.insert(all.end(), out.begin(), out.begin() + n);
  };
  run([&](double* out) { kernels.copy(out, a.data(), n); });
  run([&](double* out) { kernels.scale(out, a.data(), factor, n); });
  run([&](double* out) { kernels.add(out, a.data(), b.data(), n); });
  run([&](double* out) { kernels.triad(out, a.data(), b.data(), factor, n); });
  return all;
}

const Kernels* nontemporal_or_null() {
  try {
    return &stream::nontemporal();
  } catch (const tenken::UserError&) {
    return nullptr;
  }
}

// A number that counts what is done to it.
struct Tally {
  std::int64_t flop = 0;
  std::int64_t read = 0;
  std::int64_t written = 0;
};
struct Counted {
  Tally* tally;
};
Counted fetch(Tally& t) {
  t.read += 8;
  return {&t};
}
void keep(Counted x) { x.tally->written += 8; }
Counted operator+(Counted x, Counted) {
  x.tally->flop += 1;
  return x;
}
Counted operator*(Counted x, Counted) {
  x.tally->flop += 1;
  return x;
}

void check_work(const tenken::Work& work, const Tally& tally) {
  CHECK(work.flop == tally.flop);
  CHECK(work.bytes_read == tally.read);
  CHECK(work.bytes_written == tally.written);
  CHECK(work.messages == 0);
}

}  // namespace

TEST_CASE("every variant equals the reference bit by bit, for every remainder of a vector") {
  const Kernels* const nontemporal = nontemporal_or_null();
#if defined(__SSE2__)
  REQUIRE(nontemporal != nullptr);
#endif
  for (std::size_t n = 0; n <= 70; ++n) {
    const std::vector<double> expected = results(stream::reference(), n);
    CHECK(results(stream::plain(), n) == expected);
    if (nontemporal != nullptr) CHECK(results(*nontemporal, n) == expected);
  }
}

TEST_CASE("the sum that is read is right to the bound of its length") {
  for (const std::size_t n : {0, 1, 7, 8, 31, 32, 33, 1000, 100003}) {
    const Buffer<double> a = random_numbers(n + 1, 3);
    double magnitude = 0;
    for (std::size_t i = 0; i < n; ++i) magnitude += std::abs(a[i]);
    CHECK(std::abs(stream::plain().read(a.data(), n) - stream::reference().read(a.data(), n)) <=
          0x1p-53 * static_cast<double>(n) * magnitude);
  }
}

TEST_CASE("work is what the loops do, counted one by one") {
  constexpr int n = 5;
  Tally copy, scale, add, triad, read;
  for (int i = 0; i < n; ++i) {
    keep(fetch(copy));
    keep(Counted{&scale} * fetch(scale));
    keep(fetch(add) + fetch(add));
    keep(fetch(triad) + Counted{&triad} * fetch(triad));
    (void)(Counted{&read} + fetch(read));
  }
  check_work(stream::copy_work(n), copy);
  check_work(stream::scale_work(n), scale);
  check_work(stream::add_work(n), add);
  check_work(stream::triad_work(n), triad);
  check_work(stream::read_work(n), read);
}

// Plain stores must stay plain: the C library's memcpy uses non-temporal stores on large arrays. Sanitizers have
// copying functions of their own, so that nothing can be trapped there.
#if defined(__SANITIZE_ADDRESS__)
#define TENKEN_INTERCEPTED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TENKEN_INTERCEPTED
#endif
#endif

#if !defined(TENKEN_INTERCEPTED)

namespace {
volatile int library_calls = 0;
}

// A program's own definition comes before the C library's. The volatile
// pointer keeps the loop from becoming a call to itself.
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
