// The Kohn-Sham Hamiltonian of one K = k + A/c, applied to one band at a time: stencil, local and non-local potential.
#pragma once

#include <functional>
#include <vector>

#include "numerics/dft/stencil.hpp"
#include "numerics/dft/system.hpp"

namespace tenken::dft {

// out = (kinetic energy at K + potential) in; see stencil.hpp for the plain one. Called by several threads at a time.
using ApplyStencil = std::function<void(const Stencil&, const double* potential, const Complex* in, Complex* out)>;

// The non-local part; see AtomProjectors for the formula. Holds the phases of its K.
class Nonlocal {
 public:
  Nonlocal(const System& system, const Vector& k);

  // out += V in
  void add(const Complex* in, Complex* out) const;
  // sum over points conj(u) V u dV
  double energy(const Complex* u) const;

 private:
  struct Room;
  // Amplitudes sum_j value ph u dV of all channels of one atom, in room.
  void project(std::size_t atom, const Complex* in, Room& room) const;
  static Room& room();

  const System* system_;
  std::vector<std::vector<Complex>> phase_;  // [atom][i]
};

class Hamiltonian {
 public:
  // An empty function: apply_rows.
  Hamiltonian(const System& system, const Vector& k, ApplyStencil apply);

  void apply(const double* potential, const Complex* in, Complex* out) const;
  // Without the non-local part.
  void stencil_only(const double* potential, const Complex* in, Complex* out) const {
    apply_(stencil_, potential, in, out);
  }

  const Stencil& stencil() const { return stencil_; }
  const Nonlocal& nonlocal() const { return nonlocal_; }

  // Upper bound of the eigenvalues for potentials up to `highest`, but for overlaps of neighbours' projectors.
  double largest(double highest) const;

 private:
  Stencil stencil_;
  Nonlocal nonlocal_;
  ApplyStencil apply_;
  double strongest_ = 0;
};

}  // namespace tenken::dft
