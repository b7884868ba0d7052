// Fields of several levels an item, and the two orders in which they lie in memory.
//
// by_level: the items of a level follow each other. Loops go over levels, then cells, and read the coefficients of the
// operators again for each level. by_column: the levels of an item follow each other. Loops go over cells, then levels;
// the coefficients of a cell stay in registers and the first cache, and neighbours need no gather.
#pragma once

#include <cstdint>

#include "base/buffer.hpp"
#include "numerics/team.hpp"

namespace atmosphere {

enum class Order { by_level, by_column };

template <Order order>
struct Shape {
  std::int64_t items = 0;
  std::int64_t levels = 0;

  std::int64_t at(std::int64_t item, std::int64_t level) const {
    return order == Order::by_column ? item * levels + level : level * items + item;
  }
};

// Of zeros. Level -1 and level `levels` of every item may be read: they have finite values of no meaning, but those of
// item 0 below its first level and of the last item above its last are 0.
template <Order order>
class Field {
 public:
  explicit Field(const Shape<order>& shape)
      : before_(((order == Order::by_column ? shape.levels : shape.items) + 7) & ~std::int64_t{7}),
        memory_(
            tenken::make_array<double>(before_ + shape.items * shape.levels + before_, "fields of the atmosphere")) {}

  double* data() const { return memory_.data() + before_; }

 private:
  std::int64_t before_;
  mutable tenken::Buffer<double> memory_;
};

// body(prepare(cell), cell, level) for each level of a range of cells, a level or a cell a lane of a vector.
template <Order order, class Prepare, class Body>
void over(const Shape<order>& shape, tenken::Range cells, const Prepare& prepare, const Body& body) {
  if constexpr (order == Order::by_column) {
    for (std::int64_t cell = cells.first; cell < cells.last; ++cell) {
      const auto& of = prepare(cell);
#pragma omp simd
      for (std::int64_t level = 0; level < shape.levels; ++level) body(of, cell, level);
    }
  } else {
    for (std::int64_t level = 0; level < shape.levels; ++level) {
#pragma omp simd
      for (std::int64_t cell = cells.first; cell < cells.last; ++cell) body(prepare(cell), cell, level);
    }
  }
}

// The same on all threads.
template <Order order, class Prepare, class Body>
void over_all(const Shape<order>& shape, std::int64_t cells, const Prepare& prepare, const Body& body) {
  tenken::share(cells, [&](tenken::Range mine) { over(shape, mine, prepare, body); });
}

}  // namespace atmosphere
