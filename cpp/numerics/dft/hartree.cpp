#include "numerics/dft/hartree.hpp"

#include <algorithm>
#include <numbers>

namespace tenken::dft {

namespace {

std::vector<int> extents(const Grid& grid) { return {grid.points[0], grid.points[1], grid.points[2]}; }

std::size_t half_size(const Grid& grid) {
  return static_cast<std::size_t>(std::int64_t{grid.points[0]} * grid.points[1] * (grid.points[2] / 2 + 1));
}

}  // namespace

double wave_number(int i, int n, double cell) { return 2 * std::numbers::pi / cell * (2 * i > n ? i - n : i); }

// Plans are estimated: a measured one may differ from start to start, and with it the last bits of every answer.
Hartree::Hartree(const Grid& grid)
    : grid_(grid),
      real_(static_cast<std::size_t>(grid.size())),
      spectrum_(half_size(grid)),
      kernel_(half_size(grid)),
      forward_(extents(grid), real_.data(), spectrum_.data(), Effort::estimate),
      backward_(extents(grid), spectrum_.data(), real_.data(), Effort::estimate) {
  std::size_t at = 0;
  for (int x = 0; x < grid.points[0]; ++x)
    for (int y = 0; y < grid.points[1]; ++y)
      for (int z = 0; z <= grid.points[2] / 2; ++z, ++at) {
        const double gx = wave_number(x, grid.points[0], grid.cell[0]);
        const double gy = wave_number(y, grid.points[1], grid.cell[1]);
        const double gz = wave_number(z, grid.points[2], grid.cell[2]);
        const double square = gx * gx + gy * gy + gz * gz;
        kernel_[at] = square > 0 ? 4 * std::numbers::pi / square / static_cast<double>(grid.size()) : 0;
      }
}

double Hartree::operator()(const double* density, double* potential) {
  std::copy_n(density, real_.size(), real_.data());
  forward_.run();
  for (std::size_t i = 0; i < spectrum_.size(); ++i) spectrum_[i] *= kernel_[i];
  backward_.run();
  double sum = 0;
  for (std::size_t i = 0; i < real_.size(); ++i) {
    sum += density[i] * real_[i];
    potential[i] = real_[i];
  }
  return sum / 2 * grid_.point_volume();
}

}  // namespace tenken::dft
