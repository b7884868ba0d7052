// A launch of the shallow-water model: its steps, proofs and figures.
#pragma once

#include <optional>

#include "measure/check.hpp"
#include "model.hpp"
#include "planet.hpp"
#include "settings.hpp"
#include "timer.hpp"

namespace atmosphere {

class Run {
 public:
  // Collective. Throws UserError: memory (refused), a time step that is not stable (refused, with the limit).
  Run(tenken::Check& check, const Settings& settings);

  void pass();    // so many steps; collective. After five days it begins again
  void report();  // collective

 private:
  double fastest() const;  // wave, m/s
  void note_errors();      // of the run so far
  void report_errors();

  tenken::Check& check_;
  Settings settings_;
  Williamson of_;
  Planet planet_;
  std::optional<Edges> edges_;  // of the limiter
  double dt_;
  Model model_;
  Timer timer_;
  double mass_ = 0, energy_ = 0;  // at the start
  struct {
    double l2 = 0, largest = 0, mass = 0, energy = 0, energy_a_day = 0;
  } errors_;  // the largest of all runs of a launch
  double days_ = 0;
};

}  // namespace atmosphere
