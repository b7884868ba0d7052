/* gmove in and out: the executing nodes fetch and place elements by themselves; their owners may do something else. */
#include "gmove.h"

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

void xacc_gmove_far(const char *where, gmove_plan *plan, const xacc_side *left, const xacc_side *right) {
  char *to = xacc_gmove_memory(left) + plan->fixed[0], *from = xacc_gmove_memory(right) + plan->fixed[1];
  char *own = plan->owns ? xacc_gmove_packed(plan, &plan->own[1], from) : NULL;
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
      char *values = xacc_gmove_packed(plan, near, from), *sent = values;
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
  if (plan->owns) xacc_gmove_unpacked(plan, &plan->own[0], to, own);
  free(own);
  for (int i = 0; i < plan->recvs; i++) {
    xacc_gmove_unpacked(plan, &plan->recv[i], to, got[i]);
    free(got[i]);
  }
  free(got);
}
