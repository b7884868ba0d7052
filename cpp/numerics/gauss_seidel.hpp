// Symmetric Gauss-Seidel sweeps of A x = r in the order of colours, whose rows do not touch each other, so that threads
// share each colour: A = L + D + U, triangles with compressed columns (runs.hpp), vectors in the order of the colours.
//
//   forward   x_i = (r_i - (L x)_i - (U x)_i) / d_i, colours ascending;   backward: the same, descending
//
// Backward, L x is still what it was when forward came by: forward keeps r - L x, and backward reads U alone. Where x
// is 0 at first, forward reads L alone.
//
// Columns beyond the rows are values of others, which no sweep changes: they count as earlier. Vectors hold the padded
// rows of all colours (padding is 0 and stays it), then the values of others.
#pragma once

#include <vector>

#include "base/work.hpp"
#include "numerics/csr.hpp"
#include "numerics/ordering.hpp"
#include "numerics/runs.hpp"

namespace tenken {

class GaussSeidel {
 public:
  // Colours may be empty. Throws UserError where two rows of one colour touch, a diagonal entry is missing or 0, or c
  // is not a power of two up to 32.
  GaussSeidel(const Csr<double>& a, const Ordering& colours, int c = native_width<double>);

  int colours() const { return static_cast<int>(colour_.size()) - 1; }
  int c() const { return c_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t padded() const { return colour_.back() * c_; }
  std::int64_t length() const { return padded() + others_; }  // of vectors
  std::int32_t place(std::int64_t column) const { return place_[static_cast<std::size_t>(column)]; }
  const Runs& lower() const { return lower_; }
  const Runs& upper() const { return upper_; }
  // The chunks of one thread in one colour. chunk k holds the places k c ... k c + c - 1.
  Range own(int colour, int thread, int threads) const { return own_chunks(colour_, colour, thread, threads); }
  Range colour(int which) const { return own(which, 0, 1); }

  // Zeros, touched first by the threads that own them.
  Buffer<double> vector(std::string_view purpose) const;
  void gather(const double* of_matrix, double* of_colours) const;  // rows; padding is left alone
  void scatter(const double* of_colours, double* of_matrix) const;

  // The diagonal times by[row], row by row; null: as it was.
  void scale_diagonal(const double* by);

  // Over a range of chunks of one colour. x of later colours and of others is 0: x = (r - L x) / d
  void forward_from_zero(Range chunks, const double* r, double* x) const;
  // After it: x -= U x / d
  void backward_from_zero(Range chunks, double* x) const;
  // rest = r - L x, x = (rest - U x) / d
  void forward(Range chunks, const double* r, double* x, double* rest) const;
  // x = (rest - U x) / d; returns this range's part of r.x.
  double backward(Range chunks, const double* rest, const double* r, double* x) const;

  // Any chunks: y = A x; returns this range's part of x.y.
  double multiply(Range chunks, const double* x, double* y) const;
  // out[to[i]] = r_i - (A x)_i for the i-th place from `from` on, where to[i] is not negative.
  void residual(Range chunks, const double* r, const double* x, std::int64_t from, const std::int32_t* to,
                double* out) const;

  // Compulsory bytes: each value, column and start as they are compressed, each vector once a pass. Flop as executed.
  Work from_zero_work() const;  // forward and backward
  Work sweep_work() const;      // forward and backward, with r.x
  Work multiply_work() const;   // with x.y
  Work residual_work(int colour) const;

 private:
  int c_;
  std::int64_t rows_, others_;
  std::vector<std::int64_t> colour_;  // colours + 1: the first chunk of each
  std::vector<std::int32_t> place_;   // of each column
  Buffer<double> diagonal_, inverse_, made_;
  Runs lower_, upper_;
};

}  // namespace tenken
