#include "kernel.hpp"

#include <algorithm>

namespace tenken::hpcg {

namespace {

inline void relax(const Csr<double>& a, std::int64_t diagonal, std::int64_t row, const double* r, double* x) {
  const double* const value = a.value.data();
  const std::int32_t* const column = a.column.data();
  const auto [first, last] = a.row(row);
  double sum = r[row];
  for (std::int64_t n = first; n < last; ++n) sum -= value[n] * x[column[n]];
  x[row] += sum / value[diagonal];
}

}  // namespace

void symmetric_gauss_seidel(const Csr<double>& a, const std::int64_t* diagonal, const double* r, double* x) {
  for (std::int64_t row = 0; row < a.rows; ++row) relax(a, diagonal[row], row, r, x);
  for (std::int64_t row = a.rows; row-- > 0;) relax(a, diagonal[row], row, r, x);
}

Buffer<std::int64_t> diagonal_places(const Csr<double>& a) {
  auto places = make_array<std::int64_t>(a.rows, "places of the diagonal");
  for (std::int64_t row = 0; row < a.rows; ++row) {
    places[static_cast<std::size_t>(row)] = find_entry(a, row, row) - a.value.data();
  }
  return places;
}

}  // namespace tenken::hpcg
