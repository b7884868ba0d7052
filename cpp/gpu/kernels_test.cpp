// Kernels and reductions in their host form: every item once, phases in order, fixed order of sums.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "gpu/kernels_for_tests.hpp"
#include "gpu/launch.hpp"
#include "gpu/reduce.hpp"

using namespace tenken::gpu;

namespace {

template <class Kernel>
std::vector<int> turned() {
  std::vector<int> in(24), out(24, -1);
  std::iota(in.begin(), in.end(), 0);
  launch_phases(3, Kernel{in.data(), out.data()});
  return out;
}

}  // namespace

TEST_CASE("every item is visited once, for any number of blocks") {
  for (const std::int64_t n : {0, 1, 31, 32, 33, 1000}) {
    for (const int blocks : {1, 2, 7, 40}) {
      std::vector<int> visits(static_cast<std::size_t>(n) + 1, 0);
      launch(blocks, Count{visits.data(), n});
      for (std::int64_t i = 0; i < n; ++i) CHECK(visits[static_cast<std::size_t>(i)] == 1);
      CHECK(visits.back() == 0);
    }
    CHECK(blocks_for<Count>(n) == (n + 31) / 32);
  }
}

TEST_CASE("phases of a block follow each other in both orders of its threads") {
  std::vector<int> expected(24);
  for (int i = 0; i < 24; ++i) expected[static_cast<std::size_t>(i)] = i / 8 * 8 + 7 - i % 8;
  for (const bool falling : {false, true}) {
    falling_threads(falling);
    CHECK(turned<Turn>() == expected);
  }
  falling_threads(false);
}

TEST_CASE("a missing phase is detected by the order of the threads") {
  std::vector<int> in(8), rising(8), falling(8);
  std::iota(in.begin(), in.end(), 1);
  launch_phases(1, TurnWithoutBarrier{in.data(), rising.data()});
  CHECK(rising == std::vector<int>{1, 1, 2, 3, 4, 5, 6, 7});
  falling_threads(true);
  launch_phases(1, TurnWithoutBarrier{in.data(), falling.data()});
  falling_threads(false);
  CHECK(falling != rising);
}

TEST_CASE("a reduction combines every value once, for any number of blocks") {
  for (const std::int64_t n : {0, 1, 15, 16, 17, 1000}) {
    for (const int blocks : {1, 2, 3, 15, 16, 17, 33, 100}) {
      for (const bool falling : {false, true}) {
        falling_threads(falling);
        Reduction<Pair> reduction(blocks);
        const Pair all = reduction(blocks, Numbers{n});
        CHECK(all.count == n);
        CHECK(all.sum == n * (n - 1) * (2 * n - 1) / 6);
      }
    }
  }
  falling_threads(false);
}

TEST_CASE("a sum has the same bits every time, and the right value for blocks of any size") {
  std::vector<double> x(10007);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i));
  const auto n = static_cast<std::int64_t>(x.size());
  long double exact = 0;
  for (const double one : x) exact += one;
  Reduction<double> reduction(64);
  const double first = reduction(13, Sum<256>{x.data(), n});
  falling_threads(true);
  CHECK(reduction(13, Sum<256>{x.data(), n}) == first);
  falling_threads(false);
  CHECK(std::abs(first - static_cast<double>(exact)) < 1e-11);
  CHECK(std::abs(reduction(64, Sum<1>{x.data(), n}) - static_cast<double>(exact)) < 1e-11);
  CHECK(std::abs(reduction(5, Sum<2>{x.data(), n}) - static_cast<double>(exact)) < 1e-11);
}
