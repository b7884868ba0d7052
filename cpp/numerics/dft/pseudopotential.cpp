#include "numerics/dft/pseudopotential.hpp"

#include <algorithm>
#include <cmath>
#include <list>
#include <numbers>

#include "base/error.hpp"

namespace tenken::dft {

namespace {

using std::numbers::pi;

// h12 follows from h22 (Hartwigsen et al., equation 24).
Projector two_of_s(double radius, double h11, double h22) {
  const double h12 = -0.5 * std::sqrt(3.0 / 5) * h22;
  return {radius, {{{h11, h12, 0}, {h12, h22, 0}, {0, 0, 0}}}};
}
Projector single(double radius, double h11) { return {radius, {{{h11}}}}; }

std::list<Pseudopotential> known{
    // references to elements of it stay valid
    {"H", 1, 0.2, {-4.18023680, 0.72507482}, {}},
    {"C", 4, 0.34883045, {-8.51377110, 1.22843203}, {single(0.30455321, 9.52284179)}},
    {"O", 6, 0.24762086, {-16.58031797, 2.39570092}, {single(0.22178614, 18.26691718)}},
    {"Si", 4, 0.44, {-7.33610297}, {two_of_s(0.42273813, 5.90692831, 3.25819622), single(0.48427842, 2.72701346)}},
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

void set_pseudopotential(const Pseudopotential& ion) {
  const auto same = [&](const Pseudopotential& other) { return other.element == ion.element; };
  const auto found = std::find_if(known.begin(), known.end(), same);
  if (found == known.end()) {
    known.push_back(ion);
  } else {
    *found = ion;
  }
}

// Polynomials of x = g r_loc that go with C1 to C4 (Hartwigsen et al., equation 5).
double local_of_g(const Pseudopotential& ion, double g) {
  const double x = g * g * ion.local_radius * ion.local_radius;
  const double sum = ion.local[0] + ion.local[1] * (3 - x) + ion.local[2] * (15 - 10 * x + x * x) +
                     ion.local[3] * (105 - 105 * x + 21 * x * x - x * x * x);
  return std::exp(-x / 2) *
         (-4 * pi * ion.charge / (g * g) + std::sqrt(8 * pi * pi * pi) * std::pow(ion.local_radius, 3) * sum);
}

double local_at_zero(const Pseudopotential& ion) {
  const double r = ion.local_radius;
  const double sum = ion.local[0] + 3 * ion.local[1] + 15 * ion.local[2] + 105 * ion.local[3];
  return 2 * pi * ion.charge * r * r + std::sqrt(8 * pi * pi * pi) * r * r * r * sum;
}

double local_of_r(const Pseudopotential& ion, double r) {
  const double x = r / ion.local_radius, y = x * x;
  return -ion.charge * std::erf(x / std::numbers::sqrt2) / r +
         std::exp(-y / 2) * (ion.local[0] + y * (ion.local[1] + y * (ion.local[2] + y * ion.local[3])));
}

double radial_projector(int l, int i, double radius, double r) {
  const double power = l + 2 * i;
  return std::numbers::sqrt2 * std::pow(r, l + 2 * i - 2) * std::exp(-r * r / (2 * radius * radius)) /
         (std::pow(radius, power - 0.5) * std::sqrt(std::tgamma(power - 0.5)));
}

// Of r^(l + 2) exp(-r^2 / 2 a^2) j_l(g r): sqrt(pi / 2) a^(2 l + 3) g^l exp(-g^2 a^2 / 2); each r^2 more is a
// derivative in 1 / a^2.
double projector_of_g(int l, int i, double radius, double g) {
  const double x = g * g * radius * radius, first = 2 * l + 3, second = first + 2;
  const double series = i == 1 ? 1 : i == 2 ? first - x : first * second - 2 * second * x + x * x;
  static const auto root_of_gamma = [] {
    std::array<double, most_l + 2 * most_projectors + 1> roots{};
    for (std::size_t n = 2; n < roots.size(); ++n) roots[n] = std::sqrt(std::tgamma(static_cast<double>(n) - 0.5));
    return roots;
  }();
  return std::sqrt(pi) * std::pow(radius, l + 1.5) * std::exp(-x / 2) * series /
         root_of_gamma[static_cast<std::size_t>(l + 2 * i)];
}

double Channel::at(double r) const {
  double sum = 0;
  for (int i = 1; i <= most_projectors; ++i) {
    const double part = mixture[static_cast<std::size_t>(i - 1)];
    if (part != 0) sum += part * radial_projector(l, i, radius, r);
  }
  return sum;
}

double Channel::of_g(double g) const {
  double sum = 0;
  for (int i = 1; i <= most_projectors; ++i) {
    const double part = mixture[static_cast<std::size_t>(i - 1)];
    if (part != 0) sum += part * projector_of_g(l, i, radius, g);
  }
  return sum;
}

// Eigenvectors by Jacobi's rotations; those whose coefficient is 0 are left out.
std::vector<Channel> channels(const Pseudopotential& ion) {
  constexpr std::size_t n = most_projectors;
  std::vector<Channel> all;
  for (int l = 0; l <= most_l; ++l) {
    const Projector& of = ion.of_l[static_cast<std::size_t>(l)];
    auto h = of.h;
    std::array<std::array<double, n>, n> vectors{};  // [vector][projector]
    for (std::size_t i = 0; i < n; ++i) vectors[i][i] = 1;
    constexpr int sweeps = 12;
    for (int sweep = 0; sweep < sweeps; ++sweep)
      for (std::size_t p = 0; p < n; ++p)
        for (std::size_t q = p + 1; q < n; ++q) {
          if (h[p][q] == 0) continue;
          const double angle = 0.5 * std::atan2(2 * h[p][q], h[p][p] - h[q][q]);
          const double c = std::cos(angle), s = std::sin(angle);
          const auto turn = [&](double& a, double& b) {
            const double x = c * a + s * b, y = -s * a + c * b;
            a = x;
            b = y;
          };
          for (std::size_t i = 0; i < n; ++i) turn(h[p][i], h[q][i]);
          for (std::size_t i = 0; i < n; ++i) turn(h[i][p], h[i][q]);
          for (std::size_t i = 0; i < n; ++i) turn(vectors[p][i], vectors[q][i]);
          h[p][q] = h[q][p] = 0;
        }
    for (std::size_t i = 0; i < n && of.radius > 0; ++i)
      if (h[i][i] != 0) all.push_back({l, of.radius, vectors[i], h[i][i]});
  }
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
  for (const Projector& of : ion.of_l)
    if (of.radius > 0) least = std::min(least, of.radius);
  return least;
}

}  // namespace tenken::dft
