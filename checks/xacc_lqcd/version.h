/* One version of the program for one lattice: what the check asks of it. C, for programs in C. */
#ifndef XACC_LQCD_VERSION_H
#define XACC_LQCD_VERSION_H
#include <mpi.h>

typedef struct {
  int extent[4]; /* sites in t, z, y, x */
  int nodes[2];  /* ranks in t and z for which it is built, 0: any */
  void (*prepare)(MPI_Comm comm);
  void (*flip_link)(void); /* the fault: one link changes its sign on the rank that has it */
  void (*begin)(void);     /* a solve, from x = b */
  void (*iterate)(void);
  double (*residual)(void); /* |r|^2 / |b|^2 */
  void (*slices)(double *of_t);
} XaccLqcdVersion;

/* Two faces of one lattice, each of a field: 0 is shared out along t, 1 along z, in blocks of so many sites. */
typedef struct {
  int extent[4];
  void (*prepare)(MPI_Comm comm); /* takes the route of XACC_ROUTE */
  void (*write)(int face, int block, double sample);
  void (*start)(int face);
  void (*finish)(int face);
  double (*wrong)(int face, int block, double sample); /* values of the halos of this rank */
} XaccLqcdFaces;

#ifdef __cplusplus
extern "C" {
#endif
extern int xacc_lqcd_nodes_z; /* ranks in z; set before prepare */
extern int xacc_lqcd_packed;  /* by hand: faces are packed, not sent as datatypes of MPI */
extern void (*xacc_lqcd_told)(const char *section, int begins);
#ifdef __cplusplus
}
#endif
#endif
