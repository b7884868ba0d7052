#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "base/random.hpp"

namespace tenken::seismic {

namespace {

constexpr double band = 5;  // of Q, around the middle frequency
constexpr int samples = 41;

std::complex<double> modulus(const Relaxation& r, double phi, double omega) {
  std::complex<double> m = 1;
  for (std::size_t n = 0; n < r.tau.size(); ++n) m -= phi * r.weight[n] / std::complex<double>(1, omega * r.tau[n]);
  return m;
}

double mean_loss(const Relaxation& r, double phi, double middle) {
  double sum = 0;
  for (int n = 0; n < samples; ++n) {
    sum += loss_of(r, phi, middle * std::pow(band, 2.0 * n / (samples - 1) - 1));
  }
  return sum / samples;
}

// The loss grows with phi; the relaxed modulus stays positive.
double strength(const Relaxation& r, double quality, double middle) {
  double low = 0, high = 1 / (r.weight[0] + r.weight[1] + r.weight[2]);
  for (int n = 0; n < 60; ++n) {
    const double phi = (low + high) / 2;
    (mean_loss(r, phi, middle) < 1 / quality ? low : high) = phi;
  }
  return low;
}

// M_u over rho v^2, where v is the phase velocity at `omega`: v = 1 / Re sqrt(rho / M).
double stiffer(const Relaxation& r, double phi, double omega) {
  const double slowness = std::sqrt(1.0 / modulus(r, phi, omega)).real();
  return slowness * slowness;
}

}  // namespace

double loss_of(const Relaxation& relaxation, double phi, double omega) {
  const std::complex<double> m = modulus(relaxation, phi, omega);
  return m.imag() / m.real();
}

Relaxation relaxation_of(const Quality& quality, double middle) {
  Relaxation r;
  // The flattest 1 / Q over the band, by a search over a grid: within 4 % for Q of 20 and more. The faster the loss,
  // the more the modulus falls towards low frequencies; the fastest mechanism makes up for that.
  constexpr double apart = 6;
  const double loss = (1 / quality.p + 1 / quality.s) / 2;
  r.tau = {apart / middle, 1 / middle, 1 / (apart * middle)};
  r.weight = {1.4, 1, 1.4 + 4.5 * loss};
  r.phi_p = strength(r, quality.p, middle);
  r.phi_s = strength(r, quality.s, middle);
  r.stiffer_p = stiffer(r, r.phi_p, middle);
  r.stiffer_s = stiffer(r, r.phi_s, middle);
  return r;
}

Material Problem::at(Index<3> cell) const {
  Material here = material;
  if (contrast == 0) return here;
  std::uint64_t number = 0;
  for (std::size_t d = 3; d-- > 0;) {
    const bool turns = periodic && !(d == 2 && surface);
    const int n = turns ? (cell[d] + cells[d]) % cells[d] : std::clamp(cell[d], 0, cells[d] - 1);
    number = number * 65536 + static_cast<std::uint64_t>(n / 8);
  }
  const double factor = 1 + contrast * (2 * RandomStream(seed, 0).uniform(number) - 1);
  here.vp *= factor;
  here.vs *= factor;
  return here;
}

double Problem::fastest() const {
  const double stiffer = quality.elastic() ? 1 : relaxation_of(quality, middle()).stiffer_p;
  return material.vp * (1 + contrast) * std::sqrt(stiffer);
}
double Problem::slowest() const { return material.vs * (1 - contrast); }

double longest_step(const Problem& problem) { return 6 / (7 * std::sqrt(3.0)) * problem.h / problem.fastest(); }

std::vector<Injection> force(const Problem& problem, int axis, const Index<3>& cell, double newton) {
  Index<3> next = cell;
  ++next[static_cast<std::size_t>(axis)];
  const double density = (problem.at(cell).density + problem.at(next).density) / 2;
  const double amplitude = newton * problem.dt / (density * std::pow(problem.h, 3));
  return {{static_cast<Component>(vx + axis), cell, amplitude}};
}

std::vector<Injection> moment(const Problem& problem, const std::array<double, 6>& tensor, const Index<3>& cell) {
  const double per_cell = -problem.dt / std::pow(problem.h, 3);
  std::vector<Injection> all;
  for (int n = 0; n < 3; ++n) {
    if (const double m = tensor[static_cast<std::size_t>(n)]; m != 0) {
      all.push_back({static_cast<Component>(sxx + n), cell, per_cell * m});
    }
  }
  // Shear stress lies on the edges of a cell: a quarter on each of the four around its centre.
  constexpr std::array<std::array<std::size_t, 2>, 3> axes{{{0, 1}, {0, 2}, {1, 2}}};
  for (std::size_t n = 0; n < 3; ++n) {
    if (tensor[3 + n] == 0) continue;
    for (int corner = 0; corner < 4; ++corner) {
      Index<3> at = cell;
      at[axes[n][0]] -= corner & 1;
      at[axes[n][1]] -= corner >> 1;
      all.push_back({static_cast<Component>(sxy + static_cast<int>(n)), at, per_cell * tensor[3 + n] / 4});
    }
  }
  return all;
}

}  // namespace tenken::seismic
