// 25-point stencil of 8th order of the Kohn-Sham Hamiltonian in velocity gauge:
//
//   out = (V + a) u - 1/2 sum_(d,j) C_dj (u_(+j) + u_(-j)) - i sum_(d,j) K_d D_dj (u_(+j) - u_(-j)),
//   a = 1/2 (|K|^2 - sum_d C_d0), d = x, y, z, j = 1..4,
//
// C and D the central differences of the second and first derivative, K = k + A/c.
#pragma once

#include <array>

#include "numerics/dft/system.hpp"

namespace tenken::dft {

// Of the second derivative times h^2 (0..4) and of the first times h (1..4).
inline constexpr std::array<double, 5> second_difference{-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
inline constexpr std::array<double, 5> first_difference{0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};

struct Stencil {
  Stencil(const Grid& of, const Vector& at);

  Grid grid;
  Vector k;                                          // K, 1/Bohr
  double diagonal;                                   // a
  std::array<std::array<double, 4>, 3> second_half;  // [axis][j-1]: -1/2 C
  std::array<std::array<double, 4>, 3> first;        // [axis][j-1]: K D
};

// Largest eigenvalue of the kinetic part, Hartree.
double largest_kinetic(const Stencil& stencil);
// Its eigenvalue for the plane wave exp(i G.r), G = 2 pi n / cell.
double kinetic_of_plane_wave(const Stencil& stencil, const std::array<int, 3>& n);

// Point by point with the neighbours' indices modulo the grid: what the formula says.
void apply_plain(const Stencil& stencil, const double* potential, const Complex* in, Complex* out);
// The same by rows of z, for the compiler to vectorise.
void apply_rows(const Stencil& stencil, const double* potential, const Complex* in, Complex* out);

}  // namespace tenken::dft
