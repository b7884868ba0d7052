// Solvers of D x = b on the even sites alone (Schur complement), which need fewer iterations than the full lattice:
//
//   Q x_e = c,   Q = gamma_5 (1 - kappa^2 H_eo H_oe),   c = gamma_5 (b_e + kappa H_eo b_o),   x_o = b_o + kappa H_oe
//   x_e
//
// Q is Hermitian. Conjugate gradients on Q^2 x_e = Q c are run in the form that keeps s = c - Q x_e beside r = Q s
// (M. Hestenes, E. Stiefel, J. Res. NBS 49 (1952) 409, section 10), because |s| is the residual |b - D x| of the system
// itself. In mixed precision the iterations run in single precision; whenever |s| has fallen far enough, x is summed up
// and s computed anew in double precision (reliable updates: G. Sleijpen, H. van der Vorst, Computing 56 (1996) 141).
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <string_view>

#include "base/cache_share.hpp"
#include "qcd/gauge/extended.hpp"
#include "qcd/kernel.hpp"
#include "qcd/sections.hpp"
#include "qcd/solver.hpp"
#include "simd/vec.hpp"

namespace tenken::qcd {

// Fall of |s| after which single precision no longer has the residual well enough.
constexpr double trusted_fall = 0.05;

struct EvenOddOptions {
  bool mixed = false;
  std::string_view links = "auto";    // 18 or 12 real numbers a link; auto: by link_storage_by_rule
  std::string_view storage = "auto";  // each link once or twice; auto: by link_storage_by_rule
  CacheShare cache{};                 // of this rank: what that rule asks
  bool overlap = true;
  bool barrier = false;
  bool no_swaps = false;      // the fault lane_swap, on this rank
  SolverSections sections{};  // of its steps
  int vector_bytes =
      tenken::vector_bytes;  // at most, 8 to widest_vector_bytes; fewer where the block of a rank is small
};

class EvenOddSolver : public LinearSolver {
 public:
  virtual int updates() const = 0;  // of the residual in double precision since the start
  // out = D in with this solver's own hopping term, `in` being the field of right-hand side k among zeros.
  virtual void operate(int k, Field& out, const Field& in) = 0;
  double residual_error(int k, double anew) override { return std::abs(anew - residual(k)); }

  virtual int real_bytes() const = 0;   // of a number of the iterations
  virtual int width() const = 0;        // lanes of the vectors of the iterations
  virtual int link_reals() const = 0;   // 18 or 12
  virtual int link_copies() const = 0;  // 1 or 2
};

// In vectors, whose hopping term can also be timed alone.
class LaneSolver : public EvenOddSolver {
 public:
  // Timed: the hopping term `hops_timed` times from one parity to the other, always on the same input, or each on what
  // the last one wrote, as in a solver. They start from the source; `rewind` keeps the second from growing without
  // limit.
  static constexpr int hops_timed = 4;
  virtual void hops(Leaf section, bool dependent) = 0;
  virtual void rewind() = 0;
  virtual double dependent_norm() = 0;  // squared, of what the dependent hops wrote last, the longest; not timed
};

// Solves for all `sources`, 1 to most_together, together, with links stored twice where they are several. Collective;
// geometry, links and sources, which it takes, stay with the caller. `kappa` as in D. In mixed precision
// residual() is that of single precision until the next update; solution() makes one.
std::unique_ptr<LaneSolver> make_even_odd(MPI_Comm comm, const Geometry& geometry, const ExtendedLinks& links,
                                          double kappa, std::span<const Field> sources, const EvenOddOptions& options);

inline std::unique_ptr<LaneSolver> make_even_odd(MPI_Comm comm, const Geometry& geometry, const ExtendedLinks& links,
                                                 double kappa, const Field& source, const EvenOddOptions& options) {
  return make_even_odd(comm, geometry, links, kappa, std::span(&source, 1), options);
}

}  // namespace tenken::qcd
