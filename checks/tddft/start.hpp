// The start of a run: its ground state, and the files that it goes on from.
#pragma once

#include "measure/check.hpp"
#include "numerics/dft/ground_state.hpp"
#include "parallel/checkpoints.hpp"
#include "wishes.hpp"

namespace tenken::tddft {

// Sums over the ranks of `comm`.
dft::Reduce sums_over(MPI_Comm comm);

// Files of a stage: --checkpoint says where they are written, or --restart, which they are read from.
Checkpoints checkpoints(const Check& check, const char* stage, std::uint64_t input, Range k_range);

dft::GroundStateOptions options_for(const Wishes& wishes, const dft::Grid& grid);

// The ground state, going on from `places` where `anew` is false. Collective over those who share orbitals by `reduce`.
dft::GroundState first_state(const Wishes& wishes, const dft::System& system, Range k_range, const dft::Reduce& reduce,
                             const dft::SameK& same_k, Checkpoints& places, bool anew);

// That iterations ended where they were asked to.
void prove_ground_state(Check& check, const Wishes& wishes, double residual);

}  // namespace tenken::tddft
