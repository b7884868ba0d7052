// For tests: the whole sphere on one rank.
#pragma once

#include <mpi.h>

#include <utility>
#include <vector>

#include "model.hpp"

namespace atmosphere {

struct Alone {
  Grid grid;
  Patch patch;
  Operators operators;

  Alone(int level, bool springs, double radius = earth_radius)
      : grid(make_grid(level, springs)), patch(make_patch(grid, {level, 0}, 0, 1)), operators(grid, patch, radius) {}

  void curl(const Vectors& v, std::vector<double>& into) const {
    for (std::int64_t c = 0; c < patch.own; ++c) {
      double sum = 0;
      for (int p = 0; p < Operators::points; ++p) {
        sum += dot(operators.turn(p, c), v.at(static_cast<std::size_t>(operators.item(p, c))));
      }
      into[static_cast<std::size_t>(c)] = sum;
    }
  }
  void laplacian(const std::vector<double>& f, std::vector<double>& into) const {
    for (std::int64_t c = 0; c < patch.own; ++c) {
      double sum = 0;
      for (int p = 0; p < Operators::points; ++p) {
        sum += operators.spread(p, c) * f[static_cast<std::size_t>(operators.item(p, c))];
      }
      into[static_cast<std::size_t>(c)] = sum;
    }
  }
  Vec at(std::size_t item) const { return grid.centre[static_cast<std::size_t>(patch.cells[item])]; }
  std::size_t size() const { return static_cast<std::size_t>(patch.own); }
  std::vector<std::size_t> items() const {  // of each cell
    std::vector<std::size_t> item(size());
    for (std::size_t i = 0; i < size(); ++i) item[static_cast<std::size_t>(patch.cells[i])] = i;
    return item;
  }
};

// Nodes of bisected grids coincide: the items of a coarse grid and those of a fine grid at the same place.
inline std::vector<std::pair<std::size_t, std::size_t>> same_nodes(const Alone& coarse, const Alone& fine) {
  const std::int64_t n = std::int64_t{1} << coarse.grid.level, by = (std::int64_t{1} << fine.grid.level) / n;
  const std::vector<std::size_t> at = coarse.items(), at_fine = fine.items();
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (int diamond = 0; diamond < diamonds; ++diamond) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t i = 0; i < n; ++i) {
        pairs.emplace_back(at[static_cast<std::size_t>(cell_of(diamond, i, j, n))],
                           at_fine[static_cast<std::size_t>(cell_of(diamond, by * i, by * j, by * n))]);
      }
    }
  }
  return pairs;
}

}  // namespace atmosphere
