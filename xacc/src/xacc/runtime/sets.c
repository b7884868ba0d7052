/* Sets of ranks, each one object for the whole run with at most one communicator, tasks, and node arrays. */
#include "internal.h"

static xacc_set *sets;
static const xacc_set *stack[256];
static int depth;
long xacc_made;

long xacc_communicators(void) { return xacc_made; }

xacc_set *xacc_set_of(const int *rank, int count) {
  if (count == 0) return NULL;
  for (xacc_set *s = sets; s; s = s->next)
    if (s->count == count && !memcmp(s->rank, rank, sizeof *rank * (size_t)count)) return s;
  xacc_set *s = xacc_alloc(sizeof *s);
  s->count = count;
  s->rank = xacc_alloc(sizeof *rank * (size_t)count);
  memcpy(s->rank, rank, sizeof *rank * (size_t)count);
  s->me = -1;
  for (int i = 0; i < count; i++)
    if (rank[i] == xacc_rank) s->me = i;
  s->comm = MPI_COMM_NULL;
  s->next = sets;
  return sets = s;
}

static xacc_set *world(void) {
  static xacc_set *all;
  if (all) return all;
  xacc_open();
  int *rank = xacc_alloc(sizeof *rank * (size_t)xacc_size);
  for (int i = 0; i < xacc_size; i++) rank[i] = i;
  all = xacc_set_of(rank, xacc_size);
  free(rank);
  return all;
}

/* Only the members call this, and all of them: their directive is collective over the set. */
MPI_Comm xacc_comm(const xacc_set *set) {
  xacc_set *s = (xacc_set *)set;
  if (s->comm != MPI_COMM_NULL) return s->comm;
  if (s->count == 1) return s->comm = MPI_COMM_SELF;
  MPI_Group all, group;
  MPI_Comm_group(xacc_world, &all);
  MPI_Group_incl(all, s->count, s->rank, &group);
  MPI_Comm_create_group(xacc_world, group, 77, &s->comm);
  MPI_Group_free(&group);
  MPI_Group_free(&all);
  xacc_made++;
  return s->comm;
}

const xacc_set *xacc_executing(void) { return depth ? stack[depth - 1] : world(); }

const xacc_set *xacc_both(const xacc_set *a, const xacc_set *b) {
  if (a == b || !a) return a;
  if (!b) return NULL;
  char *in = xacc_alloc((size_t)xacc_size);
  int *rank = xacc_alloc(sizeof *rank * (size_t)a->count), count = 0;
  for (int i = 0; i < b->count; i++) in[b->rank[i]] = 1;
  for (int i = 0; i < a->count; i++)
    if (in[a->rank[i]]) rank[count++] = a->rank[i];
  const xacc_set *s = xacc_set_of(rank, count);
  free(in);
  free(rank);
  return s && s->me >= 0 ? s : NULL;
}

xacc_task xacc_enter(const xacc_set *on) {
  xacc_task task = {0, 0};
  on = xacc_both(on, xacc_executing());
  if (!on) return task;
  if (depth == (int)(sizeof stack / sizeof *stack)) xacc_fail(NULL, "tasks are nested deeper than 256.");
  stack[depth++] = on;
  task.in = task.pushed = 1;
  return task;
}

void xacc_leave(xacc_task *task) {
  if (task->pushed) depth--;
  task->pushed = 0;
}

/* Ranks at the coordinates that a reference names. wanted[d]: flags over the coordinates of dimension d. */
static const xacc_set *ranks_at(const xacc_nodes *nodes, char **wanted) {
  int *rank = xacc_alloc(sizeof *rank * (size_t)nodes->count), count = 0;
  long at[XACC_DIMS] = {0};
  for (long i = 0; i < nodes->count; i++) {
    int in = 1;
    for (int d = 0; d < nodes->n; d++) in &= wanted[d][at[d]];
    if (in) rank[count++] = xacc_node_rank(nodes, at);
    for (int d = 0; d < nodes->n && ++at[d] == nodes->size[d]; d++) at[d] = 0;
  }
  const xacc_set *s = xacc_set_of(rank, count);
  free(rank);
  for (int d = 0; d < nodes->n; d++) free(wanted[d]);
  return s;
}

const xacc_set *xacc_from_nodes(const xacc_nodes *nodes, const xacc_sub *s) {
  char *wanted[XACC_DIMS];
  for (int d = 0; d < nodes->n; d++) {
    wanted[d] = xacc_alloc((size_t)nodes->size[d]);
    for (long i = 0; i < nodes->size[d]; i++)
      wanted[d][i] = s[d].kind == XACC_ALL || (s[d].kind == XACC_OWN && nodes->member && i == nodes->me[d]) ||
                     (s[d].kind == XACC_RANGE && i >= s[d].lo && i <= s[d].hi && (i - s[d].lo) % s[d].step == 0);
  }
  return ranks_at(nodes, wanted);
}

/* Own parts of a template count as the element 0 of the caller's block: its owner's coordinate. */
const xacc_set *xacc_from_template(const xacc_template *t, const xacc_sub *s) {
  const xacc_nodes *nodes = t->nodes;
  char *wanted[XACC_DIMS];
  for (int d = 0; d < nodes->n; d++) {
    wanted[d] = xacc_alloc((size_t)nodes->size[d]);
    memset(wanted[d], 1, (size_t)nodes->size[d]);
  }
  for (int k = 0; k < t->n; k++) {
    int d = t->axis[k];
    if (d < 0 || s[k].kind == XACC_ALL) continue;
    memset(wanted[d], 0, (size_t)nodes->size[d]);
    if (s[k].kind == XACC_OWN) {
      if (nodes->member) wanted[d][nodes->me[d]] = 1;
      continue;
    }
    long lo = s[k].lo < t->lb[k] ? t->lb[k] : s[k].lo, hi = s[k].hi > t->ub[k] ? t->ub[k] : s[k].hi;
    for (long i = lo; i <= hi; i++)
      if ((i - s[k].lo) % s[k].step == 0) wanted[d][xacc_owner(t, k, i)] = 1;
  }
  return ranks_at(nodes, wanted);
}

static const xacc_set *with_me(const xacc_set *s) {
  return s && s->me >= 0 ? xacc_both(s, xacc_executing()) : NULL;
}

const xacc_set *xacc_on_nodes(const xacc_nodes *nodes, const xacc_sub *s) {
  return with_me(xacc_from_nodes(nodes, s));
}

const xacc_set *xacc_on_template(const xacc_template *t, const xacc_sub *s) {
  return with_me(xacc_from_template(t, s));
}

const xacc_set *xacc_loop_set(const xacc_template *t, unsigned axes) {
  const xacc_nodes *nodes = t->nodes;
  if (!nodes->member) return NULL;
  xacc_sub s[XACC_DIMS];
  for (int d = 0; d < nodes->n; d++) s[d].kind = XACC_OWN;
  for (int k = 0; k < t->n; k++)
    if (axes >> k & 1 && t->axis[k] >= 0) s[t->axis[k]].kind = XACC_ALL;
  return xacc_on_nodes(nodes, s);
}

/* Node arrays: each definition with the same content is one object. */
static xacc_nodes *nodes_made;

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
  for (xacc_nodes *p = nodes_made; p; p = p->next)
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
  p->next = nodes_made;
  return nodes_made = p;
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
