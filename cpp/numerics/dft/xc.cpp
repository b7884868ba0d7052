#include "numerics/dft/xc.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/error.hpp"

namespace tenken::dft {

namespace {

constexpr double least_density = 1e-25;

ExchangeCorrelation perdew_zunger(double rs) {
  const double exchange = -0.75 * std::cbrt(9 / (4 * std::numbers::pi * std::numbers::pi)) / rs;
  double correlation, slope;  // slope: rs d(correlation)/d(rs)
  if (rs >= 1) {
    constexpr double gamma = -0.1423, beta1 = 1.0529, beta2 = 0.3334;
    const double root = std::sqrt(rs);
    const double below = 1 + beta1 * root + beta2 * rs;
    correlation = gamma / below;
    slope = -gamma * (beta1 * root / 2 + beta2 * rs) / (below * below);
  } else {
    constexpr double a = 0.0311, b = -0.048, c = 0.0020, d = -0.0116;
    const double logarithm = std::log(rs);
    correlation = a * logarithm + b + c * rs * logarithm + d * rs;
    slope = a + c * rs * (logarithm + 1) + d * rs;
  }
  return {exchange + correlation, 4 * exchange / 3 + correlation - slope / 3};
}

ExchangeCorrelation pade(double rs) {
  constexpr double a0 = 0.4581652932831429, a1 = 2.217058676663745, a2 = 0.7405551735357053, a3 = 0.01968227878617998;
  constexpr double b1 = 1.0, b2 = 4.504130959426697, b3 = 1.110667363742916, b4 = 0.02359291751427506;
  const double above = a0 + rs * (a1 + rs * (a2 + rs * a3));
  const double below = rs * (b1 + rs * (b2 + rs * (b3 + rs * b4)));
  const double above_slope = a1 + rs * (2 * a2 + rs * 3 * a3);
  const double below_slope = b1 + rs * (2 * b2 + rs * (3 * b3 + rs * 4 * b4));
  const double energy = -above / below;
  const double slope = rs * (above * below_slope - above_slope * below) / (below * below);
  return {energy, energy - slope / 3};
}

}  // namespace

ExchangeCorrelation exchange_correlation(Functional functional, double density) {
  if (!(density > least_density)) return {0, 0};
  const double rs = std::cbrt(3 / (4 * std::numbers::pi * density));
  return functional == Functional::pade ? pade(rs) : perdew_zunger(rs);
}

double add_exchange_correlation(Functional functional, std::int64_t n, const double* density, double* potential) {
  constexpr std::int64_t block = 512;
  std::vector<double> sums(static_cast<std::size_t>((n + block - 1) / block));
#pragma omp parallel for
  for (std::size_t b = 0; b < sums.size(); ++b) {
    const std::int64_t first = static_cast<std::int64_t>(b) * block, last = std::min(n, first + block);
    for (std::int64_t i = first; i < last; ++i) {
      const ExchangeCorrelation here = exchange_correlation(functional, density[i]);
      potential[i] += here.potential;
      sums[b] += density[i] * here.energy;
    }
  }
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

Functional functional_from(const std::string& name) {
  if (name == "perdew_zunger") return Functional::perdew_zunger;
  if (name == "pade") return Functional::pade;
  refuse("functional '" + name + "' is not known; use perdew_zunger or pade");
}

}  // namespace tenken::dft
