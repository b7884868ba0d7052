// A symmetric positive definite matrix in the order of its colours, cut for solvers: diagonal, strict lower and strict
// upper triangle, each in chunks of c rows (SELL-C-sigma, sell.hpp). Product and substitution share the triangles.
//
// Colours begin at whole chunks: what is missing is filled with rows of 1 on the diagonal and nothing else, on which
// every vector stays 0. So chunk k always holds rows k c ... k c + c - 1, vectors are loaded whole, and shares of
// threads never meet in a line of cache.
//
// The preconditioner is M = (L + E) E^-1 (E + U), the incomplete Cholesky factor IC(0) of incomplete_cholesky.hpp.
// Where no three rows touch each other (meshes of 5 and 7 points) L and U are the triangles of A.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "numerics/csr.hpp"
#include "numerics/ordering.hpp"
#include "simd/vec.hpp"

namespace tenken {

struct Triangle {
  Buffer<std::int32_t> begin;   // chunks + 1: where each chunk starts, in slots of c entries
  Buffer<std::int32_t> column;  // padding repeats the row's last column, else a row of the same chunk
  Buffer<double> value;         // padding is 0
  Buffer<double> factor;        // the same of the incomplete factor; without numbers where they are those of A
  std::int64_t entries = 0;     // without padding

  const double* factors() const { return factor.size() == 0 ? value.data() : factor.data(); }
  std::int64_t slots() const { return begin.size() == 0 ? 0 : begin[begin.size() - 1]; }
};

struct Coloured {
  std::int64_t rows = 0;    // of the matrix
  std::int64_t padded = 0;  // of vectors: c times the chunks
  int c = 1;
  std::vector<std::int64_t> colour;  // colours + 1: the first chunk of each
  Buffer<std::int32_t> row;          // padded: the row of the matrix that lies there, -1 where none does
  Buffer<double> diagonal;           // padded
  Buffer<double> inverse;            // padded: 1 / e_i
  Triangle lower, upper;             // couplings to earlier and to later rows
  double shift = 0;                  // of each diagonal entry, by which it was raised for the factor

  int colours() const { return static_cast<int>(colour.size()) - 1; }
  std::int64_t chunks() const { return colour.back(); }
  // Entries beside the diagonal over the slots that hold them.
  double fill() const;
};

// Throws UserError where c is not 1, 2, 4, 8, 16 or 32, sigma neither 1 nor a multiple of c (rows of a colour are
// sorted by length inside windows of sigma), the matrix not square, or a diagonal entry missing or not positive.
// Couplings inside a colour, which colouring_error() finds, are taken by position. Rows in messages count from 1.
Coloured make_coloured(const Csr<double>& a, const Ordering& colours, int c = native_width<double>, int sigma = 1);

// Factorises anew with this shift, or with the first one above it that makes all pivots positive.
void raise_shift(Coloured& a, double shift);

// Whether no three rows touch each other, so that L is the triangle of A. Columns must ascend in rows.
bool without_triangles(const Pattern& pattern);

// The part of one thread in one colour, as chunks: what a thread touches first it works on in every operation.
Range chunks_of(const Coloured& a, int colour, int thread, int threads);

// Vectors between the matrix's order and that of the colours; padding becomes 0.
void gather_rows(const Coloured& a, const double* of_matrix, double* of_colours);
void scatter_rows(const Coloured& a, const double* of_colours, double* of_matrix);

// A vector of zeros, each page touched first by the thread that works on it.
Buffer<double> make_vector(const Coloured& a, std::string_view purpose);

// Over a range of chunks of one colour, whose earlier (later) colours are done:
// z = E^-1 (r - L z)
void forward(Range chunks, const Coloured& a, const double* r, double* z);
// z -= E^-1 U z
void backward(Range chunks, const Coloured& a, double* z);
// y = A x; chunks of any colours.
void multiply(Range chunks, const Coloured& a, const double* x, double* y);

// Compulsory bytes: each value, index of a column and start of a chunk once, each vector once.
Work forward_work(const Coloured& a);
Work backward_work(const Coloured& a);
Work multiply_work(const Coloured& a);

}  // namespace tenken
