#include "numerics/gauss_seidel.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "numerics/with_width.hpp"

namespace tenken {

namespace {

void require_width(int c) {
  if (c < 1 || c > 32 || (c & (c - 1)) != 0) {
    refuse("chunks of " + std::to_string(c) + " rows do not exist here; use 1, 2, 4, 8, 16 or 32");
  }
}

}  // namespace

GaussSeidel::GaussSeidel(const Csr<double>& a, const Ordering& colours, int c)
    : c_(c), rows_(a.rows), others_(a.columns - a.rows), place_(static_cast<std::size_t>(a.columns)) {
  require_width(c);
  if (const std::string error = colouring_error(a, colours); !error.empty()) refuse("the colours are wrong: " + error);
  colour_.push_back(0);
  for (std::size_t g = 0; g + 1 < colours.begin.size(); ++g) {
    colour_.push_back(colour_.back() + (colours.begin[g + 1] - colours.begin[g] + c - 1) / c);
  }
  if (length() > most_rows) refuse("the matrix has too many rows for indices of 4 bytes; use fewer rows");
  std::vector<std::int32_t> row(static_cast<std::size_t>(padded()), -1);
  for (std::size_t g = 0; g + 1 < colours.begin.size(); ++g) {
    for (std::int64_t n = colours.begin[g]; n < colours.begin[g + 1]; ++n) {
      const std::int64_t at = colour_[g] * c + n - colours.begin[g];
      const std::int32_t of_matrix = colours.order[static_cast<std::size_t>(n)];
      row[static_cast<std::size_t>(at)] = of_matrix;
      place_[static_cast<std::size_t>(of_matrix)] = static_cast<std::int32_t>(at);
    }
  }
  for (std::int64_t column = rows_; column < a.columns; ++column) {
    place_[static_cast<std::size_t>(column)] = static_cast<std::int32_t>(padded() + column - rows_);
  }
  diagonal_ = vector("diagonal of a matrix");
  inverse_ = vector("diagonal of a matrix, inverted");
  made_ = vector("diagonal of a matrix, as it was made");
  for (std::int64_t at = 0; at < padded(); ++at) {
    const std::int32_t of_matrix = row[static_cast<std::size_t>(at)];
    const double* const entry = of_matrix < 0 ? nullptr : find_entry(a, of_matrix, of_matrix);
    if (of_matrix >= 0 && (entry == nullptr || *entry == 0)) {
      refuse("the matrix has no diagonal entry in row " + std::to_string(of_matrix) + ", so no sweep can solve for it");
    }
    made_[static_cast<std::size_t>(at)] = of_matrix < 0 ? 1 : *entry;
  }
  scale_diagonal(nullptr);
  const auto couplings = [&](bool lower) {
    return [&, lower](std::int64_t at, std::vector<Coupling>& out) {
      const std::int32_t of_matrix = row[static_cast<std::size_t>(at)];
      if (of_matrix < 0) return;
      const Range entries = a.row(of_matrix);
      for (std::int64_t n = entries.first; n < entries.last; ++n) {
        const std::int32_t column = place(a.column[static_cast<std::size_t>(n)]);
        const bool earlier = column < at || column >= padded();
        if (column != at && earlier == lower) out.push_back({column, a.value[static_cast<std::size_t>(n)]});
      }
    };
  };
  lower_ = make_runs(c_, colour_, couplings(true), [&](int which, std::int64_t first) {
    return first + c_ <= colour_[static_cast<std::size_t>(which)] * c_ || (first >= padded() && first + c_ <= length());
  });
  upper_ = make_runs(c_, colour_, couplings(false), [&](int which, std::int64_t first) {
    return first >= colour_[static_cast<std::size_t>(which) + 1] * c_ && first + c_ <= padded();
  });
}

Buffer<double> GaussSeidel::vector(std::string_view purpose) const {
  Buffer<double> array(static_cast<std::size_t>(length()), Pages::huge, purpose);
#pragma omp parallel
  for (int which = 0; which < colours(); ++which) {
    const Range mine = own(which, omp_get_thread_num(), omp_get_num_threads());
    std::fill(array.data() + mine.first * c_, array.data() + mine.last * c_, 0.0);
  }
  std::fill(array.data() + padded(), array.data() + length(), 0.0);
  return array;
}

void GaussSeidel::gather(const double* of_matrix, double* of_colours) const {
  for (std::int64_t i = 0; i < rows_; ++i) of_colours[place(i)] = of_matrix[i];
}
void GaussSeidel::scatter(const double* of_colours, double* of_matrix) const {
  for (std::int64_t i = 0; i < rows_; ++i) of_matrix[i] = of_colours[place(i)];
}

void GaussSeidel::scale_diagonal(const double* by) {
  std::copy(made_.begin(), made_.end(), diagonal_.begin());
  for (std::int64_t i = 0; by != nullptr && i < rows_; ++i) diagonal_[static_cast<std::size_t>(place(i))] *= by[i];
  for (std::int64_t at = 0; at < padded(); ++at) {
    inverse_[static_cast<std::size_t>(at)] = 1 / diagonal_[static_cast<std::size_t>(at)];
  }
}

void GaussSeidel::forward_from_zero(Range chunks, const double* r, double* x) const {
  with_width(c_, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      store(summed<c, -1>(lower_, k, x, load<V>(r + k * c)) * load<V>(inverse_.data() + k * c), x + k * c);
    }
  });
}

void GaussSeidel::backward_from_zero(Range chunks, double* x) const {
  with_width(c_, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      const V sum = summed<c, 1>(upper_, k, x, V{});
      store(load<V>(x + k * c) - sum * load<V>(inverse_.data() + k * c), x + k * c);
    }
  });
}

void GaussSeidel::forward(Range chunks, const double* r, double* x, double* rest) const {
  with_width(c_, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      const V left = summed<c, -1>(lower_, k, x, load<V>(r + k * c));
      store(left, rest + k * c);
      store(summed<c, -1>(upper_, k, x, left) * load<V>(inverse_.data() + k * c), x + k * c);
    }
  });
}

double GaussSeidel::backward(Range chunks, const double* rest, const double* r, double* x) const {
  return with_width(c_, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    V dot = {};
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      const V solved = summed<c, -1>(upper_, k, x, load<V>(rest + k * c)) * load<V>(inverse_.data() + k * c);
      store(solved, x + k * c);
      dot += load<V>(r + k * c) * solved;
    }
    return folded<c>(dot);
  });
}

double GaussSeidel::multiply(Range chunks, const double* x, double* y) const {
  return with_width(c_, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    V dot = {};
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      const V of_x = load<V>(x + k * c);
      const V of_lower = summed<c, 1>(lower_, k, x, load<V>(diagonal_.data() + k * c) * of_x);
      const V product = summed<c, 1>(upper_, k, x, of_lower);
      store(product, y + k * c);
      dot += of_x * product;
    }
    return folded<c>(dot);
  });
}

void GaussSeidel::residual(Range chunks, const double* r, const double* x, std::int64_t from, const std::int32_t* to,
                           double* out) const {
  with_width(c_, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      const V own = load<V>(r + k * c) - load<V>(diagonal_.data() + k * c) * load<V>(x + k * c);
      double rest[c];
      store(summed<c, -1>(upper_, k, x, summed<c, -1>(lower_, k, x, own)), rest);
      for (int l = 0; l < c; ++l) {
        const std::int32_t place = to[k * c + l - from];
        if (place >= 0) out[place] = rest[l];
      }
    }
  });
}

Work GaussSeidel::from_zero_work() const {
  return {.flop = 2 * (lower_.entries + upper_.entries) + 3 * rows_,
          .bytes_read = lower_.bytes() + upper_.bytes() + 32 * rows_ + 8 * others_,
          .bytes_written = 16 * rows_};
}
Work GaussSeidel::sweep_work() const {
  return {.flop = 2 * (lower_.entries + 2 * upper_.entries) + 4 * rows_,
          .bytes_read = lower_.bytes() + 2 * upper_.bytes() + 48 * rows_ + 8 * others_,
          .bytes_written = 24 * rows_};
}
Work GaussSeidel::multiply_work() const {
  return {.flop = 2 * (lower_.entries + upper_.entries) + 3 * rows_,
          .bytes_read = lower_.bytes() + upper_.bytes() + 16 * rows_ + 8 * others_,
          .bytes_written = 8 * rows_};
}
Work GaussSeidel::residual_work(int which) const {
  const Range chunks = colour(which);
  Work work;
  for (const Runs* triangle : {&lower_, &upper_}) {
    work.bytes_read += 4 * (chunks.size() + 1);
    for (std::int64_t slot = triangle->begin[static_cast<std::size_t>(chunks.first)];
         slot < triangle->begin[static_cast<std::size_t>(chunks.last)]; ++slot) {
      work.bytes_read += 4 + (triangle->start[static_cast<std::size_t>(slot)] < 0 ? 4 * c_ : 0);
      for (std::int64_t at = slot * c_; at < (slot + 1) * c_; ++at) {
        if (triangle->value[static_cast<std::size_t>(at)] == 0) continue;
        work.bytes_read += 8;
        work.flop += 2;
      }
    }
  }
  std::int64_t rows = 0;
  for (const std::int32_t at : std::span(place_).first(static_cast<std::size_t>(rows_))) {
    if (at >= chunks.first * c_ && at < chunks.last * c_) ++rows;
  }
  work.flop += 2 * rows;
  work.bytes_read += (8 + 8 + 4) * rows + 8 * length();  // r, diagonal, where it goes, and x once
  work.bytes_written = 8 * rows;
  return work;
}

}  // namespace tenken
