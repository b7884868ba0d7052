/* Sets of ranks, each one object for the whole run with at most one communicator, and tasks. */
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

void xacc_barrier(const xacc_set *set) {
  xacc_windows_sync();
  if (set && set->count > 1) MPI_Barrier(xacc_comm(set));
}
