// Block against what is known of elastic waves, one block whose halo the test fills.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "one_block.hpp"

using namespace tenken;
using namespace tenken::seismic;

namespace {

constexpr double pi = std::numbers::pi;

// Position of a component of a cell, in cells.
std::array<double, 3> position_of(int c, int i, int j, int k) {
  const auto half = [&](int d) {
    return c < sxx ? c == d : c >= sxy && (c == sxy ? d != 2 : c == sxz ? d != 1 : d != 0);
  };
  return {i + (half(0) ? 0.5 : 0), j + (half(1) ? 0.5 : 0), k + (half(2) ? 0.5 : 0)};
}

// A field of the whole problem: value(component, position in km, t).
using Exact = std::function<double(int, const std::array<double, 3>&, double)>;

template <class Real>
void fill(Block<Real>& block, const Exact& exact) {
  const Problem& p = block.problem();
  for (int c = 0; c < components; ++c) {
    Real* const f = block.field(static_cast<Component>(c));
    for_cells(block, [&](int i, int j, int k, std::int64_t at) {
      auto x = position_of(c, i, j, k);
      for (double& one : x) one *= p.h;
      f[at] = static_cast<Real>(exact(c, x, c < sxx ? -p.dt / 2 : 0));
    });
    for (int j = 0; j < block.layout().ny && !p.surface; ++j) {
      wrap(f + block.layout().at(0, j), block.view().dx, 0, block.layout().nx, block.layout().nz);
    }
  }
  if (p.surface) {
    for (int j = 0; j < block.layout().ny; ++j) block.above_stress({j, 0, block.layout().nx});
  }
  wrap_columns(block, 0, components);
}

// Relative L2 of velocities after so many steps.
double error_after(const Problem& p, const Exact& exact, int steps) {
  Block<double> block(p, {0, 0, 0}, p.cells, false, 1);
  fill(block, exact);
  for (int n = 0; n < steps; ++n) step(block, n);
  double off = 0, norm = 0;
  for (int c = 0; c < sxx; ++c) {
    const double* const f = block.field(static_cast<Component>(c));
    for_cells(block, [&](int i, int j, int k, std::int64_t at) {
      auto x = position_of(c, i, j, k);
      for (double& one : x) one *= p.h;
      const double expected = exact(c, x, (steps - 0.5) * p.dt);
      off += (f[at] - expected) * (f[at] - expected);
      norm += expected * expected;
    });
  }
  return std::sqrt(off / norm);
}

// v = d cos(k x - w t) in a homogeneous medium, P where d is along k, S where it is across.
Exact plane_wave(const Material& m, const std::array<double, 3>& k, bool p_wave) {
  const double length = std::sqrt(std::inner_product(k.begin(), k.end(), k.begin(), 0.0));
  std::array<double, 3> d;
  for (std::size_t n = 0; n < 3; ++n) d[n] = k[n] / length;
  if (!p_wave) d = {-d[1] / std::hypot(d[0], d[1]), d[0] / std::hypot(d[0], d[1]), 0};
  const double w = length * (p_wave ? m.vp : m.vs), mu = m.density * m.vs * m.vs;
  const double lambda = m.density * m.vp * m.vp - 2 * mu;
  const double dot = std::inner_product(k.begin(), k.end(), d.begin(), 0.0);
  return [=](int c, const std::array<double, 3>& x, double t) {
    const double wave = std::cos(k[0] * x[0] + k[1] * x[1] + k[2] * x[2] - w * t);
    if (c < sxx) return d[static_cast<std::size_t>(c)] * wave;
    constexpr std::array<std::array<std::size_t, 2>, 6> axes{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
    const auto [a, b] = axes[static_cast<std::size_t>(c - sxx)];
    return -((a == b ? lambda * dot : 0) + mu * (k[a] * d[b] + k[b] * d[a])) / w * wave;
  };
}

Problem box(int cells, double side) {
  Problem p;
  p.cells = {cells, cells, cells};
  p.periodic = true;
  p.surface = false;
  p.absorb = Absorb::none;
  p.h = side / cells;
  p.dt = 0.9 * longest_step(p);
  return p;
}

// A Rayleigh wave along x: potentials exp(-q z) and exp(-s z), free of stress at z = 0.
Exact rayleigh_wave(const Material& m, double k) {
  double slow = 0.5, fast = 1;  // c / vs: root of Rayleigh's function
  for (int n = 0; n < 60; ++n) {
    const double x = (slow + fast) / 2, ratio = m.vs / m.vp;
    const double f = std::pow(2 - x * x, 2) - 4 * std::sqrt(1 - x * x) * std::sqrt(1 - x * x * ratio * ratio);
    (f < 0 ? slow : fast) = x;
  }
  const double c = slow * m.vs, w = c * k;
  const double q = k * std::sqrt(1 - c * c / (m.vp * m.vp)), s = k * std::sqrt(1 - c * c / (m.vs * m.vs));
  const double b = 2 * k * q / (k * k + s * s), mu = m.density * m.vs * m.vs;
  const double lambda = m.density * m.vp * m.vp - 2 * mu;
  return [=](int component, const std::array<double, 3>& x, double t) {
    const double phase = k * x[0] - w * t, sine = std::sin(phase), cosine = std::cos(phase);
    const double p = std::exp(-q * x[2]), z = b * std::exp(-s * x[2]);
    const double uxx = (-k * p + s * z) * k * cosine, uzz = (q * q * p - s * k * z) * cosine;
    switch (component) {
      case vx:
        return -w * (-k * p + s * z) * cosine;
      case vz:
        return w * (-q * p + k * z) * sine;
      case sxx:
        return lambda * (uxx + uzz) + 2 * mu * uxx;
      case syy:
        return lambda * (uxx + uzz);
      case szz:
        return lambda * (uxx + uzz) + 2 * mu * uzz;
      case sxz:
        return mu * (2 * k * q * p - (k * k + s * s) * z) * sine;
      default:
        return 0.0;
    }
  };
}

}  // namespace

TEST_CASE("plane waves: order 4 in space, order 2 in time") {
  constexpr double side = 10;
  for (const bool p_wave : {true, false}) {
    const Exact exact = plane_wave(Material{}, {2 * pi / side, 4 * pi / side, 2 * pi / side}, p_wave);
    std::array<double, 2> error{};
    for (const int fine : {0, 1}) {
      Problem p = box(32 << fine, side);
      p.dt = 0.2 * longest_step(box(32, side)) / (fine == 0 ? 1 : 4);  // dt as h^2
      error[static_cast<std::size_t>(fine)] = error_after(p, exact, fine == 0 ? 20 : 80);
    }
    const double order = std::log2(error[0] / error[1]);
    CAPTURE(order);
    CHECK(order > 3.8);
    CHECK(order < 4.1);
  }
  const Exact exact = plane_wave(Material{}, {2 * pi / side, 0, 0}, true);
  Problem p = box(64, side);
  p.cells = {64, 4, 16};
  const double coarse = error_after(p, exact, 40);
  p.dt /= 2;
  const double order = std::log2(coarse / error_after(p, exact, 80));
  CAPTURE(order);
  CHECK(order > 1.9);
  CHECK(order < 2.1);
}

TEST_CASE("a Rayleigh wave goes along the free surface") {
  std::array<double, 2> error{};
  for (const int fine : {0, 1}) {
    Problem p = box(16 << fine, 10);
    p.cells = {16 << fine, 4, 48 << fine};
    p.surface = true;
    p.dt = 0.5 * longest_step(p);
    const double k = 2 * pi / 10;
    const int steps = static_cast<int>(std::lround(2 * pi / (0.92 * p.material.vs * k) / p.dt));  // about a period
    error[static_cast<std::size_t>(fine)] = error_after(p, rayleigh_wave(p.material, k), steps);
  }
  CAPTURE(error[0]);
  CAPTURE(error[1]);
  CHECK(error[1] < 0.02);
  CHECK(error[0] / error[1] > 3);
}

TEST_CASE("discrete energy stays") {
  Problem p = box(32, 3.2);
  p.contrast = 0.3;
  p.dt = 0.9 * longest_step(p);
  Block<float> block(p, {0, 0, 0}, p.cells, false, 1);
  fill(block, [](int c, const std::array<double, 3>& x, double) {
    return c < sxx ? std::sin(pi / 0.8 * (x[0] + 0.5 * c)) * std::cos(pi / 1.6 * x[1]) * std::sin(pi / 0.8 * x[2]) : 0;
  });
  const View<float>& w = block.view();
  std::vector<float> before(static_cast<std::size_t>(stresses * block.layout().size()));
  std::array<double, 2> energy{};
  constexpr int steps = 1000;
  for (int n = 0; n < steps; ++n) {
    const bool first = n == 20, last = n == steps - 1;
    if (first || last) std::copy(w.s[0], w.s[0] + before.size(), before.begin());
    step(block, n);
    if (!first && !last) continue;
    // Kinetic at n + 1/2; of stress the product of n and n + 1. In units of h / dt.
    double sum = 0;
    const auto old = [&](std::size_t c, std::int64_t at) {
      return static_cast<double>(
          before[c * static_cast<std::size_t>(block.layout().size()) + static_cast<std::size_t>(at)]);
    };
    for_cells(block, [&](int, int, int, std::int64_t at) {
      const std::array<std::ptrdiff_t, 3> next{w.dx, w.dy, 1};
      for (std::size_t c = 0; c < 3; ++c) {
        const double v = w.v[c][at];
        sum += v * v * (w.density[at] + w.density[at + next[c]]) / 2;
      }
      const double twice = 0.5 / w.compliance[at], lambda = w.lambda[at];
      const double trace = static_cast<double>(w.s[0][at]) + w.s[1][at] + w.s[2][at];
      for (std::size_t c = 0; c < 3; ++c) {
        sum += old(c, at) * (w.s[c][at] - lambda / (3 * lambda + twice) * trace) / twice / 2;
        const std::ptrdiff_t a = c < 2 ? w.dx : w.dy, b = c == 0 ? w.dy : 1;
        const double mean = w.compliance[at] + w.compliance[at + a] + w.compliance[at + b] + w.compliance[at + a + b];
        sum += old(3 + c, at) * w.s[3 + c][at] * mean / 2;
      }
    });
    energy[last ? 1 : 0] = sum;
  }
  CAPTURE(energy[0]);
  CHECK(energy[0] > 0);
  CHECK(std::abs(energy[1] / energy[0] - 1) < 1e-4);
}

TEST_CASE("force and receiver can change places") {
  Problem p;
  p.cells = {24, 26, 32};
  p.surface = false;
  p.absorb = Absorb::none;
  p.contrast = 0.3;
  p.pulse.duration = 0.3;
  p.dt = 0.9 * longest_step(p);
  const Index<3> a{8, 9, 10}, b{15, 17, 20};
  const auto trace = [&](int axis, const Index<3>& from, Component c, const Index<3>& to) {
    Problem one = p;
    one.sources = force(one, axis, from, 1);
    one.receivers = {{c, to}};
    Block<float> block(one, {0, 0, 0}, one.cells, false, 1);
    constexpr int steps = 120;
    block.record(steps);
    for (int n = 0; n < steps; ++n) step(block, n);
    return block.traces()[0].values;
  };
  const auto there = trace(0, a, vz, b), back = trace(2, b, vx, a);
  double most = 0, off = 0;
  for (std::size_t n = 0; n < there.size(); ++n) {
    most = std::max<double>(most, std::abs(there[n]));
    off = std::max<double>(off, std::abs(there[n] - back[n]));
  }
  CHECK(most > 0);
  CHECK(off < 1e-5 * most);
}

TEST_CASE("Q is that asked for, by spectral ratio of a plane wave") {
  for (const bool p_wave : {true, false}) {
    Problem p;
    p.cells = {4, 4, 768};
    p.periodic = true;
    p.surface = false;
    p.absorb = Absorb::none;
    p.quality = {40, 25};
    const double v = p_wave ? p.material.vp : p.material.vs;
    p.pulse.duration = 30 * p.h / v;
    p.dt = 0.9 * longest_step(p);
    const std::array<int, 2> at{160, 280};
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 4; ++i) {
        for (const Injection& one : force(p, p_wave ? 2 : 0, {i, j, 60}, 1)) p.sources.push_back(one);
      }
    }
    for (const int k : at) p.receivers.push_back({p_wave ? vz : vx, {1, 1, k}});
    Block<float> block(p, {0, 0, 0}, p.cells, false, 1);
    // The wave that starts the other way comes round last.
    const int steps = static_cast<int>((300 * p.h / v + p.pulse.duration) / p.dt);
    block.record(steps);
    for (int n = 0; n < steps; ++n) step(block, n);
    for (const double factor : {0.5, 1.0, 1.8}) {
      const double w = factor * p.middle();
      std::array<double, 2> size{};
      for (std::size_t r = 0; r < 2; ++r) {
        std::complex<double> sum = 0;
        for (int n = 0; n < steps; ++n) {
          sum += static_cast<double>(block.traces()[r].values[static_cast<std::size_t>(n)]) *
                 std::polar(1.0, -w * n * p.dt);
        }
        size[r] = std::abs(sum);
      }
      const double distance = (at[1] - at[0]) * p.h;
      const double quality = w * distance / (2 * v * std::log(size[0] / size[1]));
      const double expected = p_wave ? p.quality.p : p.quality.s;
      CAPTURE(factor);
      CAPTURE(quality);
      CHECK(std::abs(quality / expected - 1) < 0.05);
    }
  }
}
