/* What the files of the runtime share. */
#ifndef XACC_INTERNAL_H
#define XACC_INTERNAL_H
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xacc.h"

struct xacc_set {
  int count, *rank; /* ranks of the world, in the order of the reference */
  int me;           /* my place, -1: not a member */
  MPI_Comm comm;    /* made when first used, by all members together */
  struct xacc_set *next;
};

struct xacc_nodes {
  int n, square;
  long size[XACC_DIMS], me[XACC_DIMS], count;
  int member;
  xacc_set *set;
  const char *name;
  const xacc_nodes *part_of;
  xacc_sub part[XACC_DIMS];
  struct xacc_nodes *next;
};

struct xacc_template {
  int n, square;
  long lb[XACC_DIMS], ub[XACC_DIMS];
  int kind[XACC_DIMS], axis[XACC_DIMS]; /* axis: of the nodes, -1 */
  long width[XACC_DIMS];
  long *bound[XACC_DIMS]; /* gblock: first index of each node, and one past the last */
  xacc_nodes *nodes;
  const char *name, *where;
  int open;             /* its shape comes by template_fix */
  xacc_template *fixed; /* and is here then */
  struct xacc_template *next;
};

extern int xacc_rank, xacc_size; /* in xacc_world, whose ranks are the nodes */
extern MPI_Comm xacc_world;
extern long xacc_made; /* communicators */
extern int *xacc_host; /* a number for the host of each rank */
extern int xacc_running; /* MPI is, by this runtime: a failure ends all ranks */

void *xacc_alloc(size_t bytes);
void xacc_open(void);  /* MPI, where the program has not yet started it */
void xacc_start_on(MPI_Comm comm); /* instead of xacc_start */
void xacc_close(void); /* at the end */

xacc_set *xacc_set_of(const int *rank, int count); /* one object for each list of ranks */
MPI_Comm xacc_comm(const xacc_set *set);
const xacc_set *xacc_both(const xacc_set *a, const xacc_set *b);

int xacc_node_rank(const xacc_nodes *nodes, const long *at);
int xacc_coordinates(const xacc_nodes *nodes, int rank, long *at); /* of a rank of the world; 0: it is none of the nodes */
/* [lo,hi) of the template's dimension on the node with this coordinate; not for cyclic ones. */
void xacc_range(const xacc_template *t, int axis, long coordinate, long *lo, long *hi);
long xacc_coordinate(const xacc_template *t, int axis);
long xacc_owner(const xacc_template *t, int axis, long index);
/* The owner of an index, and the block [lo,hi) around it that is the owner's. */
long xacc_block_at(const xacc_template *t, int axis, long index, long *lo, long *hi);
/* Same for a dimension of an array, in the array's indices. */
void xacc_array_range(const xacc_array *a, int d, long coordinate, long *lo, long *hi);
xacc_array *xacc_find(const void *origin);
static inline long xacc_local_index(const xacc_array *a, int d, long i) {
  return a->cycle[d] ? xacc_cyclic(a, d, i) : i - a->first[d];
}
void xacc_array_fixed(const xacc_array *a, long *coordinate); /* of the nodes, where `with t[i][3]` fixes it */
extern int xacc_one_sided;
/* The storage of an array where others reach it by gmove in and out. */
struct xacc_window {
  MPI_Win window;
  const xacc_set *set; /* those who made it together */
};
void xacc_gmove_forget(const xacc_array *a);

/* Numbers of each type, so that identities and combinations need no code of their own for each. */
#define XACC_EACH_INTEGER(X) \
  X(1, char) X(2, signed char) X(3, unsigned char) X(4, short) X(5, unsigned short) X(6, int) X(7, unsigned) X(8, long) \
  X(9, unsigned long) X(10, long long) X(11, unsigned long long) X(17, _Bool)
#define XACC_EACH_REAL(X) X(12, float) X(13, double) X(14, long double)
#define XACC_EACH_COMPLEX(X) X(15, float _Complex) X(16, double _Complex)

MPI_Datatype xacc_mpi_type(const char *where, int type, size_t *bytes);
void xacc_combine(void *value, const void *with, long count, int type, int op);
int xacc_test(int async); /* has all ended that began under this number? Then it is waited for, too */
void xacc_request(int async, MPI_Request request, void (*after)(void *), void *data);

struct xacc_plan;
void xacc_plans_free(xacc_array *a);
void xacc_route_load(void);
void xacc_table_load(void);
void xacc_sections_print(void);
void xacc_explain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void xacc_check_fresh(xacc_array *a, const long *lo, const long *hi, const int *along);
#endif
