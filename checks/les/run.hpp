// A launch: mesh, operators, steps, proofs and figures.
#pragma once

#include "measure/check.hpp"
#include "settings.hpp"
#include "tables.hpp"
#include "timer.hpp"

namespace les {

// What a launch makes of its parameters, whatever the precision.
struct Launch {
  Settings settings;
  Mesh mesh;
  std::vector<std::vector<std::int32_t>> groups;  // of elements
  double dt;
};
// Collective. Throws UserError: memory (refused), a time step that is too long (refused, with the limit).
Launch launch_of(const tenken::Check& check, const Settings& settings);

template <class Real>
class Run {
 public:
  Run(tenken::Check& check, const Launch& launch);

  void pass();    // so many steps; collective
  void report();  // collective

 private:
  void prove_mesh();
  void prove_pair();
  void note_error();  // of an exact flow so far
  void report_tables();
  double sum(double mine) const { return check_.sum_over_ranks(mine); }

  tenken::Check& check_;
  const Launch& launch_;
  Stepper<Real> stepper_;
  Timer timer_;
  StepFacts last_{};
  std::int64_t reductions_ = 0;                          // of the last step
  double error_ = 0, elapsed_ = 0;                       // the largest of all runs of a launch; time of all of them
  std::vector<Energy> history_;                          // after each pass
  double kinetic_energy_ = 0, energy_ = 0, growth_ = 0;  // energy: of the scheme; growth: the most of a repetition
};

}  // namespace les
