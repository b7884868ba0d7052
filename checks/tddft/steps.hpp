// One step of the electrons of a crystal, each of its parts in a section of its own.
#pragma once

#include "base/work.hpp"
#include "course.hpp"
#include "electrons.hpp"
#include "measure/check.hpp"

namespace tenken::tddft {

// Work of one step on this rank. Kernels with a Taylor update of their own spend it in `update`, others in the stencil.
struct StepWork {
  StepWork(const dft::System& system, const Electrons& electrons);
  Work stencil, nonlocal, update, density, current, reduced;
};

// The ground state as it is under a() of now, with its energy and current as the first of the course. Collective, like
// one_step.
void begin(Electrons& electrons, Course& course, const dft::System& system, const dft::GroundState& ground,
           const dft::Reduce& reduce);

// Inside of section::step. Collective over those who share orbitals by `reduce`.
void one_step(Electrons& electrons, const StepWork& work, const dft::Reduce& reduce);

// A and J of now.
void note(const Electrons& electrons, Course& course);

// What was computed, on how many macro points.
void write_facts(Check& check, const dft::System& system, const Electrons& electrons, const Course& course,
                 std::int64_t macro_points = 1);
// How far A, at most |a| along the axis, has moved k. From half a reciprocal vector of the cell on, levels differ by
// what the grid makes of k and of k + G.
void write_farthest_k(Check& check, const dft::System& system, std::size_t axis, double a);

}  // namespace tenken::tddft
