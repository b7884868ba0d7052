#include "numerics/dft/symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "base/error.hpp"

namespace tenken::dft {

namespace {

// First b, then a.
Symmetry product(const Symmetry& a, const Symmetry& b) {
  Symmetry both;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto from = static_cast<std::size_t>(a.axis[d]);
    both.axis[d] = b.axis[from];
    both.sign[d] = a.sign[d] * b.sign[from];
    both.quarter[d] = ((a.sign[d] * b.quarter[from] + a.quarter[d]) % 4 + 4) % 4;
  }
  return both;
}

std::array<int, 3> turned(const Symmetry& g, const std::array<int, 3>& k) {
  std::array<int, 3> result;
  for (std::size_t d = 0; d < 3; ++d) result[d] = g.sign[d] * k[static_cast<std::size_t>(g.axis[d])];
  return result;
}

int modulo(int a, int n) { return (a % n + n) % n; }

bool atoms_obey(const Input& input, const Symmetry& g) {
  const Vector& cell = input.grid.cell;
  for (const Atom& atom : input.atoms) {
    const bool found = std::any_of(input.atoms.begin(), input.atoms.end(), [&](const Atom& other) {
      if (other.element != atom.element) return false;
      for (std::size_t d = 0; d < 3; ++d) {
        const auto from = static_cast<std::size_t>(g.axis[d]);
        const double image = g.sign[d] * atom.position[from] / cell[from] + g.quarter[d] / 4.0;
        const double off = image - other.position[d] / cell[d];
        if (std::abs(off - std::round(off)) * cell[d] > 1e-6) return false;
      }
      return true;
    });
    if (!found) return false;
  }
  return true;
}

}  // namespace

std::vector<Symmetry> symmetries(int reduction) {
  std::vector<Symmetry> group{Symmetry{}};
  if (reduction == 1) return group;
  if (reduction != 4 && reduction != 8)
    refuse("a reduction of the k-points by " + std::to_string(reduction) + " is not known; use 1, 4 or 8");
  std::vector<Symmetry> generators{{{0, 1, 2}, {-1, -1, 1}, {0, 0, 0}},
                                   {{0, 1, 2}, {1, -1, 1}, {1, 1, 1}},
                                   {{0, 1, 2}, {1, 1, 1}, {2, 2, 0}},
                                   {{0, 1, 2}, {1, 1, 1}, {0, 2, 2}}};
  if (reduction == 8) generators.push_back({{1, 0, 2}, {1, 1, 1}, {0, 0, 0}});
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (const Symmetry& generator : generators) {
      const Symmetry next = product(generator, group[i]);
      if (std::find(group.begin(), group.end(), next) == group.end()) group.push_back(next);
    }
  }
  return group;
}

void require_symmetries(const Input& input) {
  const std::string which = "reduction " + std::to_string(input.reduction) + " of the k-points needs ";
  const std::string instead = "; use reduction 1";
  for (const Symmetry& g : symmetries(input.reduction)) {
    for (std::size_t d = 0; d < 3; ++d) {
      const auto from = static_cast<std::size_t>(g.axis[d]);
      if (std::abs(input.grid.cell[d] - input.grid.cell[from]) > 1e-9 * input.grid.cell[d] ||
          input.grid.points[d] != input.grid.points[from] || input.k_grid[d] != input.k_grid[from])
        refuse(which + "a cell, a grid and a k grid that are the same along x and y" + instead);
      if (g.quarter[d] * input.grid.points[d] % 4 != 0)
        refuse(which + "multiples of 4 points along each axis, not " + std::to_string(input.grid.points[d]) + instead);
    }
    if (!atoms_obey(input, g)) refuse(which + "atoms with the symmetries of diamond, one of them at 0,0,0" + instead);
  }
}

std::vector<KPoint> k_points(const Grid& grid, const std::array<int, 3>& k_grid, int reduction) {
  const std::vector<Symmetry> group = symmetries(reduction);
  const double all = static_cast<double>(std::int64_t{k_grid[0]} * k_grid[1] * k_grid[2]);
  std::vector<KPoint> points;
  for (int x = 0; x < k_grid[0]; ++x)
    for (int y = 0; y < k_grid[1]; ++y)
      for (int z = 0; z < k_grid[2]; ++z) {
        // Twice the number of steps from the middle: symmetries only swap and negate these.
        const std::array<int, 3> k{2 * x + 1 - k_grid[0], 2 * y + 1 - k_grid[1], 2 * z + 1 - k_grid[2]};
        std::set<std::array<int, 3>> orbit;
        for (const Symmetry& g : group) orbit.insert(turned(g, k));
        if (*orbit.rbegin() != k) continue;
        KPoint point{{}, static_cast<double>(orbit.size()) / all};
        for (std::size_t d = 0; d < 3; ++d) point.k[d] = k[d] * std::numbers::pi / (k_grid[d] * grid.cell[d]);
        points.push_back(point);
      }
  return points;
}

std::optional<std::size_t> opposite_by(const std::vector<Symmetry>& group, const Vector& k, const Vector& other) {
  constexpr double same = 1e-12;  // 1/Bohr
  const auto found = std::find_if(group.begin(), group.end(), [&](const Symmetry& g) {
    for (std::size_t d = 0; d < 3; ++d)
      if (std::abs(g.sign[d] * k[static_cast<std::size_t>(g.axis[d])] + other[d]) > same) return false;
    return true;
  });
  if (found == group.end()) return std::nullopt;
  return static_cast<std::size_t>(found - group.begin());
}

std::vector<KPoint> without_opposites(const std::vector<KPoint>& points, int reduction) {
  const std::vector<Symmetry> group = symmetries(reduction);
  std::vector<KPoint> kept;
  for (const KPoint& point : points) {
    const auto found = std::find_if(kept.begin(), kept.end(),
                                    [&](const KPoint& before) { return opposite_by(group, before.k, point.k); });
    if (found == kept.end()) {
      kept.push_back(point);
    } else {
      found->weight += point.weight;
    }
  }
  return kept;
}

Symmetriser::Symmetriser(const Grid& grid, int reduction) {
  const std::vector<Symmetry> group = symmetries(reduction);
  for (std::size_t g = 1; g < group.size(); ++g) {
    std::vector<std::int32_t> images;
    images.reserve(static_cast<std::size_t>(grid.size()));
    for (int x = 0; x < grid.points[0]; ++x)
      for (int y = 0; y < grid.points[1]; ++y)
        for (int z = 0; z < grid.points[2]; ++z) {
          const std::array<int, 3> at{x, y, z};
          std::array<int, 3> to = turned(group[g], at);
          for (std::size_t d = 0; d < 3; ++d)
            to[d] = modulo(to[d] + group[g].quarter[d] * grid.points[d] / 4, grid.points[d]);
          images.push_back((to[0] * grid.points[1] + to[1]) * grid.points[2] + to[2]);
        }
    images_.push_back(std::move(images));
  }
}

void Symmetriser::operator()(std::vector<double>& density) const {
  if (images_.empty()) return;
  const std::vector<double> before = density;
  for (std::size_t i = 0; i < density.size(); ++i) {
    double sum = before[i];
    for (const auto& images : images_) sum += before[static_cast<std::size_t>(images[i])];
    density[i] = sum / static_cast<double>(images_.size() + 1);
  }
}

}  // namespace tenken::dft
