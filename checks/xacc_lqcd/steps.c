/* What the check asks of a version, appended to its source, so that it sees what is static there. */
#undef main
#include "version.h"
#ifdef XACC_GROUP
#include "xacc_embed.h"
#endif

static void prepare_version(MPI_Comm comm) {
#ifdef BY_HAND
  world = comm;
  start_mpi(0, 0);
#elif defined(XACC_GROUP)
  xacc_start_in(comm, XACC_GROUP);
#else
  (void)comm;
#endif
  prepare();
}

static void flip_version(void) {
#ifdef BY_HAND
  Link *u = me == 0 ? &links[T][1][1][0][0] : 0;
  for (int n = 0; u && n < 9; n++) u->at[n / 3][n % 3].re *= -1, u->at[n / 3][n % 3].im *= -1;
#else
#ifdef XACC_GROUP
#pragma xmp task on lattice[0][0][0]
#endif
  for (int n = 0; n < 9; n++) {
    links[T][0][0][0][0].at[n / 3][n % 3].re *= -1;
    links[T][0][0][0][0].at[n / 3][n % 3].im *= -1;
  }
#endif
}

static double residual_version(void) { return rr / bb; }

const XaccLqcdVersion VERSION = {{NT, NZ, NY, NX}, {NODES_OF_VERSION}, prepare_version, flip_version, begin, iterate, residual_version, sum_slices};
