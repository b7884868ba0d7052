#include "numerics/dft/crystals.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace tenken::dft {

namespace {

constexpr double silicon_lattice = 10.26;  // Bohr
constexpr double bond_to_hydrogen = 2.8;   // of silane, 1.48 Angstrom
constexpr double vacuum = 8;

using Three = std::array<int, 3>;

// Atoms of diamond at quarters of the cube: all even with a sum that 4 divides, or all odd with a sum of 3 more.
bool is_atom(const Three& q) {
  const int sum = ((q[0] + q[1] + q[2]) % 4 + 4) % 4;
  const bool even = q[0] % 2 == 0 && q[1] % 2 == 0 && q[2] % 2 == 0;
  const bool odd = q[0] % 2 != 0 && q[1] % 2 != 0 && q[2] % 2 != 0;
  return (even && sum == 0) || (odd && sum == 3);
}

// The four neighbours of an atom: (1,1,1) and so on from even atoms, turned round from odd ones.
std::array<Three, 4> neighbours(const Three& q) {
  const int s = q[0] % 2 == 0 ? 1 : -1;
  const std::array<Three, 4> steps{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};
  std::array<Three, 4> found;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t d = 0; d < 3; ++d) found[i][d] = q[d] + s * steps[i][d];
  return found;
}

}  // namespace

Input diamond_cubes(const std::string& name, double lattice, const std::array<int, 3>& repeat) {
  struct Known {
    const char* name;
    double lattice;  // Bohr
    std::array<const char*, 2> elements;
  };
  constexpr std::array<Known, 3> known{
      {{"si", silicon_lattice, {"Si", "Si"}}, {"c", 6.74, {"C", "C"}}, {"sic", 8.24, {"Si", "C"}}}};
  const auto found = std::find_if(known.begin(), known.end(), [&](const Known& each) { return each.name == name; });
  if (found == known.end()) refuse("crystal '" + name + "' is not known; use si, c or sic");
  if (std::min({repeat[0], repeat[1], repeat[2]}) < 1)
    refuse("--repeat has a number below 1; use at least 1 along each axis");
  const double a = lattice > 0 ? lattice : found->lattice;
  Input input;
  for (std::size_t d = 0; d < 3; ++d) input.grid.cell[d] = a * repeat[d];
  for (int x = 0; x < repeat[0]; ++x)
    for (int y = 0; y < repeat[1]; ++y)
      for (int z = 0; z < repeat[2]; ++z)
        for (const Vector& corner : {Vector{0, 0, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}})
          for (std::size_t basis = 0; basis < 2; ++basis) {
            const double shift = 0.25 * static_cast<double>(basis);
            input.atoms.push_back(
                {found->elements[basis],
                 {(x + corner[0] + shift) * a, (y + corner[1] + shift) * a, (z + corner[2] + shift) * a}});
          }
  return input;
}

Input silicon_wire(double diameter, int cells) {
  const double quarter = silicon_lattice / 4, radius = diameter / 2;
  const int most = static_cast<int>(std::ceil(radius / quarter)) + 1, length = 4 * cells;
  const auto wrapped = [&](Three q) {
    q[2] = (q[2] % length + length) % length;
    return q;
  };
  // The axis passes between atoms, so that thin wires are round.
  const auto off_axis = [&](const Three& q, std::size_t d) { return (q[d] - 0.5) * quarter; };
  std::vector<Three> kept;
  for (int x = -most; x <= most; ++x)
    for (int y = -most; y <= most; ++y)
      for (int z = 0; z < length; ++z) {
        const Three q{x, y, z};
        if (is_atom(q) && std::hypot(off_axis(q, 0), off_axis(q, 1)) <= radius) kept.push_back(q);
      }
  const auto has = [&](const Three& q) { return std::binary_search(kept.begin(), kept.end(), wrapped(q)); };
  const auto bonds = [&](const Three& q) {
    const auto four = neighbours(q);
    return std::count_if(four.begin(), four.end(), has);
  };
  for (std::size_t before = kept.size() + 1; before != kept.size();) {
    before = kept.size();
    std::vector<Three> bound;
    for (const Three& q : kept)
      if (bonds(q) >= 2) bound.push_back(q);
    kept = bound;
  }
  if (kept.empty())
    refuse("a wire of " + std::to_string(diameter) +
           " Bohr has no atom with two neighbours; use a diameter of at least 8");
  Input input;
  const double size = diameter + 2 * bond_to_hydrogen + vacuum;
  input.grid.cell = {size, size, silicon_lattice * cells};
  const auto place = [&](const Three& q) {
    return Vector{size / 2 + off_axis(q, 0), size / 2 + off_axis(q, 1), q[2] * quarter};
  };
  for (const Three& q : kept) input.atoms.push_back({"Si", place(q)});
  for (const Three& q : kept)
    for (const Three& next : neighbours(q)) {
      if (has(next)) continue;
      Vector at = place(q);
      for (std::size_t d = 0; d < 3; ++d) at[d] += (next[d] - q[d]) / std::sqrt(3.0) * bond_to_hydrogen;
      at[2] = at[2] - std::floor(at[2] / input.grid.cell[2]) * input.grid.cell[2];
      input.atoms.push_back({"H", at});
    }
  return input;
}

}  // namespace tenken::dft
