#include "shift.hpp"

#include "solver.hpp"

namespace iccg {

namespace {

constexpr double trial_tolerance = 1e-3;
constexpr int most_of_a_trial = 1000;
constexpr double gain = 0.95;

// To the tolerance of a trial; most + 1 where that is not reached.
int iterations_of(const tenken::Coloured& a, std::span<const double> b, int most) {
  const auto solver = make_iccg(Sync::rm_reduction, a, b);
  const int iterations = solver->advance(most, trial_tolerance, nullptr);
  return solver->end() == End::converged ? iterations : most + 1;
}

}  // namespace

void choose_shift(tenken::Coloured& a, std::span<const double> b) {
  if (a.shift == 0) return;
  for (int best = iterations_of(a, b, most_of_a_trial);;) {
    const double before = a.shift;
    raise_shift(a, 2 * before);
    const int iterations = iterations_of(a, b, best);
    if (iterations > gain * best) return raise_shift(a, before);
    best = iterations;
  }
}

}  // namespace iccg
