// Plain twin: one point after another in double precision, physical units, derivatives chosen by where a field lies.
// For a whole problem on one rank. `Array` may count which elements are read and written.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "problem.hpp"

namespace tenken::seismic {

template <class Array>
class Plain {
 public:
  // damping(axis, position): {1 / kappa, a, b} of an absorbing layer, position from the first cell; sponge(axis, cell).
  template <class DampingAt, class SpongeAt>
  Plain(const Problem& p, const DampingAt& damping, const SpongeAt& sponge) : p_(p) {
    for (int c = 0; c < components; ++c) fields_.emplace_back(points(), 0.0);
    for (int n = 0; n < 3; ++n) material_.emplace_back(points(), 0.0);
    for (int n = 0; n < 18; ++n) psi_.emplace_back(points(), 0.0);
    for (int n = 0; n < (p.quality.elastic() ? 0 : mechanisms_ * 6); ++n) memory_.emplace_back(points(), 0.0);
    for (std::size_t d = 0; d < 3; ++d) {
      for (int at = 0; at < 2 * p.cells[d]; ++at) damping_[d].push_back(damping(d, at / 2.0));
      for (int at = 0; at < p.cells[d]; ++at) sponge_[d].push_back(sponge(d, at));
    }
    if (!p.quality.elastic()) relaxation_ = relaxation_of(p.quality, p.middle());
    for_all([&](const Index<3>& at) {
      const Material m = p.at(at);
      const double mu = m.density * m.vs * m.vs * relaxation_.stiffer_s;
      material_[0][number(at)] = m.density;
      material_[1][number(at)] = m.density * m.vp * m.vp * relaxation_.stiffer_p - 2 * mu;
      material_[2][number(at)] = mu;
    });
  }

  Array& field(int c) { return fields_[static_cast<std::size_t>(c)]; }
  Array& material(int n) { return material_[static_cast<std::size_t>(n)]; }
  std::size_t number(const Index<3>& at) const { return static_cast<std::size_t>(position(at, p_.cells)); }
  std::size_t points() const { return static_cast<std::size_t>(product(p_.cells)); }

  void step(std::int64_t n) {
    velocity(n);
    stress(n);
  }

  void velocity(std::int64_t n) {
    for_all([&](const Index<3>& at) {
      for (int axis = 0; axis < 3; ++axis) {
        const double density = (rho(at, -1) + rho(at, axis)) / 2;
        if (end(at, axis)) continue;
        double sum = 0;
        for (int d = 0; d < 3; ++d) sum += damped(stress_of(axis, d), d, at, 3 * axis + d, position_of(axis, d));
        fields_[static_cast<std::size_t>(axis)][number(at)] += p_.dt / density * sum;
      }
    });
    finish(vx, sxx);
    inject(static_cast<double>(n) * p_.dt, true);
  }

  void stress(std::int64_t n) {
    for_all([&](const Index<3>& at) {
      std::array<std::array<double, 3>, 3> slope;  // of velocity, along
      for (int c = 0; c < 3; ++c) {
        for (int d = 0; d < 3; ++d) slope[i(c)][i(d)] = damped(c, d, at, 9 + 3 * c + d, d != c);
      }
      const double lambda = material_[1][number(at)], mu = material_[2][number(at)];
      const double trace = slope[0][0] + slope[1][1] + slope[2][2];
      for (int c = 0; c < 3; ++c) {
        const double weak =
            relaxation_.phi_p * (lambda + 2 * mu) * trace - relaxation_.phi_s * 2 * mu * (trace - slope[i(c)][i(c)]);
        gain(sxx + c, at, lambda * trace + 2 * mu * slope[i(c)][i(c)], weak);
      }
      for (int c = 0; c < 3; ++c) {
        const int a = c < 2 ? 0 : 1, b = c == 0 ? 1 : 2;
        if (a == 2 || (b == 2 && end(at, 2))) continue;
        const double mean =
            4 / (1 / shear(at, -1, -1) + 1 / shear(at, a, -1) + 1 / shear(at, b, -1) + 1 / shear(at, a, b));
        const double rate = mean * (slope[i(a)][i(b)] + slope[i(b)][i(a)]);
        gain(sxy + c, at, rate, relaxation_.phi_s * rate);
      }
    });
    finish(sxx, components);
    if (surface()) {
      for_all([&](const Index<3>& at) {
        if (at[2] == 0) fields_[szz][number(at)] = 0;
      });
    }
    inject((static_cast<double>(n) + 0.5) * p_.dt, false);
  }

 private:
  static constexpr int mechanisms_ = 3;
  static std::size_t i(int n) { return static_cast<std::size_t>(n); }
  bool surface() const { return p_.surface; }
  bool turns(std::size_t d) const { return p_.periodic && !(d == 2 && p_.surface); }
  // The face between the last cell along z and nothing stands still.
  bool end(const Index<3>& at, int axis) const { return axis == 2 && !turns(2) && at[2] + 1 == p_.cells[2]; }

  static int stress_of(int a, int b) {
    if (a == b) return sxx + a;
    return a + b == 1 ? sxy : a + b == 2 ? sxz : syz;
  }
  // Whether a velocity lies half a cell further along d.
  static bool position_of(int axis, int d) { return axis == d; }
  static bool half(int c, int d) {
    if (c < sxx) return c == d;
    if (c < sxy) return false;
    return c == sxy ? d != 2 : c == sxz ? d != 1 : d != 0;
  }

  template <class Use>
  void for_all(const Use& use) const {
    for (int z = 0; z < p_.cells[2]; ++z) {
      for (int y = 0; y < p_.cells[1]; ++y) {
        for (int x = 0; x < p_.cells[0]; ++x) use(Index<3>{x, y, z});
      }
    }
  }

  Index<3> moved(Index<3> at, int axis, int by) const {
    if (axis >= 0) at[i(axis)] += by;
    return at;
  }
  // Beyond the box: the other end, or the same material.
  Index<3> inside(Index<3> at) const {
    for (std::size_t d = 0; d < 3; ++d) {
      at[d] = turns(d) ? (at[d] + p_.cells[d]) % p_.cells[d] : std::min(std::max(at[d], 0), p_.cells[d] - 1);
    }
    return at;
  }
  double rho(const Index<3>& at, int axis) { return material_[0][number(inside(moved(at, axis, 1)))]; }
  double shear(const Index<3>& at, int a, int b) { return material_[2][number(inside(moved(moved(at, a, 1), b, 1)))]; }

  // Value of a field; beyond an end 0, above a free surface what is odd about it.
  double value(int c, Index<3> at) {
    for (std::size_t d = 0; d < 3; ++d) {
      if (turns(d)) {
        at[d] = (at[d] + p_.cells[d]) % p_.cells[d];
      } else if (at[d] < 0 && d == 2 && surface() && (c == szz || c == sxz || c == syz)) {
        Index<3> image = at;
        image[2] = c == szz ? -at[2] : -1 - at[2];
        return -value(c, image);
      } else if (at[d] < 0 || at[d] >= p_.cells[d]) {
        return 0;
      }
    }
    return fields_[i(c)][number(at)];
  }

  double difference(int c, int d, const Index<3>& at) {
    const int first = half(c, d) ? -1 : 0;  // index of the nearer value before the point
    const auto f = [&](int by) { return value(c, moved(at, d, first + by)); };
    if (surface() && d == 2 && c < sxx) {
      if (c == vz && at[2] == 0) {
        const double lambda = material_[1][number(at)], mu = material_[2][number(at)];
        return -lambda / (lambda + 2 * mu) * (difference(vx, 0, at) + difference(vy, 1, at));
      }
      if (at[2] == (c == vz ? 1 : 0)) return (f(1) - f(0)) / p_.h;
    }
    return (27 * (f(1) - f(0)) - (f(2) - f(-1))) / (24 * p_.h);
  }

  double damped(int c, int d, const Index<3>& at, int which, bool at_half) {
    const double slope = difference(c, d, at);
    const auto& layer = damping_[i(d)][i(2 * at[i(d)] + (at_half ? 1 : 0))];
    if (layer[1] == 0 && layer[0] == 1) return slope;
    const double next = layer[2] * psi_[i(which)][number(at)] + layer[1] * slope;
    psi_[i(which)][number(at)] = next;
    return layer[0] * slope + next;
  }

  void gain(int c, const Index<3>& at, double rate, double weak) {
    double step = p_.dt * rate;
    for (int m = 0; m < mechanisms_ && !memory_.empty(); ++m) {
      auto&& memory = memory_[i(m * 6 + c - sxx)];
      const double before = memory[number(at)], x = p_.dt / (2 * relaxation_.tau[i(m)]);
      const double after = ((1 - x) * before - 2 * x * p_.dt * relaxation_.weight[i(m)] * weak) / (1 + x);
      memory[number(at)] = after;
      step += (before + after) / 2;
    }
    fields_[i(c)][number(at)] += step;
  }

  void finish(int first, int last) {
    if (p_.absorb != Absorb::sponge) return;
    for (int c = first; c < last; ++c) {
      for_all([&](const Index<3>& at) {
        fields_[i(c)][number(at)] *= sponge_[0][i(at[0])] * sponge_[1][i(at[1])] * sponge_[2][i(at[2])];
      });
    }
  }

  void inject(double t, bool velocity) {
    for (const Injection& s : p_.sources) {
      if ((s.component < sxx) == velocity) fields_[i(s.component)][number(s.cell)] += s.amplitude * p_.pulse(t);
    }
  }

  Problem p_;
  Relaxation relaxation_;
  std::vector<Array> fields_, material_, psi_, memory_;
  std::array<std::vector<std::array<double, 3>>, 3> damping_;
  std::array<std::vector<double>, 3> sponge_;
};

}  // namespace tenken::seismic
