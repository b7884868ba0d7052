// One level of the HPCG problem (J. Dongarra, M. Heroux, P. Luszczek, HPCG technical specification, 2013): the matrix
// of 27 points on a grid, 26 on the diagonal and -1 for each neighbour, without anything beyond the ends.
#pragma once

#include <mpi.h>

#include "numerics/csr.hpp"
#include "parallel/exchange.hpp"
#include "parallel/numbering.hpp"

namespace tenken::hpcg {

constexpr int levels = 4;
constexpr int points = 27;
constexpr double all_grids = 1 + 1.0 / 8 + 1.0 / 64 + 1.0 / 512;  // cells, over those of the finest

// Entries of a rank's part of the finest grid: between those of a rank alone and of one with neighbours all around.
constexpr double estimated_entries(const Index<3>& cells) {
  double entries = 1;
  for (const int each : cells) entries *= 3.0 * each - 1;
  return entries;
}

class Grid {
 public:
  // cells: of all ranks together. Collective.
  Grid(MPI_Comm comm, const Index<3>& cells, const Index<3>& ranks);

  const Partition<3>& block() const { return block_; }
  const Csr<double>& matrix() const { return matrix_; }
  Csr<double>& matrix() { return matrix_; }
  std::int64_t rows() const { return block_.volume(); }
  std::int64_t columns() const { return numbering_.items(); }
  // Forgets the matrix, which is large, where another storage has taken its place.
  void release_matrix() { matrix_ = {}; }
  const Lists& lists() const { return numbering_.lists(); }
  std::int64_t global_entries() const { return global_entries_; }
  Index<3> cell(std::int64_t row) const;  // in the whole grid
  std::int64_t number(const Index<3>& cell) const { return position(cell, block_.cells()); }

  // A vector with room for the values of others, which exchange() brings.
  Buffer<double> vector(std::string_view purpose) const { return make_array<double>(columns(), purpose); }
  void exchange(double* x);

  std::int64_t messages() const { return exchange_.messages(); }
  std::int64_t bytes_sent() const { return exchange_.bytes(); }
  std::int64_t bytes_received() const { return 8 * (columns() - rows()); }

  void make_halo_stale() { stale_ = true; }  // a planted mistake: what others have never arrives again

 private:
  Partition<3> block_;
  Numbering<3> numbering_;
  Csr<double> matrix_;
  std::int64_t global_entries_;
  Exchange exchange_;
  bool stale_ = false;
};

}  // namespace tenken::hpcg
