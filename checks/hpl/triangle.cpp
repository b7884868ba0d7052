#include "triangle.hpp"

#include <algorithm>

#include "blas.hpp"

namespace hpl {

namespace {

// Rows of a block: products with so few rows are still fast, and their inverse costs a third more flop than the solve.
constexpr int block = 64;

// inverse (order n, column by column) = L^-1 by forward substitution of unit vectors; L with `stride` from column to
// column.
void invert(const double* l, std::ptrdiff_t stride, int n, double* inverse) {
  for (int c = 0; c < n; ++c) {
    double* const x = inverse + std::ptrdiff_t{c} * n;
    std::fill_n(x, n, 0.0);
    x[c] = 1.0;
    for (int k = c; k < n; ++k) {
      const double value = x[k];
      const double* const column = l + k * stride;
      for (int i = k + 1; i < n; ++i) x[i] -= column[i] * value;
    }
  }
}

}  // namespace

UnitLower::UnitLower(int largest)
    : inverses_(static_cast<std::size_t>(largest + block - 1) / block * static_cast<std::size_t>(block) * block) {}

void UnitLower::set(const double* l, int n) {
  l_ = l;
  n_ = n;
  for (int first = 0; first < n; first += block) {
    invert(l + first + std::ptrdiff_t{first} * n, n, std::min(block, n - first),
           inverses_.data() + std::ptrdiff_t{first} * block);
  }
}

void UnitLower::solve(int columns, double* b, double* x) const {
  for (int first = 0; first < n_; first += block) {
    const int rows = std::min(block, n_ - first);
    subtract_product(rows, columns, first, l_ + first, n_, x, n_, b + first, n_);
    product(rows, columns, rows, inverses_.data() + std::ptrdiff_t{first} * block, rows, b + first, n_, x + first, n_);
  }
}

}  // namespace hpl
