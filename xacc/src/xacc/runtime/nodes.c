/* Node arrays: each definition with the same content is one object. */
#include "internal.h"

static xacc_nodes *all;

int xacc_node_rank(const xacc_nodes *nodes, const long *at) {
  long i = 0;
  for (int d = nodes->n - 1; d >= 0; d--) i = i * nodes->size[d] + at[d];
  return nodes->set->rank[i];
}

/* Sizes that were left open share what the given ones leave of the nodes. */
static void fill(const char *where, const char *name, int n, long *size, int count) {
  long given = 1;
  int open = 0, share[XACC_DIMS] = {0};
  for (int d = 0; d < n; d++) {
    if (size[d] < 0)
      open++;
    else
      given *= size[d];
    if (size[d] == 0) xacc_fail(where, "nodes %s has a dimension of size 0; sizes start at 1.", name);
  }
  if (open) {
    if (count % given)
      xacc_fail(where, "nodes %s: %d ranks cannot be divided by the sizes given (%ld); start a multiple of them.",
                name, count, given);
    MPI_Dims_create((int)(count / given), open, share);
    for (int d = n - 1, k = 0; d >= 0; d--)
      if (size[d] < 0) size[d] = share[k++];
  } else if (given > count)
    xacc_fail(where, "nodes %s needs %ld ranks and the program has %d; start it with mpirun -n %ld.", name, given,
              count, given);
}

xacc_nodes *xacc_nodes_new(const char *where, const char *name, int square, int n, const long *size, int from,
                           const xacc_nodes *part_of, const xacc_sub *part) {
  long shape[XACC_DIMS], count = 1;
  xacc_open();
  const xacc_set *source = from == XACC_PART ? xacc_from_nodes(part_of, part)
                           : from == XACC_EXECUTING ? xacc_executing() : NULL;
  if (from == XACC_PART && !source) xacc_fail(where, "nodes %s: the nodes it names do not exist.", name);
  memcpy(shape, size, sizeof *shape * (size_t)n);
  fill(where, name, n, shape, source ? source->count : xacc_size);
  for (int d = 0; d < n; d++) count *= shape[d];
  int *rank = xacc_alloc(sizeof *rank * (size_t)count);
  for (long i = 0; i < count; i++) rank[i] = source ? source->rank[i] : (int)i;
  xacc_set *set = xacc_set_of(rank, (int)count);
  free(rank);
  for (xacc_nodes *p = all; p; p = p->next)
    if (p->n == n && p->set == set && p->square == square && p->part_of == part_of &&
        !memcmp(p->size, shape, sizeof *shape * (size_t)n) && !strcmp(p->name, name) &&
        (!part_of || !memcmp(p->part, part, sizeof *part * (size_t)part_of->n)))
      return p;
  xacc_nodes *p = xacc_alloc(sizeof *p);
  p->n = n;
  p->square = square;
  p->count = count;
  p->set = set;
  p->name = name;
  p->part_of = part_of;
  if (part_of) memcpy(p->part, part, sizeof *part * (size_t)part_of->n);
  memcpy(p->size, shape, sizeof *shape * (size_t)n);
  p->member = set->me >= 0;
  for (long d = 0, i = p->member ? set->me : 0; d < n; d++) {
    p->me[d] = i % p->size[d];
    i /= p->size[d];
  }
  p->next = all;
  return all = p;
}

xacc_nodes *xacc_nodes_part(const char *where, const char *name, int square, const xacc_nodes *part_of, const xacc_sub *part, unsigned kept) {
  long size[XACC_DIMS];
  int n = 0;
  for (int d = 0; d < part_of->n; d++) {
    const xacc_sub *s = &part[d];
    long last = part_of->size[d] - 1, hi = s->hi < last ? s->hi : last;
    if (kept >> d & 1) size[n++] = s->kind == XACC_ALL ? last + 1 : (hi - s->lo) / s->step + 1;
  }
  return xacc_nodes_new(where, name, square, n, size, XACC_PART, part_of, part);
}
