// A launch: grid, patch, operators and model, its steps, proofs and figures.
#pragma once

#include "measure/check.hpp"
#include "model.hpp"
#include "settings.hpp"
#include "timer.hpp"

namespace atmosphere {

class Run {
 public:
  // Collective. Throws UserError: memory (refused), a time step that is not stable (refused, with the limit).
  Run(tenken::Check& check, const Settings& settings);

  void pass();    // so many steps; collective
  void report();  // collective

 private:
  void prove_grid();
  double chosen_step();
  double sum(double mine) const { return check_.sum_over_ranks(mine); }
  double fingerprint();
  void report_errors();
  void report_map();

  tenken::Check& check_;
  Settings settings_;
  Williamson of_;
  Grid grid_;
  Patch patch_;
  Operators operators_;
  double dt_;
  Model model_;
  Timer timer_;
  double mass_ = 0, energy_ = 0;  // at the start
};

}  // namespace atmosphere
