// What the tests share: silicon on a grid too coarse for its energies, which is all the same to invariants.
#pragma once

#include <array>

#include "numerics/dft/ground_state.hpp"
#include "numerics/dft/input.hpp"
#include "numerics/dft/system.hpp"

namespace tenken::tddft {

inline dft::System silicon(int reduction, const std::array<int, 3>& k_grid = {2, 2, 2}) {
  dft::Input input = dft::example("si");
  input.grid.points = {8, 8, 8};
  input.k_grid = k_grid;
  input.reduction = reduction;
  return dft::make_system(input);
}

inline dft::GroundState ground(const dft::System& system) {
  dft::GroundStateOptions options;
  options.tolerance = 1e-11;
  return dft::ground_state(system, {0, static_cast<std::int64_t>(system.k_points.size())}, options);
}

}  // namespace tenken::tddft
