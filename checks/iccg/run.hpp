// A launch of the check, step by step.
#pragma once

#include "measure/check.hpp"
#include "problem.hpp"
#include "solver.hpp"

namespace iccg {

// From a file, or the Poisson equation. Refuses what does not fit into memory, and more ranks than one.
Problem make_problem(const tenken::Check& check);

// Colours, storage, factor, with the faults that were asked for; proves the colouring.
tenken::Coloured make_matrix(tenken::Check& check, const Problem& problem);

// The solver of the variant; proves that what must be symmetric and positive is.
std::unique_ptr<Solver> make_solver(tenken::Check& check, const Problem& problem, const tenken::Coloured& a);

// A whole solve, timed as one; proves its answer and records its history.
void solve(tenken::Check& check, const Problem& problem, const tenken::Coloured& a, Solver& solver);

// Iterations by their parts, of solves that begin anew when they end; proves that they repeat the first one.
void time_iterations(tenken::Check& check, Solver& solver);

// --turns: stretches of all five variants, one after the other in every repetition; proves that they go through the
// same residuals. Recorded: what each takes more than the last one.
void time_in_turn(tenken::Check& check, const Problem& problem, const tenken::Coloured& a, Solver& solver);

// The table of directives at 12 colours.
void count_directives(tenken::Check& check);

}  // namespace iccg
