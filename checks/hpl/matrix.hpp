// The system A x = b as one distributed matrix [A | b] of n rows and n + 1 columns, stored by columns. Every element is
// a function of its indices alone: the same system on any grid, and it can be made again for the residual.
#pragma once

#include <cstdint>

#include "base/buffer.hpp"
#include "base/random.hpp"
#include "grid.hpp"

namespace hpl {

enum class Pattern {
  random,  // uniform in [-1/2, 1/2), as the benchmark asks for
  swaps,  // random, but the largest element of column j is in row j + n/7 + 1 (mod n): all but the last steps swap rows
  singular,  // random, but column n/2 is 0, and stays so whatever the order of operations
};

// Element of [A | b]; column n is b.
class Elements {
 public:
  Elements(int n, Pattern pattern, std::uint64_t seed = 1) : n_(n), pattern_(pattern), seed_(seed) {}
  int n() const { return n_; }

  // The numbers of one column, by row.
  class Column {
   public:
    double operator()(int row) const {
      const double value = factor_ * (stream_.uniform(static_cast<std::uint64_t>(row)) - 0.5);
      return row == large_ ? value + 4.0 * scale_ : value;
    }

   private:
    friend class Elements;
    Column(std::uint64_t seed, int column, double factor, int large, double scale)
        : stream_(seed, static_cast<std::uint64_t>(column)), factor_(factor), large_(large), scale_(scale) {}
    tenken::RandomStream stream_;
    double factor_;
    int large_;
    double scale_;
  };

  Column column(int j) const {
    const bool nothing = pattern_ == Pattern::singular && j == n_ / 2;
    const bool large = pattern_ == Pattern::swaps && j < n_;
    return {seed_, j, nothing ? 0.0 : 1.0, large ? (j + n_ / 7 + 1) % n_ : -1, n_ / 8.0 + 1.0};
  }

 private:
  int n_;
  Pattern pattern_;
  std::uint64_t seed_;
};

class Matrix {
 public:
  Matrix(const Grid& grid, int n, int nb);

  // Written by the OpenMP threads column by column.
  void fill(const Elements& elements);

  // Bytes of one process's share of an n x (n + 1) matrix in the worst case.
  static double bytes(int n, int nb, int p, int q);

  int n() const { return rows.n; }
  std::ptrdiff_t stride() const { return stride_; }
  double* at(int row, int column) { return data_.data() + row + column * stride_; }  // local indices
  const double* at(int row, int column) const { return data_.data() + row + column * stride_; }

  Cyclic rows, columns;

 private:
  std::ptrdiff_t stride_;
  tenken::Buffer<double> data_;
};

}  // namespace hpl
