#include "element.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "base/random.hpp"
#include "ref.hpp"

using namespace tenken;
using namespace tenken::elasticity;

namespace {

Hexahedron box(double x, double y, double z) {
  Hexahedron element;
  for (int a = 0; a < corners; ++a)
    element[static_cast<std::size_t>(a)] = {x * upper(a, 0), y * upper(a, 1), z * upper(a, 2)};
  return element;
}

Hexahedron distorted() {
  Hexahedron element = box(1, 1, 1);
  const RandomStream random(3, 1);
  for (std::size_t i = 0; i < 24; ++i) element[i / 3][i % 3] += 0.4 * (random.uniform(i) - 0.5);
  return element;
}

double element_of(const PlainStiffness& k, int a, int b, int i, int j) {
  return k[static_cast<std::size_t>((3 * a + i) * 24 + 3 * b + j)];
}

// Integrals over a box as products of those over its sides: no quadrature, no strain.
double closed_form(double (&sides)[3], const Material& material, int a, int b, int i, int j) {
  // of N'_a N_b and the like over a side, where a and b say which end.
  const auto along = [&](int d, bool slope_a, bool slope_b) {
    const double sa = upper(a, d) != 0 ? 1 : -1, sb = upper(b, d) != 0 ? 1 : -1;
    if (slope_a && slope_b) return sa * sb / sides[d];
    if (slope_a) return sa / 2;
    if (slope_b) return sb / 2;
    return sa == sb ? sides[d] / 3 : sides[d] / 6;
  };
  const auto integral = [&](int of_a, int of_b) {
    double product = 1;
    for (int d = 0; d < 3; ++d) product *= along(d, d == of_a, d == of_b);
    return product;
  };
  double sum = material.lambda() * integral(i, j) + material.mu() * integral(j, i);
  for (int k = 0; i == j && k < 3; ++k) sum += material.mu() * integral(k, k);
  return sum;
}

}  // namespace

TEST_CASE("the stiffness of a box is the closed form, and that of strain matrices with any number of points") {
  double sides[3] = {1, 0.5, 2};
  const Hexahedron element = box(sides[0], sides[1], sides[2]);
  for (const double poisson : {0.0, 0.3, 0.45}) {
    const Material material{.young = 2, .poisson = poisson};
    const PlainStiffness k2 = plain_stiffness(element, material, 2), k3 = plain_stiffness(element, material, 3),
                         k4 = plain_stiffness(element, material, 4);
    for (int a = 0; a < corners; ++a) {
      const StiffnessRow row = stiffness_row(element, material, a);
      for (int b = 0; b < corners; ++b) {
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) {
            const double expected = closed_form(sides, material, a, b, i, j);
            REQUIRE(std::abs(row[static_cast<std::size_t>(b)](i, j) - expected) < 1e-13);
            for (const auto* k : {&k2, &k3, &k4}) REQUIRE(std::abs(element_of(*k, a, b, i, j) - expected) < 1e-13);
          }
        }
      }
    }
  }
}

TEST_CASE("one point is too few: the comparison can fail") {
  const Material material;
  const PlainStiffness k1 = plain_stiffness(box(1, 1, 1), material, 1);
  CHECK(std::abs(element_of(k1, 0, 0, 0, 0) - stiffness_row(box(1, 1, 1), material, 0)[0](0, 0)) > 1e-3);
}

TEST_CASE("a distorted element: symmetric, the plain twin's, and no force from its six rigid motions") {
  const Material material;
  const Hexahedron element = distorted();
  const PlainStiffness plain = plain_stiffness(element, material, 2);
  for (int a = 0; a < corners; ++a) {
    const StiffnessRow row = stiffness_row(element, material, a);
    double force[6][3] = {};
    for (int b = 0; b < corners; ++b) {
      const Point& at = element[static_cast<std::size_t>(b)];
      const double motions[6][3] = {{1, 0, 0},          {0, 1, 0},          {0, 0, 1},
                                    {-at[1], at[0], 0}, {0, -at[2], at[1]}, {at[2], 0, -at[0]}};
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          const double here = row[static_cast<std::size_t>(b)](i, j);
          REQUIRE(std::abs(here - stiffness_row(element, material, b)[static_cast<std::size_t>(a)](j, i)) < 1e-14);
          REQUIRE(std::abs(here - element_of(plain, a, b, i, j)) < 1e-14);
          for (int m = 0; m < 6; ++m) force[m][i] += here * motions[m][j];
        }
      }
    }
    for (const auto& one : force) {
      for (const double f : one) CHECK(std::abs(f) < 1e-14);
    }
  }
}
