// The life of a launch: fields made and proved, solves timed, answers recorded.
#pragma once

#include <optional>
#include <vector>

#include "cg.hpp"
#include "gauge/extended.hpp"
#include "gauge/nersc_header.hpp"
#include "gauge/start.hpp"
#include "measure/check.hpp"
#include "proofs.hpp"

namespace tenken::lqcd {

// Lattice and grid of ranks as the parameters ask, or the lattice of the file that is read. Throws UserError where they
// cannot be.
Geometry make_geometry(const Check& check, const std::optional<NerscHeader>& file);

// Faults of this rank. Throws UserError for a halo fault on a launch without a halo.
Faults faults_of(const Check& check, const Geometry& geometry);

// The fault link_sign, on the last rank: the sign of one link.
void flip_link(const Check& check, Links& links);

// Sweeps of the heat bath over `made`, as the parameters ask, and the outcome to `links`.
void thermalise(const Check& check, std::uint64_t seed, ExtendedLinks& made, Links& links);

// Proves links and plaquette of the gauge field, and records its plaquette and mean link. A file's links and averages
// are held against its header, within the precision of the file.
void prove_gauge_field(Check& check, const Configuration& configuration, const std::optional<NerscHeader>& file,
                       const ExtendedLinks& made, const Links& links);

// Proves that the operator is that of the gauge field.
void prove_operator(Check& check, const Subject& subject);

// |x|^2 on the first time slices, as values.
void record_slices(Check& check, const std::vector<double>& x2);

// Repetitions of Cg::step, one solve after the other, and the proofs and values of the solver.
void solve(Check& check, Wilson& h, const Field& source);

}  // namespace tenken::lqcd
