// The even-odd solver of a launch, proved against the plain operator.
#pragma once

#include "measure/check.hpp"
#include "qcd/lanes/even_odd.hpp"

namespace tenken::qcd {

// Bytes a site that an even-odd solver needs besides the plain fields: its links, at most two rows of each twice, those
// of the double precision updates, and the spinors of as many right-hand sides as it solves together.
constexpr double even_odd_bytes_a_site(int together) { return 8 * (96 + 144) + 10 * 192.0 * together; }

// The solver that the parameters links, storage, vector_bytes, overlap and barrier ask for, of all `sources` together,
// with iterations in single precision where asked, its operator proved to be `h` (proof "vectors"). `links` are those
// that `h` uses, with their halo. Throws UserError where the block cannot be cut for vectors.
std::unique_ptr<LaneSolver> proved_even_odd(Check& check, Wilson& h, const ExtendedLinks& links,
                                            std::span<const Field> sources, bool single,
                                            const SolverSections& sections);

// Proves that the operator of the solver is `h` (proof "vectors"), within rounding of the precision of its iterations.
void prove_operator(Check& check, Wilson& h, EvenOddSolver& solver);

// Records what the solver chose.
void record_layout(Check& check, const EvenOddSolver& solver);

}  // namespace tenken::qcd
