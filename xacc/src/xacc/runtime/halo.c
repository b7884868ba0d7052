/* reflect, reflect_init and reflect_do, and the choice of their routes. */
#include "halo.h"

static const char *const route_name[] = {"datatype", "packed", "shared"};

static int forced(void) {
  const char *name = getenv("XACC_ROUTE");
  for (int r = 0; name && *name && r < XACC_ROUTES; r++)
    if (!strcmp(name, route_name[r])) return r;
  if (name && *name && strcmp(name, "measure") && strcmp(name, "device") && strcmp(name, "staged"))
    xacc_fail(NULL, "XACC_ROUTE is %s; it may be datatype, packed, shared, measure, or for devices device or staged.", name);
  return -1;
}

static void describe(const char *where, const xacc_plan *p) {
  for (int f = 0; f <= 2 * p->a->n; f++) {
    size_t bytes = 0;
    int count = 0;
    for (int i = 0; i < p->sends; i++)
      if (p->send[i].face == f) bytes += p->send[i].box.bytes, count++;
    if (!count) continue;
    char face[32] = "corners";
    if (f < 2 * p->a->n) snprintf(face, sizeof face, "dimension %d %s", f / 2 + 1, f % 2 ? "above" : "below");
    xacc_explain("%s: note: reflect %s, %s: rank 0 sends %d of %zu bytes by route %s (%s)\n", where, p->a->name, face,
                 count, bytes, route_name[p->route[f]], p->measured > 1 ? "measured" : p->measured ? "kept" : "set");
  }
}

/* The exchange of one face by each route; all ranks take the one whose slowest rank is fastest. The data moved are those
   of the reflect itself, so that measuring leaves the same halos. */
static void measure_face(const char *key, xacc_plan *p, int face) {
  double best[XACC_ROUTES];
  int winner = 0;
  for (int r = 0; r < XACC_ROUTES; r++) {
    best[r] = 1e9;
    p->route[face] = r;
    for (int i = 0; i < 4; i++) {
      double t = MPI_Wtime();
      xacc_plan_start(p, face);
      xacc_plan_finish(p, face);
      t = MPI_Wtime() - t;
      if (i && t < best[r]) best[r] = t;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, best, XACC_ROUTES, MPI_DOUBLE, MPI_MAX, p->comm);
  for (int r = 1; r < XACC_ROUTES; r++)
    if (best[r] < best[winner]) winner = r;
  p->route[face] = winner;
  if (p->set->me == 0) xacc_route_keep(key, winner, best);
}

void xacc_plan_measure(const char *where, xacc_plan *p) {
  if (p->comm != MPI_COMM_NULL) return;
  p->comm = xacc_comm(p->set);
  int choice = forced();
  /* Every rank has to share or measure together; a face is looked at by all of them, also by those without it. */
  size_t bytes[2 * XACC_DIMS + 1] = {0};
  for (int i = 0; i < p->sends; i++)
    if (p->send[i].box.bytes > bytes[p->send[i].face]) bytes[p->send[i].face] = p->send[i].box.bytes;
  unsigned long most[2 * XACC_DIMS + 1];
  for (int f = 0; f <= 2 * p->a->n; f++) most[f] = bytes[f];
  if (p->set->count > 1)
    MPI_Allreduce(MPI_IN_PLACE, most, 2 * p->a->n + 1, MPI_UNSIGNED_LONG, MPI_MAX, p->comm);
  int want_shared = choice == XACC_SHARED;
  int known[2 * XACC_DIMS + 1];
  char key[2 * XACC_DIMS + 1][128];
  for (int f = 0; f <= 2 * p->a->n; f++) {
    long inner = 1;
    for (int d = f / 2 + 1; d < p->a->n; d++) inner *= p->a->size[d];
    snprintf(key[f], sizeof key[f], "%s%d ranks, %lu bytes, runs of %ld", f == 2 * p->a->n ? "corners, " : "", p->set->count,
             most[f], f == 2 * p->a->n ? 0 : inner * (long)p->a->elem);
    known[f] = choice >= 0 ? choice : xacc_route_known(key[f]);
    if (most[f] == 0) known[f] = XACC_DATATYPE;
    if (p->set->count > 1) MPI_Bcast(&known[f], 1, MPI_INT, 0, p->comm);
    p->route[f] = known[f] < 0 ? XACC_DATATYPE : known[f];
    want_shared |= known[f] < 0 || known[f] == XACC_SHARED;
    p->measured |= choice < 0 ? known[f] < 0 ? 2 : 1 : 0;
  }
  if (p->set->count > 1 && want_shared) xacc_plan_share(p);
  for (int f = 0; p->set->count > 1 && f <= 2 * p->a->n; f++)
    if (known[f] < 0) measure_face(key[f], p, f);
  describe(where, p);
}

static xacc_array *storage(xacc_array *a) {
  if (a->owner) return a;
  xacc_array *s = xacc_find(xacc_view(a));
  if (!s) xacc_fail(NULL, "array %s has no storage: the file that defines it was not translated.", a->name);
  return s;
}

static void finish(void *data) {
  xacc_plan *p = data;
  if (p->on_device)
    xacc_device_finish(p);
  else
    xacc_plan_finish(p, -1);
}

static void exchange(const char *where, xacc_plan *p, int flags, int async) {
  xacc_array *a = p->a;
  if (!a->t->nodes->member) return;
  if ((flags & XACC_DEVICE) && xacc_device_start(where, p)) {
    if (async >= 0)
      xacc_request(async, MPI_REQUEST_NULL, finish, p);
    else
      xacc_device_finish(p);
    return;
  }
  xacc_plan_measure(where, p);
  if (a->state && !a->cyclic) {
    long lo[XACC_DIMS], hi[XACC_DIMS];
    int along[XACC_DIMS];
    for (int d = 0; d < a->n; d++) {
      along[d] = xacc_plan_along(a, d, &p->width[d], p->orthogonal);
      if (along[d]) {
        lo[d] = a->lo[d] - a->below[d];
        hi[d] = a->hi[d] + a->above[d];
        continue;
      }
      lo[d] = a->lo[d] - p->width[d].below;
      hi[d] = a->hi[d] + p->width[d].above;
      if (!p->width[d].periodic) {
        if (lo[d] < 0) lo[d] = 0;
        if (hi[d] > a->size[d]) hi[d] = a->size[d];
      }
    }
    xacc_check_fresh(a, lo, hi, along);
  }
  xacc_plan_start(p, -1);
  if (async >= 0) {
    xacc_request(async, MPI_REQUEST_NULL, finish, p);
    return;
  }
  xacc_plan_finish(p, -1);
}

/* Full shadows of cyclic dimensions: the owners' elements go to all nodes, as if these had the array whole. */
static int whole_cyclic(const xacc_array *a) {
  for (int d = 0; d < a->n; d++)
    if (a->cycle[d] && a->full[d]) return 1;
  return 0;
}

static xacc_array *whole(const char *where, const xacc_array *a) {
  xacc_array *w = xacc_alloc(sizeof *w);
  *w = *a;
  for (int d = 0; d < a->n; d++) {
    if (!a->full[d] && (a->below[d] || a->above[d]))
      xacc_fail(where, "array %s: beside a full shadow of a cyclic dimension no other is narrower.", a->name);
    if (!a->full[d]) continue;
    w->axis[d] = -1;
    w->cycle[d] = w->offset[d] = w->lo[d] = w->first[d] = w->below[d] = w->above[d] = 0;
    w->hi[d] = w->ext[d] = a->size[d];
  }
  w->plans = w->init = NULL;
  w->state = NULL;
  w->whole = NULL;
  return w;
}

static void everywhere(const char *where, xacc_array *a, int flags, int async) {
  if (flags & XACC_DEVICE) xacc_fail(where, "array %s: a full shadow of a cyclic dimension is not on devices.", a->name);
  if (!a->whole) a->whole = whole(where, a);
  xacc_side side[2] = {{.name = a->name, .array = a->whole, .elem = a->elem, .n = a->n}};
  for (int d = 0; d < a->n; d++) {
    side[0].at[d] = (xacc_triplet){0, a->size[d], 1};
    side[0].section[d] = 1;
  }
  side[1] = side[0];
  side[1].array = a;
  xacc_gmove(where, side[0], side[1], XACC_COLLECTIVE, async);
}

void xacc_reflect(const char *where, xacc_array *a, const xacc_width *width, int flags, int async) {
  a = storage(a);
  if (whole_cyclic(a)) {
    everywhere(where, a, flags, async);
    return;
  }
  exchange(where, xacc_plan_of(where, a, width, flags & XACC_ORTHOGONAL), flags, async);
}

void xacc_reflect_init(const char *where, xacc_array *a, const xacc_width *width, int flags) {
  a = storage(a);
  if (whole_cyclic(a)) return;
  a->init = xacc_plan_of(where, a, width, flags & XACC_ORTHOGONAL);
}

void xacc_reflect_do(const char *where, xacc_array *a, int flags, int async) {
  a = storage(a);
  int full = whole_cyclic(a);
  if (!a->init && !full) xacc_fail(where, "reflect_do: no reflect_init for array %s came before.", a->name);
  if (full)
    everywhere(where, a, flags, async);
  else
    exchange(where, a->init, flags, async);
  if (!(flags & XACC_NOWAIT) && async < 0) xacc_barrier(xacc_both(a->t->nodes->set, xacc_executing()));
}
