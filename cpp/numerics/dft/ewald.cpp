#include "numerics/dft/ewald.hpp"

#include <cmath>
#include <numbers>

namespace tenken::dft {

namespace {

using std::numbers::pi;
// Terms beyond exp(-reach^2) are left out.
constexpr double reach = 6.5;

// As many terms in either space.
double balanced(const Vector& cell) { return std::sqrt(pi) / std::cbrt(cell[0] * cell[1] * cell[2]); }

struct Terms {
  Terms(const Vector& cell, double sharpness) {
    for (std::size_t d = 0; d < 3; ++d) {
      r[d] = static_cast<int>(std::ceil(reach / sharpness / cell[d])) + 1;
      g[d] = static_cast<int>(std::ceil(2 * reach * sharpness * cell[d] / (2 * pi)));
    }
  }
  std::array<int, 3> r{}, g{};  // to either side
};

}  // namespace

double ewald_potential(const Vector& cell, const Vector& at, double sharpness) {
  const double volume = cell[0] * cell[1] * cell[2];
  const auto [most_r, most_g] = Terms(cell, sharpness);
  double sum = -pi / (sharpness * sharpness * volume);
  for (int x = -most_r[0]; x <= most_r[0]; ++x)
    for (int y = -most_r[1]; y <= most_r[1]; ++y)
      for (int z = -most_r[2]; z <= most_r[2]; ++z) {
        const double r = std::hypot(at[0] + x * cell[0], at[1] + y * cell[1], at[2] + z * cell[2]);
        // A charge does not act on itself: what its own Gaussian would.
        if (r < 1e-10) {
          sum -= 2 * sharpness / std::sqrt(pi);
        } else {
          sum += std::erfc(sharpness * r) / r;
        }
      }
  for (int x = -most_g[0]; x <= most_g[0]; ++x)
    for (int y = -most_g[1]; y <= most_g[1]; ++y)
      for (int z = -most_g[2]; z <= most_g[2]; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        const Vector g{2 * pi * x / cell[0], 2 * pi * y / cell[1], 2 * pi * z / cell[2]};
        const double square = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
        sum += 4 * pi / volume * std::exp(-square / (4 * sharpness * sharpness)) / square *
               std::cos(g[0] * at[0] + g[1] * at[1] + g[2] * at[2]);
      }
  return sum;
}

double ewald_energy(const Vector& cell, const std::vector<Charge>& charges, double sharpness) {
  if (sharpness == 0) sharpness = balanced(cell);
  double energy = 0, own = 0;
  for (std::size_t i = 0; i < charges.size(); ++i) {
    own += charges[i].charge * charges[i].charge;
    for (std::size_t j = 0; j < i; ++j) {
      Vector between;
      for (std::size_t d = 0; d < 3; ++d) between[d] = charges[i].position[d] - charges[j].position[d];
      energy += charges[i].charge * charges[j].charge * ewald_potential(cell, between, sharpness);
    }
  }
  return energy + own / 2 * ewald_potential(cell, {0, 0, 0}, sharpness);
}

Vector ewald_slope(const Vector& cell, const Vector& at, double sharpness) {
  if (sharpness == 0) sharpness = balanced(cell);
  const double volume = cell[0] * cell[1] * cell[2];
  const auto [most_r, most_g] = Terms(cell, sharpness);
  Vector sum{};
  for (int x = -most_r[0]; x <= most_r[0]; ++x)
    for (int y = -most_r[1]; y <= most_r[1]; ++y)
      for (int z = -most_r[2]; z <= most_r[2]; ++z) {
        const Vector to{at[0] + x * cell[0], at[1] + y * cell[1], at[2] + z * cell[2]};
        const double r = std::hypot(to[0], to[1], to[2]), b = sharpness * r;
        const double radial = -(std::erfc(b) / r + 2 * sharpness / std::sqrt(pi) * std::exp(-b * b)) / r;
        for (std::size_t d = 0; d < 3; ++d) sum[d] += radial * to[d] / r;
      }
  for (int x = -most_g[0]; x <= most_g[0]; ++x)
    for (int y = -most_g[1]; y <= most_g[1]; ++y)
      for (int z = -most_g[2]; z <= most_g[2]; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        const Vector g{2 * pi * x / cell[0], 2 * pi * y / cell[1], 2 * pi * z / cell[2]};
        const double square = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
        const double term = -4 * pi / volume * std::exp(-square / (4 * sharpness * sharpness)) / square *
                            std::sin(g[0] * at[0] + g[1] * at[1] + g[2] * at[2]);
        for (std::size_t d = 0; d < 3; ++d) sum[d] += term * g[d];
      }
  return sum;
}

}  // namespace tenken::dft
