/* reflect, reflect_init and reflect_do. */
#include "halo.h"

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
  xacc_plan_routes(where, p);
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
