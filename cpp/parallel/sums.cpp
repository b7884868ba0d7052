#include "parallel/sums.hpp"

#include <algorithm>

namespace tenken {

void sum_over(MPI_Comm comm, double* numbers, std::int64_t n) {
  constexpr std::int64_t most = 1 << 27;  // of one call, whose count is an int
  for (std::int64_t first = 0; first < n; first += most) {
    MPI_Allreduce(MPI_IN_PLACE, numbers + first, static_cast<int>(std::min(most, n - first)), MPI_DOUBLE, MPI_SUM,
                  comm);
  }
}

}  // namespace tenken
