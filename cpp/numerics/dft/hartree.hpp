// Electrostatic potential of a density of charge on a periodic grid, by Fourier transforms.
#pragma once

#include <vector>

#include "numerics/dft/system.hpp"
#include "numerics/fft.hpp"

namespace tenken::dft {

class Hartree {
 public:
  explicit Hartree(const Grid& grid);
  Hartree(const Hartree&) = delete;
  Hartree& operator=(const Hartree&) = delete;

  // potential = 4 pi / G^2 of density, average 0; both [point]. Returns the energy 1/2 integral density * potential.
  double operator()(const double* density, double* potential);

 private:
  Grid grid_;
  std::vector<double> real_;
  std::vector<Complex> spectrum_;
  std::vector<double> kernel_;  // [half spectrum]: 4 pi / G^2 / points, 0 at G = 0
  RealFft forward_;
  RealFft backward_;
};

// 2 pi / cell times the signed frequency of index i of n.
double wave_number(int i, int n, double cell);

}  // namespace tenken::dft
