// The steps of the check program: set-up and what the rule book charges for, proofs, sets, rating.
#pragma once

#include <memory>

#include "multigrid.hpp"
#include "numerics/replay.hpp"
#include "solver.hpp"
#include "timed.hpp"

namespace tenken::hpcg {

class Run {
 public:
  // Sets up; `best` runs the reference first, for the residual that it has to reach.
  Run(Check& check, const Index<3>& cells, const Index<3>& ranks);

  void prove();
  // A set without sections, which all later ones must repeat.
  void rehearse();
  // Timed iterations, and the rating where all proofs hold.
  void time();

 private:
  Faults faults() const;
  void prove(const ValiditySpec& proof, double value);
  double seconds_since(std::int64_t begin) const;
  void rate(const Timed& timed);
  void read_matrices(double& total);

  Check& check_;
  double setup_seconds_ = 0, optimization_seconds_ = 0;
  std::unique_ptr<Multigrid> multigrid_;
  Buffer<double> b_;
  std::unique_ptr<Solver> solver_;
  double wanted_ = 0;  // residual after the reference's set
  Replay replay_;
  bool valid_ = true;
};

}  // namespace tenken::hpcg
