#include "grid.hpp"

#include <string>

#include "base/error.hpp"

namespace hpl {

Grid::Grid(MPI_Comm comm, int rows, int columns) : p(rows), q(columns), all(comm) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (p * q != ranks) {
    tenken::refuse("--p " + std::to_string(p) + " --q " + std::to_string(q) + " is a grid of " + std::to_string(p * q) +
                   " processes, but there are " + std::to_string(ranks) +
                   " ranks; choose p x q = ranks, or leave both 0");
  }
  row = rank / q;
  column = rank % q;
  MPI_Comm_split(comm, row, column, &along_row);
  MPI_Comm_split(comm, column, row, &along_column);
}

Grid::~Grid() {
  MPI_Comm_free(&along_row);
  MPI_Comm_free(&along_column);
}

int rows_of_squarest(int ranks) {
  int rows = 1;
  for (int r = 1; r * r <= ranks; ++r) {
    if (ranks % r == 0) rows = r;
  }
  return rows;
}

}  // namespace hpl
