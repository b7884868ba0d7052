/* Reductions and broadcasts. */
#include <complex.h>

#include "internal.h"

MPI_Datatype xacc_mpi_type(const char *where, int type, size_t *bytes) {
#define CASE(n, t, m) \
  case n: *bytes = sizeof(t); return m
  switch (type) {
    CASE(1, char, MPI_CHAR);
    CASE(2, signed char, MPI_SIGNED_CHAR);
    CASE(3, unsigned char, MPI_UNSIGNED_CHAR);
    CASE(4, short, MPI_SHORT);
    CASE(5, unsigned short, MPI_UNSIGNED_SHORT);
    CASE(6, int, MPI_INT);
    CASE(7, unsigned, MPI_UNSIGNED);
    CASE(8, long, MPI_LONG);
    CASE(9, unsigned long, MPI_UNSIGNED_LONG);
    CASE(10, long long, MPI_LONG_LONG);
    CASE(11, unsigned long long, MPI_UNSIGNED_LONG_LONG);
    CASE(12, float, MPI_FLOAT);
    CASE(13, double, MPI_DOUBLE);
    CASE(14, long double, MPI_LONG_DOUBLE);
    CASE(15, float _Complex, MPI_C_FLOAT_COMPLEX);
    CASE(16, double _Complex, MPI_C_DOUBLE_COMPLEX);
    CASE(17, _Bool, MPI_C_BOOL);
  }
#undef CASE
  xacc_fail(where, "a reduction of a type that is neither arithmetic nor an array of such.");
}

static void set_identity(void *v, long count, int type, int op) {
  for (long i = 0; i < count; i++) {
    switch (type) {
#define SET(n, t)                                                                                       \
  case n: ((t *)v)[i] = (t)(op == XACC_PROD || op == XACC_LAND ? 1 : op == XACC_BAND ? (t)-1 : 0); break;
      XACC_EACH_INTEGER(SET)
#undef SET
#define SET(n, t) \
  case n: ((t *)v)[i] = (t)(op == XACC_PROD || op == XACC_LAND); break;
      XACC_EACH_REAL(SET) XACC_EACH_COMPLEX(SET)
#undef SET
    }
  }
}

void xacc_combine(void *v, const void *with, long count, int type, int op) {
  for (long i = 0; i < count; i++) {
    switch (type) {
#define COMBINE(n, t)                                    \
  case n: {                                              \
    t a = ((const t *)with)[i], b = ((t *)v)[i], r = b;  \
    if (op == XACC_SUM) r = (t)(a + b);                  \
    unsigned long long w = (unsigned long long)a * (unsigned long long)b; \
    if (op == XACC_PROD) r = (t)w;                       \
    if (op == XACC_BAND) r = (t)(a & b);                 \
    if (op == XACC_BOR) r = (t)(a | b);                  \
    if (op == XACC_BXOR) r = (t)(a ^ b);                 \
    if (op == XACC_LAND) r = (t)(a && b);                \
    if (op == XACC_LOR) r = (t)(a || b);                 \
    ((t *)v)[i] = r;                                     \
    break;                                               \
  }
      XACC_EACH_INTEGER(COMBINE)
#undef COMBINE
#define COMBINE(n, t)                                    \
  case n: {                                              \
    t a = ((const t *)with)[i], b = ((t *)v)[i], r = b;  \
    if (op == XACC_SUM) r = a + b;                       \
    if (op == XACC_PROD) r = a * b;                      \
    if (op == XACC_LAND) r = (t)(a != 0 && b != 0);      \
    if (op == XACC_LOR) r = (t)(a != 0 || b != 0);       \
    ((t *)v)[i] = r;                                     \
    break;                                               \
  }
      XACC_EACH_REAL(COMBINE) XACC_EACH_COMPLEX(COMBINE)
#undef COMBINE
    }
  }
}

/* -1, 0, 1: order of element 0 of two values. */
static int order(const void *x, const void *y, int type) {
  switch (type) {
#define ORDER(n, t) \
  case n: return (*(const t *)x > *(const t *)y) - (*(const t *)x < *(const t *)y);
    XACC_EACH_INTEGER(ORDER) XACC_EACH_REAL(ORDER)
#undef ORDER
  }
  return 0;
}

static MPI_Op mpi_op(const char *where, int op, int type) {
  if ((type == 15 || type == 16) && op != XACC_SUM && op != XACC_PROD)
    xacc_fail(where, "complex numbers are reduced by + and * only.");
  if (type >= 12 && type <= 14 && op >= XACC_BAND && op <= XACC_BXOR)
    xacc_fail(where, "floating-point numbers have no bits to reduce by &, | or ^.");
  switch (op) {
    case XACC_SUM: return MPI_SUM;
    case XACC_PROD: return MPI_PROD;
    case XACC_BAND: return MPI_BAND;
    case XACC_BOR: return MPI_BOR;
    case XACC_BXOR: return MPI_BXOR;
    case XACC_LAND: return MPI_LAND;
    case XACC_LOR: return MPI_LOR;
    case XACC_MAX: case XACC_FIRSTMAX: case XACC_LASTMAX: return MPI_MAX;
    default: return MPI_MIN;
  }
}

/* MPI has no logical operations on real numbers: they become 0 and 1 first, and are multiplied or their maximum taken. */
static MPI_Op prepare(const char *where, void *v, long count, int type, int op) {
  MPI_Op chosen = mpi_op(where, op, type);
  if (type == 17) return op == XACC_SUM ? MPI_LOR : op == XACC_PROD ? MPI_LAND : chosen;
  if (type < 12 || type > 14 || (op != XACC_LAND && op != XACC_LOR)) return chosen;
  for (long i = 0; i < count; i++) {
    if (type == 12) ((float *)v)[i] = ((float *)v)[i] != 0;
    if (type == 13) ((double *)v)[i] = ((double *)v)[i] != 0;
    if (type == 14) ((long double *)v)[i] = ((long double *)v)[i] != 0;
  }
  return op == XACC_LAND ? MPI_PROD : MPI_MAX;
}

/* The member with the best value; of equals the one with the first (or last) location: the order of the iterations. */
static int best_member(void *value, int type, int op, int n, const xacc_location *l, MPI_Comm comm, size_t bytes) {
  int size, best = 0, last = op == XACC_LASTMAX || op == XACC_LASTMIN;
  int sign = op == XACC_MIN || op == XACC_FIRSTMIN || op == XACC_LASTMIN ? -1 : 1;
  size_t record = bytes + sizeof(long) * 8;
  int ordered = op >= XACC_FIRSTMAX;
  MPI_Comm_size(comm, &size);
  char *mine = xacc_alloc(record), *from = xacc_alloc(record * (size_t)size);
  memcpy(mine, value, bytes);
  for (int i = 0; i < n; i++) {
    size_t b;
    long k = 0;
    xacc_mpi_type(NULL, l[i].type, &b);
    if (l[i].count != 1 || l[i].type >= 12) ordered = 0;
    if (b == 8) k = (long)*(int64_t *)l[i].value;
    if (b == 4 && l[i].type < 12) k = *(int32_t *)l[i].value;
    memcpy(mine + bytes + sizeof(long) * (size_t)i, &k, sizeof k);
  }
  MPI_Allgather(mine, (int)record, MPI_BYTE, from, (int)record, MPI_BYTE, comm);
  for (int r = 1; r < size; r++) {
    const char *x = from + record * (size_t)r, *y = from + record * (size_t)best;
    int o = sign * order(x, y, type);
    for (int i = 0; !o && ordered && i < n; i++) {
      long p, q;
      memcpy(&p, x + bytes + sizeof(long) * (size_t)i, sizeof p);
      memcpy(&q, y + bytes + sizeof(long) * (size_t)i, sizeof q);
      o = last ? (p > q) - (p < q) : (p < q) - (p > q);
    }
    if (o > 0 || (o == 0 && last && !ordered)) best = r;
  }
  free(mine);
  free(from);
  return best;
}

void xacc_reduce(const char *where, void *v, long count, int type, int op, int n, const xacc_location *l,
                 const xacc_set *set, int async) {
  size_t bytes;
  MPI_Datatype t = xacc_mpi_type(where, type, &bytes);
  MPI_Op o = prepare(where, v, count, type, op);
  if (!set || set->count == 1) return;
  MPI_Comm comm = xacc_comm(set);
  if (n) {
    int best = best_member(v, type, op, n, l, comm, bytes);
    MPI_Bcast(v, 1, t, best, comm);
    for (int i = 0; i < n; i++) {
      MPI_Datatype lt = xacc_mpi_type(where, l[i].type, &bytes);
      MPI_Bcast(l[i].value, (int)l[i].count, lt, best, comm);
    }
  } else if (async < 0)
    MPI_Allreduce(MPI_IN_PLACE, v, (int)count, t, o, comm);
  else {
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, v, (int)count, t, o, comm, &request);
    xacc_request(async, request, NULL, NULL);
  }
}

void xacc_reduce_array(const char *where, const xacc_array *a, int type, int op, const xacc_set *set) {
  long count = 1;
  for (int d = 0; d < a->n; d++) count *= a->ext[d];
  char *base = a->holder && !a->base ? xacc_find(xacc_view(a))->base : a->base;
  size_t bytes;
  xacc_mpi_type(where, type, &bytes);
  xacc_reduce(where, base, count * (long)(a->elem / bytes), type, op, 0, NULL, set, -1);
}

/* Of what a loop adds up, the value before the loop counts once: it is put aside and added by each rank at the end. */
xacc_reduction xacc_reduction_begin(const char *where, void *value, long count, int type, int op, int n,
                                    const xacc_location *l) {
  xacc_reduction r = {value, NULL, count, type, op, n, {{0}}};
  size_t bytes;
  xacc_mpi_type(where, type, &bytes);
  mpi_op(where, op, type);
  for (int i = 0; i < n; i++) r.location[i] = l[i];
  if (op < XACC_MAX) {
    r.initial = xacc_alloc(bytes * (size_t)count);
    memcpy(r.initial, value, bytes * (size_t)count);
    set_identity(value, count, type, op);
  }
  return r;
}

void xacc_reduction_forget(xacc_reduction *r) {
  free(r->initial);
  r->initial = NULL;
}

void xacc_reduction_end(xacc_reduction *r, const xacc_set *set) {
  xacc_reduce(NULL, r->value, r->count, r->type, r->op, r->locations, r->location, set, -1);
  if (r->initial) xacc_combine(r->value, r->initial, r->count, r->type, r->op);
  xacc_reduction_forget(r);
}

void xacc_bcast(const char *where, void *value, size_t bytes, int has_from, const xacc_set *from, const xacc_set *on,
                int async) {
  if (!on || on->count == 1) return;
  int root = 0;
  if (has_from) {
    root = -1;
    for (int i = 0; from && root < 0 && i < from->count; i++)
      for (int k = 0; k < on->count; k++)
        if (on->rank[k] == from->rank[i]) root = k;
    if (root < 0) xacc_fail(where, "the node that from names is not among the nodes that take part in the bcast.");
  }
  MPI_Comm comm = xacc_comm(on);
  if (async >= 0) {
    MPI_Request request;
    MPI_Ibcast(value, (int)bytes, MPI_BYTE, root, comm, &request);
    xacc_request(async, request, NULL, NULL);
    return;
  }
  for (size_t at = 0, most = 1u << 30; at < bytes; at += most)
    MPI_Bcast((char *)value + at, (int)(bytes - at < most ? bytes - at : most), MPI_BYTE, root, comm);
}

/* What wait_async waits for. */
static struct pending {
  int async;
  MPI_Request request;
  void (*after)(void *);
  void *data;
  struct pending *next;
} *pendings;

void xacc_request(int async, MPI_Request request, void (*after)(void *), void *data) {
  struct pending *p = xacc_alloc(sizeof *p), **end = &pendings;
  *p = (struct pending){async, request, after, data, NULL};
  while (*end) end = &(*end)->next;
  *end = p;
}

int xacc_test(int async) {
  for (struct pending *p = pendings; p; p = p->next) {
    int done = 1;
    if (p->async == async && p->request != MPI_REQUEST_NULL) MPI_Test(&p->request, &done, MPI_STATUS_IGNORE);
    if (!done) return 0;
  }
  xacc_wait(async); /* what is still to be done by the caller */
  return 1;
}

void xacc_wait(int async) {
  for (struct pending **p = &pendings; *p;) {
    struct pending *q = *p;
    if (q->async != async) {
      p = &q->next;
      continue;
    }
    *p = q->next;
    if (q->request != MPI_REQUEST_NULL) MPI_Wait(&q->request, MPI_STATUS_IGNORE);
    if (q->after) q->after(q->data);
    free(q);
  }
}
