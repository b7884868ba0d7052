// Even-odd solves of a launch: timed, proved against the plain operator, recorded.
#pragma once

#include "lanes/even_odd.hpp"
#include "measure/check.hpp"

namespace tenken::lqcd {

// Bytes a site that an even-odd solver needs besides the plain fields: its links, at most two rows of each twice, those
// of the double precision updates, and the spinors of as many right-hand sides as it solves together.
constexpr double even_odd_bytes_a_site(int together) { return 8 * (96 + 144) + 10 * 192.0 * together; }

// The solver that the parameters ask for, of all `sources` together, its operator proved to be `h`. `links` are those
// that `h` uses, with their halo. Throws UserError where the block cannot be cut for vectors.
std::unique_ptr<EvenOddSolver> proved_even_odd(Check& check, Wilson& h, const ExtendedLinks& links,
                                               std::span<const Field> sources);

// Records what the solver chose.
void record_layout(Check& check, const EvenOddSolver& solver);

// Repetitions of EvenOddSolver::step, one solve after the other, and the proofs and values of the solver.
void solve_even_odd(Check& check, Wilson& h, const ExtendedLinks& links, const Field& source);

// --solver operator: EvenOddSolver::hops on constant and on dependent input, and the proof of the operator.
void time_operator(Check& check, Wilson& h, const ExtendedLinks& links, const Field& source);

}  // namespace tenken::lqcd
