/* What the files of gmove share. A moved dimension is a section of the left side; element k of it comes from element k of the right. */
#ifndef XACC_GMOVE_H
#define XACC_GMOVE_H
#include "internal.h"

typedef struct {
  const xacc_array *a; /* NULL: every node has its copy */
  const char *name;
  int n, dim[XACC_DIMS];  /* of each moved dimension that of the array; -1: one element for all */
  int vary[XACC_DIMS];    /* and the dimension of the nodes that it runs over, -1 */
  long need[XACC_DIMS];   /* coordinate of the nodes where the element or the alignment fixes it, -1 */
  long stride[XACC_DIMS]; /* bytes from index to index of each dimension, in the caller's memory */
  xacc_triplet at[XACC_DIMS];
  long fixed; /* bytes up to the indices that are no sections */
  long first[XACC_DIMS]; /* index of local 0 */
} gmove_side;

/* Elements k, k + 1, ... of a moved dimension that have one owner on each side; -1: not divided. */
typedef struct {
  long k, count, left, right;
} gmove_run;

typedef struct {
  long offset, delta, count; /* bytes */
} gmove_span;

/* What one message carries: of each moved dimension the spans of the caller's memory. */
typedef struct {
  int peer; /* in the executing set; with in and out the rank of the world */
  long fixed; /* of far pieces: bytes up to the indices that are no sections */
  long count;
  int spans[XACC_DIMS];
  gmove_span *span[XACC_DIMS];
} gmove_piece;

typedef struct {
  const xacc_array *array[2];
  const xacc_set *set;
  size_t elem;
  int mode, turned, n[2], section[2][XACC_DIMS];
  long extent[2][XACC_DIMS];
  xacc_triplet at[2][XACC_DIMS];
} gmove_key;

typedef struct gmove_plan {
  gmove_key key;
  int n, once; /* moved dimensions; once: one value goes to all elements */
  long fixed[2];
  int sends, recvs, owns, busy;
  gmove_piece *send, *recv, *far; /* far: with in and out the memory at the other end of each recv and send */
  gmove_piece own[2]; /* own: from the caller to the caller; left, right */
  MPI_Datatype type;
  struct gmove_plan *next;
} gmove_plan;

gmove_plan *xacc_gmove_plan(const char *where, const xacc_side *left, const xacc_side *right, int mode);
static inline char *xacc_gmove_memory(const xacc_side *s) { return s->array ? s->array->base : s->base; }
#endif
