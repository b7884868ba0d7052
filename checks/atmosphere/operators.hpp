// Divergence, curl, gradient and Laplacian of a cell as sums over the cell and its neighbours, with coefficients made
// once (Tomita and others 2001): a value at a corner is the weighted mean of three cells, a value at an edge the mean
// of its two corners, and a flux through the edge its normal component times its length. Poles and pentagons are no
// special case: a missing neighbour has coefficient 0.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "grid.hpp"
#include "patch.hpp"

namespace atmosphere {

// Fields are arrays of items; vectors are three arrays, x, y and z. Lengths are in units of `radius`.
struct Vectors {
  std::vector<double> x, y, z;

  explicit Vectors(std::int64_t items = 0)
      : x(static_cast<std::size_t>(items)), y(static_cast<std::size_t>(items)), z(static_cast<std::size_t>(items)) {}
  Vec at(std::size_t i) const { return {x[i], y[i], z[i]}; }
  void set(std::size_t i, const Vec& v) { x[i] = v.x, y[i] = v.y, z[i] = v.z; }
};

// The points of a cell with the coefficients of divergence and gradient.
struct Stencil {
  std::array<std::int64_t, 1 + Grid::most> item;
  std::array<Vec, 1 + Grid::most> flux;
  Vec up;
};

class Operators {
 public:
  static constexpr int points = 1 + Grid::most;

  Operators(const Grid& grid, const Patch& patch, double radius);

  std::int64_t own() const { return own_; }
  double area(std::int64_t item) const { return area_[static_cast<std::size_t>(item)]; }
  const Vec& up(std::int64_t item) const { return up_[static_cast<std::size_t>(item)]; }
  // The item of point p of the stencil of a cell: 0 the cell itself.
  std::int32_t item(int p, std::int64_t cell) const {
    return p == 0 ? static_cast<std::int32_t>(cell) : patch_.next(p - 1, cell);
  }
  // div v = sum of flux(p) . v(p); grad f = sum of flux(p) f(p) - f sum of flux(p), then tangent; the upward component
  // of curl v = sum of turn(p) . v(p); the Laplacian of f = sum of spread(p) f(p).
  Vec flux(int p, std::int64_t cell) const { return vec(flux_, p, cell); }
  Vec turn(int p, std::int64_t cell) const { return vec(turn_, p, cell); }
  double spread(int p, std::int64_t cell) const { return spread_[static_cast<std::size_t>(p * own_ + cell)]; }

  Stencil stencil(std::int64_t cell) const {
    Stencil of;
    for (int p = 0; p < points; ++p) {
      of.item[static_cast<std::size_t>(p)] = item(p, cell);
      of.flux[static_cast<std::size_t>(p)] = flux(p, cell);
    }
    of.up = up(cell);
    return of;
  }

  // Of own cells; halos must be there. For proofs.
  void divergence(const Vectors& v, std::vector<double>& into) const;
  void gradient(const std::vector<double>& f, Vectors& into) const;

  // A fault for tests: exchanges two edges of the first own cell.
  void swap_edges();
  // A fault for tests: the first pentagon or else the first own cell has a wrong weight.
  void spoil_weight();

 private:
  Vec vec(const std::vector<double>& of, int p, std::int64_t cell) const {
    const auto at = static_cast<std::size_t>(3 * p * own_ + cell), step = static_cast<std::size_t>(own_);
    return {of[at], of[at + step], of[at + 2 * step]};
  }
  void add(std::vector<double>& to, int p, std::int64_t cell, const Vec& v) {
    const auto at = static_cast<std::size_t>(3 * p * own_ + cell), step = static_cast<std::size_t>(own_);
    to[at] += v.x, to[at + step] += v.y, to[at + 2 * step] += v.z;
  }
  void add_edges(const Grid& grid, std::int64_t item, double radius);

  const Patch& patch_;
  std::int64_t own_;
  std::vector<double> area_;
  std::vector<Vec> up_;
  std::vector<double> flux_, turn_, spread_;  // [point][axis][cell], [point][cell]
};

// Hyperdiffusion that damps the shortest waves, two cells long, by 1/e in so many hours: m^4/s.
double diffusion_of(double spacing, double hours);

}  // namespace atmosphere
