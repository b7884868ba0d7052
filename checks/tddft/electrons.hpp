// Electrons of a crystal under a vector potential: time-dependent Kohn-Sham equations in velocity gauge, in steps of dt
// by 4th-order Taylor expansions of exp(-i H dt). Orbitals of this rank's share; every k and block of bands is the
// task of one thread, from its first Taylor term to its density and current.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <vector>

#include "base/buffer.hpp"
#include "nonlocal.hpp"
#include "numerics/dft/ground_state.hpp"
#include "numerics/dft/hartree.hpp"
#include "numerics/dft/symmetry.hpp"
#include "numerics/dft/system.hpp"
#include "numerics/team.hpp"
#include "pulse.hpp"
#include "stencil/pass.hpp"

namespace tenken::tddft {

enum class Kernel { compiled, fortran, vectors };
enum class Propagator {
  aetrs,     // half a step with A and V of now, half with A of then and V extrapolated: 8 applications of H
  midpoint,  // one step with A of the middle and V of now: 4 applications of H
};

// Planted in the propagation, or in what is made of it.
enum class Fault { none, gradient_sign, missing_phase, unsymmetric_density, stale_current };

struct Settings {
  Kernel kernel = Kernel::vectors;
  Form form;
  int vector_bytes = 16;  // at most, of any form
  bool by_trial = false;  // the layout is free, see trial.hpp; a checkpoint states the layout that its run took
  int planes_at_once = 1;
  int prefetch_bytes = 0;
  Propagator propagator = Propagator::aetrs;
  double dt = 0.04;
  Pulse pulse;
  std::size_t axis = 2;  // of the field
  Fault fault = Fault::none;
};

// Parts of the work of threads.
enum Part { stencil_part, nonlocal_part, update_part, density_part, current_part, part_count };
using Ticks = std::array<std::int64_t, part_count>;

class Electrons {
 public:
  // `system` is kept by reference. begin() or restore() must follow.
  Electrons(const dft::System& system, const dft::Share& share, const Settings& settings, int threads);
  // begin() included.
  Electrons(const dft::System& system, const dft::GroundState& start, const Settings& settings, int threads);
  ~Electrons();

  void begin(const dft::GroundState& start);

  // Light of another in place of the pulse: A along the axis, now and at the end of the next step.
  void take_field(double now, double then) { given_ = {time(), now, then}; }

  // The parts of one step, in this order. sums(): density and current of this rank's share, to be added up over
  // ranks in place.
  Ticks propagate() { return pass(settings_.dt); }  // mean over threads
  // Density and current of the orbitals as they are; take_sums() follows as in a step, but nothing moves.
  void measure() { pass(0); }
  std::vector<double>& sums() { return sums_; }
  void take_sums();  // symmetric density
  void hartree();
  void exchange_correlation();
  void finish_step();  // the potential of the new density; extrapolates the next one

  // All that the following steps depend on, as raw numbers. restore() returns false where the stream ends before.
  void save(std::ostream& out) const;
  bool restore(std::istream& in);

  std::int64_t steps() const { return steps_; }
  double time() const { return static_cast<double>(steps_) * settings_.dt; }
  dft::Vector a() const { return field(time()); }
  dft::Vector field(double t) const;
  const dft::Vector& current() const { return current_; }  // dE/dA over the volume, of the cell; of now
  const std::vector<double>& density() const { return density_; }
  double electrons() const;
  const dft::Share& share() const { return share_; }
  // [k][band of the share][point], and a view of such.
  std::vector<dft::Complex> orbitals() const;
  dft::Occupied occupied(const std::vector<dft::Complex>& orbitals) const {
    return {share_.k, share_.bands.size(), {0, share_.bands.size()}, orbitals.data()};
  }
  // The kinetic, local and non-local Hamiltonian of a step's first half, on an orbital, as this propagates.
  void apply(std::size_t k, const dft::Complex* in, dft::Complex* out);

  const Settings& settings() const { return settings_; }
  const Projectors& projectors() const { return projectors_; }
  const std::vector<double>& potential() const { return potential_[0]; }
  int applications() const { return settings_.propagator == Propagator::aetrs ? 8 : 4; }
  std::int64_t tasks() const { return share_.k.size() * blocks_; }
  std::int64_t bands_computed() const { return blocks_ * settings_.form.bands(); }  // of a k, with empty ones

 private:
  struct Team;
  struct Half {
    const dft::Stencil* stencil;
    const Phases* phases;
    const double* potential;
    const double* diagonal;  // with it, of Kernel::vectors
    double dt;
  };
  void taylor(const Half& half, double* block, Team& mine);
  void taylor_in_passes(const Half& half, double* block, Team& mine);
  Ticks pass(double dt);
  void extrapolate();
  void work(double dt, Range tasks, Team& mine);
  void make_blocks();
  // From [k][stored bands][point], this rank's bands of each k from `first` on.
  void set_orbitals(const dft::Complex* from, std::int64_t stored, std::int64_t first);
  dft::Stencil stencil_at(std::size_t k, const dft::Vector& a) const;
  void phases_at(std::size_t k, const dft::Vector& a, Phases& phases) const;

  const dft::System& system_;
  Settings settings_;
  dft::Share share_;
  std::int64_t blocks_ = 0;  // of a k
  std::int64_t block_doubles_ = 0;
  int threads_;
  Projectors projectors_;
  dft::Symmetriser symmetriser_;
  dft::Hartree hartree_;
  Buffer<double> orbitals_;                       // [k][block], each as in stencil/pass.hpp
  std::array<std::vector<double>, 3> potential_;  // of now and of the two steps before
  std::vector<double> extrapolated_, new_potential_, density_, sums_;
  dft::Vector current_{};
  struct Given {
    double time, now, then;
  };
  std::optional<Given> given_;
  std::int64_t steps_ = 0;
  std::vector<std::unique_ptr<Team>> team_;  // made by its thread in the first step
};

// out = H in of the local part, one orbital, by a kernel for one orbital at a time.
void apply_single(Kernel kernel, const dft::Stencil& stencil, const double* potential, const double* in, double* out);

}  // namespace tenken::tddft
