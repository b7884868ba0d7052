// The faster layout of the vectorised kernels, found by a short trial before the run: whole steps of both layouts, with
// stencil, projectors, density and current, on a few bands of the crystal at hand.
#pragma once

#include "electrons.hpp"
#include "measure/check.hpp"

namespace tenken::tddft {

// Nanoseconds of a thread for one point of one band in one application of H, all else of a step included.
struct Trial {
  double points = 0, bands = 0;
};

// Both layouts in turn, `rounds` steps each after a warm-up; the least time of each. At most 16 bands a thread, and at
// most the orbitals of `share`: as many as a run has.
Trial try_layouts(const dft::System& system, const Settings& settings, const dft::Share& share, int threads,
                  int rounds);

// The layout of the shorter step of a share: threads share blocks in whole, and empty bands of a block cost what others
// cost.
Layout faster_layout(const Trial& trial, const dft::System& system, const Settings& settings, const dft::Share& share,
                     int threads);

// Collective. Where --layout is auto: a trial, its times over all ranks in the record, and the faster layout taken.
void choose_layout(Check& check, const dft::System& system, Settings& settings, const dft::Share& most);

}  // namespace tenken::tddft
