#include "free.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace tenken::lqcd_pion {

using namespace qcd;

namespace {

using C = std::complex<double>;

std::vector<double> momenta(int extent, int sign) {
  std::vector<double> p(static_cast<std::size_t>(extent));
  for (int n = 0; n < extent; ++n) p[n] = std::numbers::pi * (2 * n + (sign < 0 ? 1 : 0)) / extent;
  return p;
}

}  // namespace

FreePion free_pion(const Index4& lattice, const Signs& boundary, double kappa) {
  std::array<std::vector<double>, directions> p;
  for (int mu = 0; mu < directions; ++mu) p[mu] = momenta(lattice[mu], boundary[mu]);
  const auto extent = static_cast<std::size_t>(lattice[3]);
  std::vector<C> phase(extent * extent);  // [t][n], over the extent
  for (std::size_t t = 0; t < extent; ++t) {
    for (std::size_t n = 0; n < extent; ++n) {
      phase[t * extent + n] = std::polar(1.0 / static_cast<double>(extent), p[3][n] * static_cast<double>(t));
    }
  }
  const Index4 space{lattice[0], lattice[1], lattice[2], 1};
  const auto volume = static_cast<std::int64_t>(product(space));
  FreePion free{std::vector<double>(extent), 0};
#pragma omp parallel
  {
    std::vector<double> sum(extent);
    double inverse_norm = 0;
    std::vector<double> scalar(extent), vector(extent), temporal(extent);
#pragma omp for schedule(static) nowait
    for (std::int64_t k = 0; k < volume; ++k) {
      const Index4 n = coordinates(k, space);
      double cosines = 0;
      double sines2 = 0;
      for (int mu = 0; mu < 3; ++mu) {
        cosines += std::cos(p[mu][n[mu]]);
        sines2 += std::pow(std::sin(p[mu][n[mu]]), 2);
      }
      for (std::size_t m = 0; m < extent; ++m) {
        const double sine = std::sin(p[3][m]);
        const double a = 1 - 2 * kappa * (cosines + std::cos(p[3][m]));
        const double norm2 = a * a + 4 * kappa * kappa * (sines2 + sine * sine);
        scalar[m] = a / norm2;
        vector[m] = 2 * kappa / norm2;
        temporal[m] = sine * vector[m];
        inverse_norm = std::max(inverse_norm, 1 / std::sqrt(norm2));
      }
      for (std::size_t t = 0; t < extent; ++t) {
        C s = 0, v = 0, b = 0;
        for (std::size_t m = 0; m < extent; ++m) {
          const C z = phase[t * extent + m];
          s += z * scalar[m];
          v += z * vector[m];
          b += z * temporal[m];
        }
        sum[t] += std::norm(s) + sines2 * std::norm(v) + std::norm(b);
      }
    }
#pragma omp critical
    {
      for (std::size_t t = 0; t < extent; ++t) {
        free.correlator[t] += spins * colours / static_cast<double>(volume) * sum[t];
      }
      free.inverse_norm = std::max(free.inverse_norm, inverse_norm);
    }
  }
  return free;
}

double free_pion_error(const std::vector<double>& correlator, const FreePion& expected) {
  double worst = 0;
  for (std::size_t t = 0; t < correlator.size(); ++t) {
    const double c = expected.correlator[t];
    const double error = std::abs(correlator[t] - c) / (2 * std::sqrt(spins * colours * c) * expected.inverse_norm);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

}  // namespace tenken::lqcd_pion
