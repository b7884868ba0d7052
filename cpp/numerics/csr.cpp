#include "numerics/csr.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tenken {

namespace {

// The entries row by row, by column; entries of one place stay in their order.
class Sorted {
 public:
  Sorted(std::int64_t rows, std::span<const Entry> entries)
      : entries_(entries), begin_(static_cast<std::size_t>(rows) + 1), of_(entries.size()) {
    for (const Entry& e : entries) ++begin_[static_cast<std::size_t>(e.row) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::int64_t> place(begin_.begin(), begin_.end() - 1);
    for (std::size_t n = 0; n < entries.size(); ++n) {
      of_[static_cast<std::size_t>(place[static_cast<std::size_t>(entries[n].row)]++)] = static_cast<std::int64_t>(n);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
      std::stable_sort(of_.begin() + begin_[i], of_.begin() + begin_[i + 1], [&](std::int64_t m, std::int64_t n) {
        return entries[static_cast<std::size_t>(m)].column < entries[static_cast<std::size_t>(n)].column;
      });
    }
  }
  const Entry& operator[](std::int64_t n) const {
    return entries_[static_cast<std::size_t>(of_[static_cast<std::size_t>(n)])];
  }
  Range row(std::int64_t i) const {
    return {begin_[static_cast<std::size_t>(i)], begin_[static_cast<std::size_t>(i) + 1]};
  }
  // Whether an entry has the place of the entry before.
  bool repeats(std::int64_t i, std::int64_t n) const {
    return n > row(i).first && (*this)[n].column == (*this)[n - 1].column;
  }

 private:
  std::span<const Entry> entries_;
  std::vector<std::int64_t> begin_, of_;
};

}  // namespace

std::pair<Csr<double>, std::optional<Entry>> csr_from(std::int64_t rows, std::int64_t columns,
                                                      std::span<const Entry> entries) {
  const Sorted sorted(rows, entries);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t n = sorted.row(i).first; n < sorted.row(i).last; ++n) {
      if (sorted.repeats(i, n)) return {Csr<double>{}, sorted[n]};
    }
  }
  return {make_csr<double>(
              rows, columns, [&](std::int64_t i) { return sorted.row(i).size(); },
              [&](std::int64_t i, std::int32_t* column, double* value) {
                for (std::int64_t n = sorted.row(i).first; n < sorted.row(i).last; ++n) {
                  *column++ = sorted[n].column;
                  *value++ = sorted[n].value;
                }
              }),
          std::nullopt};
}

std::pair<Csr<double>, std::int64_t> csr_of_sums(std::int64_t rows, std::int64_t columns,
                                                 std::span<const Entry> entries) {
  const Sorted sorted(rows, entries);
  Csr<double> a = make_csr<double>(
      rows, columns,
      [&](std::int64_t i) {
        std::int64_t places = 0;
        for (std::int64_t n = sorted.row(i).first; n < sorted.row(i).last; ++n) places += sorted.repeats(i, n) ? 0 : 1;
        return places;
      },
      [&](std::int64_t i, std::int32_t* column, double* value) {
        for (std::int64_t n = sorted.row(i).first; n < sorted.row(i).last; ++n) {
          if (sorted.repeats(i, n)) {
            value[-1] += sorted[n].value;
          } else {
            *column++ = sorted[n].column;
            *value++ = sorted[n].value;
          }
        }
      });
  const std::int64_t added = static_cast<std::int64_t>(entries.size()) - a.entries();
  return {std::move(a), added};
}

template <class Real>
void multiply(Range rows, const Csr<Real>& a, const Real* x, Real* y) {
  const std::int64_t* const begin = a.begin.data();
  const std::int32_t* const column = a.column.data();
  const Real* const value = a.value.data();
  for (std::int64_t i = rows.first; i < rows.last; ++i) {
    Real sum = 0;
    for (std::int64_t n = begin[i]; n < begin[i + 1]; ++n) sum += value[n] * x[column[n]];
    y[i] = sum;
  }
}

template <class Real>
const Real* find_entry(const Csr<Real>& a, std::int64_t i, std::int64_t j) {
  const auto [first, last] = a.row(i);
  const std::int32_t* const end = a.column.data() + last;
  const std::int32_t* const found = std::lower_bound(a.column.data() + first, end, static_cast<std::int32_t>(j));
  return found == end || *found != j ? nullptr : a.value.data() + (found - a.column.data());
}

template <class Real>
std::optional<Entry> unsymmetric_entry(const Csr<Real>& a, double tolerance) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t n = a.row(i).first; n < a.row(i).last; ++n) {
      const std::int32_t j = a.column[static_cast<std::size_t>(n)];
      const double here = a.value[static_cast<std::size_t>(n)];
      const Real* const there = find_entry(a, j, i);
      const double partner = there == nullptr ? 0 : *there;
      if (there == nullptr || std::abs(here - partner) > tolerance * std::max(std::abs(here), std::abs(partner))) {
        return Entry{static_cast<std::int32_t>(i), j, here};
      }
    }
  }
  return std::nullopt;
}

template <class Real>
Csr<Real> permuted(const Csr<Real>& a, std::span<const std::int32_t> order) {
  std::vector<std::int32_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  const auto old = [&](std::int64_t i) { return a.row(order[static_cast<std::size_t>(i)]); };
  return make_csr<Real>(
      a.rows, a.columns, [&](std::int64_t i) { return old(i).size(); },
      [&](std::int64_t i, std::int32_t* column, Real* value) {
        const auto [first, last] = old(i);
        // Insertion: rows are short.
        for (std::int64_t n = first; n < last; ++n) {
          const std::int32_t j = place[static_cast<std::size_t>(a.column[static_cast<std::size_t>(n)])];
          std::int64_t k = n - first;
          for (; k > 0 && column[k - 1] > j; --k) {
            column[k] = column[k - 1];
            value[k] = value[k - 1];
          }
          column[k] = j;
          value[k] = a.value[static_cast<std::size_t>(n)];
        }
      });
}

template void multiply(Range, const Csr<double>&, const double*, double*);
template void multiply(Range, const Csr<float>&, const float*, float*);
template const double* find_entry(const Csr<double>&, std::int64_t, std::int64_t);
template const float* find_entry(const Csr<float>&, std::int64_t, std::int64_t);
template std::optional<Entry> unsymmetric_entry(const Csr<double>&, double);
template std::optional<Entry> unsymmetric_entry(const Csr<float>&, double);
template Csr<double> permuted(const Csr<double>&, std::span<const std::int32_t>);
template Csr<float> permuted(const Csr<float>&, std::span<const std::int32_t>);

}  // namespace tenken
