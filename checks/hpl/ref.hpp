// The plain twin: elimination with partial pivoting, element by element, on one process.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace hpl {

// `system`: [A | b], n rows and n + 1 columns, stored by columns; becomes [U | L^-1 P b] with L below the diagonal. `x`
// is the solution, `pivots` the rows that the steps swapped with rows 0, 1, … Number: double, or one that counts.
template <class Number>
void reference(int n, std::vector<Number>& system, std::vector<Number>& x, std::vector<int>& pivots) {
  const auto at = [&](int row, int column) -> Number& {
    return system[static_cast<std::size_t>(row) + static_cast<std::size_t>(column) * static_cast<std::size_t>(n)];
  };
  const auto size = [](const Number& one) {
    if constexpr (std::is_same_v<Number, double>) {
      return std::abs(one);
    } else {
      return std::abs(one.value);
    }
  };
  pivots.clear();
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i) {
      if (size(at(i, k)) > size(at(best, k))) best = i;
    }
    pivots.push_back(best);
    for (int j = 0; j <= n; ++j) std::swap(at(k, j), at(best, j));
    for (int i = k + 1; i < n; ++i) at(i, k) = at(i, k) / at(k, k);
    for (int j = k + 1; j <= n; ++j) {
      for (int i = k + 1; i < n; ++i) at(i, j) = at(i, j) - at(i, k) * at(k, j);
    }
  }
  x.assign(static_cast<std::size_t>(n), Number{});
  for (int k = n - 1; k >= 0; --k) {
    Number sum = at(k, n);
    for (int j = k + 1; j < n; ++j) sum = sum - at(k, j) * x[static_cast<std::size_t>(j)];
    x[static_cast<std::size_t>(k)] = sum / at(k, k);
  }
}

}  // namespace hpl
