// Elastic waves as velocity and stress on a staggered grid, 4th order in space, 2nd in time (J. Virieux, Geophysics 51,
// 1986, 889; R. W. Graves, Bull. Seism. Soc. Am. 86, 1996, 1091):
//
//   rho dv_i/dt = sum_j D_j s_ij,      ds_ij/dt = lambda d_ij sum_k D_k v_k + mu (D_i v_j + D_j v_i),
//   D f = 9/8 (f[1/2] - f[-1/2]) - 1/24 (f[3/2] - f[-3/2]), per cell.
//
// Units of the arrays: v as it is, s as it is; `density` holds h rho / (2 dt), `lambda` dt lambda / h and `compliance`
// h / (4 dt mu), so that a mean of densities is a sum of two and a harmonic mean of shear moduli 1 / (sum of four).
// Beyond the cells of a column lie values of infinite density and no modulus, which nothing moves.
//
// Absorbing layers (CFS-PML; D. Komatitsch, R. Martin, Geophysics 72, 2007, SM155): D becomes D / kappa + psi, where
// psi <- b psi + a D, in the slab of one direction only of derivatives along it.
//
// Viscoelastic (generalised Zener body; J. O. A. Robertsson and others, Geophysics 59, 1994, 1444): the stress s gains
// the mean of memory r before and after its step r <- c1 r - c2 q, where q is the step of s with moduli weakened to
// phi_p (lambda + 2 mu) and phi_s mu.
//
// All functions work on the columns i0 <= i < i1 of one row, from value k0 to k1, multiples of `unit`. No threads.
#pragma once
#include <cstddef>

#include "fetch_ahead.hpp"
#include "simd/vec.hpp"
#include "view.hpp"

namespace tenken::seismic {

// Derivatives in the order in which they are stored. Of stress for velocity, of velocity for stress.
enum Slope { x_of_x, y_of_x, z_of_x, x_of_y, y_of_y, z_of_y, x_of_z, y_of_z, z_of_z };

namespace detail {

template <class Real>
using Lane = Vec<Real, native_width<Real>>;

// D half a step further than f, and half a step before.
template <class Real>
TENKEN_INLINE Lane<Real> up(const View<Real>& view, const Real* f, std::ptrdiff_t d) {
  using V = Lane<Real>;
  return view.near * (load<V>(f + d) - load<V>(f)) + view.far * (load<V>(f + 2 * d) - load<V>(f - d));
}
template <class Real>
TENKEN_INLINE Lane<Real> down(const View<Real>& view, const Real* f, std::ptrdiff_t d) {
  return up(view, f - d, d);
}

// Where derivatives come from: made in place, or read from arrays.
struct Made {
  static constexpr bool prefetches = true;
  template <class Real>
  TENKEN_INLINE static Lane<Real> of_stress(const View<Real>& w, Slope which, std::ptrdiff_t at) {
    switch (which) {
      case x_of_x:
        return up(w, w.s[0] + at, w.dx);
      case y_of_x:
        return down(w, w.s[3] + at, w.dy);
      case z_of_x:
        return down(w, w.s[4] + at, 1);
      case x_of_y:
        return down(w, w.s[3] + at, w.dx);
      case y_of_y:
        return up(w, w.s[1] + at, w.dy);
      case z_of_y:
        return down(w, w.s[5] + at, 1);
      case x_of_z:
        return down(w, w.s[4] + at, w.dx);
      case y_of_z:
        return down(w, w.s[5] + at, w.dy);
      default:
        return up(w, w.s[2] + at, 1);
    }
  }
  template <class Real>
  TENKEN_INLINE static Lane<Real> of_velocity(const View<Real>& w, Slope which, std::ptrdiff_t at) {
    const Real* const f = w.v[which / 3] + at;
    const int axis = which % 3;
    const std::ptrdiff_t d = axis == 0 ? w.dx : axis == 1 ? w.dy : 1;
    return axis == which / 3 ? down(w, f, d) : up(w, f, d);
  }
};
struct Stored {
  static constexpr bool prefetches = false;
  template <class Real>
  TENKEN_INLINE static Lane<Real> of_stress(const View<Real>& w, Slope which, std::ptrdiff_t at) {
    return load<Lane<Real>>(w.slope[which] + at);
  }
  template <class Real>
  TENKEN_INLINE static Lane<Real> of_velocity(const View<Real>& w, Slope which, std::ptrdiff_t at) {
    return of_stress(w, which, at);
  }
};

// D as the layer leaves it; renews psi.
template <class V, class Share, class Real>
TENKEN_INLINE V damped(const V& d, const Share& share, const Share& a, const Share& b, Real* psi) {
  const V next = b * load<V>(psi) + a * d;
  store(next, psi);
  return share * d + next;
}
template <class Real>
TENKEN_INLINE Lane<Real> damped_z(const Lane<Real>& d, const typename Layers<Real>::Along& along, std::ptrdiff_t k,
                                  Real* psi) {
  using V = Lane<Real>;
  return damped(d, load<V>(along.share + k), load<V>(along.a + k), load<V>(along.b + k), psi);
}
template <class Real>
TENKEN_INLINE Lane<Real> damped(const Lane<Real>& d, const Damping<Real>& at, Real* psi) {
  return damped(d, at.share, at.a, at.b, psi);
}

constexpr bool begins_line(int k, std::size_t bytes) { return k * bytes % 64 == 0; }
template <class Real>
TENKEN_INLINE void add(Real* f, const Lane<Real>& step) {
  store(load<Lane<Real>>(f) + step, f);
}

}  // namespace detail

using detail::Made, detail::Stored;

// v of a row from the stress around it. In which directions it lies in a layer: X, Y, Z.
template <class From, bool X, bool Y, bool Z, class Real>
[[gnu::noinline]] void update_velocity(const View<Real>& w, const Layers<Real>& layers, std::ptrdiff_t row, int i0,
                                       int i1, int k0, int k1) {
  using V = detail::Lane<Real>;
  const V one = V{} + Real(1);
  const detail::Ahead ahead(w, i0, i1, k1 - k0);
  for (int i = i0; i < i1; ++i) {
    for (int k = k0; k < k1; k += native_width<Real>) {
      const std::ptrdiff_t at = row + i * w.dx + k;
      if (From::prefetches && detail::begins_line(k, sizeof(Real))) {
        detail::fetch_for_velocity<Z>(w, at + ahead.from(i));
        detail::fetch_psi<X, Y, Z>(layers, ahead, i - i0, k);
      }
      V d[9];
      TENKEN_UNROLL
      for (int n = 0; n < 8; ++n) d[n] = From::of_stress(w, static_cast<Slope>(n), at);
      d[8] = From::of_stress(w, z_of_z, at);
      if constexpr (X) {
        const std::ptrdiff_t to = among((i - i0) * layers.x_step + k, 3);
        d[x_of_x] = detail::damped<Real>(d[x_of_x], layers.at_half_x[i], layers.x + to);
        d[x_of_y] = detail::damped<Real>(d[x_of_y], layers.at_cell_x[i], layers.x + to + unit);
        d[x_of_z] = detail::damped<Real>(d[x_of_z], layers.at_cell_x[i], layers.x + to + 2 * unit);
      }
      if constexpr (Y) {
        const std::ptrdiff_t to = among((i - i0) * layers.y_step + k, 3);
        d[y_of_x] = detail::damped<Real>(d[y_of_x], layers.at_cell_y, layers.y + to);
        d[y_of_y] = detail::damped<Real>(d[y_of_y], layers.at_half_y, layers.y + to + unit);
        d[y_of_z] = detail::damped<Real>(d[y_of_z], layers.at_cell_y, layers.y + to + 2 * unit);
      }
      if constexpr (Z) {
        const std::ptrdiff_t to = among((i - i0) * layers.z_step + k, 3);
        d[z_of_x] = detail::damped_z<Real>(d[z_of_x], layers.at_cell_z, k, layers.z + to);
        d[z_of_y] = detail::damped_z<Real>(d[z_of_y], layers.at_cell_z, k, layers.z + to + unit);
        d[z_of_z] = detail::damped_z<Real>(d[z_of_z], layers.at_half_z, k, layers.z + to + 2 * unit);
      }
      const Real* const rho = w.density + at;
      const V here = load<V>(rho);
      detail::add(w.v[0] + at, (d[0] + d[1] + d[2]) * (one / (here + load<V>(rho + w.dx))));
      detail::add(w.v[1] + at, (d[3] + d[4] + d[5]) * (one / (here + load<V>(rho + w.dy))));
      detail::add(w.v[2] + at, (d[6] + d[7] + d[8]) * (one / (here + load<V>(rho + 1))));
    }
  }
}

namespace detail {

// A component of stress gains its step, and what its memory gives where there is one.
template <bool Viscous, class Real, class Weakened>
TENKEN_INLINE void add_stress(const View<Real>& w, int component, std::ptrdiff_t at, const Lane<Real>& step,
                              const Weakened& weakened) {
  using V = Lane<Real>;
  V sum = step;
  if constexpr (Viscous) {
    const V weak = weakened();
    V relaxed{};
    TENKEN_UNROLL
    for (int m = 0; m < mechanisms; ++m) {
      const auto n = static_cast<std::size_t>(m);
      Real* const memory = w.memory + among(at, mechanisms * stresses) + (component * mechanisms + m) * unit;
      const V before = load<V>(memory);
      const V after = w.c1[n] * before - w.c2[n] * weak;
      store(after, memory);
      relaxed = relaxed + (before + after);
    }
    sum = sum + Real(0.5) * relaxed;
  }
  add(w.s[static_cast<std::size_t>(component)] + at, sum);
}

}  // namespace detail

// Stress of a row from the velocities around it.
template <class From, bool Viscous, bool X, bool Y, bool Z, class Real>
[[gnu::noinline]] void update_stress(const View<Real>& w, const Layers<Real>& layers, std::ptrdiff_t row, int i0,
                                     int i1, int k0, int k1) {
  using V = detail::Lane<Real>;
  const V one = V{} + Real(1);
  const detail::Ahead ahead(w, i0, i1, k1 - k0);
  for (int i = i0; i < i1; ++i) {
    for (int k = k0; k < k1; k += native_width<Real>) {
      const std::ptrdiff_t at = row + i * w.dx + k;
      if (From::prefetches && detail::begins_line(k, sizeof(Real))) {
        detail::fetch_for_stress<Z>(w, at + ahead.from(i));
        detail::fetch_psi<X, Y, Z>(layers, ahead, i - i0, k);
        if constexpr (Viscous) {
          detail::fetch_together(w.memory, at + ahead.together(w.dx), mechanisms * stresses);
        }
      }
      V d[9];
      TENKEN_UNROLL
      for (int n = 0; n < 8; ++n) d[n] = From::of_velocity(w, static_cast<Slope>(n), at);
      d[8] = From::of_velocity(w, z_of_z, at);
      if constexpr (X) {
        const std::ptrdiff_t to = among((i - i0) * layers.x_step + k, 3);
        d[x_of_x] = detail::damped<Real>(d[x_of_x], layers.at_cell_x[i], layers.x + to);
        d[x_of_y] = detail::damped<Real>(d[x_of_y], layers.at_half_x[i], layers.x + to + unit);
        d[x_of_z] = detail::damped<Real>(d[x_of_z], layers.at_half_x[i], layers.x + to + 2 * unit);
      }
      if constexpr (Y) {
        const std::ptrdiff_t to = among((i - i0) * layers.y_step + k, 3);
        d[y_of_x] = detail::damped<Real>(d[y_of_x], layers.at_half_y, layers.y + to);
        d[y_of_y] = detail::damped<Real>(d[y_of_y], layers.at_cell_y, layers.y + to + unit);
        d[y_of_z] = detail::damped<Real>(d[y_of_z], layers.at_half_y, layers.y + to + 2 * unit);
      }
      if constexpr (Z) {
        const std::ptrdiff_t to = among((i - i0) * layers.z_step + k, 3);
        d[z_of_x] = detail::damped_z<Real>(d[z_of_x], layers.at_half_z, k, layers.z + to);
        d[z_of_y] = detail::damped_z<Real>(d[z_of_y], layers.at_half_z, k, layers.z + to + unit);
        d[z_of_z] = detail::damped_z<Real>(d[z_of_z], layers.at_cell_z, k, layers.z + to + 2 * unit);
      }
      const Real* const c = w.compliance + at;
      const V here = load<V>(c), cx = load<V>(c + w.dx), cy = load<V>(c + w.dy), cz = load<V>(c + 1);
      const V xy = one / ((here + cx) + (cy + load<V>(c + w.dx + w.dy)));
      const V xz = one / ((here + cx) + (cz + load<V>(c + w.dx + 1)));
      const V yz = one / ((here + cy) + (cz + load<V>(c + w.dy + 1)));
      const V twice = Real(0.5) * (one / here);  // 2 mu
      const V lambda = load<V>(w.lambda + at);
      const V trace = d[x_of_x] + d[y_of_y] + d[z_of_z];
      const V pressure = lambda * trace;
      const V shear[3] = {(d[y_of_x] + d[x_of_y]) * xy, (d[z_of_x] + d[x_of_z]) * xz, (d[z_of_y] + d[y_of_z]) * yz};
      V weak{}, shift{};
      if constexpr (Viscous) {
        weak = w.phi_p * (lambda + twice) * trace;
        shift = w.phi_s * twice;
      }
      TENKEN_UNROLL
      for (int n = 0; n < 3; ++n) {
        const V own = d[4 * n];
        detail::add_stress<Viscous>(w, n, at, pressure + twice * own, [&] { return weak - shift * (trace - own); });
      }
      TENKEN_UNROLL
      for (int n = 0; n < 3; ++n) {
        detail::add_stress<Viscous>(w, 3 + n, at, shear[n], [&] { return w.phi_s * shear[n]; });
      }
    }
  }
}

// Free surface at k = 0, through the centres of cells: what lies above it in a column, so that the update there needs
// no separate form. Velocities: extrapolated by a parabola, which makes D along z the 2nd-order difference there; the
// second vz such that szz stays 0, D_z v_z = -lambda / (lambda + 2 mu) (D_x v_x + D_y v_y). Stress: odd about the
// surface.
template <class Real>
void velocity_above(const View<Real>& w, std::ptrdiff_t row, int i0, int i1) {
  const auto down = [&w](const Real* f, std::ptrdiff_t d) {
    return w.near * (f[0] - f[-d]) + w.far * (f[d] - f[-2 * d]);
  };
  for (int i = i0; i < i1; ++i) {
    const std::ptrdiff_t at = row + i * w.dx;
    for (Real* const f : {w.v[0] + at, w.v[1] + at, w.v[2] + at}) f[-1] = 3 * (f[0] - f[1]) + f[2];
    const Real sum = down(w.v[0] + at, w.dx) + down(w.v[1] + at, w.dy);
    const Real twice = Real(0.5) / w.compliance[at], lambda = w.lambda[at];
    const Real slope = -lambda / (lambda + twice) * sum;
    Real* const f = w.v[2] + at;
    f[-2] = f[1] - (slope - w.near * (f[0] - f[-1])) / w.far;
  }
}
template <class Real>
void stress_above(const View<Real>& w, std::ptrdiff_t row, int i0, int i1) {
  for (int i = i0; i < i1; ++i) {
    const std::ptrdiff_t at = row + i * w.dx;
    w.s[2][at] = 0;
    w.s[2][at - 1] = -w.s[2][at + 1];
    for (Real* const f : {w.s[4] + at, w.s[5] + at}) {
      f[-1] = -f[0];
      f[-2] = -f[1];
    }
  }
}

// Columns without ends, of n values: those beyond an end are those at the other.
template <class Real>
void wrap(Real* f, std::ptrdiff_t dx, int i0, int i1, int n) {
  for (int i = i0; i < i1; ++i) {
    Real* const at = f + i * dx;
    at[-2] = at[n - 2];
    at[-1] = at[n - 1];
    at[n] = at[0];
    at[n + 1] = at[1];
  }
}

// Sponge (C. Cerjan and others, Geophysics 50, 1985, 705): a field times factors of its column and of k.
template <class Real>
void taper(Real* f, std::ptrdiff_t dx, int i0, int i1, const Real* by_column, Real of_row, const Real* by_value, int k0,
           int k1) {
  using V = detail::Lane<Real>;
  for (int i = i0; i < i1; ++i) {
    Real* const at = f + i * dx;
    const Real factor = by_column[i] * of_row;
    for (int k = k0; k < k1; k += native_width<Real>) store(load<V>(at + k) * (factor * load<V>(by_value + k)), at + k);
  }
}

}  // namespace tenken::seismic
