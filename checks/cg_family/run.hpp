// The steps of the check program.
#pragma once

#include <memory>

#include "family.hpp"
#include "measure/check.hpp"

namespace tenken::cg_family {

// Refuses, before anything is allocated, what the ranks cannot be divided over and what memory cannot hold.
std::unique_ptr<System> make_system(const Check& check);

Buffer<double> right_side(const System& system);

Choice choice_of(const Check& check);

void prove_operator(Check& check, System& system);

// Solves once without sections, proves the answer and records both residuals.
void solve(Check& check, const System& system, const Buffer<double>& b, Family& family);

// Times iterations of solves that repeat the first one.
void time_iterations(Check& check, Family& family);

}  // namespace tenken::cg_family
