// The steps of the check program: set-up and what the rule book charges for, proofs, sets, rating.
#pragma once

#include <memory>
#include <vector>

#include "multigrid.hpp"
#include "numerics/replay.hpp"
#include "problem.hpp"
#include "solver.hpp"
#include "summary.hpp"
#include "timed.hpp"

namespace tenken::hpcg {

class Run {
 public:
  // Sets up; `best` runs the reference first, for the residual that it has to reach.
  Run(Check& check, const Problem& problem);

  void prove();
  // A set without sections, which all later ones must repeat.
  void rehearse();
  // Timed iterations, and the rating where all proofs hold. By hand also the lines that the benchmark prints.
  void time();

 private:
  Faults faults() const;
  bool prove(const ValiditySpec& proof, double value);
  double seconds_since(std::int64_t begin) const;
  void rate(const Timed& timed);
  void compare_with_reading(const Timed& timed);
  void print_summary();
  double read_matrices();  // returns the seconds

  Check& check_;
  Problem problem_;
  Summary summary_;
  double memory_bytes_ = 0, setup_seconds_ = 0, optimization_seconds_ = 0;
  std::unique_ptr<Multigrid> multigrid_;
  Buffer<double> b_;
  std::unique_ptr<Solver> solver_;
  double wanted_ = 0;  // residual after the reference's set
  Replay replay_;
  bool valid_ = true;
  double sum_of_matrices_ = 0;
  std::vector<double> reading_;  // seconds of each pass over the matrices
};

}  // namespace tenken::hpcg
