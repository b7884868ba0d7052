#include <mpi.h>

#include "testing/count.hpp"
#include "testing/world.hpp"

[[gnu::weak]] int tenken::testing::wanted_thread_level() { return MPI_THREAD_FUNNELED; }

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, tenken::testing::wanted_thread_level(), &provided);
  int result = tenken::testing::run(argc, argv);
  // A failure on one rank is a failure of all.
  MPI_Allreduce(MPI_IN_PLACE, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return result;
}
