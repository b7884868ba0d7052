// Flux through each edge of a cell. Edge k separates the cell from neighbour k; the values at its two corners come from
// the cell, neighbour k and the neighbours before and after it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "operators.hpp"

namespace atmosphere {

class Edges {
 public:
  struct Edge {
    std::int64_t before, across, after;  // items
    Vec outward;                         // length of the edge over the area of the cell, 1/m
    double own, of_before, of_across, of_after;
    double distance;  // area over length of the edge and distance of the centres: Courant number of the flux of an area
  };
  using OfCell = std::array<Edge, Grid::most>;

  Edges(const Grid& grid, const Patch& patch, double radius) : own_(static_cast<std::size_t>(patch.own)) {
    edges_.resize(own_);
    for (std::size_t i = 0; i < own_; ++i) {
      const auto item = static_cast<std::int64_t>(i);
      const Grid::Cell& cell = grid.cells[static_cast<std::size_t>(patch.cells[i])];
      for (int k = 0; k < Grid::most; ++k)
        edges_[i][static_cast<std::size_t>(k)] = {item, item, item, {}, 0, 0, 0, 0, 0};
      for (int k = 0; k < cell.neighbours; ++k)
        edges_[i][static_cast<std::size_t>(k)] = make(grid, patch, item, k, radius);
    }
  }
  const OfCell& of(std::int64_t cell) const { return edges_[static_cast<std::size_t>(cell)]; }

 private:
  static Edge make(const Grid& grid, const Patch& patch, std::int64_t item, int k, double radius) {
    const std::int32_t me = patch.cells[static_cast<std::size_t>(item)];
    const Grid::Cell& cell = grid.cells[static_cast<std::size_t>(me)];
    const int count = cell.neighbours, before = (k + count - 1) % count, after = (k + 1) % count;
    const auto corner = [&](int at) -> const Grid::Corner& {
      return grid.corners[static_cast<std::size_t>(cell.corner[static_cast<std::size_t>(at)])];
    };
    const auto weight = [](const Grid::Corner& of, std::int32_t cell) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (of.cell[i] == cell) return 0.5 * of.weight[i];
      }
      return 0.0;
    };
    const auto neighbour = [&](int at) { return cell.cell[static_cast<std::size_t>(at)]; };
    const Grid::Corner &first = corner(before), &second = corner(k);
    const double length = arc(first.at, second.at) * radius;
    const double area = grid.area[static_cast<std::size_t>(me)] * radius * radius;
    const Vec outward = cross(unit(second.at - first.at), unit(first.at + second.at));
    const double apart =
        arc(grid.centre[static_cast<std::size_t>(me)], grid.centre[static_cast<std::size_t>(neighbour(k))]) * radius;
    return {.before = patch.next(before, item),
            .across = patch.next(k, item),
            .after = patch.next(after, item),
            .outward = outward * (length / area),
            .own = weight(first, me) + weight(second, me),
            .of_before = weight(first, neighbour(before)),
            .of_across = weight(first, neighbour(k)) + weight(second, neighbour(k)),
            .of_after = weight(second, neighbour(after)),
            .distance = area / (length * apart)};
  }

  std::size_t own_;
  std::vector<OfCell> edges_;
};

}  // namespace atmosphere
