#include "numerics/dft/pseudopotential.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"

namespace tenken::dft {

namespace {

using std::numbers::pi;

const std::vector<Pseudopotential> known{
    {"H", 1, 0.2, {-4.18023680, 0.72507482}, 0, 0, 0, 0, 0},
    {"C", 4, 0.34883045, {-8.51377110, 1.22843203}, 0.30455321, 9.52284179, 0, 0, 0},
    {"O", 6, 0.24762086, {-16.58031797, 2.39570092}, 0.22178614, 18.26691718, 0, 0, 0},
    {"Si", 4, 0.44, {-7.33610297, 0}, 0.42273813, 5.90692831, 3.25819622, 0.48427842, 2.72701346},
};

}  // namespace

const Pseudopotential& pseudopotential(const std::string& element) {
  std::string names;
  for (const Pseudopotential& ion : known) {
    if (ion.element == element) return ion;
    names += (names.empty() ? "" : ", ") + ion.element;
  }
  refuse("element '" + element + "' has no pseudopotential here; use one of " + names);
}

double local_of_g(const Pseudopotential& ion, double g) {
  const double x = g * ion.local_radius;
  return std::exp(-x * x / 2) *
         (-4 * pi * ion.charge / (g * g) +
          std::sqrt(8 * pi * pi * pi) * std::pow(ion.local_radius, 3) * (ion.local[0] + ion.local[1] * (3 - x * x)));
}

double local_at_zero(const Pseudopotential& ion) {
  const double r = ion.local_radius;
  return 2 * pi * ion.charge * r * r + std::sqrt(8 * pi * pi * pi) * r * r * r * (ion.local[0] + 3 * ion.local[1]);
}

double local_of_r(const Pseudopotential& ion, double r) {
  const double x = r / ion.local_radius;
  return -ion.charge * std::erf(x / std::numbers::sqrt2) / r +
         std::exp(-x * x / 2) * (ion.local[0] + ion.local[1] * x * x);
}

double radial_projector(int l, int i, double radius, double r) {
  const double power = l + 2 * i;
  return std::numbers::sqrt2 * std::pow(r, l + 2 * i - 2) * std::exp(-r * r / (2 * radius * radius)) /
         (std::pow(radius, power - 0.5) * std::sqrt(std::tgamma(power - 0.5)));
}

double Channel::at(double r) const {
  double sum = mixture[0] * radial_projector(l, 1, radius, r);
  if (mixture[1] != 0) sum += mixture[1] * radial_projector(l, 2, radius, r);
  return sum;
}

std::vector<Channel> channels(const Pseudopotential& ion) {
  std::vector<Channel> all;
  if (ion.s_radius > 0 && ion.s22 == 0) all.push_back({0, ion.s_radius, {1, 0}, ion.s11});
  if (ion.s_radius > 0 && ion.s22 != 0) {
    // h12 follows from h22 (Hartwigsen et al., equation 24); eigenvectors by one rotation.
    const double s12 = -0.5 * std::sqrt(3.0 / 5) * ion.s22;
    const double angle = 0.5 * std::atan2(2 * s12, ion.s11 - ion.s22);
    const double c = std::cos(angle), s = std::sin(angle);
    all.push_back({0, ion.s_radius, {c, s}, c * c * ion.s11 + 2 * c * s * s12 + s * s * ion.s22});
    all.push_back({0, ion.s_radius, {-s, c}, s * s * ion.s11 - 2 * c * s * s12 + c * c * ion.s22});
  }
  if (ion.p_radius > 0) all.push_back({1, ion.p_radius, {1, 0}, ion.p11});
  return all;
}

double projector_radius(const Pseudopotential& ion, double cut) {
  constexpr int steps = 4000;
  constexpr double longest = 20;  // Gaussians
  double radius = 0;
  for (const Channel& channel : channels(ion)) {
    const double step = longest * channel.radius / steps;
    double maximum = 0;
    for (int i = 0; i <= steps; ++i) maximum = std::max(maximum, std::abs(channel.at(i * step)));
    int last = steps;
    while (last > 0 && std::abs(channel.at(last * step)) < cut * maximum) --last;
    radius = std::max(radius, (last + 1) * step);
  }
  return radius;
}

double narrowest(const Pseudopotential& ion) {
  double least = ion.local_radius;
  if (ion.s_radius > 0) least = std::min(least, ion.s_radius);
  if (ion.p_radius > 0) least = std::min(least, ion.p_radius);
  return least;
}

}  // namespace tenken::dft
