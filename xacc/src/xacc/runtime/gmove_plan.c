/* Who sends which elements to whom in a gmove. Every node finds this from the descriptors alone. Ownership of a dimension does not depend
   on the other dimensions, so a message is a choice of runs in each of them. */
#include "gmove.h"

enum { MOST_PLANS = 64 };
static gmove_plan *plans; /* the last used first */
static long made;

long xacc_gmove_plans(void) { return made; }

static void check(const char *where, const xacc_side *s, int d) {
  xacc_triplet x = s->at[d];
  long extent = s->array ? s->array->size[d] : s->extent[d], last = x.lo + (x.len - 1) * x.step;
  if (x.len > 0 && (x.lo < 0 || last < 0 || (extent >= 0 && (x.lo >= extent || last >= extent))))
    xacc_fail(where, "array %s: index %ld of dimension %d is none of 0 to %ld.", s->name, x.lo, d + 1, extent - 1);
}

/* Local extent of a dimension on a rank, and the index of local 0. */
static long layout(const xacc_array *a, int d, int rank, long *first) {
  long at[XACC_DIMS] = {0}, lo, hi;
  *first = a->first[d];
  if (rank == xacc_rank || a->cycle[d] || !xacc_coordinates(a->t->nodes, rank, at)) return a->ext[d];
  int axis = a->axis[d] < 0 ? -1 : a->t->axis[a->axis[d]];
  xacc_array_range(a, d, axis < 0 ? 0 : at[axis], &lo, &hi);
  long below = a->full[d] ? lo : a->below[d], above = a->full[d] ? a->size[d] - hi : a->above[d];
  *first = lo - below;
  return hi - lo + below + above > 1 ? hi - lo + below + above : 1;
}

static long local_at(const gmove_side *s, int d, long i) {
  return s->a && s->a->cycle[d] ? xacc_cyclic(s->a, d, i) : i - s->first[d];
}

/* A side in the memory of a rank. */
static void prepare(const char *where, const xacc_side *s, size_t elem, int rank, gmove_side *out) {
  const xacc_array *a = out->a = s->array;
  long step = (long)elem;
  out->name = s->name;
  for (int k = 0; k < XACC_DIMS; k++) out->need[k] = out->vary[k] = out->dim[k] = -1;
  for (int d = s->n - 1; d >= 0; d--) {
    out->stride[d] = step;
    step *= a ? layout(a, d, rank, &out->first[d]) : s->extent[d] < 0 ? 1 : s->extent[d];
  }
  for (int d = 0; d < s->n; d++) {
    int k = a ? a->axis[d] : -1, axis = k < 0 ? -1 : a->t->axis[k];
    check(where, s, d);
    out->at[d] = s->at[d];
    if (s->section[d]) {
      out->vary[out->n] = axis;
      out->dim[out->n++] = d;
    } else {
      if (axis >= 0) out->need[axis] = xacc_owner(a->t, k, s->at[d].lo + a->offset[d]);
      out->fixed += local_at(out, d, s->at[d].lo) * out->stride[d];
    }
  }
  if (a) xacc_array_fixed(a, out->need);
  for (int k = 0; k < 2 && s->turned; k++) {
    int dim = k == 0 ? 1 : 0, axis = a->axis[dim];
    out->dim[k] = dim;
    out->vary[k] = axis < 0 ? -1 : a->t->axis[axis];
  }
}

/* How many elements from k on have the owner of k. */
static long reach(const gmove_side *s, int j, long k, long len, long *owner) {
  int d = s->dim[j];
  *owner = -1;
  if (d < 0 || s->vary[j] < 0) return len - k;
  const xacc_array *a = s->a;
  long step = s->at[d].step, i = s->at[d].lo + k * step + a->offset[d], lo, hi;
  int axis = a->axis[d];
  if (i < a->t->lb[axis] || i > a->t->ub[axis]) { /* beside the template: on no node */
    *owner = -2;
    return 1;
  }
  *owner = xacc_block_at(a->t, axis, i, &lo, &hi);
  long n = step > 0 ? (hi - 1 - i) / step + 1 : (i - lo) / -step + 1;
  return n < len - k ? n : len - k;
}

typedef struct {
  long count, space;
  gmove_run *run;
} runs;

static void list(const gmove_side *left, const gmove_side *right, int j, runs *out) {
  long len = left->at[left->dim[j]].len;
  for (long k = 0; k < len;) {
    gmove_run r = {.k = k};
    long n = reach(left, j, k, len, &r.left), m = reach(right, j, k, len, &r.right);
    r.count = n < m ? n : m;
    if (out->count == out->space) {
      out->space = out->space ? 2 * out->space : 8;
      out->run = realloc(out->run, sizeof *out->run * (size_t)out->space);
      if (!out->run) xacc_fail(NULL, "no memory for the plan of a gmove.");
    }
    if (r.left != -2 && r.right != -2) out->run[out->count++] = r;
    k += r.count;
  }
}

/* Nodes p[0:n][*] are other ranks for each column of p: those of the column of the rank in question. */
static int by_column(const xacc_nodes *nodes) {
  for (int d = 0; nodes->part_of && d < nodes->part_of->n; d++)
    if (nodes->part[d].kind == XACC_OWN) return 1;
  return 0;
}

int xacc_coordinates(const xacc_nodes *nodes, int rank, long *at) {
  long place = -1, of[XACC_DIMS];
  if (by_column(nodes)) {
    const xacc_nodes *p = nodes->part_of;
    if (!xacc_coordinates(p, rank, of)) return 0;
    place = 0;
    for (int d = p->n - 1; d >= 0; d--) {
      const xacc_sub *s = &nodes->part[d];
      if (s->kind == XACC_ALL) place = place * p->size[d] + of[d];
      if (s->kind != XACC_RANGE) continue;
      long hi = s->hi < p->size[d] - 1 ? s->hi : p->size[d] - 1;
      if (of[d] < s->lo || of[d] > hi || (of[d] - s->lo) % s->step) return 0;
      place = place * ((hi - s->lo) / s->step + 1) + (of[d] - s->lo) / s->step;
    }
  }
  for (long i = 0; place < 0 && i < nodes->set->count; i++)
    if (nodes->set->rank[i] == rank) place = i;
  if (place < 0 || place >= nodes->count) return 0;
  for (int d = 0; d < nodes->n; d++) {
    at[d] = place % nodes->size[d];
    place /= nodes->size[d];
  }
  return 1;
}

/* The rank at these coordinates, in the column of `near`. */
static int rank_at(const xacc_nodes *nodes, const long *at, int near) {
  long of[XACC_DIMS] = {0}, place = 0;
  if (!by_column(nodes)) return xacc_node_rank(nodes, at);
  const xacc_nodes *p = nodes->part_of;
  xacc_coordinates(p, near, of);
  for (int d = nodes->n - 1; d >= 0; d--) place = place * nodes->size[d] + at[d];
  for (int d = 0; d < p->n; d++) {
    const xacc_sub *s = &nodes->part[d];
    if (s->kind == XACC_OWN) continue;
    long lo = s->kind == XACC_ALL ? 0 : s->lo, step = s->kind == XACC_ALL ? 1 : s->step;
    long hi = s->kind == XACC_ALL || s->hi > p->size[d] - 1 ? p->size[d] - 1 : s->hi, n = (hi - lo) / step + 1;
    of[d] = lo + place % n * step;
    place /= n;
  }
  return rank_at(p, of, near);
}

static int holds(const gmove_side *s, int rank, long *at) {
  if (!s->a) return 1;
  const xacc_nodes *nodes = s->a->t->nodes;
  if (!xacc_coordinates(nodes, rank, at)) return 0;
  for (int d = 0; d < nodes->n; d++)
    if (s->need[d] >= 0 && s->need[d] != at[d]) return 0;
  return 1;
}

static long along(const gmove_side *s, int j, const long *at) { return s->a && s->vary[j] >= 0 ? at[s->vary[j]] : -1; }

/* Of elements that several nodes have, the one with the receiver's coordinates gives: the receiver, where it is one of them. */
static int giver(const gmove_side *right, int to, const long *choice) {
  long at[XACC_DIMS] = {0};
  const xacc_nodes *nodes = right->a->t->nodes;
  xacc_coordinates(nodes, to, at);
  for (int d = 0; d < nodes->n; d++)
    if (right->need[d] >= 0) at[d] = right->need[d];
  for (int j = 0; j < right->n; j++)
    if (right->vary[j] >= 0) at[right->vary[j]] = choice[j];
  return rank_at(nodes, at, to);
}

static gmove_piece piece(const gmove_side *s, int n, const runs *all, const long *left, const long *right, int peer, int once) {
  gmove_piece p = {.peer = peer, .count = 1, .fixed = s->fixed};
  if (s->dim[0] < 0 && once) return p;
  for (int j = 0; j < n; j++) {
    int d = s->dim[j];
    long elements = 0;
    p.span[j] = xacc_alloc(sizeof(gmove_span) * (size_t)all[j].count);
    for (long i = 0; i < all[j].count; i++) {
      const gmove_run *r = &all[j].run[i];
      if (r->left != left[j] || r->right != right[j]) continue;
      long index = s->at[d].lo + r->k * s->at[d].step;
      p.span[j][p.spans[j]++] = (gmove_span){local_at(s, d, index) * s->stride[d], s->at[d].step * s->stride[d], r->count};
      elements += r->count;
    }
    p.count *= elements;
  }
  return p;
}

static int place(const xacc_set *set, int rank) {
  for (int i = 0; i < set->count; i++)
    if (set->rank[i] == rank) return i;
  return -1;
}

static void add(gmove_piece **list, int *count, gmove_piece p) {
  if ((*count & (*count - 1)) == 0) {
    *list = realloc(*list, sizeof **list * (size_t)(*count ? 2 * *count : 1));
    if (!*list) xacc_fail(NULL, "no memory for the plan of a gmove.");
  }
  (*list)[(*count)++] = p;
}

/* All that one node receives, as far as the caller has a part in it. */
static void receiver(const char *where, gmove_plan *plan, const xacc_side *side, const gmove_side *left, const gmove_side *right,
                     const runs *all, int to) {
  long at[XACC_DIMS] = {0}, mine[XACC_DIMS], *values[XACC_DIMS], count[XACC_DIMS] = {0}, digit[XACC_DIMS] = {0}, choice[XACC_DIMS];
  const xacc_set *set = plan->key.set;
  int empty = 0;
  int far = plan->key.mode, many = 0;
  if (!holds(left, to, at) || (far == XACC_IN && to != xacc_rank)) return;
  if (!right->a && to != xacc_rank && (far != XACC_OUT || place(set, to) >= 0)) return;
  for (int j = 0; j < plan->n; j++) {
    mine[j] = along(left, j, at);
    values[j] = xacc_alloc(sizeof(long) * (size_t)all[j].count);
    for (long i = 0; i < all[j].count; i++) {
      const gmove_run *r = &all[j].run[i];
      long known = r->left != mine[j];
      for (long v = 0; !known && v < count[j]; v++) known = values[j][v] == r->right;
      if (!known) values[j][count[j]++] = r->right;
    }
    empty |= count[j] == 0;
  }
  while (!empty) {
    for (int j = 0; j < plan->n; j++) choice[j] = values[j][digit[j]];
    int from = right->a ? giver(right, to, choice) : place(set, to) >= 0 ? to : set->rank[0], j = plan->n - 1;
    if (place(set, from) < 0 && far != XACC_IN)
      xacc_fail(where, "gmove: array %s has elements on rank %d, which does not take part; let all nodes of the array execute it.", right->name, from);
    if (far == XACC_OUT && from != xacc_rank) {
      /* its giver places it */
    } else if (to == xacc_rank && from == xacc_rank) {
      plan->owns = 1;
      plan->own[0] = piece(left, plan->n, all, mine, choice, 0, plan->once);
      plan->own[1] = piece(right, plan->n, all, mine, choice, 0, plan->once);
    } else if (to == xacc_rank && far)
      add(&plan->recv, &plan->recvs, piece(left, plan->n, all, mine, choice, from, plan->once));
    else if (to == xacc_rank)
      add(&plan->recv, &plan->recvs, piece(left, plan->n, all, mine, choice, place(set, from), plan->once));
    else if (from == xacc_rank && far)
      add(&plan->send, &plan->sends, piece(right, plan->n, all, mine, choice, to, plan->once));
    else if (from == xacc_rank)
      add(&plan->send, &plan->sends, piece(right, plan->n, all, mine, choice, place(set, to), plan->once));
    if (far && to != from && (far == XACC_IN ? to : from) == xacc_rank) { /* where it lies at the other end */
      gmove_side there = {0};
      many = plan->sends + plan->recvs - 1;
      prepare(where, &side[to == xacc_rank], plan->key.elem, to == xacc_rank ? from : to, &there);
      add(&plan->far, &many, piece(&there, plan->n, all, mine, choice, to == xacc_rank ? from : to, plan->once));
    }
    while (j >= 0 && ++digit[j] == count[j]) digit[j--] = 0;
    if (j < 0) break;
  }
  for (int j = 0; j < plan->n; j++) free(values[j]);
}

static void build(const char *where, gmove_plan *plan, const xacc_side *l, const xacc_side *r) {
  gmove_side left = {0}, right = {0};
  runs all[XACC_DIMS] = {{0}};
  const xacc_set *set = plan->key.set;
  const xacc_side both[2] = {*l, *r};
  prepare(where, l, plan->key.elem, xacc_rank, &left);
  prepare(where, r, plan->key.elem, xacc_rank, &right);
  plan->n = left.n;
  plan->once = right.n == 0;
  plan->fixed[0] = left.fixed;
  plan->fixed[1] = right.fixed;
  int nothing = 0;
  for (int j = 0; j < plan->n; j++) {
    list(&left, &right, j, &all[j]);
    nothing |= all[j].count == 0;
  }
  if (plan->key.mode == XACC_OUT && l->array) set = l->array->t->nodes->set;
  for (int i = 0; i < set->count && !nothing; i++) receiver(where, plan, both, &left, &right, all, set->rank[i]);
  set = plan->key.set;
  for (long i = 0; plan->key.mode != XACC_OUT && l->array && !nothing && i < l->array->t->nodes->count; i++) {
    long at[XACC_DIMS];
    int rank = l->array->t->nodes->set->rank[i], some = 1;
    if (place(set, rank) >= 0 || !holds(&left, rank, at)) continue;
    for (int j = 0; j < plan->n; j++) {
      int hit = 0;
      for (long k = 0; k < all[j].count; k++) hit |= all[j].run[k].left == along(&left, j, at);
      some &= hit;
    }
    if (some)
      xacc_fail(where, "gmove: array %s has elements on rank %d, which does not take part; let all nodes of the array execute it.", left.name, rank);
  }
  for (int j = 0; j < plan->n; j++) free(all[j].run);
  MPI_Type_contiguous((int)plan->key.elem, MPI_BYTE, &plan->type);
  MPI_Type_commit(&plan->type);
}

static void discard_piece(gmove_piece *p) {
  for (int j = 0; j < XACC_DIMS; j++) free(p->span[j]);
}

static void discard(gmove_plan *plan) {
  if (plan->busy) return; /* an asynchronous one that nobody has waited for */
  for (int i = 0; i < plan->sends; i++) discard_piece(&plan->send[i]);
  for (int i = 0; i < plan->recvs; i++) discard_piece(&plan->recv[i]);
  for (int i = 0; plan->far && i < plan->sends + plan->recvs; i++) discard_piece(&plan->far[i]);
  free(plan->far);
  for (int i = 0; i < 2; i++) discard_piece(&plan->own[i]);
  free(plan->send);
  free(plan->recv);
  MPI_Type_free(&plan->type);
  free(plan);
}

void xacc_gmove_forget(const xacc_array *a) {
  for (gmove_plan **p = &plans, *q; (q = *p);)
    if (q->key.array[0] == a || q->key.array[1] == a) {
      *p = q->next;
      discard(q);
    } else
      p = &q->next;
}

gmove_plan *xacc_gmove_plan(const char *where, const xacc_side *left, const xacc_side *right, int mode) {
  const xacc_side *side[2] = {left, right};
  gmove_key key;
  memset(&key, 0, sizeof key);
  key.set = xacc_executing();
  key.mode = mode;
  key.elem = left->elem;
  for (int s = 0; s < 2; s++) {
    key.array[s] = side[s]->array;
    key.n[s] = side[s]->n;
    key.turned |= side[s]->turned;
    for (int d = 0; d < side[s]->n; d++) {
      key.section[s][d] = side[s]->section[d];
      key.extent[s][d] = side[s]->extent[d];
      key.at[s][d] = side[s]->at[d];
    }
  }
  int count = 0;
  for (gmove_plan **p = &plans, *q; (q = *p); p = &q->next) {
    if (!memcmp(&q->key, &key, sizeof key)) {
      *p = q->next;
      q->next = plans;
      return plans = q;
    }
    if (++count == MOST_PLANS) {
      *p = q->next;
      discard(q);
      break;
    }
  }
  gmove_plan *plan = xacc_alloc(sizeof *plan);
  plan->key = key;
  build(where, plan, left, right);
  made++;
  plan->next = plans;
  return plans = plan;
}
