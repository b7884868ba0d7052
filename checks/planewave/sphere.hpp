// Plane waves of a band and how ranks share them. A wave is G = 2 pi (f_x / a_x, f_y / a_y, f_z / a_z) with whole f and
// |k + G|^2 / 2 <= cut-off. Waves of one (f_x, f_y) form a stick; its f_z have no gap, because the sphere is convex.
//
// rows x columns ranks share a band. Each x with waves belongs to one row, and each stick of the x of a row to one
// column of this row. In real space rank (row, column) has all x, the y of its row and the z of its column. Loads are
// shared by the rule "longest first, to the least loaded" (R. L. Graham, SIAM J. Appl. Math. 17 (1969) 416).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "numerics/dft/system.hpp"
#include "numerics/team.hpp"

namespace tenken::planewave {

using dft::Complex;

struct RankGrid {
  int rows = 1, columns = 1;  // rank = row * columns + column
};

// Waves of one x and y.
struct Stick {
  int x = 0;               // position in x_of_row of its row
  int y = 0;               // index of the grid
  int lowest = 0;          // f_z of the first wave; the others follow without gap
  int waves = 0;           // at least 1
  std::int64_t first = 0;  // its first wave, among those of its rank
};

class Sphere {
 public:
  // k in 1/Bohr, cut_off in Hartree. Two parts in 10^12 above the cut-off count as the cut-off, so that rounding does
  // not part waves of equal length. Throws UserError: a cut-off or k that is not finite, a grid on which two waves
  // fall together (it needs more than 2 |f| points along each axis), a rank without waves or without points.
  Sphere(const dft::Grid& grid, const dft::Vector& k, double cut_off, RankGrid ranks, int rank);

  const dft::Grid& grid() const { return grid_; }
  RankGrid ranks() const { return ranks_; }
  int row() const { return row_; }
  int column() const { return column_; }

  std::int64_t waves() const { return static_cast<std::int64_t>(kinetic_.size()); }              // of this rank
  std::int64_t all_waves() const { return all_waves_; }                                          // of all ranks
  const std::vector<std::array<int, 3>>& frequency() const { return frequency_; }                // [wave]: f, signed
  const std::vector<double>& kinetic() const { return kinetic_; }                                // [wave]: Hartree
  const std::vector<int>& x_of_row(int row) const { return x_[static_cast<std::size_t>(row)]; }  // ascending
  // Sticks of a rank of this row, by x, then y.
  const std::vector<Stick>& sticks_of_column(int column) const { return sticks_[static_cast<std::size_t>(column)]; }
  const std::vector<Stick>& sticks() const { return sticks_of_column(column_); }

  // Real space: indices of the grid.
  Range y_of_row(int row) const { return share_of(grid_.points[1], row, ranks_.rows); }
  Range z_of_column(int column) const { return share_of(grid_.points[2], column, ranks_.columns); }
  Range y() const { return y_of_row(row_); }
  Range z() const { return z_of_column(column_); }
  // Of this rank: all x, its y, its z. x is the fastest, unlike in dft::Grid: point (x, y, z) has number
  // ((y - y().first) * z().size() + z - z().first) * points of x + x. The last transform then leaves lines contiguous.
  std::int64_t points() const { return grid_.points[0] * y().size() * z().size(); }
  std::vector<std::int64_t> grid_points() const;  // [point of this rank]: index of dft::Grid

 private:
  dft::Grid grid_;
  RankGrid ranks_;
  int row_ = 0, column_ = 0;
  std::int64_t all_waves_ = 0;
  std::vector<std::vector<int>> x_;         // [row]
  std::vector<std::vector<Stick>> sticks_;  // [column] of this row
  std::vector<std::array<int, 3>> frequency_;
  std::vector<double> kinetic_;
};

}  // namespace tenken::planewave
