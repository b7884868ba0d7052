/* gmove: what leaves the caller is packed first, so the sides of one array may overlap; then it is sent, and what comes is put in place. */
#include "gmove.h"

enum { TAG = 64100 }; /* above those of halos */
static long moved, messages;

long xacc_gmove_bytes(void) { return moved; }
long xacc_gmove_messages(void) { return messages; }

/* One element, of the usual sizes without a call. */
static inline void one(char *to, const char *from, size_t elem) {
  switch (elem) {
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, elem);
  }
}

/* Between the memory of a side and a buffer; step: from value to value of the buffer, 0 where one value is for all. */
static char *walk(const gmove_piece *p, int j, int n, char *memory, char *buffer, size_t elem, size_t step, int pack) {
  if (j == n) {
    one(pack ? buffer : memory, pack ? memory : buffer, elem);
    return buffer + step;
  }
  for (int i = 0; i < p->spans[j]; i++) {
    gmove_span s = p->span[j][i];
    char *at = memory + s.offset;
    if (j < n - 1) {
      for (long k = 0; k < s.count; k++) buffer = walk(p, j + 1, n, at + k * s.delta, buffer, elem, step, pack);
    } else if (s.delta == (long)elem && step) {
      size_t bytes = (size_t)s.count * elem;
      memcpy(pack ? buffer : at, pack ? at : buffer, bytes);
      buffer += bytes;
    } else
      for (long k = 0; k < s.count; k++, at += s.delta, buffer += step) one(pack ? buffer : at, pack ? at : buffer, elem);
  }
  return buffer;
}

static char *packed(const gmove_plan *plan, const gmove_piece *p, char *memory) {
  char *buffer = xacc_alloc((size_t)p->count * plan->key.elem);
  walk(p, 0, plan->once ? 0 : plan->n, memory, buffer, plan->key.elem, plan->key.elem, 1);
  return buffer;
}

static void unpacked(const gmove_plan *plan, const gmove_piece *p, char *memory, char *buffer) {
  walk(p, 0, plan->n, memory, buffer, plan->key.elem, plan->once ? 0 : plan->key.elem, 0);
}

typedef struct {
  gmove_plan *plan;
  const gmove_piece *piece; /* NULL: was sent */
  char *memory, *buffer;
} later;

static void arrived(void *data) {
  later *l = data;
  if (l->piece) unpacked(l->plan, l->piece, l->memory, l->buffer);
  l->plan->busy--;
  free(l->buffer);
  free(l);
}

static later *kept(gmove_plan *plan, const gmove_piece *piece, char *memory, char *buffer) {
  later *l = xacc_alloc(sizeof *l);
  *l = (later){plan, piece, memory, buffer};
  plan->busy++;
  return l;
}


#ifdef XACC_CHECK
static void stale(const xacc_side *s) {
  xacc_written w[XACC_DIMS];
  if (!s->array || s->array->cyclic) return;
  for (int d = 0; d < s->n; d++) w[d] = xacc_written_of(s->at[d]);
  xacc_stale(s->array, w);
}
#endif

static void storage(xacc_side *s) {
  if (!s->array || s->array->owner) return;
  xacc_array *a = xacc_find(xacc_view(s->array));
  if (!a) xacc_fail(NULL, "array %s has no storage: the file that defines it was not translated.", s->name);
  s->array = a;
}

/* gmove in and out: the executing nodes fetch and place elements by themselves; their owners may do something else. */
typedef struct {
  MPI_Aint *at;
  int *bytes, count;
} blocks;

static void note(blocks *b, MPI_Aint at, int bytes) {
  if (b->count && b->at[b->count - 1] + b->bytes[b->count - 1] == at) {
    b->bytes[b->count - 1] += bytes;
    return;
  }
  b->at[b->count] = at;
  b->bytes[b->count++] = bytes;
}

static void collect(const gmove_piece *p, int j, int n, MPI_Aint at, int elem, blocks *b) {
  if (j == n) {
    note(b, at, elem);
    return;
  }
  for (int i = 0; i < p->spans[j]; i++)
    for (long k = 0; k < p->span[j][i].count; k++) collect(p, j + 1, n, at + p->span[j][i].offset + k * p->span[j][i].delta, elem, b);
}

static MPI_Datatype far_type(const gmove_plan *plan, const gmove_piece *far, int n) {
  MPI_Datatype type;
  blocks b = {xacc_alloc(sizeof(MPI_Aint) * (size_t)far->count), xacc_alloc(sizeof(int) * (size_t)far->count), 0};
  collect(far, 0, n, far->fixed, (int)plan->key.elem, &b);
  MPI_Type_create_hindexed(b.count, b.bytes, b.at, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  free(b.at);
  free(b.bytes);
  return type;
}

static int rank_of(const char *where, const xacc_array *a, int peer) {
  for (int i = 0; a->window && i < a->window->set->count; i++)
    if (a->window->set->rank[i] == peer) return i;
  xacc_fail(where, "gmove: array %s was not made together with rank %d, which holds a part of it here.", a->name, peer);
}

static void far_move(const char *where, gmove_plan *plan, const xacc_side *left, const xacc_side *right) {
  char *to = xacc_gmove_memory(left) + plan->fixed[0], *from = xacc_gmove_memory(right) + plan->fixed[1];
  char *own = plan->owns ? packed(plan, &plan->own[1], from) : NULL;
  char **got = xacc_alloc(sizeof *got * (size_t)(plan->recvs + 1));
  int out = plan->key.mode == XACC_OUT, all = plan->sends + plan->recvs;
  for (int i = 0; i < all; i++) {
    const xacc_array *a = out ? left->array : right->array;
    const gmove_piece *far = &plan->far[i], *near = out ? &plan->send[i] : &plan->recv[i];
    int peer = rank_of(where, a, far->peer);
    MPI_Datatype type = far_type(plan, far, plan->once && !out ? 0 : plan->n);
    size_t elem = plan->key.elem;
    MPI_Win_sync(a->window->window);
    if (out) {
      char *values = packed(plan, near, from), *sent = values;
      if (plan->once) {
        sent = xacc_alloc((size_t)far->count * elem);
        for (long k = 0; k < far->count; k++) memcpy(sent + (size_t)k * elem, values, elem);
      }
      MPI_Put(sent, (int)((size_t)far->count * elem), MPI_BYTE, peer, 0, 1, type, a->window->window);
      MPI_Win_flush(peer, a->window->window);
      if (sent != values) free(sent);
      free(values);
    } else {
      got[i] = xacc_alloc((size_t)far->count * elem);
      MPI_Get(got[i], (int)((size_t)far->count * elem), MPI_BYTE, peer, 0, 1, type, a->window->window);
      MPI_Win_flush(peer, a->window->window);
    }
    MPI_Type_free(&type);
  }
  if (plan->owns) unpacked(plan, &plan->own[0], to, own);
  free(own);
  for (int i = 0; i < plan->recvs; i++) {
    unpacked(plan, &plan->recv[i], to, got[i]);
    free(got[i]);
  }
  free(got);
}

void xacc_gmove(const char *where, xacc_side left, xacc_side right, int mode, int async) {
  storage(&left);
  storage(&right);
  if (mode == XACC_OUT ? !left.array : !right.array) mode = XACC_COLLECTIVE; /* memory that no window has */
  if (mode) xacc_barrier(xacc_executing()); /* those who execute it see it as one step */
  int nl = 0, nr = 0;
  for (int d = 0; d < left.n; d++) nl += left.section[d];
  for (int d = 0; d < right.n; d++) nr += right.section[d];
  for (int d = 0, e = 0; d < left.n && nr && !right.turned; d++) {
    if (!left.section[d]) continue;
    while (!right.section[e]) e++;
    xacc_conform(where, left.name, left.at[d].len, right.name, right.at[e++].len);
    if (left.at[d].len > 0) continue;
    if (mode) xacc_barrier(xacc_executing());
    return;
  }
  gmove_plan *plan = xacc_gmove_plan(where, &left, &right, mode);
  if (mode) {
    far_move(where, plan, &left, &right);
    xacc_barrier(xacc_executing());
    return;
  }
  char *to = xacc_gmove_memory(&left) + plan->fixed[0], *from = xacc_gmove_memory(&right) + plan->fixed[1], *own = NULL;
  int count = 0, all = plan->sends + plan->recvs;
  MPI_Request *request = xacc_alloc(sizeof *request * (size_t)all);
  later **rest = xacc_alloc(sizeof *rest * (size_t)all);
  MPI_Comm comm = all ? xacc_comm(plan->key.set) : MPI_COMM_NULL;
  for (int i = 0; i < plan->recvs; i++) {
    const gmove_piece *p = &plan->recv[i];
    long n = plan->once ? 1 : p->count;
    char *buffer = xacc_alloc((size_t)n * plan->key.elem);
    rest[count] = kept(plan, p, to, buffer);
    MPI_Irecv(buffer, (int)n, plan->type, p->peer, TAG, comm, &request[count++]);
  }
  for (int i = 0; i < plan->sends; i++) {
    const gmove_piece *p = &plan->send[i];
    char *buffer = packed(plan, p, from);
    rest[count] = kept(plan, NULL, NULL, buffer);
    MPI_Isend(buffer, (int)p->count, plan->type, p->peer, TAG, comm, &request[count++]);
    moved += p->count * (long)plan->key.elem;
    messages++;
  }
  if (plan->owns) own = packed(plan, &plan->own[1], from);
  if (plan->owns) unpacked(plan, &plan->own[0], to, own);
  free(own);
  if (async < 0) MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
  for (int i = 0; i < count; i++) {
    if (async < 0)
      arrived(rest[i]);
    else
      xacc_request(async, request[i], arrived, rest[i]);
  }
  free(request);
  free(rest);
#ifdef XACC_CHECK
  stale(&left);
#endif
}
