#include "arrays.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <limits>
#include <vector>

#include "team.hpp"

using stream::Arrays;
using stream::Kernels;
using tenken::Pages;

namespace {

constexpr double tolerance = 1e-13;

void run(Arrays& arrays, const Kernels& kernels, int sweeps, int stretches = 1) {
  for (int i = 0; i < sweeps; ++i) {
    for (const auto sweep : {&Arrays::copy, &Arrays::scale, &Arrays::add, &Arrays::triad, &Arrays::read}) {
      for (int k = 0; k < stretches; ++k) (arrays.*sweep)(kernels, {k, stretches});
    }
  }
}

void skip_last_addition(double* out, const double* a, const double* b, std::size_t n) {
  stream::plain().add(out, a, b, n - 1);
}
void shifted_copy(double* out, const double* a, std::size_t n) { stream::plain().copy(out, a + 1, n - 1); }
void poisoned_scale(double* out, const double* c, double s, std::size_t n) {
  stream::plain().scale(out, c, s, n);
  if (n > 0) out[n / 2] = std::numeric_limits<double>::quiet_NaN();
}
std::atomic<int> calls = 0;
void counted_triad(double* out, const double* a, const double* b, double s, std::size_t n) {
  ++calls;
  stream::plain().triad(out, a, b, s, n);
}
Kernels counting() {
  Kernels kernels = stream::plain();
  kernels.triad = counted_triad;
  return kernels;
}
double forgetful_read(const double* a, std::size_t n) { return stream::plain().read(a, n - 1); }

}  // namespace

TEST_CASE("parts cover every element once and begin at whole lines") {
  for (const std::size_t n : {0, 1, 8, 9, 100, 1024}) {
    for (int team = 1; team <= 9; ++team) {
      std::size_t next = 0;
      for (int member = 0; member < team; ++member) {
        const stream::Part part = stream::part_of(n, member, team);
        CHECK(part.begin == next);
        if (part.size > 0) CHECK(part.begin % stream::line == 0);
        next = part.begin + part.size;
      }
      CHECK(next == n);
    }
  }
}

TEST_CASE("a sweep is timed in stretches that are alike where they can be") {
  CHECK(stream::stretches(4 << 20, 1) == 32);  // 32 MiB: 1 MiB each
  CHECK(stream::stretches(4 << 20, 2) == 16);
  CHECK(stream::stretches(1 << 16, 1) == 1);  // as much as one
  CHECK(stream::stretches(100, 7) == 1);
  CHECK(stream::stretches(1L << 40, 1) == 256);
  CHECK(stream::stretches(21 * 65536 * 8, 8) == 8);
  CHECK(stream::stretches(8 * 8209 * 9, 1) == 3);  // 73,881 lines
  CHECK(stream::stretches(8 * 104729, 1) == 6);    // a prime number of lines: one more in some
}

TEST_CASE("stretches leave what a whole sweep leaves, bit by bit, and touch each element once") {
  for (const int team : {1, 2, 3}) {
    for (const int of : {2, 5, 40}) {
      Arrays whole(10007, Pages::base, 3, team), cut(10007, Pages::base, 3, team);
      run(whole, stream::plain(), 3);
      run(cut, stream::plain(), 3, of);
      CHECK(cut.greatest_error() == whole.greatest_error());
      CHECK(cut.read_error() <= tolerance + cut.read_rounding());
      std::size_t n = 0;
      for (int k = 0; k < of; ++k) n += cut.elements({k, of});
      CHECK(n == 10007);
    }
  }
}

TEST_CASE("a stretch that is left out is caught") {
  Arrays arrays(4096, Pages::any, 2, 2);
  run(arrays, stream::plain(), 3);
  for (int k = 0; k < 4; ++k) {
    arrays.copy(stream::plain(), {k, 4});
    if (k != 2) arrays.scale(stream::plain(), {k, 4});
    arrays.add(stream::plain(), {k, 4});
    arrays.triad(stream::plain(), {k, 4});
  }
  CHECK(arrays.greatest_error() > 0.01);
}

TEST_CASE("passes leave what one pass leaves, and each is really made") {
  Arrays arrays(10007, Pages::base, 3, 2, 5);
  run(arrays, counting(), 3);
  CHECK(calls == 3 * 2 * 5);
  CHECK(arrays.greatest_error() <= tolerance + arrays.rounding());
  CHECK(arrays.read_error() <= tolerance + arrays.read_rounding());
}

TEST_CASE("the closed form holds after many sweeps, for every team and variant") {
  for (const int team : {1, 2, 3}) {
    for (const int sweeps : {1, 2, 100}) {
      Arrays plain(10007, Pages::base, 3, team);
      Arrays reference(10007, Pages::any, 3, team);
      run(plain, stream::plain(), sweeps);
      run(reference, stream::reference(), sweeps);
      CHECK(plain.greatest_error() <= tolerance + plain.rounding());
      CHECK(plain.read_error() <= tolerance + plain.read_rounding());
      CHECK(reference.greatest_error() == plain.greatest_error());
    }
  }
}

TEST_CASE("wrong kernels are caught") {
  const Kernels& good = stream::plain();
  const Kernels bad[] = {{good.copy, good.scale, skip_last_addition, good.triad, good.read},
                         {shifted_copy, good.scale, good.add, good.triad, good.read},
                         {good.copy, poisoned_scale, good.add, good.triad, good.read}};
  for (const Kernels& kernels : bad) {
    Arrays arrays(4096, Pages::any, 2, 2);
    run(arrays, kernels, 3);
    CHECK_FALSE(arrays.greatest_error() <= tolerance + arrays.rounding());
  }
  Arrays arrays(4096, Pages::any, 2, 2);
  run(arrays, {good.copy, good.scale, good.add, good.triad, forgetful_read}, 3);
  CHECK_FALSE(arrays.read_error() <= tolerance + arrays.read_rounding());
}

TEST_CASE("a lost sweep is caught") {
  Arrays arrays(4096, Pages::any, 1, 1);
  run(arrays, stream::plain(), 3);
  arrays.copy(stream::plain());
  arrays.scale(stream::plain());
  CHECK(arrays.greatest_error() > 0.01);
}
