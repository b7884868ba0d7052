// The steps of the check program.
#pragma once

#include "cg.hpp"
#include "measure/check.hpp"
#include "numerics/replay.hpp"
#include "proofs.hpp"

namespace tenken::elasticity {

// Refuses, before anything is allocated, what the ranks cannot be divided over and what memory cannot hold.
Mesh make_mesh(const Check& check);

Faults faults_of(const Check& check);

void prove_operator(Check& check, const Subject& subject);

// Solves once, untimed by sections, proves the answer and records the history of residuals.
Replay solve(Check& check, const Subject& subject, Cg& cg);

// Times iterations that replay the solve; with --read on, reading the matrix in turn with them.
void time_iterations(Check& check, const System& system, Cg& cg, Replay replay);

}  // namespace tenken::elasticity
