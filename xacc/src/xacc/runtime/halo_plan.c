/* Which boxes a halo exchange moves. In each dimension the halo of a rank is cut into segments by the owners of what lies
   there (the next rank, or a later one where blocks are short; round the end where it is periodic). A message is one
   choice of own part or segment in each dimension, so corners come straight from their owners in a single phase. */
#include "halo.h"

typedef struct {
  long owner, from, to; /* coordinate of the owner; [from,to) in the owner's indices */
  long at;              /* index (of the receiver) of the first */
  int side;
} segment;

typedef struct {
  int count;
  segment s[2 * 64 + 2];
} segments;

static long nodes_along(const xacc_array *a, int d) {
  int k = a->axis[d];
  return k < 0 || a->t->axis[k] < 0 ? 1 : a->t->nodes->size[a->t->axis[k]];
}

static long coordinate(const xacc_array *a, int d) { return a->axis[d] < 0 ? 0 : xacc_coordinate(a->t, a->axis[d]); }

/* Cut [lo,hi) of the receiver's halo by owners; indices outside the array are taken round when periodic. */
static void cut(const xacc_array *a, int d, long lo, long hi, int periodic, int side, segments *list) {
  long size = a->size[d];
  while (lo < hi) {
    long i = lo, end = hi;
    if (i < 0 || i >= size) {
      if (!periodic) {
        if (i >= size) return;
        lo = hi < 0 ? hi : 0;
        continue;
      }
      i = ((i % size) + size) % size;
    }
    long owner = -1, from = 0, to = 0;
    for (long c = 0; c < nodes_along(a, d); c++) {
      xacc_array_range(a, d, c, &from, &to);
      if (i >= from && i < to) {
        owner = c;
        break;
      }
    }
    if (owner < 0) { /* outside the template */
      lo++;
      continue;
    }
    if (end - lo > to - i) end = lo + (to - i);
    if (list->count == (int)(sizeof list->s / sizeof *list->s))
      xacc_fail(NULL, "array %s: its halo touches more than 128 blocks in a dimension.", a->name);
    list->s[list->count++] = (segment){owner, i, i + (end - lo), lo, side};
    lo = end;
  }
}

/* A dimension that a reflect names with width 0 goes with its halo: reflects of one dimension after the other bring
   the corners, too. */
int xacc_plan_along(const xacc_array *a, int d, const xacc_width *w, int orthogonal) {
  return !orthogonal && !a->full[d] && !a->cycle[d] && !w->below && !w->above && (a->below[d] || a->above[d]);
}

/* The segments of the rank with coordinate c; number 0 is its own part. */
static void list_of(const xacc_array *a, int d, long c, const xacc_width *w, int orthogonal, segments *list) {
  long lo, hi;
  list->count = 1;
  if (a->cycle[d]) { /* all that the node holds, in local indices */
    list->s[0] = (segment){c, 0, a->ext[d], 0, -1};
    return;
  }
  xacc_array_range(a, d, c, &lo, &hi);
  list->s[0] = (segment){c, lo, hi, lo, -1};
  if (a->full[d]) {
    cut(a, d, 0, lo, 0, 0, list);
    cut(a, d, hi, a->size[d], 0, 1, list);
    return;
  }
  if (lo == hi) return;
  if (xacc_plan_along(a, d, w, orthogonal))
    list->s[0] = (segment){c, lo - a->below[d], hi + a->above[d], lo - a->below[d], -1};
  cut(a, d, lo - w->below, lo, w->periodic, 0, list);
  cut(a, d, hi, hi + w->above, w->periodic, 1, list);
}

static int own_parts(const int *number, int n) {
  int own = 0;
  for (int d = 0; d < n; d++) own += number[d] == 0;
  return own;
}

static int next_choice(int *number, const int *limit, int n) {
  for (int d = n - 1; d >= 0; d--) {
    if (++number[d] < limit[d]) return 1;
    number[d] = 0;
  }
  return 0;
}

static int face_of(const int *number, const segments *s, int n) {
  if (own_parts(number, n) != n - 1) return 2 * n;
  for (int d = 0; d < n; d++)
    if (number[d]) return 2 * d + s[d].s[number[d]].side;
  return 2 * n;
}

static int peer_at(const xacc_array *a, const long *c) {
  long at[XACC_DIMS];
  const xacc_nodes *nodes = a->t->nodes;
  memcpy(at, nodes->me, sizeof at);
  for (int d = 0; d < a->n; d++)
    if (a->axis[d] >= 0 && a->t->axis[a->axis[d]] >= 0) at[a->t->axis[a->axis[d]]] = c[d];
  return xacc_node_rank(nodes, at);
}

static int tag_of(const int *number, int n) {
  long tag = 0;
  for (int d = 0; d < n; d++) tag = tag * 5 + number[d];
  return (int)(tag % 32000);
}

static void set_bytes(const xacc_array *a, xacc_box *b) {
  b->bytes = a->elem;
  for (int d = 0; d < a->n; d++) b->bytes *= (size_t)b->count[d];
}

static void *grow(void *list, int count, size_t size) {
  if (count & (count - 1)) return list;
  list = realloc(list, size * (size_t)(count ? 2 * count : 1));
  if (!list) xacc_fail(NULL, "no memory for the plan of a halo exchange.");
  return list;
}

static void add(xacc_message **list, int *count, const xacc_array *a, const xacc_box *box, int peer, int tag, int face) {
  *list = grow(*list, *count, sizeof **list);
  xacc_message *m = &(*list)[(*count)++];
  memset(m, 0, sizeof *m);
  m->box = *box;
  set_bytes(a, &m->box);
  m->peer = peer;
  m->tag = tag;
  m->face = face;
  m->type = MPI_DATATYPE_NULL;
  for (int r = 0; r < XACC_ROUTES; r++) m->request[r] = MPI_REQUEST_NULL;
  m->near = xacc_host[peer] == xacc_host[xacc_rank];
}

static void receives(xacc_plan *p, const segments *mine) {
  const xacc_array *a = p->a;
  int number[XACC_DIMS] = {0}, limit[XACC_DIMS];
  for (int d = 0; d < a->n; d++) limit[d] = mine[d].count;
  while (next_choice(number, limit, a->n)) {
    if ((p->orthogonal & XACC_ORTHOGONAL) && own_parts(number, a->n) != a->n - 1) continue;
    long c[XACC_DIMS];
    xacc_box to, from;
    for (int d = 0; d < a->n; d++) {
      const segment *s = &mine[d].s[number[d]];
      c[d] = s->owner;
      to.at[d] = s->at - a->first[d];
      from.at[d] = s->from - a->first[d];
      to.count[d] = from.count[d] = s->to - s->from;
    }
    set_bytes(a, &to);
    if (to.bytes == 0) continue;
    int peer = peer_at(a, c);
    if (peer == xacc_rank) {
      set_bytes(a, &from);
      p->copy = realloc(p->copy, sizeof *p->copy * (size_t)(2 * p->copies + 2));
      p->copy[2 * p->copies] = from;
      p->copy[2 * p->copies++ + 1] = to;
    } else
      add(&p->receive, &p->receives, a, &to, peer, tag_of(number, a->n), face_of(number, mine, a->n));
  }
}

/* The same choices seen from every rank whose halo touches what this one owns. */
static void sends(xacc_plan *p) {
  const xacc_array *a = p->a;
  long c[XACC_DIMS] = {0};
  int limit[XACC_DIMS], along[XACC_DIMS], at[XACC_DIMS] = {0};
  segments *theirs[XACC_DIMS]; /* by coordinate */
  for (int d = 0; d < a->n; d++) {
    along[d] = (int)nodes_along(a, d);
    theirs[d] = xacc_alloc(sizeof **theirs * (size_t)along[d]);
    for (int i = 0; i < along[d]; i++) list_of(a, d, i, &p->width[d], p->orthogonal, &theirs[d][i]);
  }
  do {
    int skip = 0, number[XACC_DIMS] = {0};
    for (int d = 0; d < a->n; d++) c[d] = at[d];
    int peer = peer_at(a, c);
    if (peer == xacc_rank) continue;
    segments list[XACC_DIMS];
    for (int d = 0; d < a->n; d++) { /* only the choices that name me; 0 stays first so that numbers are theirs */
      int any = 0;
      const segments *s = &theirs[d][at[d]];
      for (int i = 0; i < s->count; i++) any |= s->s[i].owner == coordinate(a, d) && s->s[i].from < s->s[i].to;
      skip |= !any;
      limit[d] = s->count;
    }
    if (skip) continue;
    for (int d = 0; d < a->n; d++) list[d] = theirs[d][at[d]];
    while (next_choice(number, limit, a->n)) {
      int named = 1;
      if ((p->orthogonal & XACC_ORTHOGONAL) && own_parts(number, a->n) != a->n - 1) continue;
      xacc_box from;
      for (int d = 0; d < a->n; d++) {
        const segment *s = &list[d].s[number[d]];
        named &= s->owner == coordinate(a, d);
        from.at[d] = s->from - a->first[d];
        from.count[d] = s->to - s->from;
      }
      set_bytes(a, &from);
      if (!named || from.bytes == 0) continue;
      add(&p->send, &p->sends, a, &from, peer, tag_of(number, a->n), face_of(number, list, a->n));
    }
  } while (next_choice(at, along, a->n));
  for (int d = 0; d < a->n; d++) free(theirs[d]);
}

static xacc_plan *make(xacc_array *a, const xacc_width *width, int orthogonal) {
  xacc_plan *p = xacc_alloc(sizeof *p);
  segments mine[XACC_DIMS];
  p->a = a;
  p->base = a->base;
  p->orthogonal = orthogonal;
  p->set = a->t->nodes->set;
  p->comm = MPI_COMM_NULL;
  p->window = MPI_WIN_NULL;
  memcpy(p->width, width, sizeof *width * (size_t)a->n);
  int owns = 1, needs = 1; /* with t[i][3] a node may hold nothing although its block is not empty */
  for (int d = 0; d < a->n; d++) {
    list_of(a, d, coordinate(a, d), &width[d], orthogonal, &mine[d]);
    if (a->cycle[d] || a->lo[d] < a->hi[d]) continue;
    owns = 0;
    needs &= a->full[d];
  }
  if (needs) receives(p, mine);
  if (owns) sends(p);
  xacc_plan_types(p);
  p->next = a->plans;
  return a->plans = p;
}

xacc_plan *xacc_plan_of(const char *where, xacc_array *a, const xacc_width *width, int orthogonal) {
  xacc_width whole[XACC_DIMS];
  memset(whole, 0, sizeof whole);
  for (int d = 0; d < a->n; d++) {
    whole[d].below = width ? width[d].below : a->below[d];
    whole[d].above = width ? width[d].above : a->above[d];
    whole[d].periodic = width ? width[d].periodic : 0;
    if (a->full[d]) { /* a full shadow is always brought up to date as a whole */
      whole[d].below = a->below[d];
      whole[d].above = a->above[d];
      continue;
    }
    if (whole[d].below > a->below[d] || whole[d].above > a->above[d] || whole[d].below < 0 || whole[d].above < 0)
      xacc_fail(where, "reflect: a width of %ld:%ld in dimension %d of array %s, whose shadow is %ld:%ld.",
                whole[d].below, whole[d].above, d + 1, a->name, a->below[d], a->above[d]);
  }
  for (xacc_plan *p = a->plans; p; p = p->next)
    if (p->orthogonal == orthogonal && !memcmp(p->width, whole, sizeof *whole * (size_t)a->n)) return p;
  return make(a, whole, orthogonal);
}
