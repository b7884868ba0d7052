#include "definite.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <vector>

namespace iccg {

using tenken::Csr;

namespace {

constexpr double unit = std::numeric_limits<double>::epsilon();

std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }

std::string shown(double x) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", x);
  return text.data();
}

std::string row_name(std::int64_t row) { return "row " + std::to_string(row + 1); }

}  // namespace

Form form_of(const Csr<double>& a, std::span<const double> x) {
  Form form;
  std::int64_t longest = 0;
  double absolute = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    double sum = 0, of_absolutes = 0;
    for (std::int64_t n = a.row(i).first; n < a.row(i).last; ++n) {
      const double term = a.value[at(n)] * x[at(a.column[at(n)])];
      sum += term;
      of_absolutes += std::abs(term);
    }
    form.value += x[at(i)] * sum;
    form.square += x[at(i)] * x[at(i)];
    absolute += std::abs(x[at(i)]) * of_absolutes;
    longest = std::max(longest, a.row(i).size());
  }
  form.error = unit * static_cast<double>(longest + a.rows + 2) * absolute;
  return form;
}

Discs discs_of(const Csr<double>& a) {
  std::vector<double> root(at(a.rows));
  for (std::int64_t i = 0; i < a.rows; ++i) root[at(i)] = std::sqrt(*find_entry(a, i, i));
  Discs discs;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    double least = 1;
    for (std::int64_t n = a.row(i).first; n < a.row(i).last; ++n) {
      const std::int64_t j = a.column[at(n)];
      if (j != i) least -= std::abs(a.value[at(n)]) / root[at(i)] / root[at(j)];
    }
    if (least < discs.least) discs = {least, i};
  }
  return discs;
}

std::string indefinite_rows(const Csr<double>& a) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const double* const found = find_entry(a, i, i);
    const double diagonal = found == nullptr ? 0 : *found;
    if (!(diagonal > 0)) {
      return row_name(i) +
             " has no positive diagonal entry, so the matrix is not positive definite: x.A x = " + shown(diagonal) +
             " for x = 1 in " + row_name(i) + " and 0 elsewhere";
    }
  }
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t n = a.row(i).first; n < a.row(i).last; ++n) {
      const std::int64_t j = a.column[at(n)];
      const double of_i = *find_entry(a, i, i), of_j = *find_entry(a, j, j);
      const double ratio = a.value[at(n)] / of_j;  // x = 1 in row i and -ratio in row j
      if (j == i || !(std::abs(ratio) * (std::abs(a.value[at(n)]) / of_i) > 1 + 8 * unit)) continue;
      return "the entry in " + row_name(i) + ", column " + std::to_string(j + 1) + " is " + shown(a.value[at(n)]) +
             ", but the diagonal entries of these rows are " + shown(of_i) + " and " + shown(of_j) +
             ", so the matrix is not positive definite: x.A x = " + shown(of_i - ratio * a.value[at(n)]) +
             " for x = 1 in " + row_name(i) + ", " + shown(-ratio) + " in " + row_name(j) + " and 0 elsewhere";
    }
  }
  return "";
}

std::string indefinite_direction(const Csr<double>& a, std::span<const double> x, std::size_t iteration, double shift) {
  const Form form = form_of(a, x);
  if (!(form.value + form.error <= 0) || !(form.square > 0)) return "";
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t most = std::min<std::size_t>(3, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                    [&](std::size_t i, std::size_t j) { return std::abs(x[i]) > std::abs(x[j]); });
  std::string largest;
  for (std::size_t n = 0; n < most; ++n) {
    const std::string value = shown(x[order[n]] / std::sqrt(form.square));
    largest += (n == 0 ? "" : ", ") + value + " in " + row_name(static_cast<std::int64_t>(order[n]));
  }
  const Discs discs = discs_of(a);
  return "the matrix is not positive definite: x.A x = " + shown(form.value / form.square) +
         " x.x for the search direction x of iteration " + std::to_string(iteration) +
         " (largest entries of x / |x|: " + largest + "); scaled to a diagonal of 1, its Gershgorin discs begin at " +
         shown(discs.least) + " (" + row_name(discs.row) + "), and its incomplete factor needed a shift of " +
         shown(shift);
}

}  // namespace iccg
