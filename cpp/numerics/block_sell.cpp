#include "numerics/block_sell.hpp"

#include <limits>
#include <utility>

namespace tenken {

namespace detail {

namespace {

// Blocks of a chunk that are multiplied in the same way.
class Kind {
 public:
  Kind(std::int64_t first, int c, const std::vector<std::vector<std::int32_t>>& columns)
      : first_(first), c_(c), columns_(columns), blocks_(static_cast<std::size_t>(c)) {}

  // Columns of row i from least(i) to last - 1.
  template <class Least>
  std::int64_t choose(const Least& least, std::int64_t last) {
    std::int64_t chosen = 0;
    for (std::size_t l = 0; l < columns_.size(); ++l) {
      for (std::size_t m = 0; m < columns_[l].size(); ++m) {
        const std::int32_t column = columns_[l][m];
        if (column < least(row(l)) || column >= last) continue;
        blocks_[l].push_back(static_cast<std::int32_t>(m));
        diagonals_.push_back(column - row(l));
        most_ = std::max(most_, blocks_[l].size());
        greatest_ = std::max(greatest_, column);
        ++chosen;
      }
    }
    std::sort(diagonals_.begin(), diagonals_.end());
    diagonals_.erase(std::unique(diagonals_.begin(), diagonals_.end()), diagonals_.end());
    return chosen;
  }

  // Padding stays in columns `least` to `last` - 1.
  void append_to(std::vector<BlockSlots>& slots, std::int64_t least, std::int64_t last) const {
    if (diagonals_.size() > most_) return append_packed(slots);
    for (const std::int64_t diagonal : apart()) {
      BlockSlots& next = slots.emplace_back();
      for (std::size_t l = 0; l < blocks_.size(); ++l) {
        const std::int64_t column = row(l) + diagonal;
        next.column[l] = static_cast<std::int32_t>(std::clamp(column, least, last - 1));
        next.source[l] = -1;
        for (const std::int32_t m : blocks_[l]) {
          if (columns_[l][static_cast<std::size_t>(m)] == column) next.source[l] = m;
        }
      }
    }
  }

 private:
  std::int64_t row(std::size_t lane) const { return first_ + static_cast<std::int64_t>(lane); }

  // Neighbours in this order have no column in common: what is stored is not loaded again at once.
  std::vector<std::int64_t> apart() const {
    std::vector<std::int64_t> rest = diagonals_, order;
    while (!rest.empty()) {
      std::vector<std::int64_t> later;
      std::int64_t least = std::numeric_limits<std::int64_t>::min();
      for (const std::int64_t diagonal : rest) {
        (diagonal < least ? later : order).push_back(diagonal);
        if (diagonal >= least) least = diagonal + c_;
      }
      rest = std::move(later);
    }
    return order;
  }

  void append_packed(std::vector<BlockSlots>& slots) const {
    for (std::size_t m = 0; m < most_; ++m) {
      BlockSlots& next = slots.emplace_back();
      for (std::size_t l = 0; l < blocks_.size(); ++l) {
        const bool padding = m >= blocks_[l].size();
        next.source[l] = padding ? -1 : blocks_[l][m];
        next.column[l] = padding ? greatest_ : columns_[l][static_cast<std::size_t>(blocks_[l][m])];
      }
    }
  }

  std::int64_t first_;
  int c_;
  const std::vector<std::vector<std::int32_t>>& columns_;
  std::vector<std::vector<std::int32_t>> blocks_;  // of each lane: which of its row's
  std::vector<std::int64_t> diagonals_;            // column - row
  std::size_t most_ = 0;
  std::int32_t greatest_ = 0;
};

}  // namespace

BlockChunk lay_out(std::int64_t first, int c, std::int64_t rows, std::int64_t all_columns,
                   const std::vector<std::vector<std::int32_t>>& columns) {
  BlockChunk chunk;
  BlockSlots& diagonal = chunk.slots.emplace_back();
  for (int l = 0; l < c; ++l) {
    const auto lane = static_cast<std::size_t>(l);
    diagonal.column[lane] = static_cast<std::int32_t>(std::min(first + l, rows - 1));
    diagonal.source[lane] = -1;
    for (std::size_t m = 0; lane < columns.size() && m < columns[lane].size(); ++m) {
      if (columns[lane][m] == first + l) diagonal.source[lane] = static_cast<std::int32_t>(m);
    }
    if (diagonal.source[lane] >= 0) ++chunk.blocks;
  }
  Kind mirrored(first, c, columns), others(first, c, columns);
  chunk.mirrored = mirrored.choose([](std::int64_t i) { return i + 1; }, rows);
  mirrored.append_to(chunk.slots, 0, rows);
  chunk.outside = chunk.slots.size();
  chunk.blocks += chunk.mirrored + others.choose([=](std::int64_t) { return rows; }, all_columns);
  others.append_to(chunk.slots, rows, all_columns);
  return chunk;
}

std::int32_t lead_of(const std::int32_t* column, int c) {
  for (int l = 1; l < c; ++l) {
    if (column[l] != column[0] + l) return -1;
  }
  return column[0];
}

}  // namespace detail

namespace {

// Asks for the slots about 2 KiB of values ahead, as sell.cpp does (docs/decisions/solvers.md#19). An address beyond
// the array is only ignored.
template <class Real, int n, int c>
TENKEN_INLINE void fetch_ahead(const Real* value) {
  constexpr std::uintptr_t line = 64;  // bytes, of the shortest lines that there are
  constexpr std::uintptr_t slot = n * n * c * sizeof(Real);
  constexpr std::uintptr_t slots = (2048 + slot - 1) / slot;
  const auto from = reinterpret_cast<std::uintptr_t>(value) + slots * slot;
  for (std::uintptr_t at = 0; at < slot; at += line) __builtin_prefetch(reinterpret_cast<const void*>(from + at));
}

// Every n-th number, from those items on that the lanes name.
template <class V, int n, class Real, std::size_t... lane>
TENKEN_INLINE V gathered(const Real* x, const std::int32_t* item, std::index_sequence<lane...>) {
  return V{x[std::int64_t{item[lane]} * n]...};
}

// Lane of `other` where `from` is its number, else lane `at` of what there is.
constexpr int chosen(int from, int wanted, int lane_of_other, int at, int c) {
  return from == wanted ? c + lane_of_other : at;
}

// Number j of c items that lie side by side in n vectors.
template <class V, int n, int c, int j, std::size_t... lane>
TENKEN_INLINE V taken(const V (&line)[n], std::index_sequence<lane...>) {
  static_assert(n == 2 || n == 3);
  constexpr auto of = [](std::size_t l) { return static_cast<int>(l) * n + j; };
  V v = __builtin_shufflevector(line[0], line[1], chosen(of(lane) / c, 1, of(lane) % c, of(lane) % c, c)...);
  if constexpr (n == 3) {
    v = __builtin_shufflevector(v, line[2], chosen(of(lane) / c, 2, of(lane) % c, static_cast<int>(lane), c)...);
  }
  return v;
}
// And back: vector m of those in which c items lie side by side.
template <class V, int n, int c, int m, std::size_t... lane>
TENKEN_INLINE V placed(const V (&item)[n], std::index_sequence<lane...>) {
  static_assert(n == 2 || n == 3);
  constexpr auto of = [](std::size_t l) { return static_cast<int>(l) + m * c; };
  V v = __builtin_shufflevector(item[0], item[1], chosen(of(lane) % n, 1, of(lane) / n, of(lane) / n, c)...);
  if constexpr (n == 3) {
    v = __builtin_shufflevector(v, item[2], chosen(of(lane) % n, 2, of(lane) / n, static_cast<int>(lane), c)...);
  }
  return v;
}

template <class Real, int n, int c>
class PartProduct {
  using V = Vec<Real, c>;
  using Lanes = std::make_index_sequence<c>;
  using Numbers = std::make_integer_sequence<int, n>;

 public:
  PartProduct(BlockSell<Real, n>& a, int part, const Real* x, Real* y)
      : a_(a),
        chunks_(a.part(part)),
        end_(std::min(a.rows, chunks_.last * c)),
        x_(x),
        y_(y),
        spill_(a.spill.data() + a.spill_begin[static_cast<std::size_t>(part)] * n) {}

  void run() const {
    std::int64_t cleared = chunks_.first * c;
    for (std::int64_t k = chunks_.first; k < chunks_.last; ++k) {
      const auto at = static_cast<std::size_t>(k);
      cleared = clear(cleared, a_.reach[at]);
      const std::int64_t first = a_.begin[at], outside = a_.outside[at], last = a_.begin[at + 1];
      V sum[n] = {}, of_rows[n];
      read(first, of_rows);
      multiply_slot(first, of_rows, sum);
      for (std::int64_t slot = first + c; slot < outside; slot += c) {
        V of_x[n], back[n] = {};
        read(slot, of_x);
        multiply_both_ways(slot, of_x, of_rows, sum, back);
        add(slot, back);
      }
      for (std::int64_t slot = outside; slot < last; slot += c) {
        V of_x[n];
        read(slot, of_x);
        multiply_slot(slot, of_x, sum);
      }
      add(first, sum);
    }
  }

 private:
  Real* at(std::int64_t item) const { return item < end_ ? y_ + item * n : spill_ + (item - end_) * n; }

  // Rows up to `reach` become 0 when a chunk adds to them first, while they are in a cache.
  std::int64_t clear(std::int64_t from, std::int64_t reach) const {
    if (reach <= from) return from;
    const std::int64_t middle = std::clamp(end_, from, reach);
    std::fill(y_ + from * n, y_ + middle * n, Real{0});
    std::fill(at(middle), at(middle) + (reach - middle) * n, Real{0});
    return reach;
  }

  TENKEN_INLINE void read(std::int64_t slot, V (&item)[n]) const {
    const std::int32_t lead = a_.lead[static_cast<std::size_t>(slot / c)];
    if (lead >= 0) {
      V line[n];
      TENKEN_UNROLL
      for (int m = 0; m < n; ++m) line[m] = load<V>(x_ + std::int64_t{lead} * n + m * c);
      take(line, item, Numbers());
    } else {
      const std::int32_t* const column = a_.column.data() + slot;
      TENKEN_UNROLL
      for (int j = 0; j < n; ++j) item[j] = gathered<V, n>(x_ + j, column, Lanes());
    }
  }
  template <int... j>
  TENKEN_INLINE static void take(const V (&line)[n], V (&item)[n], std::integer_sequence<int, j...>) {
    ((item[j] = taken<V, n, c, j>(line, Lanes())), ...);
  }

  TENKEN_INLINE void multiply_slot(std::int64_t slot, const V (&of_x)[n], V (&sum)[n]) const {
    const Real* const value = a_.value.data() + slot * n * n;
    fetch_ahead<Real, n, c>(value);
    TENKEN_UNROLL
    for (int i = 0; i < n; ++i) {
      TENKEN_UNROLL
      for (int j = 0; j < n; ++j) sum[i] += load<V>(value + (i * n + j) * c) * of_x[j];
    }
  }
  TENKEN_INLINE void multiply_both_ways(std::int64_t slot, const V (&of_x)[n], const V (&of_rows)[n], V (&sum)[n],
                                        V (&back)[n]) const {
    const Real* const value = a_.value.data() + slot * n * n;
    fetch_ahead<Real, n, c>(value);
    TENKEN_UNROLL
    for (int i = 0; i < n; ++i) {
      TENKEN_UNROLL
      for (int j = 0; j < n; ++j) {
        const V element = load<V>(value + (i * n + j) * c);
        sum[i] += element * of_x[j];
        back[j] += element * of_rows[i];
      }
    }
  }

  TENKEN_INLINE void add(std::int64_t slot, const V (&item)[n]) const {
    const std::int32_t lead = a_.lead[static_cast<std::size_t>(slot / c)];
    if (lead >= 0 && (lead >= end_ || lead + c <= end_)) {
      add_run(item, at(lead), Numbers());
    } else {
      add_lanes(item, a_.column.data() + slot);
    }
  }
  template <int... m>
  TENKEN_INLINE static void add_run(const V (&item)[n], Real* to, std::integer_sequence<int, m...>) {
    (store<V>(load<V>(to + m * c) + placed<V, n, c, m>(item, Lanes()), to + m * c), ...);
  }
  // Lanes may name the same column.
  void add_lanes(const V (&item)[n], const std::int32_t* column) const {
    Real numbers[n][c];
    for (int i = 0; i < n; ++i) store(item[i], numbers[i]);
    for (int l = 0; l < c; ++l) {
      Real* const to = at(column[l]);
      for (int i = 0; i < n; ++i) to[i] += numbers[i][l];
    }
  }

  const BlockSell<Real, n>& a_;
  Range chunks_;
  std::int64_t end_;  // rows from here on are those of other parts
  const Real* x_;
  Real* y_;
  Real* spill_;
};

// What the parts before it added to rows of a part.
template <class Real, int n>
void add_spills(const BlockSell<Real, n>& a, int part, Real* y) {
  const auto rows_of = [&](int p) {
    return Range{std::min(a.rows, a.part(p).first * a.c), std::min(a.rows, a.part(p).last * a.c)};
  };
  const Range own = rows_of(part);
  for (int p = 0; p < part; ++p) {
    const std::int64_t first = rows_of(p).last, begin = a.spill_begin[static_cast<std::size_t>(p)];
    const std::int64_t last = first + a.spill_begin[static_cast<std::size_t>(p) + 1] - begin;
    const Real* const spill = a.spill.data() + begin * n;
    for (std::int64_t i = std::max(first, own.first) * n; i < std::min(last, own.last) * n; ++i) {
      y[i] += spill[i - first * n];
    }
  }
}

template <class Real, int n, int c>
void multiply_parts(BlockSell<Real, n>& a, const Real* x, Real* y) {
  const int parts = a.parts();
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int p = 0; p < parts; ++p) PartProduct<Real, n, c>(a, p, x, y).run();
#pragma omp for schedule(static)
    for (int p = 0; p < parts; ++p) add_spills(a, p, y);
  }
}

}  // namespace

template <class Real, int n>
Block<Real, n> block_at(const BlockSell<Real, n>& a, std::int64_t i, std::int64_t j) {
  Block<Real, n> found;
  const bool mirrored = j < i;
  const std::int64_t row = mirrored ? j : i, column = mirrored ? i : j;
  const auto chunk = static_cast<std::size_t>(row / a.c);
  for (std::int64_t slot = a.begin[chunk] + row % a.c; slot < a.begin[chunk + 1]; slot += a.c) {
    if (a.column[static_cast<std::size_t>(slot)] != column) continue;
    // Padding of the same column adds 0.
    for (int r = 0; r < n; ++r) {
      for (int s = 0; s < n; ++s) {
        (mirrored ? found(s, r) : found(r, s)) += a.value[static_cast<std::size_t>(a.place(slot, r, s))];
      }
    }
  }
  return found;
}

template <class Real, int n>
void multiply(BlockSell<Real, n>& a, const Real* x, Real* y) {
  switch (a.c) {
    case 4:
      return multiply_parts<Real, n, 4>(a, x, y);
    case 8:
      return multiply_parts<Real, n, 8>(a, x, y);
    case 16:
      return multiply_parts<Real, n, 16>(a, x, y);
    default:
      return multiply_parts<Real, n, 2>(a, x, y);
  }
}

template Block<double, 3> block_at(const BlockSell<double, 3>&, std::int64_t, std::int64_t);
template void multiply(BlockSell<double, 3>&, const double*, double*);

}  // namespace tenken
