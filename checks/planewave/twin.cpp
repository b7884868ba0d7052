#include "twin.hpp"

#include <cmath>
#include <numbers>

#include "numerics/fft.hpp"

namespace tenken::planewave {

namespace {

double legendre(int l, double x) { return l == 0 ? 1 : l == 1 ? x : (3 * x * x - 1) / 2; }

}  // namespace

LocalOfWaves::LocalOfWaves(const dft::Grid& grid, const std::vector<double>& potential)
    : grid_(grid), spectrum_(potential.begin(), potential.end()) {
  ComplexFft({grid.points[0], grid.points[1], grid.points[2]}, spectrum_.data(), spectrum_.data(), Direction::forward,
             Effort::estimate)
      .run();
}

dft::Complex LocalOfWaves::operator()(const std::array<int, 3>& m) const {
  std::int64_t at = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const int n = grid_.points[d];
    at = at * n + ((m[d] % n) + n) % n;
  }
  return spectrum_[static_cast<std::size_t>(at)] / static_cast<double>(grid_.size());
}

dft::Complex NonlocalOfWaves::operator()(const dft::Vector& q, const dft::Vector& p) const {
  const double size_q = std::hypot(q[0], q[1], q[2]), size_p = std::hypot(p[0], p[1], p[2]), both = size_q * size_p;
  const double angle = both > 0 ? (q[0] * p[0] + q[1] * p[1] + q[2] * p[2]) / both : 1;
  dft::Complex sum = 0;
  const std::string* last = nullptr;
  double form = 0;
  for (const dft::Atom& atom : system_.atoms) {
    if (last == nullptr || *last != atom.element)
      form = form_of(dft::pseudopotential(atom.element), size_q, size_p, angle);
    last = &atom.element;
    double phase = 0;
    for (std::size_t d = 0; d < 3; ++d) phase -= (q[d] - p[d]) * atom.position[d];
    sum += form * std::polar(1.0, phase);
  }
  return sum;
}

double NonlocalOfWaves::form_of(const dft::Pseudopotential& ion, double q, double p, double angle) const {
  double sum = 0;
  for (int l = 0; l <= dft::most_l; ++l) {
    const dft::Projector& of = ion.of_l[static_cast<std::size_t>(l)];
    if (of.radius == 0) continue;
    double radial = 0;
    for (int i = 1; i <= dft::most_projectors; ++i)
      for (int j = 1; j <= dft::most_projectors; ++j) {
        const double h = of.h[static_cast<std::size_t>(i - 1)][static_cast<std::size_t>(j - 1)];
        if (h != 0) radial += h * dft::projector_of_g(l, i, of.radius, q) * dft::projector_of_g(l, j, of.radius, p);
      }
    sum += 4 * std::numbers::pi * (2 * l + 1) * legendre(l, angle) * std::pow(q * p, l) * radial;
  }
  return sum / system_.grid.volume();
}

}  // namespace tenken::planewave
