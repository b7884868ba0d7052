// A launch of the model of dry air: its steps, proofs and figures.
#pragma once

#include <vector>

#include "dry_model.hpp"
#include "measure/check.hpp"
#include "planet.hpp"
#include "timer.hpp"

namespace atmosphere {

template <Order order>
class DryRun {
 public:
  // Collective. Throws UserError: memory (refused), a time step that is not stable (refused, with the limit).
  DryRun(tenken::Check& check, const Settings& settings);

  void pass();    // so many steps; collective. After the longest run of the case it begins again
  void report();  // collective

 private:
  DryNumbers numbers() const;
  void prove_rest();
  void begin();
  DryTotals totals() const;  // of all ranks
  void note_errors();        // of the run so far

  tenken::Check& check_;
  Settings settings_;
  Planet planet_;
  Edges edges_;
  DryNumbers numbers_;
  DryModel<order> model_;
  Timer timer_;
  std::vector<double> pressure_;  // on the ground, at the start
  DryTotals start_{};
  struct {
    double mass = 0, energy = 0, tracer = 0, below = 0, drift = 0, fastest = 0;
  } errors_;  // the largest of all runs of a launch
  double days_ = 0;
};

// The longest stable step, s: sound passes 0.85 of a cell in a small step, and flow 0.6 of a cell in a step.
double longest_dry_step(double least_spacing, double sound, int small_steps);

}  // namespace atmosphere
