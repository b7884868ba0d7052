// Numbers of the cells of a block and of those around it that are received: own ones first, x fastest, then those of
// others, neighbour by neighbour in the order in which they arrive. A field that is stored so, and bound to an
// Exchange, needs no unpacking.
#pragma once

#include <cstdint>

#include "base/buffer.hpp"
#include "parallel/neighbours.hpp"

namespace tenken {

template <std::size_t n>
class Numbering {
 public:
  // Halo of one cell around a block. Throws UserError as halo_lists does.
  Numbering(const Partition<n>& block, Reach reach);

  // Bytes that it takes for a block of these extents, and messages of fields of so many bytes a cell.
  static double bytes(const Index<n>& extents, double bytes_a_cell);

  const Lists& lists() const { return lists_; }
  std::int64_t items() const { return lists_.items; }
  // Of a cell that counts from the block's first cell, -1 at least; -1 where there is none, or it is not received.
  std::int32_t item(const Index<n>& cell) const {
    return items_[static_cast<std::size_t>(padded_item(block_, 1, cell))];
  }

 private:
  Partition<n> block_;
  Lists lists_;
  Buffer<std::int32_t> items_;  // of the block with one more cell on each side
};

}  // namespace tenken
