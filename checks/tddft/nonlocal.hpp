// The non-local potential of all atoms on a block of orbitals, all bands of the block at a time: each point of a sphere
// is read once for all projectors of its atom. Formula: numerics/dft/system.hpp, AtomProjectors.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include "base/work.hpp"
#include "numerics/dft/system.hpp"
#include "stencil/pass.hpp"

namespace tenken::tddft {

// Projectors as the kernel reads them from blocks of `form`; the same for all k and all times.
class Projectors {
 public:
  Projectors(const dft::System& system, const Form& form);

  struct Atom {
    std::vector<std::int32_t> place;                   // [i], of the point in a block, with its gaps
    std::vector<double> value;                         // [i][channel]
    std::vector<double> strength;                      // [channel], Hartree
    std::vector<dft::Vector> offset;                   // [i], Bohr
    std::array<std::vector<double>, 3> distinct;       // of the offsets, along each axis
    std::vector<std::array<std::uint16_t, 3>> number;  // [i]: of them
    int channels() const { return static_cast<int>(strength.size()); }
  };

  const std::vector<Atom>& atoms() const { return atoms_; }
  double point_volume() const { return point_volume_; }
  std::int64_t points() const { return points_; }            // of all atoms
  std::int64_t channel_points() const { return products_; }  // sum over atoms of points x channels

 private:
  std::vector<Atom> atoms_;
  double point_volume_;
  std::int64_t points_ = 0;
  std::int64_t products_ = 0;
};

// exp(i K.offset) of every point of every atom.
class Phases {
 public:
  void set(const Projectors& projectors, const dft::Vector& k);
  void leave_out();  // all 1: the planted fault
  const std::complex<double>* of(std::size_t atom) const { return phase_[atom].data(); }

 private:
  std::vector<std::vector<std::complex<double>>> phase_;
};

// to += factor V in, blocks of `form`. factor: 1, or (0, -scale) in a Taylor step.
void add_nonlocal(const Form& form, const Projectors& projectors, const Phases& phases, std::complex<double> factor,
                  const double* in, double* to);

// Sum over the bands of a block of dE/dK of the non-local part, orbitals normalised with the volume of a point, Hartree
// Bohr.
dft::Vector nonlocal_current(const Form& form, const Projectors& projectors, const Phases& phases, const double* in);

// By the convention of ARTED: 4 flop and 21 for each point of each projector, for one band.
inline std::int64_t nonlocal_flop(const Projectors& projectors) { return 4 + 21 * projectors.channel_points(); }

}  // namespace tenken::tddft
