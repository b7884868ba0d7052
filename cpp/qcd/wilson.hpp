// The fused operator H = gamma_5 D on the lattice, in steps that can be timed one by one.
//
// Halos are half-spinors: a face is projected before it is sent (96 instead of 192 bytes a site). For backward hops the
// sender also multiplies with its own links, so that links are never exchanged.
#pragma once

#include <mpi.h>

#include "parallel/halo.hpp"
#include "qcd/clover.hpp"
#include "qcd/kernel.hpp"

namespace tenken::qcd {

// Faults of tests and drills (README.md).
struct Faults {
  bool zero_halo_face = false;  // on this rank: a received face is zeroed after each exchange
  Gamma gamma = Gamma::right;
};

enum class Step { pack, start, interior, wait, unpack, boundary, sent };

class Wilson {
 public:
  // `links` stay with the caller. Collective.
  Wilson(MPI_Comm comm, const Geometry& geometry, const Links& links, double kappa, Faults faults = {});

  // out = H in. `open(step)` is called before each step and its result lives as long as the step: a Section, or
  // nothing.
  template <class Open>
  void apply(Field& out, const Field& in, Open open) {
    const auto run = [&](Step step) {
      [[maybe_unused]] const auto opened = open(step);
      take(step, out, in);
    };
    if (!geometry_.divided()) return run(Step::interior);
    run(Step::pack);
    run(Step::start);
    run(Step::interior);
    run(Step::wait);
    if (faults_.zero_halo_face) zero_face();
    run(Step::boundary);
    run(Step::sent);
  }
  void apply(Field& out, const Field& in) {
    apply(out, in, [](Step) { return 0; });
  }

  // From here on H has this clover term (clover.hpp), which stays with the caller; null for none.
  void set_clover(const CloverField* term) { clover_ = term; }
  const CloverField* clover() const { return clover_; }

  const Geometry& geometry() const { return geometry_; }
  const Links& links() const { return links_; }
  const Halo& halo() const { return halo_; }
  double kappa() const { return kappa_; }

 private:
  void take(Step step, Field& out, const Field& in);
  void take_sites(const std::vector<std::int32_t>& sites, Field& out, const Field& in);
  void zero_face();

  const Geometry& geometry_;
  const Links& links_;
  const CloverField* clover_ = nullptr;
  double kappa_;
  Faults faults_;
  Halo halo_;
  Outgoing outgoing_{};
  Incoming incoming_{};
};

}  // namespace tenken::qcd
