// Preloaded into an MPI program: every blocking call that moves data takes SLOWED_BY (0.3: 30 %) longer than it does.
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int longer(double start, int code) {
  static double by = -1;
  if (by < 0) by = atof(getenv("SLOWED_BY"));
  const double until = now() + by * (now() - start);
  while (now() < until) {
  }
  return code;
}

int MPI_Send(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) {
  const double start = now();
  return longer(start, PMPI_Send(b, n, t, to, tag, c));
}
int MPI_Recv(void* b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status* s) {
  const double start = now();
  return longer(start, PMPI_Recv(b, n, t, from, tag, c, s));
}
int MPI_Allreduce(const void* in, void* out, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
  const double start = now();
  return longer(start, PMPI_Allreduce(in, out, n, t, op, c));
}
