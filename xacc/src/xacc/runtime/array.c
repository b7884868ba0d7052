/* Distributed arrays: which part a rank holds, and where. */
#include <limits.h>

#include "internal.h"

static xacc_array *all, *spare; /* spare: released, the last one first */
int xacc_one_sided;
enum { MOST_SPARE = 16 };       /* of one set of nodes */

static void place_cyclic(const char *where, xacc_array *a, int d, const xacc_align *align) {
  const xacc_template *t = a->t;
  int k = a->axis[d];
  if (align->below || align->above)
    xacc_fail(where, "array %s: a cyclic dimension has no shadow but a full one; distribute it by block.", a->name);
  a->width[d] = t->width[k];
  a->cycle[d] = t->width[k] * t->nodes->size[t->axis[k]];
  a->start[d] = a->offset[d] - t->lb[k];
  a->ext[d] = (t->ub[k] - t->lb[k] + a->cycle[d]) / a->cycle[d] * a->width[d];
  if ((a->full[d] = align->full)) {
    a->width[d] = a->cycle[d] = LONG_MAX / 2;
    a->start[d] = 0;
    a->ext[d] = a->size[d];
  }
  a->cyclic = 1;
  a->lo[d] = a->size[d]; /* lo, hi: first and one past the last owned index */
  a->hi[d] = 0;
  for (long i = 0; i < a->size[d]; i++) {
    if (!xacc_mine(t, k, i + a->offset[d])) continue;
    if (i < a->lo[d]) a->lo[d] = i;
    a->hi[d] = i + 1;
  }
  if (a->hi[d] < a->lo[d]) a->lo[d] = a->hi[d] = 0;
}

static void place(const char *where, xacc_array *a, const xacc_align *align, int nfixed, const xacc_fixed *fixed) {
  const xacc_template *t = a->t;
  int member = t->nodes->member;
  for (int i = 0; i < nfixed; i++) member = member && xacc_mine(t, fixed[i].axis, fixed[i].index);
  for (int d = 0; d < a->n; d++) {
    int k = a->axis[d] = align[d].axis;
    a->offset[d] = align[d].offset;
    if (align[d].below < 0 || align[d].above < 0) xacc_fail(where, "array %s: a shadow is narrower than 0.", a->name);
    if (k >= 0 && (a->offset[d] < t->lb[k] || a->size[d] - 1 + a->offset[d] > t->ub[k]) && !align[d].full &&
        t->kind[k] != XACC_STAR && a->offset[d] + a->size[d] <= t->lb[k])
      xacc_fail(where, "array %s: dimension %d lies outside template %s.", a->name, d + 1, t->name);
    if (k >= 0 && t->kind[k] == XACC_CYCLIC) {
      place_cyclic(where, a, d, &align[d]);
      continue;
    }
    xacc_array_range(a, d, k < 0 ? 0 : xacc_coordinate(t, k), &a->lo[d], &a->hi[d]);
    if (!member) a->hi[d] = a->lo[d];
    a->below[d] = align[d].below;
    a->above[d] = align[d].above;
    if ((a->full[d] = align[d].full)) {
      a->below[d] = a->lo[d];
      a->above[d] = a->size[d] - a->hi[d];
    }
    a->first[d] = a->lo[d] - a->below[d];
    a->ext[d] = a->hi[d] - a->lo[d] + a->below[d] + a->above[d];
    if (a->ext[d] < 1) a->ext[d] = 1;
  }
}

static void store(xacc_array *a) {
  size_t count = 1;
  for (int d = 0; d < a->n; d++) count *= (size_t)a->ext[d];
  size_t bytes = (count * a->elem + 127) / 64 * 64;
  if (xacc_one_sided) {
    a->window = xacc_alloc(sizeof *a->window);
    a->window->set = xacc_executing();
    MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, xacc_comm(a->window->set), &a->base, &a->window->window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, a->window->window);
  } else
    a->base = aligned_alloc(64, bytes);
  if (!a->base) xacc_fail(NULL, "no memory for %zu bytes of array %s.", count * a->elem, a->name);
  memset(a->base, 0, count * a->elem);
  a->origin = a->base;
#ifndef XACC_NO_SHIFT
  /* The origin lies outside the object, so it is found as a number, not as a pointer. */
  long shift = 0;
  for (int d = 0; d < a->n; d++) shift = shift * a->ext[d] + (a->cycle[d] ? 0 : a->first[d]);
  a->origin = (void *)((uintptr_t)a->base - (uintptr_t)(shift * (long)a->elem));
#endif
#ifdef XACC_CHECK
  a->state = xacc_alloc(count);
#endif
  a->owner = 1;
}

/* Arrays of a block are made whenever it is entered. Their storage and plans, which all nodes make together, are kept. */
static void note(xacc_array *a, int n, size_t elem, const long *size, const xacc_template *t, const xacc_align *align,
                 int nfixed, const xacc_fixed *fixed) {
  long *to = a->made_by;
  *to++ = n;
  *to++ = (long)elem;
  *to++ = (long)(intptr_t)t;
  *to++ = nfixed;
  for (int d = 0; d < n; d++) {
    const xacc_align *m = &align[d];
    const long all_of_it[] = {size[d], m->axis, m->offset, m->below, m->above, m->full};
    memcpy(to, all_of_it, sizeof all_of_it);
    to += sizeof all_of_it / sizeof *all_of_it;
  }
  for (int i = 0; i < nfixed; i++) {
    *to++ = fixed[i].axis;
    *to++ = fixed[i].index;
  }
}

static void windows_sync(void) {
  for (xacc_array *a = all; a && xacc_one_sided; a = a->next)
    if (a->window) MPI_Win_sync(a->window->window);
}

void xacc_barrier(const xacc_set *set) {
  windows_sync();
  if (set && set->count > 1) MPI_Barrier(xacc_comm(set));
}

static xacc_array *again(const xacc_array *like) {
  for (xacc_array **p = &spare, *a; (a = *p); p = &a->next)
    if (!memcmp(a->made_by, like->made_by, sizeof a->made_by)) {
      *p = a->next;
      size_t count = 1;
      for (int d = 0; d < a->n; d++) count *= (size_t)a->ext[d];
      memset(a->base, 0, count * a->elem);
      if (a->state) memset(a->state, 0, count);
      a->init = NULL;
      return a;
    }
  return NULL;
}

static void discard(xacc_array *a) {
  xacc_gmove_forget(a);
  if (a->whole) xacc_gmove_forget(a->whole);
  free(a->whole);
  xacc_plans_free(a);
  if (a->window) {
    MPI_Win_unlock_all(a->window->window);
    MPI_Win_free(&a->window->window);
    free(a->window);
  } else if (a->owner)
    free(a->base);
  free(a->state);
  free(a);
}

/* All members of a set release its arrays in the same order, so they also discard the same one. */
static void lay_by(xacc_array *a) {
  int count = 1;
  a->next = spare;
  spare = a;
  for (xacc_array **p = &a->next, *b; (b = *p);) {
    if (b->t->nodes->set == a->t->nodes->set && ++count > MOST_SPARE) {
      *p = b->next;
      discard(b);
    } else
      p = &b->next;
  }
}

xacc_array *xacc_array_new(const char *where, const char *name, void **holder, int own, size_t elem, int type, int n,
                           const long *size, const xacc_template *t, const xacc_align *align, int nfixed,
                           const xacc_fixed *fixed) {
  xacc_array *a = xacc_alloc(sizeof *a), *known;
  note(a, n, elem, size, t, align, nfixed, fixed);
  if (own && !holder && (known = again(a))) {
    free(a);
    known->name = name;
    known->type = type;
    known->next = all;
    return all = known;
  }
  a->n = n;
  a->elem = elem;
  a->type = type;
  a->t = t;
  a->name = name;
  a->holder = holder;
  for (int d = 0; d < n; d++) {
    a->size[d] = size[d];
    if (size[d] < 1) xacc_fail(where, "array %s: dimension %d has the extent %ld.", name, d + 1, size[d]);
  }
  place(where, a, align, nfixed, fixed);
  if (own) {
    store(a);
    if (holder) *holder = a->origin;
  }
  a->next = all;
  return all = a;
}

void xacc_array_release(xacc_array **slot) {
  xacc_array *a = *slot;
  if (!a) return;
  for (xacc_array **p = &all; *p; p = &(*p)->next)
    if (*p == a) {
      *p = a->next;
      break;
    }
  if (a->owner)
    lay_by(a);
  else
    discard(a);
  *slot = NULL;
}

/* The storage of an extern array is that of the unit that defines it. */
xacc_array *xacc_find(const void *origin) {
  for (xacc_array *a = all; a; a = a->next)
    if (a->owner && a->origin == origin) return a;
  return NULL;
}

xacc_array *xacc_elsewhere(const char *where, const char *name, const void *origin) {
  xacc_array *a = origin ? xacc_find(origin) : NULL;
  if (!a) xacc_fail(where, "array %s has no elements here; call xmp_malloc before.", name);
  return a;
}

void *xacc_alias(const char *where, const char *name, const xacc_array *a, size_t bytes) {
  const xacc_array *s = a->owner ? a : xacc_find(xacc_view(a));
  size_t row = s ? s->elem : 0;
  for (int d = s ? s->n - 1 : 0; d > 0 && row != bytes; d--) row *= (size_t)s->ext[d];
  if (!s) xacc_fail(where, "array %s has no elements here.", a->name);
  if (row != bytes)
    xacc_fail(where, "local_alias: what %s points to has %zu bytes, and no rows of the caller's part of array %s have as many.", name, bytes, a->name);
  return s->base;
}

/* A dimension on a * of the template is whole on every node, as one that is aligned with none. */
static int collapsed(const xacc_template *t, int axis) { return axis >= 0 && t->kind[axis] == XACC_STAR ? -1 : axis; }

xacc_array *xacc_parameter(const char *where, const char *name, const void *address, size_t elem, int type, int n,
                           const long *size, const xacc_template *t, const xacc_align *align) {
  xacc_array *a = xacc_find(address);
  (void)type;
  if (!a)
    xacc_fail(where, "parameter %s was given something else than a whole distributed array; pass the array by its name.",
              name);
  int same = a->n == n && a->elem == elem && a->t->n == t->n && a->t->nodes->set == t->nodes->set;
  for (int d = 0; same && d < n; d++) {
    int k = collapsed(t, align[d].axis), h = collapsed(a->t, a->axis[d]);
    same = (a->size[d] == size[d] || size[d] < 0) && (k < 0) == (h < 0);
    if (!same || k < 0) continue;
    same = t->kind[k] == a->t->kind[h] && t->width[k] == a->t->width[h] &&
           align[d].offset - t->lb[k] == a->offset[d] - a->t->lb[h] && t->axis[k] == a->t->axis[h];
    for (long c = 0; same && t->kind[k] == XACC_GBLOCK && c <= t->nodes->size[t->axis[k]]; c++)
      same = t->bound[k][c] - t->lb[k] == a->t->bound[h][c] - a->t->lb[h];
  }
  if (!same)
    xacc_fail(where, "parameter %s was given array %s, which is mapped in another way; align both alike.", name, a->name);
  for (int d = 0; d < n; d++)
    if (align[d].below > a->below[d] || align[d].above > a->above[d])
      xacc_fail(where, "parameter %s has a shadow of %ld:%ld in dimension %d and array %s one of %ld:%ld.", name,
                align[d].below, align[d].above, d + 1, a->name, a->below[d], a->above[d]);
  return a;
}
