// The inner solver of a nested or domain-decomposed solve: BiCGStab on D' x = T^-1 r in single precision
// (operator.hpp), with or without the Schwarz preconditioner.
#pragma once

#include <memory>

#include "qcd/blocks/schwarz.hpp"

namespace tenken::qcd {

struct InnerOptions {
  Index4 block{4, 4, 4, 4};
  bool schwarz = true;
  bool single = false;  // for tests (layout.hpp)
  SchwarzOptions preconditioner{};
  double tolerance = 1e-4;  // of |T^-1 r - D' x| / |T^-1 r|, by the recursion
  int most_steps = 1000;    // of one solve
  BlockSections sections{};
  BlockFaults faults{};
};

class InnerSolver {
 public:
  virtual ~InnerSolver() = default;

  // x is about D^-1 r, from x = 0. Collective.
  virtual void solve(const Field& r, Field& x) = 0;
  virtual double residual() const = 0;     // of the last solve, by its recursion
  virtual std::int64_t steps() const = 0;  // of all solves since the last clear
  virtual int restarts() const = 0;        // likewise
  virtual void clear() = 0;

  // For proofs: out = D' in; z = M in and rest = what the procedure takes for in - D' z.
  virtual void operate(Field& out, const Field& in) = 0;
  virtual void sweep(Field& z, Field& rest, const Field& in) = 0;

  virtual int width() const = 0;                 // of vectors, in numbers
  virtual int blocks_together() const = 0;       // in a group
  virtual std::int64_t cycle_bytes() const = 0;  // sent by this rank in one cycle of the procedure, or one D'
  virtual std::int64_t sent_bytes() const = 0;   // by this rank in all solves since the last clear
};

// `inverse`: T^-1, null where T = 1. `links` with their halo, not needed later. Throws UserError for blocks that cannot
// be (layout.hpp). Collective.
std::unique_ptr<InnerSolver> make_inner(MPI_Comm comm, const Geometry& geometry, const ExtendedLinks& links,
                                        const CloverField* inverse, double kappa, const InnerOptions& options);

// Bytes a site of all this, for a rank whose blocks fill their groups.
constexpr double inner_bytes_a_site = 4.0 * (2 * 8 * 18 + 72 + 14 * 24);

}  // namespace tenken::qcd
