// X = L^-1 B for many columns by matrix products alone: blocks on the diagonal of L are inverted once a panel. The
// triangular solves of common libraries reach a fraction of the rate of their products, here and there a sixth.
#pragma once

#include <cstddef>
#include <vector>

namespace hpl {

class UnitLower {
 public:
  // Of at most `largest` rows.
  explicit UnitLower(int largest);

  // L: unit lower triangular of order n, by columns, n doubles from one to the next; it is read until the next call.
  void set(const double* l, int n);

  // x = L^-1 b, both n x columns with n doubles from a column to the next; b is overwritten.
  void solve(int columns, double* b, double* x) const;

 private:
  const double* l_ = nullptr;
  int n_ = 0;
  std::vector<double> inverses_;  // of the blocks on the diagonal, one after the other
};

}  // namespace hpl
