// Crystals by size: cubes, and wires of silicon.
#include "numerics/dft/crystals.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "numerics/dft/ions.hpp"

using namespace tenken;
using namespace tenken::dft;

namespace {

// Least distance over the images of a cell.
double distance(const Vector& cell, const Vector& a, const Vector& b) {
  double square = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double off = (a[d] - b[d]) / cell[d];
    square += std::pow((off - std::round(off)) * cell[d], 2);
  }
  return std::sqrt(square);
}

std::int64_t within(const Input& input, std::size_t atom, const char* element, double least, double most) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < input.atoms.size(); ++i) {
    if (i == atom || input.atoms[i].element != element) continue;
    const double d = distance(input.grid.cell, input.atoms[i].position, input.atoms[atom].position);
    if (d > least && d < most) ++count;
  }
  return count;
}

std::int64_t count(const Input& input, const char* element) {
  return std::count_if(input.atoms.begin(), input.atoms.end(), [&](const Atom& a) { return a.element == element; });
}

const double bond = 10.26 * std::sqrt(3.0) / 4;

}  // namespace

TEST_CASE("each atom of repeated cubes has four neighbours at the length of the bond") {
  const Input input = diamond_cubes("si", 0, {2, 1, 3});
  CHECK(input.atoms.size() == 48);
  CHECK(input.grid.cell == Vector{20.52, 10.26, 30.78});
  for (std::size_t i = 0; i < input.atoms.size(); ++i) CHECK(within(input, i, "Si", bond - 1e-9, bond + 1e-9) == 4);
  const Input carbide = diamond_cubes("sic", 8, {1, 1, 1});
  CHECK(count(carbide, "C") == 4);
  CHECK(carbide.grid.cell[0] == 8);
  CHECK_THROWS_AS(diamond_cubes("ge", 0, {1, 1, 1}), UserError);
  CHECK_THROWS_AS(diamond_cubes("si", 0, {1, 0, 1}), UserError);
}

TEST_CASE("each atom of a wire has four bonds, to silicon or to hydrogen, and each hydrogen has one") {
  for (const auto& size : {std::pair{9.0, 1}, {15.0, 1}, {20.0, 2}, {30.0, 1}}) {
    CAPTURE(size.first);
    const Input wire = silicon_wire(size.first, size.second);
    CHECK(count(wire, "Si") > 0);
    CHECK(count(wire, "H") > 0);
    CHECK(electrons(wire.atoms) % 2 == 0);
    for (std::size_t i = 0; i < wire.atoms.size(); ++i) {
      const std::int64_t hydrogen = within(wire, i, "H", 2.8 - 1e-9, 2.8 + 1e-9);
      if (wire.atoms[i].element == "Si") {
        const std::int64_t silicon = within(wire, i, "Si", bond - 1e-9, bond + 1e-9);
        CHECK(silicon + hydrogen == 4);
        CHECK(silicon >= 2);
        CHECK(within(wire, i, "Si", 0, bond - 1e-9) == 0);
      } else {
        CHECK(within(wire, i, "Si", 2.8 - 1e-9, 2.8 + 1e-9) == 1);
        CHECK(within(wire, i, "H", 0, 1.4) == 0);  // no two in one place
      }
      for (std::size_t d = 0; d < 3; ++d) {
        CHECK(wire.atoms[i].position[d] >= 0);
        CHECK(wire.atoms[i].position[d] < wire.grid.cell[d]);
      }
    }
  }
  CHECK(silicon_wire(20, 2).atoms.size() == 2 * silicon_wire(20, 1).atoms.size());
  CHECK_THROWS_AS(silicon_wire(1, 1), UserError);
}
