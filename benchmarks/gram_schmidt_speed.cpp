// Blocked Gram-Schmidt against dgemm of the same BLAS, in turn, on one thread:
//
//   gram_schmidt_speed BANDS POINTS BLOCK ROUNDS
//
// Real bands. dgemm multiplies square matrices of 1024. Printed, one JSON object: GFLOPS, medians over the rounds, and
// how far the bands are from orthonormal.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/error.hpp"
#include "base/random.hpp"
#include "in_turn.hpp"
#include "numerics/dft/gram_schmidt.hpp"
#include "numerics/dft/linear_algebra.hpp"

namespace {

using namespace tenken;

void run(int argc, char** argv) {
  const auto number = [&](int at) { return argc > at ? std::atol(argv[at]) : 0; };
  const std::int64_t bands = number(1), points = number(2), block = number(3), rounds = number(4);
  if (argc != 5 || bands < 2 || points < bands || block < 1 || rounds < 1)
    refuse("usage: gram_schmidt_speed BANDS POINTS BLOCK ROUNDS");
  const dft::BlasOnOneThread one;
  std::vector<double> given(static_cast<std::size_t>(bands * points));
  const RandomStream random(1, 1);
  for (std::size_t i = 0; i < given.size(); ++i) given[i] = random.uniform(i) - 0.4;
  std::vector<double> worked = given;

  constexpr std::int64_t order = 1024;
  const std::vector<double> a(order * order, 1.0), b(order * order, 0.5);
  std::vector<double> c(order * order);
  dft::GramSchmidt<double> orthonormalise(block);
  const Clock clock;
  const auto ticks = times_in_turn<2>(
      static_cast<int>(rounds),
      {[&] { orthonormalise(bands, points, 1.0, worked.data()); },
       [&] { dft::combine(order, order, order, 1.0, a.data(), order, b.data(), order, 0.0, c.data(), order); }},
      [&] { worked = given; });
  worked = given;
  orthonormalise(bands, points, 1.0, worked.data());
  std::vector<double> overlap(static_cast<std::size_t>(bands * bands));
  dft::inner_products(points, bands, bands, 1.0, worked.data(), points, worked.data(), points, overlap.data(), bands);
  double off = 0;
  for (std::int64_t i = 0; i < bands * bands; ++i)
    off = std::max(off, std::abs(overlap[static_cast<std::size_t>(i)] - (i % (bands + 1) == 0)));
  const auto rate = [&](std::int64_t flop, const std::vector<double>& t) {
    return static_cast<double>(flop) / (median(t) * clock.ns_per_tick());
  };
  std::printf(
      "{\"bands\": %ld, \"points\": %ld, \"block\": %ld, \"gram_schmidt\": %.2f, \"dgemm\": %.2f, \"off\": %.1e}\n",
      bands, points, block, rate(dft::gram_schmidt_work(bands, points, false).flop, ticks[0]),
      rate(2 * order * order * order, ticks[1]), off);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc, argv);
  } catch (const UserError& error) {
    std::fprintf(stderr, "gram_schmidt_speed: %s\n", error.what());
    return 3;
  }
  return 0;
}
