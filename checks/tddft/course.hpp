// What a run has seen on its way: enough to go on after a restart, and to write its tables.
#pragma once

#include <iosfwd>
#include <vector>

#include "measure/check.hpp"

namespace tenken::tddft {

struct Course {
  // Atomic units, along the axis of the field; of every step, the start included.
  std::vector<double> a, current;
  std::vector<double> observed;  // rows of Observer
  double energy_before = 0;      // Hartree, at the start
  // Of the ground state.
  double ground_energy = 0, ground_residual = 0, ground_iterations = 0;
  double gap = 0;  // Hartree, see gap_of()

  void save(std::ostream& out) const;
  bool restore(std::istream& in);  // false where the stream ends before
};

// Volume times the trapezoidal integral of J dA, as it is and of |J dA|, Hartree. A that is there from the start was
// done before it, and counts in `moved` alone.
struct FieldWork {
  double done = 0, moved = 0;
};
// Hartree; below it, energies differ by what self-consistency left over.
inline constexpr double least_work = 1e-6;
FieldWork work_of(const Course& course, double volume);
// |energy gained - work of the field| / |J dA| added up; energy: at the end, Hartree.
double work_error(const Course& course, double volume, double energy);

// Greatest |A| of the run.
double greatest_a(const Course& course);

void write_currents(Check& check, const Course& course, double dt);

}  // namespace tenken::tddft
