// The steps of the check program: set-up and what the rule book charges for, proofs, sets, rating.
#pragma once

#include <memory>
#include <vector>

#include "device/device.hpp"
#include "multigrid.hpp"
#include "numerics/replay.hpp"
#include "problem.hpp"
#include "solver.hpp"
#include "summary.hpp"
#include "timed.hpp"

namespace tenken::hpcg {

class Run {
 public:
  // Sets up. All variants but `reference` run the reference first, for the residual that they have to reach. `form`: of
  // the kernels of the variant `cuda`; null: the variants of processors.
  Run(Check& check, const Problem& problem, const device::Form* form);

  void prove();
  // A set without sections, which all later ones must repeat.
  void rehearse();
  // Timed iterations, and the rating where all proofs hold. By hand also the lines that the benchmark prints.
  void time();

 private:
  Faults faults(bool colours) const;
  void take_card(const device::Form& form);
  std::unique_ptr<Solver> make_solver(const Faults& planted);
  bool prove(const ValiditySpec& proof, double value);
  double seconds_since(std::int64_t begin) const;
  void rate(const Timed& timed);
  void compare_with_reading(const Timed& timed);
  void print_summary();
  double read_matrices();  // returns the seconds

  Check& check_;
  Problem problem_;
  Summary summary_;
  double memory_bytes_ = 0, card_bytes_ = 0, setup_seconds_ = 0, optimization_seconds_ = 0;
  std::unique_ptr<Multigrid> multigrid_;
  Buffer<double> b_;
  std::unique_ptr<device::Device> device_;  // null: processors
  std::unique_ptr<Solver> solver_;
  double wanted_ = 0;  // residual after the reference's set
  Replay replay_;
  bool valid_ = true;
  double sum_of_matrices_ = 0;
  std::vector<double> reading_;  // seconds of each pass over the matrices
};

// A whole launch.
void launch(Check& check, const device::Form* form);

}  // namespace tenken::hpcg
