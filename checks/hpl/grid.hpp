// P x Q processes and the two-dimensional block-cyclic distribution of a matrix over them (J. Dongarra, R. van de
// Geijn, D. Walker, "Scalability issues affecting the design of a dense linear algebra library", JPDC 22 (1994)):
// blocks of nb x nb elements are dealt in turn to the rows and to the columns of the grid.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace hpl {

// One dimension: `n` indices in blocks of `nb`, dealt to `parts` in turn; this is part `me`.
struct Cyclic {
  int n, nb, parts, me;

  int owner(int global) const { return global / nb % parts; }
  int local(int global) const { return global / nb / parts * nb + global % nb; }  // on its owner
  int global(int local) const { return (local / nb * parts + me) * nb + local % nb; }
  // How many of this part's indices are below `global`: where, here, the indices from `global` on begin.
  int begin(int global) const {
    const int blocks = global / nb;
    const int mine = blocks / parts * nb;
    const int left = blocks % parts;
    return mine + (me < left ? nb : me == left ? global % nb : 0);
  }
  int count() const { return begin(n); }
};

// Ranks row by row: rank = row * q + column. Owns its communicators.
class Grid {
 public:
  Grid(MPI_Comm comm, int p, int q);
  ~Grid();
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  int p, q;
  int row, column;  // of this process
  MPI_Comm all;
  MPI_Comm along_row;     // processes of this row; rank = column
  MPI_Comm along_column;  // processes of this column; rank = row
};

// Rows of the grid that is nearest to a square with p <= q.
int rows_of_squarest(int ranks);

}  // namespace hpl
