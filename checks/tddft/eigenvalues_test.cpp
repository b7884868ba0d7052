// Levels at chosen k against those of the ground state, and against k that mean the same.
#include "eigenvalues.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "coarse_silicon.hpp"

using namespace tenken;
using namespace tenken::tddft;

TEST_CASE("levels at a k of the ground state are those of the ground state, and those of -k are those of k") {
  const dft::System system = silicon(4);
  const dft::GroundState start = ground(system);
  const dft::Vector at = system.k_points[0].k, half{0.5 * at[0], 0.1, 0}, back{-half[0], -half[1], 0};
  const Eigenvalues found = eigenvalues_at(system, start, {at, half, back}, {});
  REQUIRE(found.value.size() == 3 * static_cast<std::size_t>(found.bands));
  CHECK(found.residual <= 1e-5);
  double moved = 0;
  for (int b = 0; b < found.bands; ++b) {
    const double* const value = found.value.data() + b;
    if (b < system.bands()) CHECK(std::abs(value[0] - start.eigenvalues[static_cast<std::size_t>(b)]) < 1e-8);
    CHECK(std::abs(value[found.bands] - value[2 * found.bands]) < 1e-8);
    moved = std::max(moved, std::abs(value[0] - value[found.bands]));
  }
  CHECK(moved > 1e-3);
}

TEST_CASE("k of levels are triples in thousandths of the reciprocal vectors") {
  CHECK(k_of_levels({0}, {1, 2, 4}).empty());
  const auto k = k_of_levels({0, 0, 0, 125, -250, 500}, {1, 2, 4});
  REQUIRE(k.size() == 2);
  CHECK(k[0] == dft::Vector{0, 0, 0});
  CHECK(std::abs(k[1][0] - std::numbers::pi / 4) < 1e-14);
  CHECK(std::abs(k[1][1] + std::numbers::pi / 4) < 1e-14);
  CHECK(std::abs(k[1][2] - std::numbers::pi / 4) < 1e-14);
  CHECK_THROWS_AS(k_of_levels({1, 2}, {1, 2, 4}), UserError);
}
