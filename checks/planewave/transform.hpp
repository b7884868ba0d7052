// Fourier transforms of bands between plane waves, shared as sphere.hpp describes, and points:
//
//   to_points  psi(r) = sum over G of c(G) exp(i G r)
//   to_waves   c(G) = sum over r of psi(r) exp(-i G r) / points of the grid
//
// Three transforms of one dimension with two exchanges between them, as in PHASE: z of the sticks of this rank;
// alltoall 1 among the ranks of a row (sticks against z); y of the x of the row that have waves; alltoall 2 among the
// ranks of a column (x against y); x of all points. to_waves takes the same steps backwards: its alltoall 1, the first
// in time, is among the ranks of a column. Lines without waves are not transformed along z and y. Up to `merge` bands
// go in one message. Where a communicator has one rank, nothing is sent or copied for it.
//
// Lines along y and x are transformed in tiles of 8 lines, which the first-level cache has room for: 128 bytes at a
// time are gathered and scattered, and FFTW works on contiguous memory. Threads of OpenMP share sticks, x and tiles.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "numerics/fft.hpp"
#include "phases.hpp"
#include "sphere.hpp"

namespace tenken::planewave {

class Transform {
 public:
  // rows: the ranks of this column, in the order of rows. columns: the ranks of this row, in the order of columns.
  // Both, `sphere` and `watch` must outlive the object. The number of threads is OpenMP's at construction and does not
  // change a bit of the results; another plan of Effort::measure in another process may. Throws UserError: fewer than 1
  // band to merge, or more numbers in a message than MPI counts; std::invalid_argument: communicators of another grid
  // of ranks.
  Transform(const Sphere& sphere, MPI_Comm rows, MPI_Comm columns, int merge, Watch* watch = nullptr,
            Effort effort = Effort::measure);
  ~Transform();
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;

  // waves: [band][wave of this rank], `stride` from one band to the next, at least waves() of the sphere. points:
  // [band] [point of this rank], as Sphere::grid_points numbers them. 1 <= bands <= merge, else std::invalid_argument.
  // All ranks call together; one call at a time.
  void to_points(int bands, const Complex* waves, std::int64_t stride, Complex* points);
  // As above; may change `points`.
  void to_waves(int bands, Complex* points, Complex* waves, std::int64_t stride);

  // Of this rank and one band, in either direction: 5 n log2 n flop for a line of n (the convention of FFTW), summed
  // over the lines of the three dimensions.
  Work lines() const;
  // Of this rank and one call of to_points: the alltoall among the ranks of its row, and among those of its column. In
  // to_waves bytes read and written change places. The part that stays on the rank is not counted.
  Work row_exchange(int bands) const;
  Work column_exchange(int bands) const;

  void watch(Watch* watch);  // from now on; nullptr: nobody

  // Memory of the arrays of an object, bytes.
  static std::int64_t bytes(const Sphere& sphere, int merge, int threads);

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tenken::planewave
