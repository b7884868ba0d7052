#include "simd/vec.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace tenken;

namespace {

template <class Real, int lanes>
struct Shape {
  using Number = Real;
  static constexpr int width = lanes;
  using V = Vec<Real, lanes>;
};

// Lane by lane through memory, so that one number and a vector are read alike.
template <class S>
typename S::Number lane_of(const typename S::V& v, int lane) {
  return reinterpret_cast<const typename S::Number*>(&v)[lane];
}

template <class S>
typename S::V counted(int from) {
  typename S::V v{};
  for (int lane = 0; lane < S::width; ++lane) {
    reinterpret_cast<typename S::Number*>(&v)[lane] = static_cast<typename S::Number>(from + lane);
  }
  return v;
}

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
constexpr bool fuses = true;
#else
constexpr bool fuses = false;
#endif

template <class S, int mask>
void check_swap() {
  if constexpr (mask < S::width) {
    const auto swapped = swap_lanes<mask, S::width>(counted<S>(1));
    for (int lane = 0; lane < S::width; ++lane) CHECK(lane_of<S>(swapped, lane) == 1 + (lane ^ mask));
  }
}

}  // namespace

// Those of 16, 32 and 64 bytes and narrower ones, on any processor.
TEST_CASE_TEMPLATE("vectors of every width have the operators of a number, lane by lane", S, Shape<double, 1>,
                   Shape<double, 2>, Shape<double, 4>, Shape<double, 8>, Shape<float, 1>, Shape<float, 2>,
                   Shape<float, 4>, Shape<float, 8>, Shape<float, 16>) {
  static_assert(sizeof(typename S::V) == S::width * sizeof(typename S::Number));
  const auto x = counted<S>(3), y = counted<S>(-20);
  const auto result = fetch(x) * in_register(y) - x / (y + y) + 2;
  for (int lane = 0; lane < S::width; ++lane) {
    const typename S::Number a = static_cast<typename S::Number>(3 + lane),
                             b = static_cast<typename S::Number>(lane - 20);
    CHECK(lane_of<S>(result, lane) == doctest::Approx(a * b - a / (b + b) + 2));
  }
  const auto third = x / (y + y);
  const auto summed = multiply_add(third, third, fetch(-(third * third)));  // what rounding the product left out
  for (int lane = 0; lane < S::width; ++lane) {
    const auto a = lane_of<S>(third, lane);
    CHECK(lane_of<S>(summed, lane) == (fuses ? std::fma(a, a, -(a * a)) : 0));
  }
  check_swap<S, 0>();
  check_swap<S, 1>();
  check_swap<S, 2>();
  check_swap<S, 3>();
  check_swap<S, 4>();
  check_swap<S, 8>();
  check_swap<S, 13>();
}

TEST_CASE("lanes that go past the caches arrive in memory") {
  alignas(widest_vector_bytes) float values[2 * native_width<float>] = {};
  using V = Vec<float, native_width<float>>;
  V v{};
  for (int lane = 0; lane < native_width<float>; ++lane) v[lane] = static_cast<float>(lane + 1);
  store_past_caches(v, values + native_width<float>);
  finish_past_caches();
  for (int lane = 0; lane < native_width<float>; ++lane) {
    CHECK(values[lane] == 0);
    CHECK(values[native_width<float> + lane] == static_cast<float>(lane + 1));
  }
}

TEST_CASE("kernels are written for vectors of the bytes that the environment asks for") {
#if defined(TENKEN_VECTOR_BYTES)
  CHECK(vector_bytes == TENKEN_VECTOR_BYTES);
#endif
  CHECK(native_width<double> * 8 == vector_bytes);
  CHECK(native_width<float> * 4 == vector_bytes);
  CHECK(widest_width<float> == 16);
}
