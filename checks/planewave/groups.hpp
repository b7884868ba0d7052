// Ranks in a grid of four axes: k-points, bands, and the rows x columns of ranks that share the waves of a band. Ranks
// are numbered with the columns fastest: ((k * bands + band) * rows + row) * columns + column.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "parallel/sums.hpp"

namespace tenken::planewave {

struct GroupGrid {
  int k = 1, bands = 1, rows = 1, columns = 1;
  int waves() const { return rows * columns; }
  int ranks() const { return k * bands * waves(); }
};

// As asked for by {k, bands, waves} and `rows`; 0: chosen. Of k, as many groups as leave the least work for the
// busiest; of the ranks left, as many share waves as fit into at most `most` rows and columns, in a grid as square as
// can be, and groups of bands take the rest. Throws UserError naming the numbers that fit where the ranks cannot be
// divided so, or a group of k would have none of the k-points.
GroupGrid group_grid(const std::array<int, 3>& asked, int rows, int ranks, std::int64_t k_points, int most);

// Axes with a communicator each: ranks that differ only along it.
enum class Axis { k, bands, waves, rows, columns };
inline constexpr std::array<const char*, 5> axis_names{"k", "bands", "waves", "rows", "columns"};

class Groups {
 public:
  // Collective.
  Groups(MPI_Comm world, const GroupGrid& grid);
  ~Groups();
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;

  const GroupGrid& grid() const { return grid_; }
  int k() const { return k_; }
  int band() const { return band_; }
  int row() const { return row_; }
  int column() const { return column_; }
  int wave_rank() const { return row_ * grid_.columns + column_; }

  MPI_Comm world() const { return world_; }
  MPI_Comm along(Axis axis) const { return axes_[static_cast<std::size_t>(axis)]; }
  MPI_Comm of_k() const { return of_k_; }  // all ranks of one group of k-points
  // Number of this rank's communicator along an axis, from 0.
  int colour(Axis axis) const;

 private:
  MPI_Comm world_;
  GroupGrid grid_;
  int rank_ = 0, k_ = 0, band_ = 0, row_ = 0, column_ = 0;
  std::array<MPI_Comm, 5> axes_{};
  MPI_Comm of_k_ = MPI_COMM_NULL;
};

}  // namespace tenken::planewave
