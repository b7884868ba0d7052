// Preloaded into every program: the second thread of a team needs 2 us more at the entry of a barrier, rank 1 needs 5
// us more inside of each barrier and reduction of MPI. Neither shows between the calls.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <omp.h>
#include <time.h>

static void spin(long ns) {
  struct timespec from, now;
  clock_gettime(CLOCK_MONOTONIC, &from);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - from.tv_sec) * 1000000000L + now.tv_nsec - from.tv_nsec < ns);
}

static int is_rank_1(void) {
  static int rank = -1;
  if (rank < 0) PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 1;
}

void GOMP_barrier(void) {
  static void (*real)(void);
  if (!real) real = (void (*)(void))dlsym(RTLD_NEXT, "GOMP_barrier");
  if (omp_get_thread_num() == 1) spin(2000);
  real();
}

int MPI_Barrier(MPI_Comm comm) {
  if (is_rank_1()) spin(5000);
  return PMPI_Barrier(comm);
}

int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (is_rank_1()) spin(5000);
  return PMPI_Allreduce(from, to, count, type, op, comm);
}
