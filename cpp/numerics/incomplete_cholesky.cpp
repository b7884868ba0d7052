#include "numerics/incomplete_cholesky.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace tenken {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// The entries of a row in a triangle, which are c slots apart.
struct Row {
  const std::int32_t* column;
  double* value;  // of the factor
  std::int64_t length;
  std::int64_t step;

  std::int32_t column_at(std::int64_t n) const { return column[n * step]; }
  double& value_at(std::int64_t n) const { return value[n * step]; }
  // The first entry whose column is not below j; length where there is none.
  std::int64_t lower_bound(std::int32_t j, std::int64_t from) const {
    std::int64_t left = from, right = length;
    while (left < right) {
      const std::int64_t middle = left + (right - left) / 2;
      if (column_at(middle) < j) {
        left = middle + 1;
      } else {
        right = middle;
      }
    }
    return left;
  }
};

// use(entry of x, entry of y) for each column that both rows have, ascending, among the first entries of x.
template <class Use>
void for_common(const Row& x, std::int64_t first_of_x, const Row& y, const Use& use) {
  constexpr std::int64_t much = 8;  // a row as many times as long is searched instead of read
  const Row begin_of_x{x.column, x.value, first_of_x, x.step};
  std::int64_t m = 0, n = 0;
  while (m < begin_of_x.length && n < y.length) {
    const std::int32_t of_x = x.column_at(m), of_y = y.column_at(n);
    if (of_x == of_y) {
      use(m++, n++);
    } else if (of_x < of_y) {
      m = begin_of_x.length > much * y.length ? begin_of_x.lower_bound(of_y, m) : m + 1;
    } else {
      n = y.length > much * begin_of_x.length ? y.lower_bound(of_x, n) : n + 1;
    }
  }
}

class Factoriser {
 public:
  Factoriser(Coloured& a, bool of_triangles) : a_(a), of_triangles_(of_triangles) {
    scale_ = make_vector(a, "scale of matrix rows");
    length_.resize(at(a.padded));
#pragma omp parallel for schedule(static) reduction(|| : touching_)
    for (std::int64_t i = 0; i < a.padded; ++i) {
      // The largest power of two with scale^2 a_ii below 4.
      scale_[at(i)] = std::ldexp(1.0, -static_cast<int>(std::floor(std::ilogb(a_.diagonal[at(i)]) / 2.0)));
      length_[at(i)] = static_cast<std::int32_t>(entries_of(i));
      const auto colour = std::upper_bound(a_.colour.begin(), a_.colour.end(), i / a_.c) - 1;
      const std::int64_t last_slot = first(a_.lower, i) + length_[at(i)] - 1;
      touching_ =
          touching_ || (length_[at(i)] > 0 && a_.lower.column[at(last_slot * a_.c + i % a_.c)] >= *colour * a_.c);
    }
    if (!of_triangles) return;
    if (a.lower.factor.size() > 0) return;
    for (Triangle* t : {&a.lower, &a.upper})
      t->factor = Buffer<double>(t->value.size(), Pages::huge, "an incomplete factor");
    on_own_rows([&](std::int64_t i) {
      for (Triangle* t : {&a_.lower, &a_.upper}) {
        for (std::int64_t slot = first(*t, i); slot < last(*t, i); ++slot) t->factor[at(slot * a_.c + i % a_.c)] = 0;
      }
      return true;
    });
  }

  // Whether all pivots with this shift are positive.
  bool trial(double shift) {
    return on_own_rows([&](std::int64_t i) { return of_triangles_ ? row_of_ic(i, shift) : row_of_diagonal(i, shift); });
  }

  // The factor as it is for the matrix without scale.
  void finish() {
    on_own_rows([&](std::int64_t i) {
      a_.inverse[at(i)] *= scale_[at(i)] * scale_[at(i)];
      if (!of_triangles_) return true;
      const Row row = lower_row(i);
      for (std::int64_t n = 0; n < row.length; ++n) row.value_at(n) /= scale_[at(i)] * scale_[at(row.column_at(n))];
      return true;
    });
    if (of_triangles_) on_own_rows([&](std::int64_t i) { return transpose(i); });
  }

  // With a shift above this every scaled diagonal exceeds the sum of its row.
  double dominance() const {
    double most = 0;
    for (std::int64_t i = 0; i < a_.padded; ++i) {
      double sum = 0;
      for (const Triangle* t : {&a_.lower, &a_.upper}) {
        for (std::int64_t slot = first(*t, i); slot < last(*t, i); ++slot) {
          const std::size_t n = at(slot * a_.c + i % a_.c);
          sum += std::abs(scaled(i, t->column[n], t->value[n]));
        }
      }
      most = std::max(most, sum);
    }
    return most;
  }

 private:
  std::int64_t first(const Triangle& t, std::int64_t i) const { return t.begin[at(i / a_.c)]; }
  std::int64_t last(const Triangle& t, std::int64_t i) const { return t.begin[at(i / a_.c) + 1]; }
  double scaled(std::int64_t i, std::int64_t j, double value) const { return value * scale_[at(i)] * scale_[at(j)]; }

  // Padding repeats the last column, or is the row.
  std::int64_t entries_of(std::int64_t i) const {
    std::int64_t n = 0, before = -1;
    for (std::int64_t slot = first(a_.lower, i); slot < last(a_.lower, i); ++slot, ++n) {
      const std::int64_t column = a_.lower.column[at(slot * a_.c + i % a_.c)];
      if (column <= before || column == i) break;
      before = column;
    }
    return n;
  }

  Row lower_row(std::int64_t i) const {
    const std::int64_t begin = first(a_.lower, i) * a_.c + i % a_.c;
    return {a_.lower.column.data() + begin, a_.lower.factor.data() + begin, length_[at(i)], a_.c};
  }

  bool accepted(std::int64_t i, double pivot) {
    a_.inverse[at(i)] = 1 / pivot;
    return pivot > 0 && std::isfinite(pivot);
  }

  double shifted(std::int64_t i, double shift) const { return scaled(i, i, a_.diagonal[at(i)]) * (1 + shift); }

  bool row_of_diagonal(std::int64_t i, double shift) {
    double e = shifted(i, shift);
    for (std::int64_t slot = first(a_.lower, i); slot < last(a_.lower, i); ++slot) {
      const std::size_t n = at(slot * a_.c + i % a_.c);
      const std::int64_t j = a_.lower.column[n];
      const double value = scaled(i, j, a_.lower.value[n]);
      if (value != 0) e -= value * value * a_.inverse[at(j)];
    }
    return accepted(i, e);
  }

  bool row_of_ic(std::int64_t i, double shift) {
    const Row row = lower_row(i);
    const double* const of_a = a_.lower.value.data() + (row.column - a_.lower.column.data());
    double e = shifted(i, shift);
    for (std::int64_t n = 0; n < row.length; ++n) {
      const std::int32_t j = row.column_at(n);
      const Row of_j = lower_row(j);
      double value = scaled(i, j, of_a[n * row.step]);
      for_common(row, n, of_j, [&](std::int64_t k, std::int64_t m) {
        value -= row.value_at(k) * of_j.value_at(m) * a_.inverse[at(row.column_at(k))];
      });
      row.value_at(n) = value;
      e -= value * value * a_.inverse[at(j)];
    }
    return accepted(i, e);
  }

  bool transpose(std::int64_t i) {
    for (std::int64_t slot = first(a_.upper, i); slot < last(a_.upper, i); ++slot) {
      const std::size_t n = at(slot * a_.c + i % a_.c);
      const std::int64_t j = a_.upper.column[n];
      if (j == i || (slot > first(a_.upper, i) && j == a_.upper.column[n - at(a_.c)])) break;
      const Row of_j = lower_row(j);
      const std::int64_t place = of_j.lower_bound(static_cast<std::int32_t>(i), 0);
      if (place < of_j.length && of_j.column_at(place) == i) a_.upper.factor[n] = of_j.value_at(place);
    }
    return true;
  }

  // use(row) of every place, colour by colour, each by the thread that owns it, until one returns false. Where rows of
  // one colour touch (a wrong colouring), one thread takes all rows in their order.
  template <class Use>
  bool on_own_rows(const Use& use) {
    std::atomic<bool> ended{false};
#pragma omp parallel if (!touching_)
    for (int colour = 0; colour < a_.colours(); ++colour) {
      const Range mine = chunks_of(a_, colour, omp_get_thread_num(), omp_get_num_threads());
      for (std::int64_t i = mine.first * a_.c; i < mine.last * a_.c && !ended.load(std::memory_order_relaxed); ++i) {
        if (!use(i)) ended.store(true, std::memory_order_relaxed);
      }
#pragma omp barrier
    }
    return !ended;
  }

  Coloured& a_;
  const bool of_triangles_;
  Buffer<double> scale_;
  std::vector<std::int32_t> length_;
  bool touching_ = false;  // rows of one colour
};

}  // namespace

void factorise(Coloured& a, bool of_triangles, double least_shift) {
  Factoriser factor(a, of_triangles);
  a.shift = least_shift;
  while (!factor.trial(a.shift)) {
    const double enough = factor.dominance();
    if (!std::isfinite(enough) || a.shift > enough) {
      refuse(
          "the matrix has entries that are no finite numbers, or so far apart that no factor can be computed; "
          "scale its rows and columns");
    }
    a.shift = std::max(first_shift, 2 * a.shift);
  }
  factor.finish();
}

}  // namespace tenken
