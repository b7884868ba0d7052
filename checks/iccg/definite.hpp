// Whether a symmetric matrix is positive definite, as far as it can be shown: by a vector x with x.A x <= 0 that it is
// not, by the discs of its rows that it is.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "numerics/csr.hpp"

namespace iccg {

struct Form {
  double value = 0;   // x.A x
  double error = 0;   // bound of what rounding changed (N. J. Higham, Accuracy and Stability (2002), 3.5)
  double square = 0;  // x.x
};
Form form_of(const tenken::Csr<double>& a, std::span<const double> x);

// S. Gershgorin, Izv. Akad. Nauk SSSR 6 (1931) 749, for the matrix that is scaled to diagonal entries of 1: no
// eigenvalue is below `least`. Where that is positive the matrix is positive definite.
struct Discs {
  double least = 1;
  std::int64_t row = 0;  // the row of that disc, from 0
};
Discs discs_of(const tenken::Csr<double>& a);

// Two rows of which a_ij^2 > a_ii a_jj, or a diagonal entry that is not positive: a sentence with the vector x that
// shows it. Empty where there are none. Rows count from 1.
std::string indefinite_rows(const tenken::Csr<double>& a);

// A sentence with the largest entries of x where x.A x <= 0 beyond rounding, with the discs and the shift of the
// factor; else empty.
std::string indefinite_direction(const tenken::Csr<double>& a, std::span<const double> x, std::size_t iteration,
                                 double shift);

}  // namespace iccg
