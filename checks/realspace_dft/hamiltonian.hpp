// The Kohn-Sham Hamiltonian at k = 0 on a block of the grid, applied to several bands of real numbers at a time:
// differences of 8th order (numerics/dft/stencil.hpp at K = 0), local potential, projectors.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "domain.hpp"
#include "parallel/exchange.hpp"
#include "phases.hpp"

namespace tenken::realspace {

class Hamiltonian {
 public:
  // Collective over the group. batch: bands of one message.
  Hamiltonian(const Domain& domain, const dft::System& system, int batch, Watch* watch = nullptr);

  int batch() const { return batch_; }
  // out = (T + potential + V_nonlocal) in; each [band][point of the block], 1 to batch() bands. potential: [point of
  // the block]. Collective over the group.
  void apply(int bands, const double* potential, const double* in, double* out);
  // <u|T|u> and <u|V_nonlocal|u> of each band, of this block: sums over the group are the energies. [band]
  void energies(int bands, const double* in, double* kinetic, double* nonlocal);
  // Upper bound of the eigenvalues for potentials up to `highest`; see dft::Hamiltonian.
  double largest(double highest) const { return largest_ + highest; }

  std::int64_t bytes() const;
  // A planted error: what the last rank of the group receives is that of the exchange before.
  void leave_stale() { stale_ = true; }
  // A planted error: the first atom of this block loses its part there.
  void lose_projector() {
    if (!atoms_.empty()) atoms_.erase(atoms_.begin());
  }
  void watch(Watch* watch) { watch_ = watch; }

 private:
  struct OfAtom {
    std::vector<std::int32_t> point;  // of the block
    std::vector<double> value;        // [channel][i]
    std::vector<double> strength;     // [channel], Hartree
    std::int64_t first;               // channel, of all atoms
  };

  void fill(int bands, const double* in);
  void differences(int bands, const double* potential, double* out);
  void project(int bands, const double* in);
  void add_nonlocal(int bands, double* out);
  double* padded(int band) { return padded_.data() + band * domain_.padded_points(); }

  const Domain& domain_;
  int batch_;
  Watch* watch_;
  double dv_, diagonal_ = 0, largest_ = 0;
  std::array<std::array<double, 4>, 3> second_half_{};  // [axis][j - 1]
  Exchange exchange_;
  Buffer<double> padded_;
  std::vector<OfAtom> atoms_;  // those with points in the block
  std::int64_t channels_ = 0;  // of all atoms
  std::vector<double> products_, gathered_;
  bool stale_ = false;
};

}  // namespace tenken::realspace
