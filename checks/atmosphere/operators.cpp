#include "operators.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace atmosphere {

Operators::Operators(const Grid& grid, const Patch& patch, double radius) : patch_(patch), own_(patch.own) {
  const auto own = static_cast<std::size_t>(own_);
  area_.resize(own);
  up_.resize(own);
  flux_.assign(3 * points * own, 0);
  turn_.assign(3 * points * own, 0);
  spread_.assign(points * own, 0);
#pragma omp parallel for schedule(static)
  for (std::int64_t item = 0; item < own_; ++item) {
    const auto cell = static_cast<std::size_t>(patch.cells[static_cast<std::size_t>(item)]);
    area_[static_cast<std::size_t>(item)] = grid.area[cell] * radius * radius;
    up_[static_cast<std::size_t>(item)] = grid.centre[cell];
    add_edges(grid, item, radius);
  }
}

// Edge k lies between corners k - 1 and k and separates the cell from neighbour k.
void Operators::add_edges(const Grid& grid, std::int64_t item, double radius) {
  const std::int32_t me = patch_.cells[static_cast<std::size_t>(item)];
  const Grid::Cell& cell = grid.cells[static_cast<std::size_t>(me)];
  const auto count = static_cast<std::size_t>(cell.neighbours);
  const double per_area = 1 / (grid.area[static_cast<std::size_t>(me)] * radius);
  const auto point_of = [&](std::int32_t other) {
    if (other == me) return 0;
    return 1 + static_cast<int>(std::find(cell.cell.begin(), cell.cell.end(), other) - cell.cell.begin());
  };
  for (std::size_t k = 0; k < count; ++k) {
    const Grid::Corner& before = grid.corners[static_cast<std::size_t>(cell.corner[(k + count - 1) % count])];
    const Grid::Corner& after = grid.corners[static_cast<std::size_t>(cell.corner[k])];
    const double edge = arc(before.at, after.at);
    const Vec along = unit(after.at - before.at), up = unit(before.at + after.at);
    const Vec outward = cross(along, up);
    for (const Grid::Corner* corner : {&before, &after}) {
      for (std::size_t i = 0; i < 3; ++i) {
        const int p = point_of(corner->cell[i]);
        const double half = 0.5 * corner->weight[i] * edge * per_area;
        add(flux_, p, item, outward * half);
        add(turn_, p, item, along * half);
        spread_[static_cast<std::size_t>(p * own_ + item)] +=
            0.5 * dot(corner->slope[i], outward) * edge * per_area / radius;
      }
    }
  }
}

void Operators::divergence(const Vectors& v, std::vector<double>& into) const {
#pragma omp parallel for schedule(static)
  for (std::int64_t c = 0; c < own_; ++c) {
    double sum = 0;
    for (int p = 0; p < points; ++p) sum += dot(flux(p, c), v.at(static_cast<std::size_t>(item(p, c))));
    into[static_cast<std::size_t>(c)] = sum;
  }
}

void Operators::gradient(const std::vector<double>& f, Vectors& into) const {
#pragma omp parallel for schedule(static)
  for (std::int64_t c = 0; c < own_; ++c) {
    Vec sum{}, all{};
    for (int p = 0; p < points; ++p) {
      sum += flux(p, c) * f[static_cast<std::size_t>(item(p, c))];
      all += flux(p, c);
    }
    const Vec slope = sum - all * f[static_cast<std::size_t>(c)];
    into.set(static_cast<std::size_t>(c), slope - up(c) * dot(slope, up(c)));
  }
}

void Operators::swap_edges() {
  if (own_ == 0) return;
  const auto step = static_cast<std::size_t>(own_);
  for (int axis = 0; axis < 3; ++axis) {
    std::swap(flux_[static_cast<std::size_t>(3 + axis) * step], flux_[static_cast<std::size_t>(6 + axis) * step]);
  }
}

void Operators::spoil_weight() {
  std::int64_t cell = 0;
  for (std::int64_t c = own_ - 1; c >= 0; --c) {
    if (patch_.next(Grid::most - 1, c) == c) cell = c;
  }
  if (own_ > 0) flux_[static_cast<std::size_t>(cell)] += 1e-3 * flux(1, cell).x + 1e-10;
}

double diffusion_of(double spacing, double hours) {
  return hours > 0 ? std::pow(spacing / std::numbers::pi, 4) / (3600 * hours) : 0;
}

}  // namespace atmosphere
