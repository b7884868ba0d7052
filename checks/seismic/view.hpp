// What an update of kernel.hpp works on: arrays of a block and absorbing layers, as pointers.
#pragma once

#include <array>
#include <cstddef>

#include "layout.hpp"

namespace tenken::seismic {

constexpr int mechanisms = 3;  // of a viscoelastic medium

// Arrays of a block.
template <class Real>
struct View {
  std::array<Real*, velocities> v{};
  std::array<Real*, stresses> s{};  // sxx, syy, szz, sxy, sxz, syz
  const Real* density = nullptr;
  const Real* lambda = nullptr;
  const Real* compliance = nullptr;
  std::array<Real*, 9> slope{};  // derivatives that are stored (classic), else unused
  // Viscoelastic: the memory of `unit` values of a column lies together, [component * mechanisms + mechanism][unit].
  Real* memory = nullptr;
  std::array<Real, mechanisms> c1{}, c2{};
  Real phi_p = 0, phi_s = 0;
  std::ptrdiff_t dx = 0, dy = 0;                         // from a column to the next
  Real near = Real(9.0 / 8.0), far = Real(-1.0 / 24.0);  // coefficients of D
};

// One position of an absorbing layer.
template <class Real>
struct Damping {
  Real share = 1;  // 1 / kappa
  Real a = 0, b = 0;
};

// Absorbing layers as one row of columns sees them. psi of the derivatives along a direction of `unit` values of a
// column lies together, [derivative][unit]. Pointers are to k = 0 of the first column.
template <class Real>
struct Layers {
  Real *x = nullptr, *y = nullptr, *z = nullptr;
  std::ptrdiff_t x_step = 0, y_step = 0, z_step = 0;  // from a column to the next
  const Damping<Real>* at_cell_x = nullptr;           // by column
  const Damping<Real>* at_half_x = nullptr;
  Damping<Real> at_cell_y{}, at_half_y{};
  // By value of k.
  struct Along {
    const Real *share = nullptr, *a = nullptr, *b = nullptr;
  } at_cell_z{}, at_half_z{};
};

// Where value `at` lies in arrays of which n together hold `unit` values each, one after the other.
constexpr std::ptrdiff_t among(std::ptrdiff_t at, int n) { return (at & -unit) * n + (at & (unit - 1)); }

}  // namespace tenken::seismic
