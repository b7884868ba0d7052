// What the parameters ask for; refuses what cannot be computed in one sentence.
#pragma once

#include "electrons.hpp"
#include "measure/check.hpp"
#include "numerics/dft/system.hpp"

namespace tenken::tddft {

dft::Input crystal(const Parameters& parameters);
Pulse pulse(const Parameters& parameters, double duration);
// `highest`: of the potential, Hartree.
Settings settings(const Check& check, const dft::Grid& grid, double highest);
// Bytes of the core's caches, or what is usual where the system does not tell.
std::int64_t l1_bytes();
std::int64_t l2_bytes();

}  // namespace tenken::tddft
