// Preloaded into an MPI program: every blocking call that moves data takes SLOWED_BY (0.3: 30 %) longer than it does.
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

// Ticks of the cheapest clock: small messages take no longer than some readings of the system's.
static unsigned long long now(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1000000000ull * (unsigned long long)t.tv_sec + (unsigned long long)t.tv_nsec;
#endif
}

static double by;

__attribute__((constructor)) static void read_by(void) {
  const char* told = getenv("SLOWED_BY");
  if (!told) abort();
  by = atof(told);
}

static int longer(unsigned long long start, int code) {
  const unsigned long long end = now();
  const unsigned long long until = end + (unsigned long long)(by * (double)(end - start));
  while (now() < until) {
  }
  return code;
}

int MPI_Send(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) {
  const unsigned long long start = now();
  return longer(start, PMPI_Send(b, n, t, to, tag, c));
}
int MPI_Recv(void* b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status* s) {
  const unsigned long long start = now();
  return longer(start, PMPI_Recv(b, n, t, from, tag, c, s));
}
int MPI_Allreduce(const void* in, void* out, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
  const unsigned long long start = now();
  return longer(start, PMPI_Allreduce(in, out, n, t, op, c));
}
