#include "numerics/coloured.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "numerics/incomplete_cholesky.hpp"
#include "numerics/with_width.hpp"

namespace tenken {

namespace {

// Rows from long to short in windows of sigma inside each colour.
std::vector<std::int32_t> sorted_rows(const Csr<double>& a, const Ordering& colours, int sigma) {
  std::vector<std::int32_t> order = colours.order;
  if (sigma == 1) return order;
  for (std::size_t g = 0; g + 1 < colours.begin.size(); ++g) {
    for (std::int64_t first = colours.begin[g]; first < colours.begin[g + 1]; first += sigma) {
      std::stable_sort(order.begin() + first, order.begin() + std::min(first + sigma, colours.begin[g + 1]),
                       [&](std::int32_t i, std::int32_t j) { return a.row(i).size() > a.row(j).size(); });
    }
  }
  return order;
}

void require(const Csr<double>& a, int c, int sigma) {
  if (c < 1 || c > 32 || (c & (c - 1)) != 0) {
    refuse("chunks of " + std::to_string(c) + " rows do not exist here; use 1, 2, 4, 8, 16 or 32");
  }
  if (sigma < 1 || (sigma > 1 && sigma % c != 0)) {
    refuse("sigma = " + std::to_string(sigma) + " must be 1 or a multiple of the chunk's " + std::to_string(c) +
           " rows");
  }
  if (a.rows != a.columns) {
    refuse("the matrix is not square: " + std::to_string(a.rows) + " rows and " + std::to_string(a.columns) +
           " columns; conjugate gradients need a symmetric one");
  }
}

// Calls use(first chunk, one beyond) on every thread: its part of every colour.
template <class Use>
void on_own_chunks(const Coloured& a, const Use& use) {
#pragma omp parallel
  for (int colour = 0; colour < a.colours(); ++colour) {
    use(chunks_of(a, colour, omp_get_thread_num(), omp_get_num_threads()));
  }
}

template <class T>
Buffer<T> own_rows(const Coloured& a, std::string_view purpose) {
  Buffer<T> array(static_cast<std::size_t>(a.padded), Pages::huge, purpose);
  on_own_chunks(a,
                [&](Range mine) { std::fill(array.data() + mine.first * a.c, array.data() + mine.last * a.c, T{}); });
  return array;
}

// The entries of A left (lower) or right of the diagonal of the new order, in chunks.
class Cutter {
 public:
  Cutter(const Csr<double>& a, const Coloured& m, const std::vector<std::int32_t>& place)
      : a_(a), m_(m), place_(place) {}

  Triangle operator()(bool lower) const {
    Triangle t;
    t.begin = Buffer<std::int32_t>(static_cast<std::size_t>(m_.chunks()) + 1, Pages::huge, "starts of matrix chunks");
    std::int32_t* const begin = t.begin.data();
    std::int64_t entries = 0;
#pragma omp parallel for schedule(static) reduction(+ : entries)
    for (std::int64_t k = 0; k < m_.chunks(); ++k) {
      std::int32_t width = 0;
      for (std::int64_t i = k * m_.c; i < (k + 1) * m_.c; ++i) {
        std::int32_t of_row = 0;
        visit(i, lower, [&](std::int32_t, double) { ++of_row; });
        entries += of_row;
        width = std::max(width, of_row);
      }
      begin[k + 1] = width;
    }
    t.entries = entries;
    std::int64_t slots = 0;
    for (std::int64_t k = 0; k < m_.chunks(); ++k) {
      slots += begin[k + 1];
      if (slots > std::numeric_limits<std::int32_t>::max()) {
        refuse("the matrix has more entries than solvers can number; use larger chunks");
      }
      begin[k + 1] = static_cast<std::int32_t>(slots);
    }
    const auto size = static_cast<std::size_t>(slots) * static_cast<std::size_t>(m_.c);
    t.column = Buffer<std::int32_t>(size, Pages::huge, "columns of matrix slots");
    t.value = Buffer<double>(size, Pages::huge, "values of matrix slots");
    on_own_chunks(m_, [&](Range mine) {
      for (std::int64_t k = mine.first; k < mine.last; ++k) fill(t, k, lower);
    });
    return t;
  }

 private:
  static constexpr std::int64_t short_row = 32;

  // Entries of the row at place i on one side of the diagonal, by ascending place of the column.
  template <class Use>
  void visit(std::int64_t i, bool lower, const Use& use) const {
    const std::int32_t row = m_.row[static_cast<std::size_t>(i)];
    if (row < 0) return;
    const Range entries = a_.row(row);
    if (entries.size() > short_row) return visit_sorted(i, entries, lower, use);
    std::int64_t last = -1;
    for (;;) {
      std::int64_t next = -1, at = 0;
      for (std::int64_t n = entries.first; n < entries.last; ++n) {
        const std::int64_t column = place_[static_cast<std::size_t>(a_.column[static_cast<std::size_t>(n)])];
        if (column > last && (next < 0 || column < next) && (lower ? column < i : column > i)) next = column, at = n;
      }
      if (next < 0) return;
      use(static_cast<std::int32_t>(next), a_.value[static_cast<std::size_t>(at)]);
      last = next;
    }
  }

  template <class Use>
  void visit_sorted(std::int64_t i, Range entries, bool lower, const Use& use) const {
    std::vector<std::pair<std::int32_t, double>> sorted;
    for (std::int64_t n = entries.first; n < entries.last; ++n) {
      const std::int32_t column = place_[static_cast<std::size_t>(a_.column[static_cast<std::size_t>(n)])];
      if (lower ? column < i : column > i) sorted.emplace_back(column, a_.value[static_cast<std::size_t>(n)]);
    }
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [column, value] : sorted) use(column, value);
  }

  void fill(Triangle& t, std::int64_t k, bool lower) const {
    const std::int64_t first = t.begin[static_cast<std::size_t>(k)], last = t.begin[static_cast<std::size_t>(k) + 1];
    for (int lane = 0; lane < m_.c; ++lane) {
      std::int64_t slot = first;
      auto column = static_cast<std::int32_t>(k * m_.c + lane);
      visit(k * m_.c + lane, lower, [&](std::int32_t j, double value) {
        column = j;
        t.column[static_cast<std::size_t>(slot * m_.c + lane)] = j;
        t.value[static_cast<std::size_t>(slot * m_.c + lane)] = value;
        ++slot;
      });
      for (; slot < last; ++slot) {
        t.column[static_cast<std::size_t>(slot * m_.c + lane)] = column;
        t.value[static_cast<std::size_t>(slot * m_.c + lane)] = 0;
      }
    }
  }

  const Csr<double>& a_;
  const Coloured& m_;
  const std::vector<std::int32_t>& place_;
};

template <int c>
TENKEN_INLINE Vec<double, c> gathered(const std::int32_t* column, const double* x) {
  Vec<double, c> v;
  if constexpr (c == 1) {
    v = x[*column];
  } else {
    for (int l = 0; l < c; ++l) v[l] = x[column[l]];
  }
  return v;
}

// Slots are fetched some hundreds of entries before they are used: hardware that follows streams stops at the end of
// each small page, and here there are several at once (docs/decisions/solvers.md#19). Addresses beyond the arrays are
// ignored.
template <int c>
TENKEN_INLINE void fetch_ahead(const std::int32_t* column, const double* value) {
  constexpr std::uintptr_t ahead = 256;  // entries
  constexpr std::uintptr_t line = 64;    // bytes, of the shortest lines that there are
  const auto values = reinterpret_cast<std::uintptr_t>(value + ahead);
  const auto columns = reinterpret_cast<std::uintptr_t>(column + ahead);
  for (std::uintptr_t at = 0; at < c * sizeof(double); at += line) {
    __builtin_prefetch(reinterpret_cast<const void*>(values + at));
  }
  for (std::uintptr_t at = 0; at < c * sizeof(std::int32_t); at += line) {
    __builtin_prefetch(reinterpret_cast<const void*>(columns + at));
  }
}

// sum + or - the products of one chunk's slots, with the values of the matrix or of the factor.
template <int c, int sign>
TENKEN_INLINE Vec<double, c> summed(const Triangle& t, const double* values, std::int64_t k, const double* x,
                                    const Vec<double, c>& start) {
  Vec<double, c> sum = start;
  const std::int64_t last = t.begin.data()[k + 1];
  for (std::int64_t slot = t.begin.data()[k]; slot < last; ++slot) {
    const std::int32_t* const column = t.column.data() + slot * c;
    const double* const value = values + slot * c;
    fetch_ahead<c>(column, value);
    if constexpr (sign > 0) {
      sum += load<Vec<double, c>>(value) * gathered<c>(column, x);
    } else {
      sum -= load<Vec<double, c>>(value) * gathered<c>(column, x);
    }
  }
  return sum;
}

template <int c>
void forward_chunks(Range chunks, const Coloured& a, const double* r, double* z) {
  using V = Vec<double, c>;
  const double* const inverse = a.inverse.data();
  const double* const factors = a.lower.factors();
  for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
    store(summed<c, -1>(a.lower, factors, k, z, load<V>(r + k * c)) * load<V>(inverse + k * c), z + k * c);
  }
}

template <int c>
void backward_chunks(Range chunks, const Coloured& a, double* z) {
  using V = Vec<double, c>;
  const double* const inverse = a.inverse.data();
  const double* const factors = a.upper.factors();
  for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
    const V sum = summed<c, 1>(a.upper, factors, k, z, V{});
    store(load<V>(z + k * c) - sum * load<V>(inverse + k * c), z + k * c);
  }
}

template <int c>
void multiply_chunks(Range chunks, const Coloured& a, const double* x, double* y) {
  using V = Vec<double, c>;
  const double* const diagonal = a.diagonal.data();
  for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
    const V sum = summed<c, 1>(a.lower, a.lower.value.data(), k, x, load<V>(diagonal + k * c) * load<V>(x + k * c));
    store(summed<c, 1>(a.upper, a.upper.value.data(), k, x, sum), y + k * c);
  }
}

std::int64_t triangle_bytes(const Coloured& a, const Triangle& t) { return 12 * t.entries + 4 * (a.chunks() + 1); }

}  // namespace

double Coloured::fill() const {
  const std::int64_t slots = (lower.slots() + upper.slots()) * c;
  return slots == 0 ? 1 : static_cast<double>(lower.entries + upper.entries) / static_cast<double>(slots);
}

Range chunks_of(const Coloured& a, int colour, int thread, int threads) {
  const std::int64_t first = a.colour[static_cast<std::size_t>(colour)];
  const Range share = share_of(a.colour[static_cast<std::size_t>(colour) + 1] - first, thread, threads);
  return {first + share.first, first + share.last};
}

Buffer<double> make_vector(const Coloured& a, std::string_view purpose) { return own_rows<double>(a, purpose); }

Coloured make_coloured(const Csr<double>& a, const Ordering& colours, int c, int sigma) {
  require(a, c, sigma);
  const std::vector<std::int32_t> order = sorted_rows(a, colours, sigma);
  Coloured m;
  m.rows = a.rows;
  m.c = c;
  m.colour.push_back(0);
  for (std::size_t g = 0; g + 1 < colours.begin.size(); ++g) {
    m.colour.push_back(m.colour.back() + (colours.begin[g + 1] - colours.begin[g] + c - 1) / c);
  }
  m.padded = m.chunks() * c;
  if (m.padded > most_rows) refuse("the matrix has too many rows for indices of 4 bytes; use fewer rows");
  m.row = own_rows<std::int32_t>(m, "order of matrix rows");
  m.diagonal = own_rows<double>(m, "diagonal of a matrix");
  m.inverse = own_rows<double>(m, "diagonal of a preconditioner");
  std::fill(m.row.begin(), m.row.end(), -1);
  std::fill(m.diagonal.begin(), m.diagonal.end(), 1.0);
  std::vector<std::int32_t> place(static_cast<std::size_t>(a.rows));
  for (std::size_t g = 0; g + 1 < colours.begin.size(); ++g) {
    for (std::int64_t n = colours.begin[g]; n < colours.begin[g + 1]; ++n) {
      const std::int32_t row = order[static_cast<std::size_t>(n)];
      const auto at = static_cast<std::size_t>(m.colour[g] * c + n - colours.begin[g]);
      place[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(at);
      m.row[at] = row;
      const double* const diagonal = find_entry(a, row, row);
      if (diagonal == nullptr || !(*diagonal > 0)) {
        refuse("the matrix has no positive diagonal entry in row " + std::to_string(row + 1) +
               ", so it is not positive definite: for x = 1 in that row alone x.A x is not positive");
      }
      m.diagonal[at] = *diagonal;
    }
  }
  const Cutter cut(a, m, place);
  m.lower = cut(true);
  m.upper = cut(false);
  factorise(m, !without_triangles(a));
  return m;
}

void raise_shift(Coloured& a, double shift) { factorise(a, a.lower.factor.size() > 0, shift); }

bool without_triangles(const Pattern& pattern) {
  for (std::int32_t i = 0; i < pattern.rows; ++i) {
    const auto of_i = pattern.row(i);
    for (const std::int32_t j : of_i) {
      if (j <= i) continue;
      const auto of_j = pattern.row(j);
      auto p = of_i.begin();
      for (const std::int32_t k : of_j) {
        while (p != of_i.end() && *p < k) ++p;
        if (p != of_i.end() && *p == k && k != i && k != j) return false;
      }
    }
  }
  return true;
}

void gather_rows(const Coloured& a, const double* of_matrix, double* of_colours) {
  on_own_chunks(a, [&](Range mine) {
    for (std::int64_t i = mine.first * a.c; i < mine.last * a.c; ++i) {
      const std::int32_t row = a.row.data()[i];
      of_colours[i] = row < 0 ? 0 : of_matrix[row];
    }
  });
}

void scatter_rows(const Coloured& a, const double* of_colours, double* of_matrix) {
  on_own_chunks(a, [&](Range mine) {
    for (std::int64_t i = mine.first * a.c; i < mine.last * a.c; ++i) {
      const std::int32_t row = a.row.data()[i];
      if (row >= 0) of_matrix[row] = of_colours[i];
    }
  });
}

void forward(Range chunks, const Coloured& a, const double* r, double* z) {
  with_width(a.c, [&](auto c) { forward_chunks<c()>(chunks, a, r, z); });
}
void backward(Range chunks, const Coloured& a, double* z) {
  with_width(a.c, [&](auto c) { backward_chunks<c()>(chunks, a, z); });
}
void multiply(Range chunks, const Coloured& a, const double* x, double* y) {
  with_width(a.c, [&](auto c) { multiply_chunks<c()>(chunks, a, x, y); });
}

Work forward_work(const Coloured& a) {
  return {.flop = 2 * a.lower.entries + a.rows,
          .bytes_read = triangle_bytes(a, a.lower) + 16 * a.rows,
          .bytes_written = 8 * a.rows};
}
Work backward_work(const Coloured& a) {
  return {.flop = 2 * a.upper.entries + 2 * a.rows,
          .bytes_read = triangle_bytes(a, a.upper) + 16 * a.rows,
          .bytes_written = 8 * a.rows};
}
Work multiply_work(const Coloured& a) {
  return {.flop = 2 * (a.lower.entries + a.upper.entries) + a.rows,
          .bytes_read = triangle_bytes(a, a.lower) + triangle_bytes(a, a.upper) + 16 * a.rows,
          .bytes_written = 8 * a.rows};
}

}  // namespace tenken
