#include "numerics/dft/hamiltonian.hpp"

#include <algorithm>
#include <cmath>

namespace tenken::dft {

// Real and imaginary parts apart, so that the compiler can use vectors.
struct Nonlocal::Room {
  std::vector<double> re, im;      // [i]
  std::vector<Complex> amplitude;  // [channel]
};

Nonlocal::Room& Nonlocal::room() {
  static thread_local Room room;
  return room;
}

Nonlocal::Nonlocal(const System& system, const Vector& k) : system_(&system) {
  for (const AtomProjectors& atom : system.projectors) {
    std::vector<Complex> phase;
    phase.reserve(atom.offset.size());
    for (const Vector& r : atom.offset) phase.push_back(std::polar(1.0, k[0] * r[0] + k[1] * r[1] + k[2] * r[2]));
    phase_.push_back(std::move(phase));
  }
}

void Nonlocal::project(std::size_t a, const Complex* in, Room& room) const {
  const AtomProjectors& atom = system_->projectors[a];
  const std::vector<Complex>& phase = phase_[a];
  const auto n = static_cast<std::size_t>(atom.count());
  room.re.resize(n);
  room.im.resize(n);
  room.amplitude.resize(static_cast<std::size_t>(atom.channels()));
  for (std::size_t i = 0; i < n; ++i) {
    const Complex u = in[atom.point[i]], ph = phase[i];
    room.re[i] = ph.real() * u.real() - ph.imag() * u.imag();
    room.im[i] = ph.real() * u.imag() + ph.imag() * u.real();
  }
  for (std::size_t c = 0; c < room.amplitude.size(); ++c) {
    const double* const value = atom.value.data() + c * n;
    double re = 0, im = 0;
#pragma omp simd reduction(+ : re, im)
    for (std::size_t i = 0; i < n; ++i) {
      re += value[i] * room.re[i];
      im += value[i] * room.im[i];
    }
    room.amplitude[c] = Complex{re, im} * system_->grid.point_volume();
  }
}

void Nonlocal::add(const Complex* in, Complex* out) const {
  Room& room = Nonlocal::room();
  for (std::size_t a = 0; a < system_->projectors.size(); ++a) {
    const AtomProjectors& atom = system_->projectors[a];
    const auto n = static_cast<std::size_t>(atom.count());
    project(a, in, room);
    std::fill(room.re.begin(), room.re.end(), 0.0);
    std::fill(room.im.begin(), room.im.end(), 0.0);
    for (std::size_t c = 0; c < room.amplitude.size(); ++c) {
      const double* const value = atom.value.data() + c * n;
      const double re = atom.strength[c] * room.amplitude[c].real(), im = atom.strength[c] * room.amplitude[c].imag();
#pragma omp simd
      for (std::size_t i = 0; i < n; ++i) {
        room.re[i] += value[i] * re;
        room.im[i] += value[i] * im;
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      const Complex ph = phase_[a][i];
      out[atom.point[i]] +=
          Complex{ph.real() * room.re[i] + ph.imag() * room.im[i], ph.real() * room.im[i] - ph.imag() * room.re[i]};
    }
  }
}

double Nonlocal::energy(const Complex* u) const {
  Room& room = Nonlocal::room();
  double sum = 0;
  for (std::size_t a = 0; a < system_->projectors.size(); ++a) {
    project(a, u, room);
    for (std::size_t c = 0; c < room.amplitude.size(); ++c)
      sum += system_->projectors[a].strength[c] * std::norm(room.amplitude[c]);
  }
  return sum;
}

Hamiltonian::Hamiltonian(const System& system, const Vector& k, ApplyStencil apply)
    : stencil_(system.grid, k), nonlocal_(system, k), apply_(apply ? std::move(apply) : ApplyStencil(apply_rows)) {
  // A projector as sampled on the grid is not quite normalised.
  for (const AtomProjectors& atom : system.projectors) {
    const auto n = static_cast<std::size_t>(atom.count());
    for (std::size_t c = 0; c < atom.strength.size(); ++c) {
      double square = 0;
      for (std::size_t i = 0; i < n; ++i) square += std::pow(atom.value[c * n + i], 2) * system.grid.point_volume();
      strongest_ = std::max(strongest_, atom.strength[c] * square);
    }
  }
}

void Hamiltonian::apply(const double* potential, const Complex* in, Complex* out) const {
  apply_(stencil_, potential, in, out);
  nonlocal_.add(in, out);
}

double Hamiltonian::largest(double highest) const { return largest_kinetic(stencil_) + highest + strongest_; }

}  // namespace tenken::dft
