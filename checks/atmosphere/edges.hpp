// The edges between cells, each with the flux through it. Edge k of a cell separates it from neighbour k; values at the
// two corners of an edge come from the two cells and the neighbours before and after.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "operators.hpp"

namespace atmosphere {

class Edges {
 public:
  // Seen from the cell of the lesser number in the whole grid, so that every rank computes the same bits.
  struct Edge {
    std::int32_t from, to, before, after;  // items
    Vec outward;                           // length of the edge, m, across the edge to the cell `to`
    double of_from, of_to, of_before, of_after;
    double per_spread;  // 1 over length of the edge and distance of the centres, 1/m^2: Courant number of a flux
  };
  struct OfCell {
    std::array<std::int32_t, Grid::most> edge, across;  // the sixth of a pentagon: any edge, and the cell itself
    std::array<double, Grid::most> share;  // +1 or -1 over the area of the cell, or 0: what leaves the cell
  };

  // All edges of the own cells.
  Edges(const Grid& grid, const Patch& patch, double radius) : cells_(static_cast<std::size_t>(patch.own)) {
    for (std::int64_t item = 0; item < patch.own; ++item) {
      const std::int32_t me = cell_of(patch, item);
      const Grid::Cell& cell = grid.cells[static_cast<std::size_t>(me)];
      const double per_area = 1 / (grid.area[static_cast<std::size_t>(me)] * radius * radius);
      OfCell& of = cells_[static_cast<std::size_t>(item)];
      of.edge.fill(0), of.across.fill(static_cast<std::int32_t>(item)), of.share.fill(0);
      for (int k = 0; k < cell.neighbours; ++k) {
        const auto slot = static_cast<std::size_t>(k);
        const std::int32_t other = patch.next(k, item);
        const bool known = other < item;  // an own cell before this cell has made the edge
        if (!known) edges_.push_back(make(grid, patch, item, k, radius));
        of.edge[slot] =
            known ? edge_to(other, static_cast<std::int32_t>(item)) : static_cast<std::int32_t>(count() - 1);
        of.across[slot] = other;
        of.share[slot] = me < cell.cell[slot] ? per_area : -per_area;
      }
    }
  }
  std::int64_t count() const { return static_cast<std::int64_t>(edges_.size()); }
  const Edge& edge(std::int64_t at) const { return edges_[static_cast<std::size_t>(at)]; }
  const OfCell& of(std::int64_t cell) const { return cells_[static_cast<std::size_t>(cell)]; }
  static constexpr std::int64_t bytes_of_cell = sizeof(OfCell) + 3 * sizeof(Edge);  // 3 edges a cell on a sphere

 private:
  static std::int32_t cell_of(const Patch& patch, std::int64_t item) {
    return patch.cells[static_cast<std::size_t>(item)];
  }
  std::int32_t edge_to(std::int32_t cell, std::int32_t across) const {
    const OfCell& of = cells_[static_cast<std::size_t>(cell)];
    std::size_t slot = 0;
    while (of.across[slot] != across) ++slot;
    return of.edge[slot];
  }
  static Edge make(const Grid& grid, const Patch& patch, std::int64_t item, int k, double radius) {
    const Grid::Cell& cell = grid.cells[static_cast<std::size_t>(cell_of(patch, item))];
    const int count = cell.neighbours, previous = (k + count - 1) % count, next = (k + 1) % count;
    const auto corner = [&](int at) -> const Grid::Corner& {
      return grid.corners[static_cast<std::size_t>(cell.corner[static_cast<std::size_t>(at)])];
    };
    std::int32_t from = static_cast<std::int32_t>(item), to = patch.next(k, item);
    std::int32_t before = patch.next(previous, item), after = patch.next(next, item);
    const Grid::Corner *first = &corner(previous), *second = &corner(k);
    if (cell_of(patch, to) < cell_of(patch, from)) {
      std::swap(from, to), std::swap(before, after), std::swap(first, second);
    }
    const auto weight = [&](const Grid::Corner* of, std::int32_t item) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (of->cell[i] == cell_of(patch, item)) return 0.5 * of->weight[i];
      }
      return 0.0;
    };
    const auto centre = [&](std::int32_t item) { return grid.centre[static_cast<std::size_t>(cell_of(patch, item))]; };
    const double length = arc(first->at, second->at) * radius, apart = arc(centre(from), centre(to)) * radius;
    return {.from = from,
            .to = to,
            .before = before,
            .after = after,
            .outward = cross(unit(second->at - first->at), unit(first->at + second->at)) * length,
            .of_from = weight(first, from) + weight(second, from),
            .of_to = weight(first, to) + weight(second, to),
            .of_before = weight(first, before),
            .of_after = weight(second, after),
            .per_spread = 1 / (length * apart)};
  }

  std::vector<Edge> edges_;
  std::vector<OfCell> cells_;
};

}  // namespace atmosphere
