#include "nonlocal.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "simd/vec.hpp"

namespace tenken::tddft {

namespace {

// Channels whose sums stay in registers: two of l = 0 and three of l = 1; of a current with four sums a channel, those
// that 16 registers keep, or all where a vector of 64 bytes comes with 32.
constexpr int most_at_once = 5;
template <int width>
constexpr int most_of_current = width == 8 ? most_at_once : 3;

// f(first channel, how many) in groups of `most` at most; how many: an integral_constant.
template <int most, class F>
TENKEN_INLINE void in_groups(int channels, F f) {
  for (int first = 0; first < channels; first += most) {
    switch (std::min(channels - first, most)) {
      case 5:
        if constexpr (most >= 5) f(first, std::integral_constant<int, 5>{});
        break;
      case 4:
        if constexpr (most >= 4) f(first, std::integral_constant<int, 4>{});
        break;
      case 3:
        f(first, std::integral_constant<int, 3>{});
        break;
      case 2:
        f(first, std::integral_constant<int, 2>{});
        break;
      default:
        f(first, std::integral_constant<int, 1>{});
    }
  }
}

template <int width>
TENKEN_INLINE Vec<double, width> filled(double x) {
  return x - Vec<double, width>{};
}

// (-1, 1, -1, 1, ...): i (x + iy) is this times (y, x).
template <int width>
TENKEN_INLINE Vec<double, width> turning() {
  Vec<double, width> sign{};
  for (int i = 0; i < width; ++i) sign[i] = i % 2 == 0 ? -1 : 1;
  return sign;
}

template <int width>
TENKEN_INLINE Vec<double, width> times(std::complex<double> c, const Vec<double, width>& v) {
  return c.real() * v + (c.imag() * turning<width>()) * swap_lanes<1, width>(v);
}

// sums[c] = sum_i value[i][first + c] ph_i u_i
template <int width, int count>
void project(const Projectors::Atom& atom, int first, const std::complex<double>* phase, const double* in,
             Vec<double, width>* sums) {
  using V = Vec<double, width>;
  V sum[count] = {};
  const double* value = atom.value.data() + first;
  for (std::size_t i = 0; i < atom.place.size(); ++i, value += atom.channels()) {
    const V turned = times<width>(phase[i], load<V>(in + std::ptrdiff_t{atom.place[i]} * width));
    TENKEN_UNROLL
    for (int c = 0; c < count; ++c) sum[c] += value[c] * turned;
  }
  for (int c = 0; c < count; ++c) sums[c] = sum[c];
}

// to_i += conj(ph_i) sum_c value[i][first + c] amplitude[c]
template <int width, int count>
void spread(const Projectors::Atom& atom, int first, const std::complex<double>* phase,
            const Vec<double, width>* amplitudes, double* to) {
  using V = Vec<double, width>;
  V amplitude[count];
  for (int c = 0; c < count; ++c) amplitude[c] = amplitudes[c];
  const double* value = atom.value.data() + first;
  for (std::size_t i = 0; i < atom.place.size(); ++i, value += atom.channels()) {
    V sum = filled<width>(value[0]) * amplitude[0];
    TENKEN_UNROLL
    for (int c = 1; c < count; ++c) sum += value[c] * amplitude[c];
    double* const there = to + std::ptrdiff_t{atom.place[i]} * width;
    store(V(load<V>(there) + times<width>(std::conj(phase[i]), sum)), there);
  }
}

template <int width, int count>
void add_channels(const Projectors::Atom& atom, int first, const std::complex<double>* phase,
                  std::complex<double> factor, const double* in, double* to) {
  Vec<double, width> sums[count];
  project<width, count>(atom, first, phase, in, sums);
  for (int c = 0; c < count; ++c) {
    sums[c] = times<width>(factor * atom.strength[static_cast<std::size_t>(first + c)], sums[c]);
  }
  spread<width, count>(atom, first, phase, sums, to);
}

template <int width>
void add(const Projectors& projectors, const Phases& phases, std::complex<double> factor, const double* in,
         double* to) {
  factor *= projectors.point_volume();
  for (std::size_t a = 0; a < projectors.atoms().size(); ++a) {
    const Projectors::Atom& atom = projectors.atoms()[a];
    const std::complex<double>* const phase = phases.of(a);
    in_groups<most_at_once>(atom.channels(), [&](int first, auto count) {
      add_channels<width, count()>(atom, first, phase, factor, in, to);
    });
  }
}

// Of each channel S = sum value ph u and R_d = sum value r_d ph u: dE/dK_d = 2 strength Im(conj(R_d) S) dV^2.
template <int width, int count>
void add_current(const Projectors::Atom& atom, int first, const std::complex<double>* phase, const double* in,
                 dft::Vector& total) {
  using V = Vec<double, width>;
  V s[count] = {}, r[count][3] = {};
  const double* value = atom.value.data() + first;
  for (std::size_t i = 0; i < atom.place.size(); ++i, value += atom.channels()) {
    const V turned = times<width>(phase[i], load<V>(in + std::ptrdiff_t{atom.place[i]} * width));
    const dft::Vector& offset = atom.offset[i];
    TENKEN_UNROLL
    for (int c = 0; c < count; ++c) {
      const V term = value[c] * turned;
      s[c] += term;
      TENKEN_UNROLL
      for (int d = 0; d < 3; ++d) r[c][d] += offset[static_cast<std::size_t>(d)] * term;
    }
  }
  for (int c = 0; c < count; ++c) {
    // Im(conj(R) S) of each band: R_re S_im - R_im S_re
    const V crossed = turning<width>() * swap_lanes<1, width>(s[c]);  // (-S_im, S_re)
    for (int d = 0; d < 3; ++d) {
      double sum = 0;
      for (int lane = 0; lane < width; ++lane) sum -= r[c][d][lane] * crossed[lane];
      total[static_cast<std::size_t>(d)] += 2 * atom.strength[static_cast<std::size_t>(first + c)] * sum;
    }
  }
}

template <int width>
dft::Vector current(const Projectors& projectors, const Phases& phases, const double* in) {
  dft::Vector total{};
  for (std::size_t a = 0; a < projectors.atoms().size(); ++a) {
    const Projectors::Atom& atom = projectors.atoms()[a];
    in_groups<most_of_current<width>>(atom.channels(), [&](int first, auto count) {
      add_current<width, count()>(atom, first, phases.of(a), in, total);
    });
  }
  for (double& component : total) component *= projectors.point_volume() * projectors.point_volume();
  return total;
}

}  // namespace

Projectors::Projectors(const dft::System& system, const Form& form) : point_volume_(system.grid.point_volume()) {
  for (const dft::AtomProjectors& from : system.projectors) {
    if (from.channels() == 0) continue;
    Atom atom;
    for (const std::int32_t point : from.point) {
      atom.place.push_back(static_cast<std::int32_t>(form.place(system.grid, point) / (2 * form.bands())));
    }
    atom.strength = from.strength;
    atom.offset = from.offset;
    const auto count = static_cast<std::size_t>(from.count());
    const auto channels = static_cast<std::size_t>(from.channels());
    atom.value.resize(count * channels);
    atom.number.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < channels; ++c) atom.value[i * channels + c] = from.value[c * count + i];
      for (std::size_t d = 0; d < 3; ++d) {
        auto& distinct = atom.distinct[d];
        constexpr double same = 1e-9;  // Bohr: offsets along an axis differ by whole steps of the grid
        auto found = std::find_if(distinct.begin(), distinct.end(),
                                  [&](double x) { return std::abs(x - from.offset[i][d]) < same; });
        if (found == distinct.end()) found = distinct.insert(found, from.offset[i][d]);
        atom.number[i][d] = static_cast<std::uint16_t>(found - distinct.begin());
      }
    }
    points_ += from.count();
    products_ += from.count() * from.channels();
    atoms_.push_back(std::move(atom));
  }
}

void Phases::set(const Projectors& projectors, const dft::Vector& k) {
  phase_.resize(projectors.atoms().size());
  std::array<std::vector<std::complex<double>>, 3> along;
  for (std::size_t a = 0; a < phase_.size(); ++a) {
    const Projectors::Atom& atom = projectors.atoms()[a];
    for (std::size_t d = 0; d < 3; ++d) {
      along[d].clear();
      for (const double x : atom.distinct[d]) along[d].emplace_back(std::cos(k[d] * x), std::sin(k[d] * x));
    }
    phase_[a].resize(atom.place.size());
    for (std::size_t i = 0; i < atom.place.size(); ++i) {
      const std::complex<double> x = along[0][atom.number[i][0]], y = along[1][atom.number[i][1]],
                                 z = along[2][atom.number[i][2]];
      const double re = x.real() * y.real() - x.imag() * y.imag(), im = x.real() * y.imag() + x.imag() * y.real();
      phase_[a][i] = {re * z.real() - im * z.imag(), re * z.imag() + im * z.real()};
    }
  }
}

void Phases::leave_out() {
  for (auto& of_atom : phase_) std::fill(of_atom.begin(), of_atom.end(), 1);
}

void add_nonlocal(const Form& form, const Projectors& projectors, const Phases& phases, std::complex<double> factor,
                  const double* in, double* to) {
  switch (form.bands()) {
    case 4:
      return add<8>(projectors, phases, factor, in, to);
    case 2:
      return add<4>(projectors, phases, factor, in, to);
    default:
      return add<2>(projectors, phases, factor, in, to);
  }
}

dft::Vector nonlocal_current(const Form& form, const Projectors& projectors, const Phases& phases, const double* in) {
  switch (form.bands()) {
    case 4:
      return current<8>(projectors, phases, in);
    case 2:
      return current<4>(projectors, phases, in);
    default:
      return current<2>(projectors, phases, in);
  }
}

}  // namespace tenken::tddft
