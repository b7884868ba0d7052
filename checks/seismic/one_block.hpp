// For tests: steps of one block that takes all of the box.
#pragma once

#include <algorithm>
#include <functional>

#include "block.hpp"

namespace tenken::seismic {

// Fills the halo of a block without ends in x and y.
template <class Real>
void wrap_columns(Block<Real>& block, int first, int last) {
  const Layout& l = block.layout();
  for (int c = first; c < last; ++c) {
    Real* const f = block.field(static_cast<Component>(c));
    for (int j = -halo; j < l.ny + halo; ++j) {
      for (int i = -halo; i < l.nx + halo; ++i) {
        if (i >= 0 && i < l.nx && j >= 0 && j < l.ny) continue;
        const Real* const from = f + l.at((i + l.nx) % l.nx, (j + l.ny) % l.ny) - halo;
        std::copy(from, from + l.nz + 2 * halo, f + l.at(i, j) - halo);
      }
    }
  }
}

template <class Real>
void step(Block<Real>& block, std::int64_t n) {
  const Layout& l = block.layout();
  const bool turns = block.problem().periodic;
  for (int j = 0; j < l.ny; ++j) block.template velocity<Made>(n, {j, 0, l.nx}, Part::whole);
  if (turns) wrap_columns(block, vx, sxx);
  for (int j = 0; j < l.ny; ++j) block.template stress<Made>(n, {j, 0, l.nx}, Part::whole);
  if (turns) wrap_columns(block, sxx, components);
}

template <class Real>
void for_cells(const Block<Real>& block, const std::function<void(int, int, int, std::int64_t)>& use) {
  const Layout& l = block.layout();
  for (int j = 0; j < l.ny; ++j) {
    for (int i = 0; i < l.nx; ++i) {
      for (int k = 0; k < l.nz; ++k) use(i, j, k, l.at(i, j) + k);
    }
  }
}

// Sum of squares of all velocities.
template <class Real>
double squares_of_velocity(const Block<Real>& block) {
  double sum = 0;
  for (int c = 0; c < sxx; ++c) {
    const Real* const f = block.field(static_cast<Component>(c));
    for_cells(block, [&](int, int, int, std::int64_t at) { sum += static_cast<double>(f[at]) * f[at]; });
  }
  return sum;
}

}  // namespace tenken::seismic
