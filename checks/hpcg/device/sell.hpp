// The matrix of one grid as a card stores it: the rows in eight colours, each colour filled up to whole chunks, both
// triangles slot by slot (bodies.hpp). Made on the host, a colour at a time.
#pragma once

#include <vector>

#include "colours.hpp"
#include "device/device.hpp"
#include "grid.hpp"

namespace tenken::hpcg::device {

// Where the rows of a grid, and the values of other ranks behind them, lie in vectors on the card.
class Places {
 public:
  explicit Places(const Grid& grid);

  std::int64_t rows() const { return rows_; }
  std::int64_t padded() const { return begin_.back(); }
  std::int64_t others() const { return static_cast<std::int64_t>(place_.size()) - rows_; }
  std::int64_t length() const { return padded() + others(); }  // of vectors
  std::int32_t operator[](std::int64_t column) const { return place_[static_cast<std::size_t>(column)]; }
  std::int64_t first(int colour) const { return begin_[static_cast<std::size_t>(colour)]; }
  std::int64_t size(int colour) const { return size_[static_cast<std::size_t>(colour)]; }       // without padding
  std::int32_t row(std::int64_t place) const { return row_[static_cast<std::size_t>(place)]; }  // -1: padding

 private:
  std::int64_t rows_;
  std::vector<std::int64_t> begin_, size_;
  std::vector<std::int32_t> place_;  // of each column
  std::vector<std::int32_t> row_;    // at each place
};

class Sell {
 public:
  // Of the grid's matrix, which it needs no more afterwards.
  Sell(Device& device, const Grid& grid, const Places& places);

  Matrix matrix() const;
  // Diagonals row by row in the order of the matrix, by[row] times 26; null: 26.
  void scale_diagonal(Device& device, const Places& places, const double* by);

  std::int64_t slots() const { return static_cast<std::int64_t>(lower_.value.size() + upper_.value.size()); }
  void queue_sums(Device& device) const;  // of all values

  // Compulsory bytes of reading a triangle once: each value, the column of each slot, the starts of chunks; of the rows
  // of all colours, or of one.
  std::int64_t bytes(bool upper) const { return of(upper).bytes; }
  std::int64_t bytes_of(int colour) const { return of_colour_[static_cast<std::size_t>(colour)].bytes; }
  std::int64_t entries_of(int colour) const { return of_colour_[static_cast<std::size_t>(colour)].entries; }

 private:
  struct Stored {
    Memory<std::int64_t> start;
    Memory<std::int32_t> column;
    Memory<double> value;
    std::int64_t bytes = 0;
  };
  struct Part {
    std::int64_t entries = 0, bytes = 0;  // of both triangles
  };

  const Stored& of(bool upper) const { return upper ? upper_ : lower_; }
  void store(Device& device, const Csr<double>& a, const Places& places, bool upper);

  Stored lower_, upper_;
  Memory<double> diagonal_;
  std::vector<Part> of_colour_;
};

}  // namespace tenken::hpcg::device
