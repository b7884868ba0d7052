/* Who holds an element, and messages of single elements between any nodes that execute. */
#include "library.h"

xacc_array *xacc_library_array(const char *name, xmp_desc_t d) {
  xacc_array *a = d;
  if (!a) xacc_fail(NULL, "%s: an argument is no array.", name);
  xacc_array *s = a->owner ? a : xacc_find(xacc_view(a));
  if (!s) xacc_fail(NULL, "%s: array %s has no elements here.", name, a->name);
  return s;
}

long xacc_library_size(const xacc_array *a) {
  long size = 1;
  for (int d = 0; d < a->n; d++) size *= a->size[d];
  return size;
}

void xacc_library_alike(const char *name, const xacc_array *a, const xacc_array *b) {
  int same = a->n == b->n;
  for (int d = 0; same && d < a->n; d++) same = a->size[d] == b->size[d];
  if (!same) xacc_fail(NULL, "%s: arrays %s and %s have different shapes.", name, a->name, b->name);
}

void xacc_library_written(xacc_array *a) {
#ifdef XACC_CHECK
  xacc_written w[XACC_DIMS];
  memset(w, 0, sizeof w);
  xacc_stale(a, w);
#endif
  (void)a;
}

char *xacc_library_at(const xacc_array *a, long position) {
  long at = 0, step = 1;
  for (int d = a->n - 1; d >= 0; d--) {
    at += xacc_local_index(a, d, position % a->size[d]) * step;
    position /= a->size[d];
    step *= a->ext[d];
  }
  return (char *)a->base + at * (long)a->elem;
}

static int axis_of(const xacc_array *a, int d) { return a->axis[d] < 0 ? -1 : a->t->axis[a->axis[d]]; }

/* The cell of the node with this rank of the world, -1. */
static long cell_of_rank(const xacc_places *p, const long *need, int rank) {
  const xacc_nodes *nodes = p->a->t->nodes;
  long at[XACC_DIMS] = {0}, cell = 0;
  if (!xacc_coordinates(nodes, rank, at)) return -1;
  for (int k = 0; k < nodes->n; k++)
    if (need[k] >= 0 && need[k] != at[k]) return -1;
  for (int d = 0; d < p->a->n; d++)
    if (axis_of(p->a, d) >= 0) cell += at[axis_of(p->a, d)] * p->weight[d];
  return cell;
}

xacc_places xacc_places_of(xacc_array *a) {
  xacc_places p = {.a = a};
  const xacc_set *set = xacc_executing();
  long cells = 1, need[XACC_DIMS];
  for (int k = 0; k < XACC_DIMS; k++) need[k] = -1;
  xacc_array_fixed(a, need);
  for (int d = 0; d < a->n; d++) {
    p.weight[d] = axis_of(a, d) < 0 ? 0 : cells;
    if (axis_of(a, d) >= 0) cells *= a->t->nodes->size[axis_of(a, d)];
  }
  long *cell = xacc_alloc(sizeof *cell * (size_t)set->count);
  p.start = xacc_alloc(sizeof *p.start * (size_t)(cells + 2));
  p.member = xacc_alloc(sizeof *p.member * (size_t)set->count);
  for (int i = 0; i < set->count; i++) {
    cell[i] = cell_of_rank(&p, need, set->rank[i]);
    if (cell[i] >= 0) p.start[cell[i] + 2]++;
  }
  for (long c = 0; c < cells; c++) p.start[c + 2] += p.start[c + 1];
  for (int i = 0; i < set->count; i++)
    if (cell[i] >= 0) p.member[p.start[cell[i] + 1]++] = i;
  p.mine = cell[set->me];
  free(cell);
  return p;
}

void xacc_places_free(xacc_places *p) {
  free(p->start);
  free(p->member);
}

static long cell_of(const char *name, const xacc_places *p, long position) {
  const xacc_array *a = p->a;
  long cell = 0, whole = position;
  for (int d = a->n - 1; d >= 0; d--) {
    long i = position % a->size[d] + a->offset[d];
    position /= a->size[d];
    if (axis_of(a, d) < 0) continue;
    if (i < a->t->lb[a->axis[d]] || i > a->t->ub[a->axis[d]])
      xacc_fail(NULL, "%s: an element of array %s lies beside template %s, so no node has it.", name, a->name, a->t->name);
    cell += xacc_owner(a->t, a->axis[d], i) * p->weight[d];
  }
  if (p->start[cell] == p->start[cell + 1])
    xacc_fail(NULL, "%s: element %ld of array %s is on a node that does not take part; let all nodes of the array call it.", name, whole, a->name);
  return cell;
}

xacc_elements xacc_places_own(const xacc_places *p, int once) {
  const xacc_array *a = p->a;
  xacc_elements own = {0, NULL};
  if (p->mine < 0 || (once && p->member[p->start[p->mine]] != xacc_executing()->me)) return own;
  own.index = xacc_alloc(sizeof *own.index);
  own.n = 1;
  for (int d = 0; d < a->n; d++) {
    long *more = xacc_alloc(sizeof *more * (size_t)(own.n * (a->hi[d] - a->lo[d]) + 1)), n = 0;
    for (long k = 0; k < own.n; k++)
      for (long i = a->lo[d]; i < a->hi[d]; i++)
        if (a->axis[d] < 0 || xacc_mine(a->t, a->axis[d], i + a->offset[d])) more[n++] = own.index[k] * a->size[d] + i;
    free(own.index);
    own.index = more;
    own.n = n;
  }
  return own;
}

/* ---- messages ---- */
xacc_post xacc_post_of(const int *to, long n) {
  const xacc_set *set = xacc_executing();
  size_t bytes = sizeof(int) * (size_t)set->count;
  xacc_post p = {xacc_comm(set), xacc_alloc(bytes), xacc_alloc(bytes), xacc_alloc(bytes), xacc_alloc(bytes), n, 0,
                 xacc_alloc(sizeof(long) * (size_t)(n + 1))};
  for (long i = 0; i < n; i++) p.sends[to[i]]++;
  MPI_Alltoall(p.sends, 1, MPI_INT, p.recvs, 1, MPI_INT, p.comm);
  for (int r = 0; r < set->count; r++) {
    p.sent_at[r] = r ? p.sent_at[r - 1] + p.sends[r - 1] : 0;
    p.came_at[r] = (int)p.m;
    p.m += p.recvs[r];
  }
  int *next = xacc_alloc(bytes);
  for (long i = 0; i < n; i++) p.slot[i] = p.sent_at[to[i]] + next[to[i]]++;
  free(next);
  return p;
}

void xacc_post_free(xacc_post *p) {
  free(p->sends);
  free(p->sent_at);
  free(p->recvs);
  free(p->came_at);
  free(p->slot);
}

static MPI_Datatype value_type(size_t bytes) {
  MPI_Datatype type;
  MPI_Type_contiguous((int)bytes, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

void *xacc_post_send(const xacc_post *p, const void *values, size_t bytes) {
  char *out = xacc_alloc((size_t)(p->n + 1) * bytes), *in = xacc_alloc((size_t)(p->m + 1) * bytes);
  MPI_Datatype type = value_type(bytes);
  for (long i = 0; i < p->n; i++) memcpy(out + (size_t)p->slot[i] * bytes, (const char *)values + (size_t)i * bytes, bytes);
  MPI_Alltoallv(out, p->sends, p->sent_at, type, in, p->recvs, p->came_at, type, p->comm);
  MPI_Type_free(&type);
  free(out);
  return in;
}

void *xacc_post_back(const xacc_post *p, const void *answers, size_t bytes) {
  char *in = xacc_alloc((size_t)(p->n + 1) * bytes), *out = xacc_alloc((size_t)(p->n + 1) * bytes);
  MPI_Datatype type = value_type(bytes);
  MPI_Alltoallv(answers, p->recvs, p->came_at, type, in, p->sends, p->sent_at, type, p->comm);
  for (long i = 0; i < p->n; i++) memcpy(out + (size_t)i * bytes, in + (size_t)p->slot[i] * bytes, bytes);
  MPI_Type_free(&type);
  free(in);
  return out;
}

void *xacc_library_get(const char *name, const xacc_places *p, const long *position, long n) {
  int me = xacc_executing()->me, *to = xacc_alloc(sizeof *to * (size_t)(n + 1));
  size_t elem = p->a->elem;
  for (long i = 0; i < n; i++) {
    long cell = cell_of(name, p, position[i]);
    int first = p->start[cell], count = p->start[cell + 1] - first;
    to[i] = cell == p->mine ? me : p->member[first + me % count];
  }
  xacc_post post = xacc_post_of(to, n);
  long *asked = xacc_post_send(&post, position, sizeof *asked);
  char *answers = xacc_alloc((size_t)(post.m + 1) * elem);
  for (long i = 0; i < post.m; i++) memcpy(answers + (size_t)i * elem, xacc_library_at(p->a, asked[i]), elem);
  void *values = xacc_post_back(&post, answers, elem);
  free(answers);
  free(asked);
  free(to);
  xacc_post_free(&post);
  return values;
}

void xacc_library_put(const char *name, const xacc_places *p, const long *position, long n, const void *values) {
  size_t elem = p->a->elem, all = 0;
  for (long i = 0; i < n; i++) {
    long cell = cell_of(name, p, position[i]);
    all += (size_t)(p->start[cell + 1] - p->start[cell]);
  }
  int *to = xacc_alloc(sizeof *to * (all + 1));
  long *at = xacc_alloc(sizeof *at * (all + 1)), k = 0;
  char *copy = xacc_alloc(elem * (all + 1));
  for (long i = 0; i < n; i++) {
    long cell = cell_of(name, p, position[i]);
    for (int m = p->start[cell]; m < p->start[cell + 1]; m++, k++) {
      to[k] = p->member[m];
      at[k] = position[i];
      memcpy(copy + (size_t)k * elem, (const char *)values + (size_t)i * elem, elem);
    }
  }
  xacc_post post = xacc_post_of(to, k);
  long *where = xacc_post_send(&post, at, sizeof *where);
  char *what = xacc_post_send(&post, copy, elem);
  for (long i = 0; i < post.m; i++) memcpy(xacc_library_at(p->a, where[i]), what + (size_t)i * elem, elem);
  xacc_post_free(&post);
  free(where);
  free(what);
  free(copy);
  free(at);
  free(to);
  xacc_library_written(p->a);
}
